import { buffer } from 'node:stream/consumers'
import type {
  FreeTimeTableResult,
  FreeTimeTerm,
  freeTimeTables,
  WorkingDays,
} from '../../contract/operator/free-time.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountScope } from '../../database/account-id.js'
import type { Database, Reader, TransactionSql } from '../../database/database.js'
import {
  calendarColumns,
  calendarsOfRows,
  type NumberedRow,
  rowsOfCalendar,
} from '../../domain/free-time/calendar-table.js'
import { rowOfTerm, termColumns, termOfRow } from '../../domain/free-time/term-table.js'
import { recordChanges } from '../../domain/records/record-changes.js'
import { spreadsheetFile } from '../../spreadsheet/spreadsheet-file.js'
import { readTable } from '../../spreadsheet/table-process.js'
import type { TableCell } from '../../spreadsheet/table-rows.js'
import { listAccountRows } from '../../store/accounts.js'
import { type Actor, forwarderLog, recordAudit } from '../../store/audit.js'
import { listCalendars, listTerms, lockFreeTime, saveCalendar, saveTerm } from '../../store/free-time.js'
import type { FileResponse, OperatorHandler } from '../operator-context.js'

/** Rules and calendars as CSV or XLSX: what would change, and the change itself. */

const largest = 2 * 1024 * 1024
const mostRows = 20_000
const mostListed = 200

export type FreeTimeTable = (typeof freeTimeTables)[number]
const columnsOf = { terms: termColumns, working_days: calendarColumns } as const

export const importFreeTimeTable: OperatorHandler<'importFreeTimeTable'> = async (
  { db, actor },
  { query: { table, check }, content },
) => importTable(db, { table, content, isCheck: check === 'true' }, actor)

/** With faults, or for a check, nothing is changed. */
export async function importTable(
  db: Database,
  { table, content, isCheck }: { table: FreeTimeTable; content: Buffer; isCheck: boolean },
  actor: Actor,
): Promise<FreeTimeTableResult> {
  if (content.length > largest) throw new Refusal('payload_too_large', 'A table of free time has at most 2 MB.')
  const rows = await readRows(table, content, actor.actor)
  return db.begin(async (sql) => {
    await lockFreeTime(sql)
    const { entries, faults } = table === 'terms' ? await readTerms(sql, rows) : readCalendars(rows)
    const stored = await findStored(sql, table)
    const changes = entries.flatMap(({ id, value }) => {
      const before = stored.get(id)
      const fields = before ? recordChanges(before, value).map(({ pointer }) => pointer) : []
      if (before && fields.length === 0) return []
      return [{ id, value, what: before ? ('updated' as const) : ('created' as const), fields }]
    })
    const kept = !isCheck && faults.length === 0 && changes.length > 0
    if (kept) {
      for (const { id, value } of changes) await save(sql, table, id, value, actor.actor)
      await recordAudit(sql, forwarderLog, actor, {
        kind: 'operator',
        action: 'operator_acted',
        subject: table,
        details: { operation: 'importFreeTimeTable', table, changes: changes.length },
      })
    }
    return resultOf(kept, rows.length, changes, faults)
  })
}

async function readRows(table: FreeTimeTable, content: Buffer, owner: string): Promise<NumberedRow[]> {
  const read = await readTable(content, owner, mostRows + 1)
  if ('unreadable' in read) throw unreadable(read.unreadable)
  const [heading, ...rest] = read.sheets[0]?.rows ?? []
  if (!heading) throw unreadable('has no header')
  const names = heading.cells.map((cell) =>
    shownCell(cell)
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_'),
  )
  const known: readonly string[] = columnsOf[table]
  const unknown = names.find((name) => name !== '' && !known.includes(name))
  if (unknown !== undefined) throw unreadable(`has the column ${unknown}; its columns are ${known.join(', ')}`)
  return rest.map(({ number, cells }) => ({
    number,
    cells: Object.fromEntries(names.map((name, index) => [name, shownCell(cells[index])])),
  }))
}

function unreadable(reason: string): Refusal {
  return invalid([{ pointer: '', detail: `the table ${reason}` }])
}

