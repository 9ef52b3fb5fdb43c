import type { Static } from 'typebox'
import type { OrderSheetCheck, OrderSheetQuery } from '../../contract/portal/order-sheet.js'
import type { PurchaseOrderCreate } from '../../contract/public/purchase-order.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { mediaTypeOf } from '../../domain/documents/media-type.js'
import { recordPurchaseOrder } from '../../domain/purchase-orders/purchase-order.js'
import { fairQueue } from '../../jobs/fair-queue.js'
import { ProcessLimitReached } from '../../jobs/limited-process.js'
import { commit } from '../../ledger/commit.js'
import { type CellFault, describeFault } from '../../spreadsheet/sheet.js'
import { findTakenReferences } from '../../store/purchase-orders.js'
import type { PortalHandler } from '../../usecases/portal-context.js'
import { createPurchaseOrders } from '../../usecases/purchase-orders/create-purchase-order.js'
import { runIngestTask } from '../ingest-process.js'
import { tables } from './columns.js'
import type { ColumnMapping } from './header.js'
import { addPart, type HeldTable, type HeldTablePart, mostFaults } from './held-table.js'
import type { OrderSheetInput } from './order-sheet-job.js'
import { templateXlsx } from './template.js'

/** Purchase orders from a spreadsheet: every cell is validated, then all orders are created or none. */

const rowsShown = 200
const mostErrors = 100

// A sheet that was made for it takes as long as it may; others take less than a second.
const milliseconds = 10_000
// Each waiting sheet holds its upload in memory: 10 MiB at most.
const queue = fairQueue({ concurrency: 2, jobsPerOwner: 5, jobs: 40 }, 'Many spreadsheets are being read; try again.')

export const getOrderSheetTemplate: PortalHandler<'getOrderSheetTemplate'> = async () => {
  const name = 'purchase-orders.xlsx'
  const content = await templateXlsx('purchase_orders')
  return { name, mediaType: mediaTypeOf(name), size: content.length, content }
}

export const checkOrderSheet: PortalHandler<'checkOrderSheet'> = async ({ db, account }, { query, upload, signal }) => {
  const sheet = await readSheet(account, inputOf(upload.content, query), signal)
  const taken = await findTakenReferences(db, account, referencesIn(sheet))
  return checkOf(sheet, takenFaults(sheet, taken))
}

export const saveOrderSheet: PortalHandler<'saveOrderSheet'> = async (context, { query, upload, signal }) => {
  const { db, account, author, quotas } = context
  const sheet = await readSheet(account, inputOf(upload.content, query), signal)
  refuseFaults(sheet.faults, sheet.faultCount)
  // A record without faults conforms to its schema.
  const orders = sheet.records.map(({ data }) => recordPurchaseOrder(data as PurchaseOrderCreate))
  return commit(db, account, author, async (tx) => {
    tx.applyDefaultQuotas(quotas)
    const taken = await createPurchaseOrders(tx, account, orders)
    refuseFaults(takenFaults(sheet, taken))
    return { created: orders.map(({ reference }) => reference) }
  })
}

function inputOf(content: Buffer, { columns, dates }: Static<typeof OrderSheetQuery>): OrderSheetInput {
  return { content, dates, ...(columns !== undefined && { mapping: mappingOf(columns) }) }
}

const fields = tables.purchase_orders.columns.map(({ name }) => name)

function mappingOf(text: string): ColumnMapping {
  const refuse = (detail: string) => invalid([{ pointer: '/columns', detail }])
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw refuse('is not JSON')
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw refuse('must be an object')
  for (const [heading, name] of Object.entries(given)) {
    if (name !== '' && !fields.includes(name as string))
      throw refuse(`${heading} stands for no column of purchase_orders`)
  }
  return given as ColumnMapping
}

/** Reads the upload in a process with limits, which ends with the request. */
async function readSheet(account: AccountId, input: OrderSheetInput, signal: AbortSignal): Promise<HeldTable> {
  const sheet: HeldTable = {
    columns: [],
    rows: [],
    records: [],
    faults: [],
    faultCount: 0,
    warnings: [],
    unknownColumns: [],
    unreadSheets: [],
  }
  let reason: string | undefined
  function onPart(part: HeldTablePart): void {
    if ('unreadable' in part) reason = part.unreadable
    else addPart(sheet, part)
  }
  try {
    const read = () => runIngestTask('orderSheet', input, { milliseconds, signal, onPart })
    await queue.run(account, read, signal)
  } catch (error) {
    if (error instanceof ProcessLimitReached) throw unreadable('takes too long, or too much memory, to be read')
    throw error
  }
  if (reason === undefined && sheet.rows.length === 0) reason = 'has no row below its headings'
  if (reason !== undefined) throw unreadable(reason)
  return sheet
}

function unreadable(detail: string): Refusal {
  return invalid([{ pointer: '/file', detail }])
}

function referencesIn({ records }: HeldTable): string[] {
  return records.flatMap(({ data }) => (typeof data.reference === 'string' ? data.reference : []))
}

function takenFaults({ records }: HeldTable, taken: Set<string>): CellFault[] {
  return records
    .filter(({ data }) => typeof data.reference === 'string' && taken.has(data.reference))
    .map(({ place }) => ({
      ...place,
      detail: 'already exists: existing orders are not changed',
    }))
}

function refuseFaults(faults: CellFault[], count = faults.length): void {
  if (faults.length === 0) return
  const errors = faults
    .slice(0, mostErrors)
    .map((fault) => ({ pointer: pointerTo(fault), detail: describeFault(fault) }))
  const [first] = errors
  const more = count === 1 ? '' : ` (and ${count - 1} more)`
  throw new Refusal('import_rejected', `${first?.detail}${more}. Nothing was created.`, { faults: errors })
}

function pointerTo({ row, column }: CellFault): string {
  const name = column?.name.replaceAll('~', '~0').replaceAll('/', '~1')
  return name ? `/${row}/${name}` : `/${row}`
}

function checkOf(table: HeldTable, taken: CellFault[]): OrderSheetCheck {
  const { columns, rows, records, unreadSheets } = table
  const listed = [...table.faults, ...taken].slice(0, mostFaults)
  const keyOf = ({ sheet, row }: { sheet: string | undefined; row: number }) => `${row} ${sheet ?? ''}`
  const faulty = new Set(listed.map(keyOf))
  const shown = rows.filter((row, index) => index < rowsShown || faulty.has(keyOf(row)))
  return {
    columns,
    rows: shown.map(({ sheet, row, cells }) => ({
      row,
      cells: columns.map((_, index) => cells[index] ?? ''),
      ...(sheet !== undefined && { sheet }),
    })),
    row_count: rows.length,
    order_count: records.length,
    faults: listed.map(faultOf),
    fault_count: table.faultCount + taken.length,
    unknown_columns: table.unknownColumns,
    fields,
    warnings: table.warnings.map(faultOf),
    unread_sheets: unreadSheets,
  }
}

function faultOf({ sheet, row, column, detail }: CellFault): OrderSheetCheck['faults'][number] {
  const heading = column?.name || column?.letter
  return { row, detail, ...(sheet !== undefined && { sheet }), ...(heading !== undefined && { column: heading }) }
}
