import { expect, test } from 'vitest'
import type { Invoice, InvoiceLine } from '../../src/contract/public/invoice.js'
import type { Price } from '../../src/contract/public/shared-types.js'
import { totalsOf } from '../../src/domain/invoices/invoice-totals.js'
import { type InvoiceDocument, printInvoice } from '../../src/pdf/invoice-pdf.js'
import { runsOf, textOf } from '../support/pdf-text.js'

const eur = (amount: number): Price => ({ amount, currency: 'EUR' })
const usd = (amount: number): Price => ({ amount, currency: 'USD' })

const lines: InvoiceLine[] = [
  {
    category: 'freight',
    description: 'Ocean freight',
    quantity: { value: 1234.5, unit: 'kg' },
    unit_rate: eur(1.125),
    price: eur(1388.81),
    vatRate: 0,
  },
  { category: 'customs', description: 'Clearance', price: eur(100), vatRate: 19 },
]
const invoice: Invoice = {
  reference: 'S-1-F1',
  number: 'WB-2026-F000042',
  svc_shipment_id: 'SHIPMENT-1',
  type: 'invoice',
  sent_date: '2026-03-10T23:30:00-05:00',
  due_date: '2026-04-09',
  lines,
}

function document(
  changes: Partial<Omit<InvoiceDocument, 'invoice'>> & { invoice?: Partial<Invoice> } = {},
): InvoiceDocument {
  const changed = { ...invoice, ...changes.invoice }
  return {
    totals: totalsOf(changed.lines ?? []),
    payments: [],
    credit_notes: [],
    account_name: 'Beacon Trading GmbH',
    forwarder_name: 'Northgate Forwarding',
    isDraft: false,
    ...changes,
    invoice: changed,
  }
}

async function print(changes?: Parameters<typeof document>[0]): Promise<string> {
  return textOf(await printInvoice(document(changes)))
}

test('an invoice names forwarder, customer, amounts, due date and shipment', async () => {
  const text = await print()
  for (const words of ['Invoice', 'Northgate Forwarding', 'Bill toBeacon Trading GmbH', 'WB-2026-F000042', 'S-1-F1']) {
    expect(text).toContain(words)
  }
  // The local date of sending, not the next day in UTC.
  expect(text).toContain('Date10 Mar 2026')
  expect(text).toContain('Due9 Apr 2026')
  expect(text).toContain('ShipmentSHIPMENT-1')
  expect(text).toContain('FreightOcean freight1 234.5 kg1.125 EUR0 %1 388.81 EUR')
  expect(text).toContain('CustomsClearance19 %100.00 EUR')
})

test('an invoice shows VAT per rate, payments, credit notes and the outstanding amount', async () => {
  const text = await print({
    payments: [{ ...eur(500), paid_on: '2026-03-20' }],
    credit_notes: [{ number: 'CN-7', totals: totalsOf([{ price: eur(7.81) }]) }],
  })
  expect(text).toContain(
    'Net1 488.81 EURVAT 0 % on 1 388.81 EUR0.00 EURVAT 19 % on 100.00 EUR19.00 EURTotal1 507.81 EUR' +
      'Credit note CN-7-7.81 EURPaid on 20 Mar 2026-500.00 EURAmount due1 000.00 EUR',
  )
})

test('each currency has separate totals, including one that only a payment has', async () => {
  const text = await print({
    invoice: { lines: [...lines, { price: usd(20) }] },
    payments: [{ amount: 3, currency: 'GBP', paid_on: '2026-03-20' }],
  })
  expect(text).toContain('Amount due1 507.81 EUR')
  expect(text).toContain('Amount due20.00 USD')
  expect(text).toContain('Paid on 20 Mar 2026-3.00 GBPAmount due-3.00 GBP')
})

