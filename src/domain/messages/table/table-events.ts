import { isByLand, isExpectation, isLandMode, mainModeOf } from '../../tracking/event-phrases.js'
import { mostEvents } from '../dcsa.js'
import { vesselOf } from '../edi/edi-context.js'
import type { EventTime } from '../event-time.js'
import type { ForeignCode, IncomingEvent, ReadEvent, ReadMessage } from '../incoming-event.js'
import { columnsOf, describeMissing, type SheetColumns, type TableRow, type TableSheet } from './table-columns.js'
import type { TableContext } from './table-context.js'
import { type Happening, happeningReader } from './table-happening.js'
import { momentReader } from './table-moments.js'
import { placeOf } from './table-places.js'
import { referencesIn } from './table-references.js'
import { type Cells, cellsOf, RowFault } from './table-row.js'
import { readRetraction, readStatus } from './table-status.js'

/** Reads a table in which each row is an event. Faults name the row and the column, and leave the other rows as they are. */
export function readTableEvents(sheets: TableSheet[], context: TableContext): ReadMessage {
  const all = sheets.filter(({ rows }) => rows.length > 0).map((sheet) => columnsOf(sheet, context.settings))
  const [first] = all
  if (!first) return { fault: 'is empty' }
  // Notes and lists of codes are left out.
  const read = all.filter(({ missing }) => missing.length === 0)
  if (read.length === 0) {
    const [nearest = first] = all.toSorted((one, other) => one.missing.length - other.missing.length)
    return { fault: describeMissing(nearest), isMappable: true }
  }
  const warnings = all.flatMap(({ sheet, missing }) =>
    missing.length === 0
      ? []
      : [`sheet ${JSON.stringify(sheet?.slice(0, 100) ?? '')} is not read: it has no headings of events`],
  )
  const foreign: ForeignCode[] = []
  const rows = read.flatMap((sheet) => readSheet(sheet, context, { warnings, foreign }))
  if (rows.length === 0) return { fault: 'has no row below its headings' }
  if (rows.length > mostEvents) return { fault: `has more than ${mostEvents} rows` }
  return { events: numbered(rows), warnings: [...new Set(warnings)].slice(0, mostWarnings), foreign }
}

const mostWarnings = 100

type Collected = { warnings: string[]; foreign: ForeignCode[] }

function readSheet(sheet: SheetColumns, context: TableContext, collected: Collected): ReadEvent[] {
  const readMoment = momentReader(sheet, context)
  const readHappening = happeningReader(context)
  return sheet.rows.map((row): ReadEvent => {
    try {
      return { event: readRow(row, sheet, context, collected, { readMoment, readHappening }), row: row.number }
    } catch (error) {
      if (error instanceof RowFault) return { fault: error.message, row: row.number }
      throw error
    }
  })
}

type Readers = {
  readMoment(cells: Cells, field: 'date' | 'issued_at', zone: string | undefined): EventTime | undefined
  readHappening(cells: Cells): Happening
}

function readRow(
  row: TableRow,
  sheet: SheetColumns,
  context: TableContext,
  { warnings, foreign }: Collected,
  { readMoment, readHappening }: Readers,
): IncomingEvent {
  const cells = cellsOf(row, sheet, context.settings)
  const { containers, documents, oddities } = referencesIn(cells)
  const { code, description, sourceCode, status: meant, key, isForeign } = readHappening(cells)
  const { timeZone, ...place } = placeOf(cells, context)
  const moment = readMoment(cells, 'date', timeZone)
  if (!moment) throw cells.fault('date', 'is required')
  const issued = readMoment(cells, 'issued_at', undefined)
  const stated = meant ?? readStatus(cells)
  // "Estimated arrival" has not happened, whatever its row says.
  const isClaimed = stated === 'actual' && meant === undefined && sourceCode === '' && isExpectation(description)
  const status = isClaimed ? 'estimated' : (stated ?? usualStatus(description, moment.date, context))
  if (isForeign) foreign.push({ format: 'table', code: key, text: description.slice(0, 200) })
  for (const oddity of oddities) warnings.push(oddity)
  if (moment.zone === 'assumed') warnings.push('times without an offset at places that are not known are taken as UTC')
  const vessel = vesselOf(cells.text('vessel'), cells.text('imo'), cells.text('voyage'))
  const mode = mainModeOf(cells.text('mode'))
  const remark = cells.text('remark')
  const sourceId = cells.text('event_id')
  if (sourceId.length > 255) throw cells.fault('event_id', 'is longer than 255 characters')
  return {
    isKept: false,
    sourceId: sourceId === '' ? undefined : sourceId,
    issuedAt: issued?.date,
    isRetracted: readRetraction(cells),
    sourceCode,
    code,
    status,
    ...moment,
    description,
    containers,
    place,
    isOfTransport: false,
    isInland: isLandMode(cells.text('mode')) || isByLand(description, code),
    documents,
    versioned: [key.toLowerCase(), status, place.unlocode ?? place.name?.toLowerCase() ?? ''],
    ...((vessel || mode || remark !== '') && {
      details: {
        ...(vessel && { vessel }),
        ...(mode && { mode }),
        ...(remark !== '' && { remark: remark.slice(0, 1000) }),
      },
    }),
  }
}

/** Of a row that does not say it. What is expected has not happened, whatever the sender's rows usually are. */
function usualStatus(
  description: string,
  date: string,
  { settings, receivedAt }: TableContext,
): IncomingEvent['status'] {
  const { status = 'by_date' } = settings
  if (isExpectation(description)) return status === 'planned' ? 'planned' : 'estimated'
  if (status !== 'by_date') return status
  return Date.parse(date) > receivedAt ? 'estimated' : 'actual'
}

/**
 * What happens several times, such as a failed delivery, is distinguished by its order in time. Rows that say when they were issued
 * are versions of each other instead.
 */
function numbered(rows: ReadEvent[]): ReadEvent[] {
  const times = new Map<string, Set<number>>()
  const keyOf = ({ containers, documents, versioned }: IncomingEvent) =>
    JSON.stringify([containers, documents, versioned])
  const counted = rows.flatMap((row) => ('event' in row && row.event.issuedAt === undefined ? row.event : []))
  for (const event of counted) {
    const known = times.get(keyOf(event)) ?? new Set()
    times.set(keyOf(event), known.add(Date.parse(event.date)))
  }
  const places = new Map(
    [...times].map(([key, dates]) => [
      key,
      new Map([...dates].toSorted((a, b) => a - b).map((at, index) => [at, index])),
    ]),
  )
  for (const event of counted) {
    const index = places.get(keyOf(event))?.get(Date.parse(event.date)) ?? 0
    if (index > 0) event.versioned = [...(event.versioned ?? []), index]
  }
  return rows
}
