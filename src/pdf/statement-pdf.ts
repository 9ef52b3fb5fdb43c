import type { Content, TableCell, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import type { Language } from '../contract/portal/people.js'
import { formatMoney } from '../domain/invoices/money.js'
import type { Statement, StatementEntry } from '../domain/invoices/statement.js'
import { printPdf } from './pdf.js'
import { normalized } from './text-wrapping.js'

/** The PDF of a statement: opening balance, what happened, closing balance. */

export type StatementDocument = {
  statement: Statement
  account_name: string
  forwarder_name: string
  language: Language
}

const texts = {
  en: {
    title: 'Statement of account',
    period: (from: string, to: string) => `${from} to ${to}`,
    opening: 'Opening balance',
    closing: 'Closing balance',
    date: 'Date',
    what: 'Entry',
    number: 'Number',
    amount: 'Amount',
    balance: 'Balance',
    none: 'Nothing was invoiced or paid in this period.',
    kinds: {
      invoice: 'Invoice',
      credit_note: 'Credit note',
      payment: 'Payment',
      refund: 'Refund',
      write_off: 'Written off',
    },
    page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  },
  fr: {
    title: 'Relevé de compte',
    period: (from: string, to: string) => `du ${from} au ${to}`,
    opening: 'Solde initial',
    closing: 'Solde final',
    date: 'Date',
    what: 'Écriture',
    number: 'Numéro',
    amount: 'Montant',
    balance: 'Solde',
    none: 'Aucune facture ni paiement sur cette période.',
    kinds: {
      invoice: 'Facture',
      credit_note: 'Avoir',
      payment: 'Paiement',
      refund: 'Remboursement',
      write_off: 'Abandon de créance',
    },
    page: (page: number, pages: number) => `Page ${page} sur ${pages}`,
  },
} satisfies Record<Language, object>

export async function printStatement(document: StatementDocument): Promise<Buffer> {
  return await printPdf(layOut(document))
}

const grey = '#6b7280'

function layOut({ statement, account_name, forwarder_name, language }: StatementDocument): TDocumentDefinitions {
  const { currency, from, to, opening, closing, entries } = statement
  const m = texts[language]
  const money = (amount: number) => formatMoney({ amount, currency })
  const sums = (label: string, amount: number): TableCell[] => [
    { text: label, colSpan: 4, bold: true },
    {},
    {},
    {},
    { text: money(amount), alignment: 'right', bold: true },
  ]
  const rows = entries.map((entry: StatementEntry & { balance: number }): TableCell[] => [
    entry.date ?? '',
    m.kinds[entry.kind],
    normalized(entry.number),
    { text: money(entry.amount), alignment: 'right' },
    { text: money(entry.balance), alignment: 'right' },
  ])
  const header = [m.date, m.what, m.number].map((text): TableCell => ({ text, color: grey }))
  const amounts = [m.amount, m.balance].map((text): TableCell => ({ text, color: grey, alignment: 'right' }))
  const content: Content[] = [
    { text: normalized(forwarder_name), fontSize: 12, bold: true },
    { text: m.title, fontSize: 18, bold: true, margin: [0, 18, 0, 2] },
    { text: `${normalized(account_name)} · ${currency} · ${m.period(from, to)}`, color: grey, margin: [0, 0, 0, 16] },
    {
      table: {
        headerRows: 1,
        widths: [62, 90, '*', 90, 90],
        body: [[...header, ...amounts], sums(m.opening, opening), ...rows, sums(m.closing, closing)],
      },
      layout: 'lightHorizontalLines',
    },
    ...(entries.length === 0 ? [{ text: m.none, color: grey, margin: [0, 12, 0, 0] } as Content] : []),
  ]
  return {
    info: { title: normalized(`${m.title} ${currency} ${from} ${to}`), author: normalized(forwarder_name) },
    defaultStyle: { font: 'Roboto', fontSize: 9, lineHeight: 1.2 },
    pageSize: 'A4',
    pageMargins: [48, 48, 48, 64],
    footer: (page, pages) => ({ text: m.page(page, pages), alignment: 'right', margin: [48, 20], color: grey }),
    content,
  }
}
