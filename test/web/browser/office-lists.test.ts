import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { OperatorRole } from '../../../src/contract/operator/accounts.js'
import { line, newAccount } from '../../support/account.js'
import { newOperatorPerson } from '../../support/office.js'
import { testPassword } from '../../support/person.js'
import { expectAccessible, startPortal } from './support.js'

/** What lists of the office show while they are looked at, and what dialogs keep over a reload. */

const portal = await startPortal()
const { service, forwarder } = portal

async function officePage(role: OperatorRole): Promise<Page> {
  const page = await portal.newPage()
  const { email } = await newOperatorPerson(service, role)
  await page.context().request.post('/office/v1/session', { data: { email, password: testPassword } })
  await page.clock.install()
  return page
}

/** Lists are fetched again every half minute. */
const wait = (page: Page) => page.clock.fastForward(31_000)

test('an order that comes while the booking desk is looked at is marked, and one that changes', async () => {
  const { slug, call } = await newAccount(service)
  await call('createPurchaseOrder', { body: { reference: 'PO-1', product_lines: [line()] } })
  const page = await officePage('operations')
  await page.goto(`/office/bookings?account=${slug}`)
  const orders = page.getByRole('table', { name: 'Booking desk' }).getByRole('rowheader')
  await expect.poll(() => orders.count()).toBe(1)
  expect(await orders.innerText()).toMatch(/^PO-1/)
  await call('createPurchaseOrder', {
    body: { reference: 'PO-0', desired_ex_factory_date: '2020-01-01', product_lines: [line()] },
  })
  await call('updatePurchaseOrder', { body: { reference: 'PO-1', product_lines: [line({ ordered_quantity: 7 })] } })
  await wait(page)
  await expect.poll(() => orders.filter({ hasText: 'New: PO-0' }).count()).toBe(1)
  expect(await orders.filter({ hasText: 'Changed: PO-1' }).count()).toBe(1)
  await expectAccessible(page)
})

test('a customer and a message that come while their lists are looked at are marked', async () => {
  const { slug, name } = await portal.newAccount()
  const page = await officePage('admin')
  await page.goto(`/office/customers?q=${slug}`)
  const customers = page.getByRole('table', { name: 'Customers' }).locator('tbody tr')
  await customers.filter({ hasText: name }).waitFor()
  expect(await customers.filter({ hasText: 'New: ' }).count()).toBe(0)
  await forwarder.ops('createShipment', slug, { body: { svc_shipment_id: 'S-1', status: 'booked' } })
  await wait(page)
  await expect.poll(() => customers.filter({ hasText: `Changed: ${name}` }).count()).toBe(1)

  const sendUnknown = async (container_number: string) => {
    const query = new URLSearchParams({ format: 'events', sender: `sender ${slug}` })
    const event = { container_number, code: 'GATE_IN', date: '2026-03-01T08:00:00Z', status: 'actual' }
    const { status } = await fetch(`${service.baseUrl}/ops/v1/messages?${query.toString()}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${forwarder.key}`, 'content-type': 'application/json' },
      body: JSON.stringify([event]),
    })
    expect(status).toBe(200)
  }
  await sendUnknown('MSKU0000002')
  await page.goto('/office/feeds?show=messages')
  const messages = page.getByRole('table', { name: 'Messages' }).locator('tbody tr').filter({ hasText: slug })
  await expect.poll(() => messages.count()).toBe(1)
  await sendUnknown('MSKU0000018')
  await wait(page)
  await expect.poll(() => messages.filter({ hasText: 'New: ' }).count()).toBe(1)
})

