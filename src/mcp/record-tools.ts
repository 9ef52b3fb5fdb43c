import { Type } from 'typebox'
import type { Client } from '../client/client.js'
import { DocumentType } from '../contract/public/document.js'
import { type ChangeEvent, eventTypes } from '../contract/public/event.js'
import type { Invoice } from '../contract/public/invoice.js'
import { ShipmentId } from '../contract/public/shared-types.js'
import { closed, described, Identifier } from '../contract/schema.js'
import { grossOf, sumPrices, totalsOf } from '../domain/invoices/invoice-totals.js'
import { Clock, clocksOf } from './shipment-tools.js'
import { Amount, found, ifGranted, known, limit, more, mostSearched, Quoted, quote, searchPages, tool } from './tool.js'

export const listDocuments = tool({
  name: 'list_documents',
  title: 'Documents',
  description:
    'Documents of a shipment or of the account, newest first, with links to download them. A link works for a few minutes.',
  input: closed(
    {},
    { svc_shipment_id: described(ShipmentId, 'Only those of this shipment.'), type: DocumentType, limit },
  ),
  output: closed({
    documents: Type.Array(
      closed(
        { id: Type.String(), name: Quoted, link: Type.String(), bytes: Type.Integer() },
        { type: Type.String(), svc_shipment_id: Identifier, uploaded_at: Type.String() },
      ),
    ),
    more,
  }),
  async run(waybill, { svc_shipment_id, type, limit: most = 10 }) {
    const { data } = await waybill.listDocuments({ query: { ...known({ svc_shipment_id, type }), take: most + 1 } })
    return {
      documents: data.slice(0, most).map((each) =>
        known({
          id: each.id,
          name: quote(each.name),
          type: each.type ?? undefined,
          link: each.link,
          bytes: each.size,
          svc_shipment_id: each.svc_shipment_id,
          uploaded_at: each.uploaded_at,
        }),
      ),
      more: data.length > most,
    }
  },
})

const unpaid = new Set<Invoice['status']>(['available', 'due', 'litigious', 'partially_paid'])

export const listInvoicesDue = tool({
  name: 'list_invoices_due',
  title: 'Invoices to pay',
  description:
    'Invoices that are not paid in full, the one due first first, with what is to be paid of each currency. What is outstanding after payments and credit notes is known of overdue ones only. Amounts include value-added tax.',
  input: closed(
    {},
    {
      due_by: Type.String({ format: 'date', description: 'Only those due on this day or earlier, as 2026-03-31.' }),
      limit,
    },
  ),
  output: closed(
    {
      invoices: Type.Array(
        closed(
          { reference: Identifier, amounts: Type.Array(Amount, { description: 'The whole invoice.' }) },
          {
            outstanding: Type.Array(Amount, { description: 'What is still to be paid. Absent if it is not known.' }),
            number: Type.String(),
            status: Type.String(),
            due_date: Type.String(),
            svc_shipment_id: Identifier,
          },
        ),
      ),
      totals: Type.Array(Amount, {
        description:
          'To be paid for all of them, also those that were not returned: what is outstanding, or the whole amount where that is not known.',
      }),
      more,
      searched_all: Type.Boolean({
        description: `False if there are more than ${mostSearched}: only the newest were searched.`,
      }),
    },
    { note: Type.String({ description: 'What the totals do not deduct. Tell the person.' }) },
  ),
  async run(waybill, { due_by, limit: most = 10 }) {
    // One after another: an account may be limited to one request at a time.
    const data = await searchPages((page) => waybill.listInvoices({ query: page }))
    const exceptions = searchPages((page) =>
      waybill.listExceptions({ query: { kind: 'invoice_overdue', state: 'open', ...page } }),
    )
    const overdue = (await ifGranted(exceptions)) ?? []
    const left = new Map(overdue.map(({ invoice_reference, details }) => [invoice_reference, details?.amounts]))
    const due = data
      .filter(({ type = 'invoice', status }) => type === 'invoice' && unpaid.has(status))
      .filter(({ due_date }) => due_by === undefined || (due_date !== undefined && due_date <= due_by))
      .toSorted((one, other) => (one.due_date ?? '9').localeCompare(other.due_date ?? '9'))
      .map(({ reference, number, status, due_date, svc_shipment_id, lines = [] }) => {
        const amounts = totalsOf(lines).map(grossOf)
        const outstanding = left.get(reference)
        return known({ reference, number, status, due_date, svc_shipment_id, amounts, outstanding })
      })
    const whole = due.filter(({ outstanding }) => !outstanding)
    const partlyPaid = whole.filter(({ status }) => status === 'partially_paid').length
    const isCredited = whole.length > 0 && data.some(({ type }) => type === 'credit_note')
    return known({
      invoices: due.slice(0, most),
      totals: sumPrices(due.flatMap(({ amounts, outstanding }) => outstanding ?? amounts)),
      more: due.length > most,
      searched_all: data.length < mostSearched,
      note: noteOf(partlyPaid, isCredited),
    })
  },
})

/** The interface has what is outstanding only where something is overdue. */
function noteOf(partlyPaid: number, isCredited: boolean): string | undefined {
  const missing = [
    ...(partlyPaid > 0 ? [`what was paid of ${partlyPaid} that are partly paid`] : []),
    ...(isCredited ? ['credit notes'] : []),
  ]
  if (missing.length === 0) return undefined
  return `Of invoices without \`outstanding\`, the totals do not deduct ${missing.join(', and ')}: it is not known.`
}

