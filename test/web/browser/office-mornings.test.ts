import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { OperatorRole } from '../../../src/contract/operator/accounts.js'
import { newAccount } from '../../support/account.js'
import { newOperatorPerson } from '../../support/office.js'
import { testPassword } from '../../support/person.js'
import { proposalForm } from '../../support/proposals.js'
import { expectAccessible, phone, startPortal } from './support.js'

/** A whole morning of each role: from the queue to an empty queue. That of an admin is in office-admin-morning.test.ts. */

const portal = await startPortal()
const { service, forwarder } = portal

async function signedIn(role: OperatorRole, size?: typeof phone) {
  const { email, name } = await newOperatorPerson(service, role, { name: `Mo ${randomBytes(3).toString('hex')}` })
  const page = await portal.newPage(size && { size })
  await page.context().request.post('/office/v1/session', { data: { email, password: testPassword } })
  const rows = page.getByRole('table', { name: 'Queue' }).locator('tbody tr')
  const details = page.getByRole('complementary', { name: 'Details' })
  const done = (text: string | RegExp) => page.getByText(text).first().waitFor()
  return { page, name, rows, details, done }
}

/** A customer with an order to book, a question, a document that it sent, and a shipment that departs in two days. */
async function customer() {
  const { slug, call } = await newAccount(service)
  const mark = slug.slice(-6).toUpperCase()
  const ids = { order: `PO-${mark}`, shipment: `SHP-${mark}` }
  const product_lines = [{ reference: '10', ordered_quantity: 40, product: { sku: 'LAMP', name: 'Lamp' } }]
  await call('createPurchaseOrder', { body: { reference: ids.order, product_lines } })
  const params = { svc_shipment_id: ids.shipment }
  await forwarder.ops('createShipment', slug, {
    body: { ...params, name: 'Lamps', status: 'booked', freight_mode: 'ocean' },
  })
  const steps = [{ id: 'from', type: 'origin_port' as const, port: { unlocode: 'CN/SHA' } }]
  await forwarder.ops('planTracking', slug, { params, body: { steps } })
  const date = new Date(Date.now() + 2 * 86_400_000).toISOString()
  const departs = { step: 'from', code: 'DEPARTED', description: 'Departed', status: 'planned', date } as const
  await forwarder.ops('addEvent', slug, { params, body: departs })
  await call('postMessage', { body: { ...params, text: 'When does it leave?' } })
  await call('proposeDocument', { body: proposalForm({ ...params, type: 'packing_list' }) })
  return { slug, ids }
}

test('operations answers a question, accepts a document, sees which are needed next, and books an order', async () => {
  const { slug, ids } = await customer()
  const { page, rows, details, done } = await signedIn('operations')
  await page.goto(`/office?account=${slug}`)
  await expect.poll(() => rows.count()).toBe(4)
  await rows.filter({ hasText: 'When does it leave?' }).click()
  await details.getByRole('textbox', { name: 'Message', exact: true }).fill('The day after tomorrow.')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => rows.count()).toBe(3)

  await rows.filter({ hasText: 'packing list.pdf' }).click()
  await details.getByRole('button', { name: /^Accept/ }).waitFor()
  await page.keyboard.press('e')
  await done('packing list.pdf accepted')
  // What is there now is not needed any more.
  const needed = rows.filter({ hasText: 'Needed soon: Commercial invoice, Bill of lading' })
  await needed.waitFor()
  await needed.click()
  // Meanwhile somebody else adds work, which is marked until it is opened.
  const requested = { svc_shipment_id: `REQ-${ids.order}`, name: 'Urgent lamps', status: 'booking_request' } as const
  await forwarder.ops('createShipment', slug, { body: requested })
  await page.keyboard.press('m')
  await done('1 item assigned')
  const added = rows.filter({ hasText: 'New: Urgent lamps' })
  await added.click()
  await expect.poll(() => added.count()).toBe(0)
  await needed.click()
  await page.keyboard.press('s')
  await done('1 item snoozed')
  await expect.poll(() => rows.count()).toBe(2)
  await expectAccessible(page)

  await rows.filter({ hasText: '1 line not assigned' }).click()
  await details.getByRole('link', { name: 'Book it' }).click()
  await page.getByRole('table', { name: 'Booking desk' }).waitFor()
  await page.keyboard.press('x')
  await page.keyboard.press('n')
  await page.getByLabel('Port of loading').fill('CN/SHA')
  await page.getByRole('button', { name: 'Create shipment' }).click()
  await page.waitForURL(/\/office\/shipments\//)
  // It has no tracking yet.
  portal.expectFailures(`/ops/v1/accounts/${slug}/shipments/`)
  const svc_shipment_id = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '')
  const { body: booked } = await forwarder.ops('listOrderLines', slug, { params: { svc_shipment_id } })
  expect(booked).toMatchObject([{ record: { reference: ids.order, assigned_quantity: 40 } }])
  await page.goto(`/office?account=${slug}`)
  await expect.poll(() => rows.count()).toBe(1)
})

