import { purchaseOrderFaults } from '../../domain/purchase-orders/purchase-order.js'
import { UnreadableTable } from '../../spreadsheet/sheet.js'
import type { HeaderOptions } from './header.js'
import { type HeldTablePart, partsOfTable, readHeldTable, type TableLimits } from './held-table.js'

const limits: TableLimits = { rows: 20_000, columns: 100, characters: 20_000_000, unpacked: 32 * 1024 * 1024 }

export type OrderSheetInput = { content: Buffer } & Pick<HeaderOptions, 'dates' | 'mapping'>

/** Reads an uploaded sheet of purchase orders, in the ingest process. */
export async function sendOrderSheet(
  { content, dates, mapping }: OrderSheetInput,
  send: (part: HeldTablePart) => void,
): Promise<void> {
  try {
    const sheet = await readHeldTable('purchase_orders', Buffer.from(content), limits, purchaseOrderFaults, {
      dates,
      mapping,
    })
    for (const part of partsOfTable(sheet)) send(part)
  } catch (error) {
    if (!(error instanceof UnreadableTable)) throw error
    send({ unreadable: error.message })
  }
}