function shownCell(cell: TableCell = ''): string {
  if (typeof cell === 'string') return cell
  return 'date' in cell ? cell.date.replace(/T00:00:00$/, '') : cell.error
}

type Entry = { id: string; value: object }
type RowFault = FreeTimeTableResult['faults'][number]
type Read = { entries: Entry[]; faults: RowFault[] }

async function readTerms(db: Reader, rows: NumberedRow[]): Promise<Read> {
  const accounts = new Set((await listAccountRows(db)).map(({ slug }) => slug))
  const entries: Entry[] = []
  const faults: RowFault[] = []
  const seen = new Set<string>()
  for (const { number: row, cells } of rows) {
    const { value, faults: wrong } = termOfRow(cells)
    for (const { pointer, detail } of wrong) faults.push({ row, column: pointer.slice(1), detail })
    if (!value) continue
    const { id, ...term } = value
    if (seen.has(id)) faults.push({ row, column: 'id', detail: 'occurs twice' })
    if (term.account !== undefined && !accounts.has(term.account))
      faults.push({ row, column: 'account', detail: 'there is no such account' })
    seen.add(id)
    entries.push({ id, value: term })
  }
  return { entries, faults }
}

function readCalendars(rows: NumberedRow[]): Read {
  const { calendars, faults } = calendarsOfRows(rows)
  return {
    entries: calendars.map(({ place, ...calendar }) => ({ id: place, value: calendar })),
    faults: faults.map(({ row, pointer, detail }) => ({ row, column: pointer.slice(1), detail })),
  }
}

async function findStored(db: Reader, table: FreeTimeTable): Promise<Map<string, object>> {
  if (table === 'terms') {
    const terms = await listTerms(db, 'all', {})
    return new Map(terms.map(({ id, recorded_at: _at, recorded_by: _by, ...term }) => [id, term]))
  }
  const calendars = await listCalendars(db, {})
  return new Map(calendars.map(({ place, recorded_at: _at, recorded_by: _by, ...calendar }) => [place, calendar]))
}

async function save(
  sql: TransactionSql,
  table: FreeTimeTable,
  id: string,
  value: object,
  author: string,
): Promise<void> {
  if (table === 'terms') await saveTerm(sql, id, value as FreeTimeTerm, author)
  else await saveCalendar(sql, id, value as WorkingDays, author)
}

type Changed = { id: string; what: 'created' | 'updated'; fields: string[] }

function resultOf(kept: boolean, rows: number, changes: Changed[], faults: RowFault[]): FreeTimeTableResult {
  const more = (count: number) => (count > mostListed ? count - mostListed : undefined)
  const [moreChanges, moreFaults] = [more(changes.length), more(faults.length)]
  return {
    kept,
    rows,
    created: changes.filter(({ what }) => what === 'created').length,
    updated: changes.filter(({ what }) => what === 'updated').length,
    changes: changes.slice(0, mostListed).map(({ id, what, fields }) => ({ id, what, fields: fields.slice(0, 20) })),
    faults: faults.slice(0, mostListed),
    ...(moreChanges !== undefined && { more_changes: moreChanges }),
    ...(moreFaults !== undefined && { more_faults: moreFaults }),
  }
}

export const exportFreeTimeTable: OperatorHandler<'exportFreeTimeTable'> = async (
  { db, operator },
  { query: { table, format = 'csv', as_of } },
) => {
  const file = await exportTable(db, operator.accounts, table, format, as_of)
  return async () => file
}

/** Everything as a table that can be edited and imported again; without any, its header. */
export async function exportTable(
  db: Reader,
  scope: AccountScope,
  table: FreeTimeTable,
  format: 'csv' | 'xlsx',
  asOf?: string,
): Promise<FileResponse & { content: Buffer }> {
  const rows =
    table === 'terms'
      ? (await listTerms(db, scope, { asOf })).map(rowOfTerm)
      : (await listCalendars(db, { asOf })).flatMap(rowsOfCalendar)
  const header = [...columnsOf[table]]
  const file = spreadsheetFile(format, { fileName: `free-time-${table}`, name: table, header, rows: [rows] })
  const content = await buffer(file.content)
  return { name: file.name, mediaType: file.mediaType, size: content.length, content }
}