test('finance bills a shipment, sees what blocks it, settles a dispute by a credit note, and records payments', async () => {
  const { slug } = await newAccount(service)
  const { page, rows, details, done } = await signedIn('finance')
  const lines = (...amounts: number[]) =>
    amounts.map((amount, index) => ({
      description: `Charge ${index + 1}`,
      vatRate: 20,
      price: { amount, currency: 'EUR' as const },
    }))
  const { body: draft } = await forwarder.ops('draftInvoice', slug, { body: { lines: lines(100, 50.05) } })
  const params = { reference: draft.id }
  const stored = async () => (await forwarder.ops('getInvoice', slug, { params })).body

  await page.goto(`/office/billing/invoices/${slug}/${draft.id}`)
  await page.getByRole('heading', { name: 'Checks' }).or(page.getByText('Nothing blocks issuing.')).first().waitFor()
  await page.keyboard.press('i')
  await page.getByRole('heading', { level: 1, name: /^INV-\d{4}-/ }).waitFor()
  // 150.05 at 20% is 30.01 of tax.
  expect((await stored()).outstanding).toEqual([{ amount: 180.06, currency: 'EUR' }])

  await forwarder.ops('moveInvoice', slug, { params, body: { status: 'litigious', disputed_lines: [1] } })
  await page.goto(`/office?account=${slug}`)
  await expect.poll(() => rows.count()).toBe(1)
  await rows.filter({ hasText: '€60.06 in dispute' }).waitFor()
  await details.getByRole('link', { name: 'Open the invoice' }).click()
  await page.getByRole('checkbox').nth(1).check()
  await page.getByRole('button', { name: 'Credit selected lines' }).click()
  await page.getByText('Nothing blocks issuing.').waitFor()
  await page.keyboard.press('i')
  await page.getByRole('heading', { level: 1, name: /^CN-\d{4}-/ }).waitFor()
  // 50.05 and its tax of 10.01.
  expect((await stored()).outstanding).toEqual([{ amount: 120, currency: 'EUR' }])
  await expectAccessible(page)

  await page.goto('/office/billing/bank-list')
  const { number } = (await stored()).record
  await page.getByLabel('Rows of the bank list').fill(`14.04.2026;120,00;EUR;${number}`)
  await page.getByRole('button', { name: 'Match' }).click()
  await page.getByRole('button', { name: 'Record 1 payment' }).click()
  await done('1 payment recorded')
  expect((await stored()).record.status).toBe('paid')
  await page.goto(`/office?account=${slug}`)
  await page.getByText('Nothing matches these filters.').waitFor()

  // What was pasted is gone for whoever signs in next.
  await page.goto('/office/profile')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  expect(
    await page.evaluate<string[]>("Object.keys(sessionStorage).filter((key) => key.startsWith('draft '))"),
  ).toEqual([])
})

test('a viewer finds a shipment by its number on a phone, reads all of it, and is offered nothing to change', async () => {
  const { slug, ids } = await customer()
  const { page, rows } = await signedIn('viewer', phone)
  await page.goto(`/office?account=${slug}`)
  await expect.poll(() => rows.count()).toBe(4)
  expect(await page.getByRole('checkbox').count()).toBe(0)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('combobox', { name: 'Search' }).fill(ids.shipment)
  await page.getByRole('option', { name: ids.shipment }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Lamps' }).waitFor()
  const customerView = page.getByRole('complementary', { name: 'As the customer sees it' })
  await customerView.getByText('Departure').first().waitFor()
  await page.getByRole('table', { name: 'History' }).getByRole('row').nth(1).waitFor()
  for (const name of ['Add event', 'Edit', 'Shift dates', 'Pin a date', 'Draft invoice'])
    expect(await page.getByRole('button', { name }).count(), name).toBe(0)
  await page.goto(`/office/billing?account=${slug}`)
  await page
    .getByText('Nothing')
    .first()
    .or(page.getByRole('heading', { level: 1 }))
    .first()
    .waitFor()
  await expectAccessible(page)
})