const ofFreeTime = /demurrage|detention|storage/i

export const explainCharge = tool({
  name: 'explain_charge',
  title: 'Explain the charges of an invoice',
  description:
    'What each line of an invoice charges and how it was computed; for demurrage, detention and storage also the free time of the containers.',
  input: closed(
    { reference: described(Identifier, 'The reference of the invoice.') },
    { line: Type.Integer({ minimum: 1, description: 'Only this line; the first is 1.' }) },
  ),
  output: closed(
    {
      reference: Identifier,
      lines: Type.Array(
        closed(
          { line: Type.Integer() },
          { category: Quoted, description: Quoted, computed: Type.String(), price: Amount, vat_percent: Type.Number() },
        ),
        { description: 'At most 50.' },
      ),
      totals: Type.Array(Amount, { description: 'Of the whole invoice, with value-added tax.' }),
      free_time: Type.Array(Clock, { description: 'At most 10. Empty if no line is about it.' }),
    },
    { status: Type.String(), type: Type.String(), svc_shipment_id: Identifier },
  ),
  async run(waybill, { reference, line }) {
    const { data: invoice } = await waybill.getInvoice({ params: { reference } })
    const all = (invoice.lines ?? []).map((each, index) => ({ ...each, number: index + 1 }))
    const lines = all.filter(({ number }) => line === undefined || number === line)
    const isAboutTime = lines.some(({ category, description }) => ofFreeTime.test(`${category} ${description}`))
    const id = isAboutTime ? invoice.svc_shipment_id : undefined
    const clocks = id === undefined ? [] : ((await found(clocksOf(waybill, id).then((data) => ({ data })))) ?? [])
    return known({
      reference,
      type: invoice.type,
      status: invoice.status,
      svc_shipment_id: invoice.svc_shipment_id,
      lines: lines.slice(0, 50).map(({ number, category, description, quantity, unit_rate, price, vatRate }) =>
        known({
          line: number,
          category: category === undefined ? undefined : quote(category),
          description: description === undefined ? undefined : quote(description),
          computed:
            quantity?.value !== undefined && unit_rate && price
              ? `${quantity.value} × ${unit_rate.amount} ${unit_rate.currency} = ${price.amount} ${price.currency}`
              : undefined,
          price,
          vat_percent: vatRate,
        }),
      ),
      totals: totalsOf(invoice.lines ?? []).map(grossOf),
      free_time: clocks.slice(0, 10),
    })
  },
})

// So many pages of 1,000 changes are read at most: all that happened since the cursor of most answers, or the newest of the wanted types.
const mostPages = 5

export const recentChanges = tool({
  name: 'recent_changes',
  title: 'Recent changes',
  description:
    'What changed in the account, the newest first. Pass the cursor of the last answer to get only what happened since.',
  input: closed(
    {},
    {
      cursor: Type.String({ minLength: 1, maxLength: 4000, description: 'Of an earlier answer.' }),
      types: Type.Array(Type.Enum([...eventTypes], { type: 'string' }), {
        minItems: 1,
        maxItems: 21,
        description: 'Only these; all if it is omitted.',
      }),
      limit,
    },
  ),
  output: closed({
    changes: Type.Array(
      closed({
        type: Type.String(),
        at: Type.String(),
        kind: Type.String(),
        id: Type.String({ description: 'Of the resource.' }),
      }),
    ),
    older: Type.Boolean({ description: 'Whether there are older changes, since the cursor if one was passed.' }),
    cursor: Type.String({ description: 'Pass it to get what happens from now on.' }),
    more: Type.Boolean({ description: 'Whether there are newer changes: call again with the cursor.' }),
  }),
  async run(waybill, { cursor, types, limit: most = 10 }) {
    const filter = types && { types: types.join(',') }
    return cursor === undefined ? newestChanges(waybill, filter, most) : changesSince(waybill, cursor, filter, most)
  },
})

type TypeFilter = { types: string } | undefined

async function newestChanges(waybill: Client, filter: TypeFilter, most: number) {
  // Before the changes are read: none is missed that happens meanwhile.
  const { cursor } = (await waybill.listEvents({ query: { after: 'now', limit: 1 } })).data
  const changes: ChangeEvent[] = []
  let after: string | undefined
  for (let page = 1; ; page += 1) {
    const query = { ...filter, order: 'newest_first' as const, limit: most - changes.length, ...known({ after }) }
    const { data } = await waybill.listEvents({ query })
    changes.push(...data.events)
    after = data.cursor
    if (!data.has_more || changes.length === most || page === mostPages)
      return { changes: changes.map(changeOf), older: data.has_more, cursor, more: false }
  }
}

async function changesSince(waybill: Client, cursor: string, filter: TypeFilter, most: number) {
  let after = cursor
  let count = 0
  let newest: ChangeEvent[] = []
  for (let page = 1; ; page += 1) {
    const { data } = await waybill.listEvents({ query: { ...filter, limit: 1000, after } })
    count += data.events.length
    newest = [...newest, ...data.events].slice(-most)
    after = data.cursor
    if (!data.has_more || page === mostPages) {
      const changes = newest.toReversed().map(changeOf)
      return { changes, older: count > most, cursor: after, more: data.has_more }
    }
  }
}

function changeOf({ type, at, object: { kind, id } }: ChangeEvent) {
  return { type, at, kind, id }
}
