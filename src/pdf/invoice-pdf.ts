import { Big } from 'big.js'
import type { Content, CustomTableLayout, TableCell, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import type { InvoiceBilling } from '../contract/billing.js'
import type { AccountingTotal, Total } from '../contract/operator/invoices.js'
import type {
  InvoiceRecord as Invoice,
  InvoiceRecordLine as InvoiceLine,
  PaymentRecord,
} from '../contract/public/invoice.js'
import type { Price } from '../contract/public/shared-types.js'
import { outstanding } from '../domain/invoices/invoice-totals.js'
import { formatDecimal, formatMoney } from '../domain/invoices/money.js'
import { accountingNote, exchangeNote, partyLines, paymentBlock, taxNotes, totalSums } from './invoice-parts.js'
import { type InvoiceTexts, invoiceTexts } from './invoice-texts.js'
import { printPdf } from './pdf.js'
import { normalized, widthOf, wrapped } from './text-wrapping.js'
import { combineSums, type Sum, truncateLines } from './truncation.js'

/** The PDF of an invoice or a credit note, as the customer gets it. */

/** The content of the PDF. */
export type InvoiceDocument = {
  invoice: Invoice
  totals: Total[]
  /** Refunds of credit notes against the invoice are negative. */
  payments: Pick<PaymentRecord, 'amount' | 'currency' | 'paid_on'>[]
  /** The credit notes against this invoice. */
  credit_notes: { number?: string | undefined; totals: Total[] }[]
  /** The number of the invoice that this credit note is against. */
  credited_number?: string | undefined
  account_name: string
  forwarder_name: string
  isDraft: boolean
  /** Parties, bank and terms: of the day of issue, of a draft those of today. */
  billing?: InvoiceBilling | undefined
  /** A PNG, base64-encoded. */
  logo?: string | undefined
  /** What of it is in the accounting currency. */
  accounting?: AccountingTotal[]
}

export async function printInvoice(document: InvoiceDocument): Promise<Buffer> {
  return await printPdf(layOut(document))
}

const grey = '#6b7280'
const hairline = '#d1d5db'
const ink = '#111827'
const margin = 48
const size = 9
const tenSpaces = ' '.repeat(10)

const bare: CustomTableLayout = {
  hLineWidth: () => 0,
  vLineWidth: () => 0,
  paddingLeft: () => 0,
  paddingRight: () => 0,
  paddingTop: () => 1,
  paddingBottom: () => 1,
}
// Columns are separated by space, rows by hairlines.
const ruled: CustomTableLayout = {
  hLineWidth: (row) => (row === 0 ? 0 : row === 1 ? 1 : 0.5),
  vLineWidth: () => 0,
  hLineColor: (row) => (row === 1 ? grey : hairline),
  paddingLeft: (column) => (column === 0 ? 0 : 6),
  paddingRight: (column, node) => (column === (node.table.widths?.length ?? 0) - 1 ? 0 : 6),
  paddingTop: () => 5,
  paddingBottom: () => 4,
}
// A rule above each total.
const sumRules: CustomTableLayout = {
  ...bare,
  hLineWidth: (row, node) => (isStrong(node.table.body[row]) ? 0.5 : 0),
  hLineColor: () => grey,
  paddingTop: () => 5,
  paddingBottom: () => 2,
}

function isStrong(row: TableCell[] | undefined): boolean {
  const [cell] = row ?? []
  return typeof cell === 'object' && 'bold' in cell && cell.bold === true
}

function layOut(document: InvoiceDocument): TDocumentDefinitions {
  const { invoice, forwarder_name, isDraft } = document
  const texts = textsOf(document)
  const name = normalized(`${titleOf(invoice, texts)} ${numberOf(invoice)}`)
  return {
    info: { title: name, author: normalized(forwarder_name), creationDate: writtenAt(invoice) },
    defaultStyle: { font: 'Roboto', fontSize: size, lineHeight: 1.2, color: ink },
    pageSize: 'A4',
    pageMargins: [margin, margin, margin, 64],
    ...(isDraft && { watermark: { text: texts.draft, color: grey, opacity: 0.12, bold: true } }),
    footer: (page, pages) => ({
      columns: [
        { ...wrapped(name, 400, 8), width: '*' },
        { text: texts.page(page, pages), width: 80, alignment: 'right' },
      ],
      columnGap: 16,
      color: grey,
      fontSize: 8,
      margin: [margin, 24, margin, 0],
    }),
    content: [
      head(document),
      parties(document),
      ...lineTable(invoice, texts),
      ...sums(document),
      ...exchangeNote(invoice, texts),
      ...accountingNote(document.accounting ?? [], texts),
      ...taxNotes(document.billing),
      ...paymentBlock(document, amountDue(document), texts),
    ],
  }
}

function textsOf({ billing }: InvoiceDocument): InvoiceTexts {
  return invoiceTexts[billing?.language ?? 'en']
}

function titleOf({ type }: Invoice, texts: InvoiceTexts): string {
  return type === 'credit_note' ? texts.creditNote : texts.invoice
}

/** What is to be paid in euros, if nothing else is: a code to scan has one amount. */
function amountDue({ invoice, totals, payments, credit_notes }: InvoiceDocument): Price | undefined {
  if (invoice.type === 'credit_note' || closedBy(invoice, invoiceTexts.en) !== undefined) return undefined
  const credited = credit_notes.map((note) => note.totals)
  const left = outstanding(totals, credited, payments).filter(({ amount }) => amount > 0)
  return left.length === 1 ? left[0] : undefined
}

function numberOf({ number, reference }: Invoice): string {
  return number ?? reference
}

// The date is part of the file's identifier. An invoice without one gets a fixed date: the current time would make every
// PDF of the same invoice different.
function writtenAt({ sent_date, due_date }: Invoice): Date {
  return new Date(sent_date ?? due_date ?? '2000-01-01')
}

function head(document: InvoiceDocument): Content {
  const { invoice, forwarder_name, billing, logo } = document
  const forwarder = wrapped(billing?.seller?.name ?? forwarder_name, 235, 12)
  const name = { ...forwarder, fontSize: 12, bold: true, alignment: 'right' as const, margin: [0, 8, 0, 0] as const }
  const address = partyLines(billing?.seller, textsOf(document)).map((line) => ({
    ...wrapped(line, 235, 8),
    fontSize: 8,
    color: grey,
    alignment: 'right' as const,
  }))
  const image = { image: `data:image/png;base64,${logo}`, fit: [160, 44], alignment: 'right' as const }
  return {
    columns: [
      { text: titleOf(invoice, textsOf(document)), fontSize: 24, bold: true, lineHeight: 1, width: '*' },
      { stack: [...(logo === undefined ? [] : [image]), name, ...address] as Content[], width: '*' },
    ],
    columnGap: 24,
    margin: [0, 0, 0, 28],
  }
}

function parties(document: InvoiceDocument): Content {
  const { invoice, account_name, credited_number, billing } = document
  const texts = textsOf(document)
  const formatDate = texts.date
  const buyer = partyLines(billing?.buyer, texts).map((line) => wrapped(line, 240, size))
  const facts: [string, string | undefined][] = [
    [texts.number, numberOf(invoice)],
    [
      texts.reference,
      invoice.number === undefined || invoice.number === invoice.reference ? undefined : invoice.reference,
    ],
    [texts.dateLabel, invoice.sent_date && formatDate(invoice.sent_date)],
    [texts.due, invoice.due_date && formatDate(invoice.due_date)],
    [texts.shipment, invoice.svc_shipment_id],
    [texts.credits, credited_number],
  ]
  const known = facts.filter((fact): fact is [string, string] => fact[1] !== undefined)
  return {
    columns: [
      {
        stack: [
          { text: invoice.type === 'credit_note' ? texts.creditTo : texts.billTo, color: grey, margin: [0, 1, 0, 2] },
          { ...wrapped(billing?.buyer?.name ?? account_name, 240, 11), fontSize: 11, bold: true },
          ...buyer,
        ],
        width: '*',
      },
      {
        table: {
          widths: [80, 150],
          body: known.map(([label, text]) => [
            { text: label, color: grey },
            { ...wrapped(text, 150, size), alignment: 'right' },
          ]),
        },
        layout: bare,
        width: 'auto',
      },
    ],
    columnGap: 24,
    margin: [0, 0, 0, 28],
  }
}

function lineTable({ lines: given = [] }: Invoice, texts: InvoiceTexts): Content[] {
  const { lines, leftOut } = truncateLines(given)
  if (lines.length === 0) return [{ text: texts.noLines, color: grey }]
  const heading: TableCell[] = [
    { text: texts.category },
    { text: texts.description },
    amountCell(texts.quantity),
    amountCell(texts.unitRate),
    amountCell(texts.vat),
    amountCell(texts.net),
  ].map((cell) => ({ ...cell, color: grey, fontSize: 8 }))
  const table = {
    headerRows: 1,
    dontBreakRows: lines.every(fitsPage),
    widths: [64, '*', 64, 'auto', 'auto', 'auto'],
    body: [heading, ...lines.map((line) => lineRow(line, texts))],
  }
  const more = { text: texts.moreLines(leftOut), margin: [0, 8, 0, 0] as const }
  return [{ table, layout: ruled }, ...(leftOut > 0 ? [{ ...more, color: grey } as Content] : [])]
}

// pdfmake truncates an unbreakable row that is higher than a page, so rows with long texts may be broken.
function fitsPage({ category = '', description = '', quantity }: InvoiceLine): boolean {
  return [category, description, quantity?.unit ?? ''].every((text) => text.replaceAll('\n', tenSpaces).length <= 300)
}

function lineRow(line: InvoiceLine, texts: InvoiceTexts): TableCell[] {
  const { category = '', description = '', quantity, unit_rate, vatRate, price, disbursement } = line
  const value = quantity?.value === undefined ? '' : formatNumber(quantity.value)
  return [
    wrapped(capitalise(category), 64, size),
    wrapped(description, 90, size),
    { ...wrapped(`${value} ${quantity?.unit ?? ''}`.trim(), 64, size), alignment: 'right' },
    amountCell(unit_rate ? formatMoney(unit_rate) : ''),
    amountCell(disbursement ? texts.disbursed : vatRate === undefined ? '' : `${formatNumber(vatRate)} %`),
    amountCell(price ? formatMoney(price) : ''),
  ]
}

// One block per currency, including currencies that only payments have.
function sums(document: InvoiceDocument): Content[] {
  const credited = document.credit_notes.map(({ totals }) => totals)
  return outstanding(document.totals, credited, document.payments).map((left) => {
    const total = document.totals.find(({ currency }) => currency === left.currency)
    return sumTable([...(total ? totalSums(total, textsOf(document)) : []), ...settlementSums(document, left)])
  })
}

// A credit note shows its remaining credit only if part of it was refunded.
function settlementSums(document: InvoiceDocument, left: Price): Sum[] {
  const { invoice, payments, credit_notes } = document
  const texts = textsOf(document)
  const isCredit = invoice.type === 'credit_note'
  const credited = credit_notes.flatMap(({ number, totals }) =>
    totals.map(({ gross, currency }) => ({
      label: number === undefined ? texts.creditNote : `${texts.creditNote} ${number}`,
      price: { amount: -gross, currency },
    })),
  )
  const paid = payments.map(({ amount, currency, paid_on }) => ({
    label: (isCredit || amount < 0 ? texts.paidBackOn : texts.paidOn)(texts.date(paid_on)),
    price: { amount: -amount, currency },
  }))
  const listed = [...credited, ...paid].filter(({ price }) => price.currency === left.currency)
  const taken = combineSums(listed, (count) => texts.moreSettled(count))
  if (isCredit && taken.length === 0) return []
  const label = isCredit ? texts.remainingCredit : texts.amountDue
  const closed = closedBy(invoice, texts)
  if (closed === undefined || left.amount <= 0) return [...taken, { label, price: left, strong: true }]
  const nothing = { amount: 0, currency: left.currency }
  const rest = { label: closed, price: { ...left, amount: -left.amount } }
  return [...taken, rest, { label, price: nothing, strong: true }]
}

// How the remaining amount was settled without payments, by status.
function closedBy({ status }: Invoice, texts: InvoiceTexts): string | undefined {
  if (status === 'write_off') return texts.writtenOff
  return status === 'paid' ? texts.paid : undefined
}

function sumTable(rows: Sum[]): Content {
  return {
    table: {
      widths: ['*', 130],
      dontBreakRows: true,
      body: rows.map(({ label, price, strong = false }) => [
        { ...wrapped(label, 160, size), alignment: 'right', bold: strong, color: strong ? ink : grey },
        { ...amountCell(formatMoney(price)), bold: strong },
      ]),
    },
    layout: sumRules,
    unbreakable: rows.length <= 20,
    margin: [200, 16, 0, 0],
  }
}

// Amounts are not wrapped unless they are wider than any column.
function amountCell(text: string) {
  return { ...wrapped(text, 110, size), alignment: 'right', noWrap: widthOf(text, size) <= 130 } as const
}

function formatNumber(number: number): string {
  return formatDecimal(new Big(number))
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
