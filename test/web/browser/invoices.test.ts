import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { InvoiceTotals } from '../../../src/contract/portal/overview.js'
import type { Invoice } from '../../../src/contract/public/invoice.js'
import { totalsOf } from '../../../src/domain/invoices/invoice-totals.js'
import { expectAccessible, expectNoSidewaysScroll, phone, startPortal } from './support.js'

/** Outstanding amounts by currency and age, and single invoices. */

const portal = await startPortal()

const money = (amount: number, currency: string) =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(amount)

async function read<Body>(page: Page, path: string): Promise<Body> {
  return (await (await page.request.get(path)).json()) as Body
}

const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Creates and issues an invoice of the demo account. */
async function anInvoice(due_date: string): Promise<{ reference: string; number: string }> {
  const { ops } = portal.forwarder
  const { slug } = portal.demo
  const reference = `T-${randomUUID().slice(0, 8)}`
  const line = {
    category: 'freight',
    description: 'Ocean freight',
    unit_rate: { amount: 1000, currency: 'USD' as const },
  }
  const lines = [{ ...line, quantity: { value: 2, unit: 'container' }, vatRate: 20 }]
  expect((await ops('draftInvoice', slug, { body: { reference, lines, due_date } })).status).toBe(201)
  const issued = await ops('issueInvoice', slug, { params: { reference }, body: { status: 'due' } })
  expect(issued.status, issued.text).toBe(200)
  return { reference, number: issued.body.record.number ?? '' }
}

test('outstanding totals are shown per currency, by age', async () => {
  const page = await portal.signedIn('/invoices')
  const { currencies } = await read<InvoiceTotals>(page, '/portal/v1/invoices/totals')
  expect(currencies.length).toBeGreaterThan(1)
  const cards = page.getByRole('region', { name: 'Outstanding by currency' }).getByRole('listitem')
  expect(await cards.count()).toBe(currencies.length)
  for (const [index, { currency, ...ages }] of currencies.entries()) {
    const text = await cards.nth(index).innerText()
    const open = Object.values(ages).reduce((sum, { amount }) => sum + amount, 0)
    expect(text).toContain(money(open, currency))
    for (const { amount, count } of Object.values(ages)) if (count > 0) expect(text).toContain(money(amount, currency))
  }
  await expectAccessible(page)

  const [first] = currencies
  await cards
    .first()
    .getByRole('link', { name: /overdue/ })
    .click()
  await expect.poll(() => new URL(page.url()).search).toBe(`?state=overdue&currency=${first?.currency}`)
  await expect
    .poll(() =>
      page
        .getByRole('table', { name: 'Invoices' })
        .getByText(/Overdue \d+ days?/)
        .count(),
    )
    .toBeGreaterThan(0)
})