test('a credit note is titled as such and names its invoice', async () => {
  const text = await print({ invoice: { type: 'credit_note' }, credited_number: 'WB-2026-F000041' })
  expect(text).toContain('Credit note')
  expect(text).toContain('Credits invoiceWB-2026-F000041')
  expect(text).not.toContain('Amount due')
})

test('refunds of a credit note are shown', async () => {
  const text = await print({ invoice: { type: 'credit_note' }, payments: [{ ...eur(7.81), paid_on: '2026-03-20' }] })
  expect(text).toContain('Paid back on 20 Mar 2026-7.81 EURRemaining credit1 500.00 EUR')
})

test('a converted price comes with the exchange rate', async () => {
  const converted = { quantity: { value: 1 }, unit_rate: usd(100), price: eur(91.23) }
  const note = 'Converted at 1 USD = 0.9123 EUR.'
  expect(await print({ invoice: { lines: [converted], usd_to_eur_rate: 0.9123 } })).toContain(note)
  expect(await print({ invoice: { usd_to_eur_rate: 0.9123 } })).not.toContain('Converted')
})

test('a draft has a DRAFT watermark on every page, and other invoices have none', async () => {
  const many = Array.from({ length: 80 }, () => lines).flat()
  const pages = runsOf(await printInvoice(document({ isDraft: true, invoice: { lines: many } })))
  expect(pages.length).toBeGreaterThan(2)
  for (const page of pages) expect(page.map(({ text }) => text)).toContain('DRAFT')
  expect(await print()).not.toContain('DRAFT')
})

test('every page is numbered and repeats the table header while lines continue', async () => {
  const many = Array.from({ length: 80 }, (_, index) => ({ description: `Line ${index + 1}.`, price: eur(1) }))
  const pages = runsOf(await printInvoice(document({ invoice: { lines: many } })))
  const texts = pages.map((page) => page.map(({ text }) => text).join(''))
  for (const [index, text] of texts.entries()) {
    expect(text).toContain(`Page ${index + 1} of ${texts.length}`)
    if (text.includes('Line ')) expect(text).toContain('CategoryDescription')
  }
  for (const { description } of many) expect(texts.join('')).toContain(description)
})

test('long texts neither run off the page nor are cut off', async () => {
  const long = 'x'.repeat(255)
  const description = `${long} ${'word '.repeat(60)}end\n${'line\n'.repeat(80)}`
  const awkward = { category: long, description, quantity: { value: 1, unit: long }, price: eur(1e300) }
  const pages = runsOf(
    await printInvoice(
      document({
        invoice: { reference: long, number: long, svc_shipment_id: long, lines: [awkward] },
        account_name: long,
        forwarder_name: long,
        credit_notes: [{ number: long, totals: totalsOf([{ price: eur(1) }]) }],
      }),
    ),
  )
  const runs = pages.flat()
  // No printed glyph is narrower than a fifth of its height.
  for (const { text, x, fontSize } of runs) {
    expect(x).toBeGreaterThanOrEqual(47)
    expect(x + text.trim().length * fontSize * 0.2, text).toBeLessThanOrEqual(595 - 47)
  }
  expect(runs.filter(({ text }) => text === 'word ')).toHaveLength(60)
  expect(runs.filter(({ text }) => text.trim() === 'line')).toHaveLength(80)
})

test('texts longer than operators can enter are truncated', async () => {
  const description = `${'word '.repeat(3000)}end`
  const line = { category: `${'c'.repeat(200)}end`, description, quantity: { unit: `${'u'.repeat(200)}end` } }
  const text = await print({ invoice: { lines: [line] } })
  expect(text).toContain(`${'word '.repeat(199)}word…`)
  expect(text).toContain(`${'c'.repeat(98)}…`)
  expect(text).toContain(`${'u'.repeat(99)}…`)
  expect(text).not.toContain('end')
  expect(await print({ invoice: { lines: [{ description: 'x'.repeat(998) + '💡💡' }] } })).toContain('x…')
})

