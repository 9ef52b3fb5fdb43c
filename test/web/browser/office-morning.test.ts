import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { x12 } from '../../support/edi.js'
import { newOperatorPerson } from '../../support/office.js'
import { testPassword } from '../../support/person.js'
import { expectAccessible, expectNoSidewaysScroll, phone, startPortal } from './support.js'

/** A morning of an operations person at the office. */

const portal = await startPortal()
const { service, demo, forwarder } = portal

async function signIn(page: Page): Promise<void> {
  const { email } = await newOperatorPerson(service, 'operations', { name: 'Olga Ops' })
  await page.context().request.post('/office/v1/session', { data: { email, password: testPassword } })
}

/** A message with a code that the tables of the service do not have. */
async function unknownCode(sender: string): Promise<void> {
  const sent = await fetch(`${service.baseUrl}/ops/v1/messages?format=x12&sender=${encodeURIComponent(sender)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${forwarder.key}`, 'content-type': 'application/octet-stream' },
    body: x12('214', [['B10*1*2*NSLU', 'LX*1', 'AT7*Q1*NS***20260310*0900*LT']]),
  })
  expect(sent.status).toBe(200)
}

test('from the list of shipments to a file: an event is added, and the customer’s dates follow', async () => {
  const page = await portal.newPage()
  await signIn(page)
  const { body } = await forwarder.ops('findShipments', undefined, {
    query: {
      account: demo.slug,
      status: 'in_progress',
      freight_mode: 'ocean',
      sort: 'arrival',
      order: 'desc',
      take: 50,
    },
  })
  const isOnTheWay = ({ shipment }: (typeof body.shipments)[number]) =>
    shipment.main_tracking_dates?.arrival_date?.status === 'estimated'
  const { shipment } = body.shipments.find(isOnTheWay)!
  const id = shipment.svc_shipment_id

  await page.goto(`/office/shipments?account=${demo.slug}`)
  const rows = page.getByRole('table', { name: 'Shipments' }).locator('tbody tr[data-row]')
  await rows.first().waitFor()
  await expectAccessible(page)
  await page.getByRole('searchbox').fill(id)
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByRole('searchbox').blur()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: shipment.name ?? id }).waitFor()
  const customer = page.getByRole('complementary', { name: 'As the customer sees it' })
  await customer.getByText('Why these dates?').waitFor()
  await page.getByRole('region', { name: 'History' }).getByRole('row').nth(1).waitFor()
  await expectAccessible(page)

  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog', { name: 'Add event' })
  const steps = (await forwarder.ops('getTracking', demo.slug, { params: { svc_shipment_id: id } })).body.steps
  await dialog.getByLabel('Place').selectOption(steps.find(({ type }) => type === 'destination_port')!.id)
  await dialog.getByLabel('What happened').selectOption('ARRIVED')
  await dialog.getByLabel('Status').selectOption('estimated')
  await dialog.getByLabel('When').fill('2031-05-17T08:00')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Event added').first().waitFor()
  await customer.getByText('17 May 2031').first().waitFor()
  const seen = await forwarder.ops('getShipment', demo.slug, { params: { svc_shipment_id: id } })
  expect(seen.body.shown?.main_tracking_dates?.arrival_date?.date).toMatch(/^2031-05-17/)

  // Somebody else changes the vessel while the form is open.
  portal.expectFailures(`/ops/v1/accounts/${demo.slug}/shipments/${id}`)
  await page.keyboard.press('e')
  const form = page.getByRole('dialog', { name: 'Edit' })
  await form.getByLabel('Vessel').fill('Mine')
  await form.getByLabel('Carrier').fill('My Line')
  await forwarder.ops('updateShipment', demo.slug, {
    params: { svc_shipment_id: id },
    body: { booking_information: { ocean_booking: { vessel: 'Theirs' } } },
  })
  await form.getByRole('button', { name: 'Save' }).click()
  const conflict = page.getByRole('dialog', { name: 'Somebody else changed this shipment' })
  const vessel = conflict.getByRole('row', { name: /Vessel/ })
  expect(await vessel.getByRole('radio', { name: 'Theirs' }).isChecked()).toBe(true)
  await expectAccessible(page)
  await conflict.getByRole('button', { name: 'Save the chosen values' }).click()
  await page.getByText('Shipment saved').first().waitFor()
  const saved = await forwarder.ops('getShipment', demo.slug, { params: { svc_shipment_id: id } })
  expect(saved.body.record.booking_information).toMatchObject({
    carrier: 'My Line',
    ocean_booking: { vessel: 'Theirs' },
  })

  const small = await portal.newPage({ size: phone })
  await signIn(small)
  await small.goto(page.url())
  await small.getByRole('heading', { level: 1, name: shipment.name ?? id }).waitFor()
  await small.getByText('17 May 2031').first().waitFor()
  await expectNoSidewaysScroll(small)
})

test('an unknown code of a sender is mapped on the page of feeds, and taken back', async () => {
  const page = await portal.newPage()
  await signIn(page)
  const sender = `ACME ${randomBytes(4).toString('hex')}`
  await unknownCode(sender)
  await page.goto('/office/feeds?show=codes&state=unknown')
  const row = page.getByRole('table', { name: 'Codes' }).getByRole('row').filter({ hasText: sender })
  await row.getByRole('button').click()
  const details = page.getByRole('complementary', { name: 'Details' })
  await expectAccessible(page)
  await details.getByLabel('Means').selectOption('GATE_OUT')
  await details.getByRole('button', { name: 'Save mapping' }).click()
  await page
    .getByText(/mapped$/)
    .first()
    .waitFor()
  await expect.poll(() => row.count()).toBe(0)
  await page.getByRole('button', { name: /^Undo/ }).click()
  await expect.poll(() => row.count()).toBe(1)

  await page.getByText('Messages', { exact: true }).click()
  await page.getByRole('table', { name: 'Messages' }).getByRole('row').filter({ hasText: sender }).click()
  await details.getByRole('button', { name: 'Process again' }).click()
  await page.getByText('Message processed again').first().waitFor()
  await expectAccessible(page)
})

test('a customer is found, suspended and resumed, and its settings are shown', async () => {
  const page = await portal.newPage()
  const { email } = await newOperatorPerson(service, 'admin')
  await page.context().request.post('/office/v1/session', { data: { email, password: testPassword } })
  const { slug } = await portal.newAccount()
  await page.goto(`/office/customers?q=${slug}`)
  const row = page.getByRole('table', { name: 'Customers' }).locator('tbody tr[data-row]')
  await row.first().waitFor()
  await expectAccessible(page)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Suspend' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Suspend' }).click()
  await page.getByText('Customer suspended').first().waitFor()
  await page.getByRole('button', { name: /^Undo/ }).click()
  await page.getByRole('button', { name: 'Suspend' }).waitFor()
  expect((await forwarder.ops('getAccount', slug)).body.suspended).toBe(false)
  await page.keyboard.press('7')
  await page.getByRole('table', { name: 'Audit log' }).getByRole('row').nth(2).waitFor()
})
