import type { OrderSheetCheck } from '../contract/portal/order-sheet.js'
import type { PurchaseOrderCreate } from '../contract/purchase-order.js'
import { invalid, Refusal } from '../contract/refusals.js'
import { orderRowOf } from '../customer/purchase-orders.js'
import { mediaTypeOf } from '../domain/media-type.js'
import { purchaseOrderFaults, recordPurchaseOrder } from '../domain/purchase-order.js'
import { type HeldTable, readHeldTable, type TableLimits } from '../operator/tables/held-table.js'
import { type CellFault, describeFault, UnreadableTable } from '../operator/tables/sheet.js'
import { templateXlsx } from '../operator/tables/template.js'
import { createPurchaseOrders, findTakenReferences } from '../storage/purchase-orders.js'
import { transaction } from '../storage/transaction.js'
import type { PortalHandlers } from './handlers.js'

/** Orders from a spreadsheet: looked into cell by cell, then created, all of them or none. */

const limits: TableLimits = { rows: 20_000, columns: 100, characters: 20_000_000, unpacked: 32 * 1024 * 1024 }
const rowsShown = 200
// More than anybody reads; a file with more faults has one cause, not as many.
const mostFaults = 5000
const mostErrors = 100

export const orderSheetHandlers: PortalHandlers<'getOrderSheetTemplate' | 'checkOrderSheet' | 'saveOrderSheet'> = {
  async getOrderSheetTemplate() {
    const name = 'purchase-orders.xlsx'
    const content = await templateXlsx('purchase_orders')
    return { name, mediaType: mediaTypeOf(name), size: content.length, content }
  },

  async checkOrderSheet({ db, account }, { upload }) {
    const sheet = await readSheet(upload.content)
    const taken = await findTakenReferences(db, account, referencesIn(sheet))
    return checkOf(sheet, [...sheet.faults, ...takenFaults(sheet, (reference) => taken.has(reference))])
  },

  async saveOrderSheet({ db, account, author }, { upload }) {
    const sheet = await readSheet(upload.content)
    refuseFaults(sheet.faults)
    // Without a fault, every record is what its schema says.
    const orders = sheet.records.map(({ data }) => orderRowOf(recordPurchaseOrder(data as PurchaseOrderCreate)))
    return transaction(db, account, author, async (tx) => {
      const created = await createPurchaseOrders(tx, account, orders)
      refuseFaults(takenFaults(sheet, (reference) => !created.has(reference)))
      return { created: orders.map(({ reference }) => reference) }
    })
  },
}

async function readSheet(content: Buffer): Promise<HeldTable> {
  try {
    const sheet = await readHeldTable('purchase_orders', content, limits, purchaseOrderFaults)
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

function takenFaults({ records }: HeldTable, isTaken: (reference: string) => boolean): CellFault[] {
  return records
    .filter(({ data }) => typeof data.reference === 'string' && isTaken(data.reference))
    .map(({ place }) => ({ ...place, detail: 'is the reference of an order that is there already: none is changed' }))
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
  const told = faults.slice(0, mostFaults)
  const keyOf = ({ sheet, row }: { sheet: string | undefined; row: number }) => `${row} ${sheet ?? ''}`
  const faulty = new Set(told.map(keyOf))
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
    faults: told.map(faultOf),
    fault_count: faults.length,
    unread_sheets: unreadSheets,
  }
}

function faultOf({ sheet, row, column, detail }: CellFault): OrderSheetCheck['faults'][number] {
  const heading = column?.name || column?.letter
  return { row, detail, ...(sheet !== undefined && { sheet }), ...(heading !== undefined && { column: heading }) }
}
