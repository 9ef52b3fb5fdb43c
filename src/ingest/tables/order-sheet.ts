import type { OrderSheetCheck } from '../../contract/portal/order-sheet.js'
import type { PurchaseOrderCreate } from '../../contract/public/purchase-order.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { mediaTypeOf } from '../../domain/documents/media-type.js'
import { purchaseOrderFaults, recordPurchaseOrder } from '../../domain/purchase-orders/purchase-order.js'
import { commit } from '../../ledger/commit.js'
import { findTakenReferences } from '../../store/purchase-orders.js'
import type { PortalHandler } from '../../usecases/portal-context.js'
import { createPurchaseOrders } from '../../usecases/purchase-orders/create-purchase-order.js'
import { type HeldTable, readHeldTable, type TableLimits } from './held-table.js'
import { type CellFault, describeFault, UnreadableTable } from './sheet.js'
import { templateXlsx } from './template.js'

/** Purchase orders from a spreadsheet: every cell is validated, then all orders are created or none. */

const limits: TableLimits = { rows: 20_000, columns: 100, characters: 20_000_000, unpacked: 32 * 1024 * 1024 }
const rowsShown = 200
// A response lists this many faults at most: a file with more usually has one cause.
const mostFaults = 5000
const mostErrors = 100

export const getOrderSheetTemplate: PortalHandler<'getOrderSheetTemplate'> = async () => {
  const name = 'purchase-orders.xlsx'
  const content = await templateXlsx('purchase_orders')
  return { name, mediaType: mediaTypeOf(name), size: content.length, content }
}

export const checkOrderSheet: PortalHandler<'checkOrderSheet'> = async ({ db, account }, { upload }) => {
  const sheet = await readSheet(account, upload.content)
  const taken = await findTakenReferences(db, account, referencesIn(sheet))
  return checkOf(sheet, [...sheet.faults, ...takenFaults(sheet, taken)])
}

export const saveOrderSheet: PortalHandler<'saveOrderSheet'> = async ({ db, account, author, quotas }, { upload }) => {
  const sheet = await readSheet(account, upload.content)
  refuseFaults(sheet.faults)
  // A record without faults conforms to its schema.
  const orders = sheet.records.map(({ data }) => recordPurchaseOrder(data as PurchaseOrderCreate))
  return commit(db, account, author, async (tx) => {
    tx.applyDefaultQuotas(quotas)
    const taken = await createPurchaseOrders(tx, account, orders)
    refuseFaults(takenFaults(sheet, taken))
    return { created: orders.map(({ reference }) => reference) }
  })
}

async function readSheet(account: AccountId, content: Buffer): Promise<HeldTable> {
  try {
    const sheet = await readHeldTable(account, 'purchase_orders', content, limits, purchaseOrderFaults)
    if (sheet.rows.length === 0) throw new UnreadableTable('has no row below its headings')
    return sheet
  } catch (error) {
    if (error instanceof UnreadableTable) throw invalid([{ pointer: '/file', detail: error.message }])
    throw error
  }
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

function refuseFaults(faults: CellFault[]): void {
  if (faults.length === 0) return
  const errors = faults
    .slice(0, mostErrors)
    .map((fault) => ({ pointer: pointerTo(fault), detail: describeFault(fault) }))
  const [first] = errors
  const more = faults.length === 1 ? '' : ` (and ${faults.length - 1} more)`
  throw new Refusal('import_rejected', `${first?.detail}${more}. Nothing was created.`, { faults: errors })
}

function pointerTo({ row, column }: CellFault): string {
  const name = column?.name.replaceAll('~', '~0').replaceAll('/', '~1')
  return name ? `/${row}/${name}` : `/${row}`
}

function checkOf({ columns, rows, records, unreadSheets }: HeldTable, faults: CellFault[]): OrderSheetCheck {
  const listed = faults.slice(0, mostFaults)
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
    fault_count: faults.length,
    unread_sheets: unreadSheets,
  }
}

function faultOf({ sheet, row, column, detail }: CellFault): OrderSheetCheck['faults'][number] {
  const heading = column?.name || column?.letter
  return { row, detail, ...(sheet !== undefined && { sheet }), ...(heading !== undefined && { column: heading }) }
}