test('a dialog that is open in a reload is open after it, with what was typed and chosen', async () => {
  const { slug } = await portal.newAccount()
  const body = { svc_shipment_id: 'S-1', status: 'booked', freight_mode: 'ocean' } as const
  await forwarder.ops('createShipment', slug, { body })
  const params = { svc_shipment_id: 'S-1' }
  const steps = [{ id: 'from', type: 'origin_port' as const, port: { unlocode: 'CN/SHA' } }]
  await forwarder.ops('planTracking', slug, { params, body: { steps } })
  const date = '2026-03-01T08:00:00+08:00'
  const event = { step: 'from', code: 'DEPARTED', description: 'Departed', status: 'planned', date } as const
  await forwarder.ops('addEvent', slug, { params, body: event })
  await forwarder.ops('setWorkingDays', undefined, { params: { place: 'ZW' }, body: { days: [] } })
  const page = await officePage('admin')
  const dialog = page.getByRole('dialog')

  await page.goto(`/office/shipments/${slug}/S-1`)
  await page.getByRole('button', { name: /^Retract: / }).click()
  await dialog.getByLabel('Reason').fill('Sent twice')
  await page.reload()
  expect(await dialog.getByLabel('Reason').inputValue()).toBe('Sent twice')

  await page.goto(`/office/customers/${slug}?show=keys`)
  await page
    .getByRole('button', { name: /^Create key/ })
    .first()
    .waitFor()
  await page.keyboard.press('c')
  await dialog.getByLabel('Name').fill('ERP')
  await page.reload()
  expect(await dialog.getByLabel('Name').inputValue()).toBe('ERP')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.goto('/office/settings?show=calendars')
  await page.getByRole('button', { name: 'Zimbabwe (ZW)' }).click()
  await dialog.getByLabel(/^Holidays/).fill('2026-04-18 holiday Independence')
  await page.reload()
  expect(await dialog.getByLabel(/^Holidays/).inputValue()).toBe('2026-04-18 holiday Independence')
  await expectAccessible(page)
  // On another page it is not open any more.
  await page.keyboard.press('Escape')
  await page.reload()
  await page.getByRole('button', { name: 'Zimbabwe (ZW)' }).waitFor()
  expect(await dialog.count()).toBe(0)
})

test('an order shows its lines and where they are, and leads to the booking desk with what is open', async () => {
  const { slug, call } = await newAccount(service)
  await call('createPurchaseOrder', {
    body: {
      reference: 'PO-1',
      product_lines: [line({ reference: '10', ordered_quantity: 12 })],
    },
  })
  await forwarder.ops('createShipment', slug, {
    body: { svc_shipment_id: 'S-1', name: 'Lamps for spring', status: 'booked' },
  })
  const params = { reference: 'PO-1', line: '10', svc_shipment_id: 'S-1' }
  await forwarder.ops('assign', slug, { params, body: { assigned_quantity: 5 } })
  const page = await officePage('operations')
  await page.goto(`/office/orders/${slug}/PO-1`)
  const lines = page.getByRole('table', { name: 'Order lines' })
  await lines.getByText('Lamps for spring').waitFor()
  expect(await lines.getByRole('cell').nth(0).innerText()).toBe('12')
  expect(await lines.getByRole('cell').nth(1).innerText()).toBe('7')
  expect(await lines.getByRole('link', { name: 'Lamps for spring' }).getAttribute('href')).toBe(
    `/office/shipments/${slug}/S-1`,
  )
  // Something is assigned: it can no longer be cancelled.
  expect(await page.getByRole('button', { name: 'Cancel order' }).count()).toBe(0)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Book open lines' }).click()
  await page.getByRole('table', { name: 'Booking desk' }).getByRole('link', { name: 'PO-1' }).waitFor()
})

test('the list of shipments is one request, and the ports of its filters are loaded when they are opened', async () => {
  const page = await officePage('operations')
  const lists: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/ops/v1/shipments') lists.push(request.url())
  })
  await page.goto(`/office/shipments?account=${portal.demo.slug}`)
  await page.getByRole('table', { name: 'Shipments' }).getByRole('link').first().waitFor()
  expect(lists).toHaveLength(1)
  await page.getByRole('button', { name: 'Origin' }).focus()
  await page.keyboard.press('Enter')
  const option = page.getByRole('dialog', { name: 'Origin' }).locator('label').first()
  const port = await option.innerText()
  await option.click()
  await page.getByRole('button', { name: `Origin: ${port}` }).waitFor()
  expect(new URL(page.url()).searchParams.get('origin')).toMatch(/^[A-Z]{2}\/[A-Z0-9]{3}$/)
})
