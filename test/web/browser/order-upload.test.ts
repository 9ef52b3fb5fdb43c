import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll, phone, startPortal } from './support.js'

/** Orders from a spreadsheet: every error in its cell before anything is saved. */

const portal = await startPortal()

const headings = [
  'reference',
  'supplier_id',
  'product_lines.reference',
  'product_lines.product.sku',
  'product_lines.ordered_quantity',
  'desired_delivery_date',
]

async function drop(page: Page, rows: string[][], name = 'orders.csv'): Promise<void> {
  const text = [headings, ...rows].map((cells) => cells.join(',')).join('\n')
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
}

const isThere = async (page: Page, reference: string) =>
  (await page.request.get(`/v1/purchaseOrders/${encodeURIComponent(reference)}`)).status() === 200

test('a spreadsheet with errors shows each in its cell and saves nothing; once fixed, it is saved', async () => {
  const page = await portal.signedIn('/orders/upload')
  await expectAccessible(page)
  const [one, two] = [`UP-${randomUUID().slice(0, 8)}`, `UP-${randomUUID().slice(0, 8)}`]
  await drop(page, [
    [one, 'Lamps', '10', 'LAMP-1', 'many', '2027-03-20'],
    [one, 'Lamps', '20', 'LAMP-2', '5', '2027-03-20'],
    [two, 'Lamps', '10', '', '5', '2027-02-30'],
  ])
  await page.getByText('3 errors. Nothing was saved.').waitFor()
  const cell = (row: number, column: number) =>
    page.getByRole('table', { name: 'Preview' }).getByRole('row').nth(row).getByRole('cell').nth(column)
  expect(await cell(1, 4).innerText()).toBe('many\n Must be a number')
  expect(await cell(3, 3).innerText()).toContain('Required')
  expect(await cell(3, 5).innerText()).toContain('Must be an existing date')
  expect(await page.locator('td[data-faulty]').count()).toBe(3)
  expect(await page.getByRole('button', { name: /^Create/ }).count()).toBe(0)
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Row 4, desired_delivery_date' }).click()
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('2027-02-30')
  expect(await isThere(page, one)).toBe(false)

  await drop(page, [
    [one, 'Lamps', '10', 'LAMP-1', '12', '2027-03-20'],
    [one, 'Lamps', '20', 'LAMP-2', '5', '2027-03-20'],
    [two, 'Lamps', '10', 'LAMP-3', '5', '2027-02-28'],
  ])
  await page.getByText('2 orders in 3 rows, no errors.').waitFor()
  await expectAccessible(page)
  expect(await isThere(page, one)).toBe(false)
  await page.getByRole('button', { name: 'Create 2 orders' }).click()
  await page.getByRole('heading', { level: 1, name: '2 orders created' }).waitFor()
  await page.getByRole('link', { name: two }).waitFor()
  await page.getByRole('link', { name: one }).click()
  await page.getByText('None of the 17 pieces are assigned to a shipment yet.').waitFor()
})

test('an order created since the preview is an error in its cell, and nothing is saved', async () => {
  portal.expectFailures('/portal/v1/purchase-orders/sheet')
  const page = await portal.signedIn('/orders/upload')
  const [one, two] = [`UP-${randomUUID().slice(0, 8)}`, `UP-${randomUUID().slice(0, 8)}`]
  const rows = [one, two].map((reference) => [reference, 'Lamps', '10', 'LAMP-1', '1', '2027-03-20'])
  await drop(page, rows)
  await page.getByRole('button', { name: 'Create 2 orders' }).waitFor()
  const session = (await (await page.request.get('/portal/v1/session')).json()) as { csrf_token: string }
  const created = await page.request.post('/v1/purchaseOrders', {
    data: { reference: two, product_lines: [{ ordered_quantity: 1, product: { sku: 'S' } }] },
    headers: { 'x-csrf-token': session.csrf_token },
  })
  expect(created.status()).toBe(201)
  await page.getByRole('button', { name: 'Create 2 orders' }).click()
  await page.getByText('Orders changed since the preview. Nothing was saved.').waitFor()
  expect(await page.locator('td[data-faulty]').innerText()).toMatch(new RegExp(`^${two}[\\s\\S]*Already exists`))
  expect(await isThere(page, one)).toBe(false)
})

test('the downloaded template is accepted as it is', async () => {
  const page = await portal.signedIn('/orders/upload')
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download template' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('purchase-orders.xlsx')
  const buffer = await readFile(await download.path())
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  await page.locator('input[type=file]').setInputFiles({ name: 'template.xlsx', mimeType, buffer })
  await page.getByRole('button', { name: 'Create 1 order' }).waitFor()
})

test('a file that is not a spreadsheet is rejected with a reason, on a phone too', async () => {
  portal.expectFailures('/portal/v1/purchase-orders/check')
  const page = await portal.signedIn('/orders/upload', { size: phone })
  const file = { name: 'bill.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 nothing') }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText('The file is neither CSV nor XLSX.').waitFor()
  await expectAccessible(page)
  await drop(page, [['UP-X', 'Lamps', '10', '', '5', '2027-02-28']])
  await page.getByText('1 error.').waitFor()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
})

test('a column that is not recognised is assigned or ignored, and the orders are created', async () => {
  const page = await portal.signedIn('/orders/upload')
  const reference = `UP-${randomUUID().slice(0, 8)}`
  const text = `PO number,Code,Qty,Shelf\n${reference},LAMP-1,4,A7\n`
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'own.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page.getByRole('heading', { name: 'Columns that are not recognised' }).waitFor()
  await expectAccessible(page)
  await page.getByLabel('Code').selectOption({ label: 'SKU' })
  await expect.poll(() => page.getByLabel('Code').inputValue()).toBe('product_lines.product.sku')
  await page.getByLabel('Shelf').selectOption({ label: 'Ignore this column' })
  await page.getByRole('button', { name: 'Create 1 order' }).click()
  await page.getByRole('heading', { level: 1, name: '1 order created' }).waitFor()
  expect(await isThere(page, reference)).toBe(true)
})
