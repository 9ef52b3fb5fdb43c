import { Invoice, type InvoiceStatus, type InvoiceType } from '../contract/invoice.js'
import type { ShipmentInvoiceStatus } from '../contract/shipment.js'
import { inInterfaceOrder } from './rendering.js'

export function renderInvoice(record: Invoice): Invoice {
  return inInterfaceOrder(Invoice, record)
}

// What one invoice means to its shipment. Nothing more is asked for a written-off one; one that is disputed is
// still owed; one that is being corrected has been seen before.
const meaning = {
  new: 'awaiting_invoice',
  available: 'available',
  in_modification: 'available',
  due: 'due',
  litigious: 'due',
  partially_paid: 'partially_paid',
  paid: 'paid',
  write_off: 'paid',
} satisfies Record<InvoiceStatus, ShipmentInvoiceStatus>

/** The state of a shipment's invoices as one word. Credit notes owe nothing and do not count. */
export function shipmentInvoiceStatus(
  invoices: { type?: InvoiceType | null | undefined; status?: InvoiceStatus | null | undefined }[],
): ShipmentInvoiceStatus {
  const states = new Set<ShipmentInvoiceStatus>()
  for (const { type, status } of invoices) {
    if (type !== 'credit_note') states.add(status ? meaning[status] : 'awaiting_invoice')
  }
  const somePaid = states.has('paid') || states.has('partially_paid')
  const someOpen = states.has('due') || states.has('available') || states.has('partially_paid')
  if (somePaid) return someOpen ? 'partially_paid' : 'paid'
  if (states.has('due')) return 'due'
  if (states.has('available')) return 'available'
  return 'awaiting_invoice'
}
