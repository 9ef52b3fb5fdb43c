import type { PortalQuery } from '../../../../src/contract/portal/operations.js'
import type { InvoiceStatus, InvoiceType } from '../../../../src/contract/public/invoice.js'
import { currencies } from '../../../../src/contract/public/shared-types.js'
import { nextInvoiceStatuses } from '../../../../src/domain/invoices/invoice-status.js'
import { readerOf, withoutBlanks } from '../../../../src/domain/records/query-values.js'

type Found = Omit<NonNullable<PortalQuery<'findInvoices'>>, 'after' | 'take'>
export type InvoicesSearch = Found & { view?: string }
export type InvoiceSort = NonNullable<Found['sort']>
export type InvoiceState = NonNullable<Found['state']>

export const invoiceStates: InvoiceState[] = ['open', 'overdue', 'settled']
export const invoiceTypes: InvoiceType[] = ['invoice', 'credit_note']
export const invoiceStatuses = Object.keys(nextInvoiceStatuses) as InvoiceStatus[]
const sorts: InvoiceSort[] = ['newest', 'due', 'number', 'amount']

export function readInvoicesSearch(raw: Record<string, string>): InvoicesSearch {
  const { text, oneOf, several } = readerOf(raw)
  return withoutBlanks<InvoicesSearch>({
    q: text('q'),
    state: oneOf('state', invoiceStates),
    status: several('status', invoiceStatuses),
    type: oneOf('type', invoiceTypes),
    currency: oneOf('currency', currencies),
    due_from: day(text('due_from')),
    due_to: day(text('due_to')),
    sort: oneOf('sort', sorts),
    order: oneOf('order', ['asc', 'desc']),
    view: text('view'),
  })
}

function day(given: string | undefined): string | undefined {
  return given !== undefined && /^\d{4}-\d\d-\d\d$/.test(given) ? given : undefined
}

/** Clears every parameter of the address. */
export const blankInvoicesSearch = {
  q: undefined,
  state: undefined,
  status: undefined,
  type: undefined,
  currency: undefined,
  due_from: undefined,
  due_to: undefined,
  sort: undefined,
  order: undefined,
  view: undefined,
} satisfies { [Name in keyof Required<InvoicesSearch>]: undefined }
