import {
  Invoice,
  InvoiceLine,
  type InvoiceRecord,
  type InvoiceStatus,
  type InvoiceType,
} from '../../contract/public/invoice.js'
import type { ShipmentInvoiceStatus } from '../../contract/public/shipment.js'
import { inInterfaceOrder } from '../records/rendering.js'

/** The shape of the interface is closed: what lines have beyond it is on the PDF. */
export function renderInvoice(record: InvoiceRecord): Invoice {
  const { lines } = record
  return inInterfaceOrder(Invoice, lines ? { ...record, lines: lines.map(renderLine) } : record)
}

function renderLine(line: NonNullable<InvoiceRecord['lines']>[number]): InvoiceLine {
  const isBeyond = line.tax_category !== undefined || line.disbursement !== undefined
  return isBeyond ? inInterfaceOrder(InvoiceLine, line) : line
}

// The status of an invoice as its shipment shows it: written off counts as paid, disputed as due, in modification as
// available.
const shownStatus = {
  new: 'awaiting_invoice',
  available: 'available',
  in_modification: 'available',
  due: 'due',
  litigious: 'due',
  partially_paid: 'partially_paid',
  paid: 'paid',
  write_off: 'paid',
} satisfies Record<InvoiceStatus, ShipmentInvoiceStatus>

/** The combined status of a shipment's invoices, without credit notes. */
export function shipmentInvoiceStatus(
  invoices: { type?: InvoiceType | null | undefined; status?: InvoiceStatus | null | undefined }[],
): ShipmentInvoiceStatus {
  const states = new Set<ShipmentInvoiceStatus>()
  for (const { type, status } of invoices) {
    if (type !== 'credit_note') states.add(status ? shownStatus[status] : 'awaiting_invoice')
  }
  const somePaid = states.has('paid') || states.has('partially_paid')
  const someOpen = states.has('due') || states.has('available') || states.has('partially_paid')
  if (somePaid) return someOpen ? 'partially_paid' : 'paid'
  if (states.has('due')) return 'due'
  if (states.has('available')) return 'available'
  return 'awaiting_invoice'
}