test('each invoice is shown in its own currency, and search and sort are part of the address', async () => {
  const page = await portal.signedIn('/invoices')
  const table = page.getByRole('table', { name: 'Invoices' })
  const { invoices } = await read<{ invoices: Invoice[] }>(page, '/portal/v1/invoices?take=1')
  const { number = '', lines = [] } = invoices[0] as Invoice
  const [total] = totalsOf(lines)
  const row = table.getByRole('row').nth(1)
  expect(await row.innerText()).toContain(number)
  expect(await row.innerText()).toContain(money(total?.gross ?? 0, total?.currency ?? 'EUR'))
  await table.getByRole('button', { name: 'Due' }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('?sort=due&order=asc')
  await page.getByRole('searchbox', { name: 'Search invoices' }).fill(number)
  await expect.poll(() => table.getByRole('row').count()).toBe(2)
  await page.getByRole('searchbox', { name: 'Search invoices' }).fill('nothing is called so')
  await page.getByRole('heading', { name: 'No matching invoices' }).waitFor()
})

test('an invoice states what is outstanding; its payments and credit notes are listed and linked', async () => {
  const { reference, number } = await anInvoice(daysFromNow(12))
  const page = await portal.signedIn(`/invoices/${reference}`)
  await page.getByRole('heading', { level: 1, name: `Invoice ${number}` }).waitFor()
  await page.getByText(/^US\$2,400\.00 outstanding, due .+ \(in 12 days\)\.$/).waitFor()
  expect(await page.getByRole('table', { name: 'Invoice lines' }).getByRole('row').nth(1).innerText()).toMatch(
    /Ocean freight[\s\S]*2 container[\s\S]*US\$1,000\.00[\s\S]*20%[\s\S]*US\$2,000\.00/,
  )
  await expectAccessible(page)

  const { ops } = portal.forwarder
  const { slug } = portal.demo
  const payment = { amount: 900, currency: 'USD' as const, paid_on: daysFromNow(0) }
  expect((await ops('recordPayment', slug, { params: { reference }, body: payment })).status).toBe(201)
  await page.getByText(/^US\$1,500\.00 of US\$2,400\.00 outstanding, due .+ \(in 12 days\)\.$/).waitFor()
  const list = await portal.signedIn(`/invoices?q=${reference}`)
  const head = list.getByRole('table', { name: 'Invoices' }).getByRole('row')
  await head.nth(1).waitFor()
  expect((await head.nth(0).innerText()).trim()).toMatch(/Total incl\. VAT\s+Outstanding$/)
  expect((await head.nth(1).innerText()).trim()).toMatch(/US\$2,400\.00\s+US\$1,500\.00$/)

  const credit = `${reference}-C`
  const lines = [{ description: 'Late delivery', price: { amount: 416.67, currency: 'USD' as const }, vatRate: 20 }]
  await ops('draftCreditNote', slug, { params: { reference }, body: { reference: credit, lines } })
  const noted = await ops('issueInvoice', slug, { params: { reference: credit }, body: {} })
  expect(noted.status, noted.text).toBe(200)
  await page.getByText(/^US\$1,000\.00 of US\$2,400\.00 outstanding, due .+ \(in 12 days\)\.$/).waitFor()
  await page.getByRole('region', { name: 'Credit notes' }).getByRole('link').click()
  await page.getByText(`Credit of US$500.00 on invoice ${number}.`).waitFor()
  await page.getByRole('region', { name: 'Credited invoice' }).getByRole('link', { name: number }).click()
  await page.getByRole('heading', { level: 1, name: `Invoice ${number}` }).waitFor()
})

test('an overdue invoice states since when', async () => {
  const { reference } = await anInvoice(daysFromNow(-3))
  const page = await portal.signedIn(`/invoices/${reference}`)
  await page.getByText(/^US\$2,400\.00 outstanding, overdue 3 days \(due .+\)\.$/).waitFor()
  await page.getByText('Overdue 3 days', { exact: true }).waitFor()
})

test('the PDF of an invoice is downloaded, and may be shown within the page', async () => {
  const { reference, number } = await anInvoice(daysFromNow(12))
  const page = await portal.signedIn(`/invoices/${reference}`)
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download PDF' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe(`${number}.pdf`)
  expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-')

  await page.getByRole('button', { name: 'View PDF' }).click()
  const dialog = page.getByRole('dialog', { name: `${number}.pdf` })
  await dialog.waitFor()
  await expectAccessible(page)
  // This Chromium has no PDF viewer: the page says so, and offers a new tab.
  const address = await dialog.getByRole('link', { name: 'Open in a new tab' }).getAttribute('href')
  const shown = await page.request.get(address ?? '')
  expect(shown.headers()).toMatchObject({ 'content-type': 'application/pdf' })
  expect(shown.headers()['content-disposition']).toMatch(/^inline;/)
  expect(shown.headers()['content-security-policy']).toContain("frame-ancestors 'self'")
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
})

test('invoices are readable on a phone, and an account without any sees where they come from', async () => {
  const page = await portal.signedIn('/invoices', { size: phone, theme: 'dark' })
  await page.getByRole('list', { name: 'Invoices' }).getByRole('link').first().click()
  await page.getByRole('heading', { level: 1, name: /^Invoice|^Credit note/ }).waitFor()
  await page.getByRole('heading', { name: 'Totals' }).waitFor()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)

  const account = await portal.newAccount()
  const empty = await portal.signedIn('/invoices', { person: await portal.newPerson('viewer', { account }) })
  await empty.getByText('No outstanding invoices.').waitFor()
  await empty.getByRole('heading', { name: 'No invoices yet' }).waitFor()
  await expectAccessible(empty)
})

test('an unknown invoice is reported as not found', async () => {
  portal.expectFailures('/v1/invoices/NO-SUCH-INVOICE', '/portal/v1/invoices/NO-SUCH-INVOICE')
  const page = await portal.signedIn('/invoices/NO-SUCH-INVOICE')
  await page.getByRole('heading', { name: 'Invoice not found' }).waitFor()
  await expectAccessible(page)
})