test('of more lines than operators can enter the first are printed, with a note on the others, which are included in the totals', async () => {
  const many = Array.from({ length: 1001 }, (_, index) => ({ description: `Line ${index + 1}.`, price: eur(1) }))
  const whole = await print({ invoice: { lines: many.slice(1) } })
  expect(whole).toContain('Line 1001.')
  expect(whole).not.toContain('more lines')
  const text = await print({ invoice: { lines: many } })
  expect(text).toContain('Line 1000.')
  expect(text).not.toContain('Line 1001.')
  expect(text).toContain('1 more lines are not printed. The sums include them.')
  expect(text).toContain('Total1 001.00 EUR')
})

test('very many payments are combined into one sum, and the totals still add up', async () => {
  const payments = Array.from({ length: 250 }, () => ({ ...eur(0.01), paid_on: '2026-03-20' }))
  const text = await print({ invoice: { lines: [{ price: eur(100) }] }, payments })
  expect(text).toContain('50 more credit notes and payments-0.50 EURAmount due97.50 EUR')
  expect(text.match(/Paid on/g)).toHaveLength(200)
})

test.each([
  ['write_off', 'Written off'],
  ['paid', 'Paid'],
] as const)('nothing is due for an invoice that is %s, whatever its payments', async (status, label) => {
  const text = await print({ invoice: { status }, payments: [{ ...eur(500), paid_on: '2026-03-20' }] })
  expect(text).toContain(`Paid on 20 Mar 2026-500.00 EUR${label}-1 007.81 EURAmount due0.00 EUR`)
})

test('an invoice with little data is printed with what there is', async () => {
  const bare = document({ totals: [] })
  const text = textOf(await printInvoice({ ...bare, invoice: { reference: 'R-1' } }))
  expect(text).toContain('NumberR-1')
  expect(text).toContain('No lines are listed.')
  const odd = { lines: [{ description: 'No price yet' }, { quantity: { unit: 'kg' } }, {}] }
  expect(await print({ invoice: odd })).toContain('No price yet')
})

test('names are printed in Latin, Greek and Cyrillic letters, with composed or combining accents', async () => {
  const names = ['Łódź Spółka, Müller & Çelik', 'Ναυτιλιακή Εταιρεία', 'ООО «Ромашка», Њего', 'Công ty Việt Nam']
  for (const account_name of names) {
    expect(await print({ account_name })).toContain(account_name)
    expect(await print({ account_name: account_name.normalize('NFD') })).toContain(account_name)
  }
})

test('a character that the font lacks is printed as a box, and an empty text as nothing', async () => {
  expect(await print({ account_name: '上海贸易 Ltd' })).toContain('□□□□ Ltd')
  expect(await print({ forwarder_name: 'مرحبا' })).toContain('□'.repeat(5))
  expect(await print({ invoice: { lines: [{ description: 'Lamps 💡', price: eur(1) }] } })).toContain('Lamps □')
})

test('refunds of a credit note are shown on its invoice', async () => {
  const text = await print({
    invoice: { lines: [{ price: eur(100) }] },
    payments: [
      { ...eur(100), paid_on: '2026-03-20' },
      { ...eur(-30), paid_on: '2026-03-25' },
    ],
    credit_notes: [{ number: 'CN-7', totals: totalsOf([{ price: eur(30) }]) }],
  })
  expect(text).toContain('Paid back on 25 Mar 202630.00 EURAmount due0.00 EUR')
})

test('the same invoice gives the same bytes, and another one gives others', async () => {
  const first = await printInvoice(document())
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect((await printInvoice(document())).equals(first)).toBe(true)
  const undated = document({ invoice: { sent_date: undefined, due_date: undefined } })
  expect((await printInvoice(undated)).equals(await printInvoice(undated))).toBe(true)
  expect((await printInvoice(document({ invoice: { number: 'WB-2026-F000043' } }))).equals(first)).toBe(false)
})
