import type { InvoiceStanding } from '../../contract/portal/overview.js'
import type { InvoiceRecord } from '../../contract/public/invoice.js'
import { readSnapshot } from '../../database/snapshot.js'
import { pricesOf, sumPrices } from '../../domain/invoices/invoice-totals.js'
import type { PortalHandler } from '../portal-context.js'
import { findInvoiceBalance, type InvoiceBalance } from './invoice-balance.js'
import { findInvoiceRecord, getIssuedInvoice } from './invoice-record.js'

/** The payments and credit notes of an invoice, and what is outstanding. */
export const getInvoiceStanding: PortalHandler<'getInvoiceStanding'> = async ({ db, account }, { params }) =>
  readSnapshot(db, async (sql) => {
    const record = await getIssuedInvoice(sql, account, params.reference)
    const balance = await findInvoiceBalance(sql, account, record)
    const { credited_invoice } = record
    const credited =
      credited_invoice === undefined ? undefined : await findInvoiceRecord(sql, account, credited_invoice)
    return standingOf(balance, credited)
  })

function standingOf(balance: InvoiceBalance, credited: InvoiceRecord | undefined): InvoiceStanding {
  const issued = balance.credit_notes.filter(({ draft }) => !draft)
  // A refund of a credit note is a negative payment.
  const refunds = balance.paid_back.map((payment) => ({ ...payment, amount: -payment.amount }))
  const payments = [...balance.payments, ...refunds]
  return {
    totals: balance.totals.map(pricesOf),
    paid: sumPrices(payments),
    credited: balance.credited,
    balance: balance.outstanding,
    payments: payments.map(({ amount, currency, paid_on, payment_id }) => ({
      amount: { amount, currency },
      paid_on,
      reference: payment_id,
    })),
    credit_notes: issued.map(nameOf),
    ...(credited && { credits: nameOf(credited) }),
  }
}

function nameOf({ reference, number }: InvoiceRecord): { reference: string; number?: string } {
  return { reference, ...(number !== undefined && { number }) }
}
