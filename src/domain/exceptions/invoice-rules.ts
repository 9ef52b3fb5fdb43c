import type { InvoiceRecord } from '../../contract/public/invoice.js'
import type { Price } from '../../contract/public/shared-types.js'
import { dayAfter, type Findings, nothing } from './condition.js'

export type InvoiceFacts = {
  invoice: Pick<InvoiceRecord, 'reference' | 'svc_shipment_id' | 'type' | 'draft' | 'due_date'>
  /** What still has to be paid. */
  outstanding: Price[]
  now: number
}

/** The due date has passed, and something has to be paid. A credit note is set off against its invoice. */
export function invoiceOverdue({ invoice, outstanding, now }: InvoiceFacts): Findings {
  const { reference, svc_shipment_id, type, draft, due_date } = invoice
  const amounts = outstanding.filter(({ amount }) => amount > 0)
  if (draft || type === 'credit_note' || due_date === undefined || amounts.length === 0) return nothing
  const since = dayAfter(due_date, 1)
  if (now < since) return { conditions: [], checks: [since] }
  return {
    conditions: [
      {
        kind: 'invoice_overdue',
        invoice_reference: reference,
        ...(svc_shipment_id !== undefined && { svc_shipment_id }),
        severity: 'warning',
        reason_key: 'invoice_overdue',
        details: { day: due_date, amounts },
        since,
        evidence: [],
        threatens: [],
      },
    ],
    checks: [],
  }
}
