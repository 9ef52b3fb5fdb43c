import { createHash } from 'node:crypto'
import { businessTime } from '../../clock/clock.js'
import type { Shipment } from '../../contract/public/shipment.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { type CalendarEntry, calendarEntries } from '../../domain/calendars/calendar-entries.js'
import { icalendarLines } from '../../domain/calendars/icalendar.js'
import { type SentContent, sentEntries } from '../../domain/calendars/sent-entries.js'
import { dateAfter, dateOfDay, dayOf } from '../../domain/dates/local-days.js'
import { inCalendar } from '../../domain/shipments/shipment-lists.js'
import { filterOf, readShipmentsSearch } from '../../domain/shipments/shipment-view.js'
import { fairQueue } from '../../jobs/fair-queue.js'
import { mapInSlices } from '../../jobs/in-slices.js'
import {
  listSentEntries,
  lockCalendar,
  type OpenCalendar,
  type SentEntry,
  saveSentEntries,
} from '../../store/calendars.js'
import { type ShipmentQuery, searchShipments } from '../../store/search/shipment-search.js'
import { findClocks } from '../free-time/shipment-free-time.js'
import type { PortalFile, PortalHandler, VisitorContext } from '../portal-context.js'

// What is longer ago, or further ahead, is not in the calendar.
const daysBefore = 60
const daysAhead = 365
// Of each of two searches: one request reads no whole account.
const mostShipments = 500

// Anybody with the address reads many shipments by it. Calendars take turns, and programs that read one rarely do so at the same time.
const queue = fairQueue({ concurrency: 2, jobsPerOwner: 5, jobs: 200 }, 'Many calendars are being read; try again.')

/** The dates of the shipments, as calendar programs subscribe to them. */
export const readCalendar: PortalHandler<'readCalendar'> = async (context) => {
  const { calendar } = context
  if (!calendar) throw new Refusal('calendar_not_valid')
  return queue.run(calendar.link_id, () => renderCalendar(context, calendar))
}

async function renderCalendar(
  { db, base, forwarderName }: VisitorContext,
  calendar: OpenCalendar,
): Promise<PortalFile> {
  const { account_id: account, link_id, name, language, time_zone } = calendar
  const today = dateOfDay(dayOf(businessTime(), time_zone))
  const { shipments, isComplete } = await findShipments(db, calendar, today)
  const clocks = await findClocks(db, account, [...shipments.keys()])
  // Loaded on first use: the port data is large.
  const { placeNameOf } = await import('../../geography/places.js')
  const placeOf = (code: string) => placeNameOf(code) ?? code
  const first = dateAfter(today, -daysBefore)
  const entries = await mapInSlices(shipments.values(), (shipment) =>
    calendarEntries(shipment, clocks.get(shipment.svc_shipment_id) ?? [], language, placeOf),
  )
  const present = entries.flat().filter(({ day }) => day >= first)
  const sent = await save(db, account, link_id, { present, first, today, isComplete })
  const events = await mapInSlices(sent, (entry) => {
    const { shipment, ...content } = JSON.parse(entry.content) as SentContent
    return {
      ...content,
      uid: uidOf(account, entry.entry_id),
      day: entry.day,
      url: `${base}/shipments/${encodeURIComponent(shipment)}`,
      sequence: entry.sequence,
      changedAt: entry.changed_at,
      isCancelled: entry.is_cancelled,
    }
  })
  const lines = await mapInSlices(icalendarLines(`${forwarderName}: ${name}`, events), (line) => line)
  const content = Buffer.from(lines.join(''))
  return { name: 'waybill.ics', mediaType: 'text/calendar; charset=utf-8', size: content.length, content }
}

/** Those that leave or arrive around today; of a saved view, those that it lists. */
async function findShipments(
  db: Database,
  { account_id: account, query }: OpenCalendar,
  today: string,
): Promise<{ shipments: Map<string, Shipment>; isComplete: boolean }> {
  const filter: ShipmentQuery =
    query === null ? inCalendar : filterOf(readShipmentsSearch(Object.fromEntries(new URLSearchParams(query))))
  const [from, to] = [dateAfter(today, -daysBefore), dateAfter(today, daysAhead)]
  const searches: ShipmentQuery[] = [
    { arrives_from: from, arrives_to: to, ...filter, sort: 'arrival', order: 'asc' },
    { departs_from: from, departs_to: to, ...filter, sort: 'departure', order: 'asc' },
  ]
  const shipments = new Map<string, Shipment>()
  let isComplete = true
  for (const search of searches) {
    let after: string | undefined
    let read = 0
    do {
      const page = await searchShipments(db, account, { ...search, take: 100, ...(after && { after }) }, today)
      const found = await mapInSlices(page.bodies, (body) => JSON.parse(body) as Shipment)
      for (const shipment of found) shipments.set(shipment.svc_shipment_id, shipment)
      read += page.bodies.length
      after = page.next
    } while (after !== undefined && read < mostShipments)
    isComplete &&= after === undefined
  }
  return { shipments, isComplete }
}

type Present = { present: CalendarEntry[]; first: string; today: string; isComplete: boolean }

/** Stores what is sent. */
async function save(db: Database, account: AccountId, calendar_id: string, now: Present): Promise<SentEntry[]> {
  return db.begin(async (sql) => {
    // It may have been removed meanwhile.
    if (!(await lockCalendar(sql, account, calendar_id))) throw new Refusal('calendar_not_valid')
    const before = await listSentEntries(sql, account, calendar_id)
    const { entries, changed, gone } = sentEntries(before, { ...now, at: new Date(businessTime()) })
    await saveSentEntries(sql, account, calendar_id, { changed, gone })
    return entries
  })
}

/** The same for a date in all calendars of an account, also in one that is created again. */
function uidOf(account: AccountId, entry_id: string): string {
  const hash = createHash('sha256').update(`${account} ${entry_id}`).digest('hex')
  return `${hash.slice(0, 32)}@waybill`
}
