import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { newAccount } from '../../support/account.js'
import { newOperatorPerson } from '../../support/office.js'
import { testPassword } from '../../support/person.js'
import { expectAccessible, startPortal } from './support.js'

/** A morning at the booking desk. */

const portal = await startPortal()
const { service, forwarder } = portal

test('lines of two orders become a shipment, whose later dates are shifted and shifted back', async () => {
  const { slug, call } = await newAccount(service)
  const mark = randomBytes(3).toString('hex').toUpperCase()
  for (const reference of [`PO-${mark}-A`, `PO-${mark}-B`]) {
    const product_lines = [{ reference: '10', ordered_quantity: 40, product: { sku: `LAMP-${mark}`, name: 'Lamp' } }]
    await call('createPurchaseOrder', { body: { reference, product_lines, desired_ex_factory_date: '2031-04-01' } })
  }
  const page = await portal.newPage()
  const { email } = await newOperatorPerson(service, 'operations', { name: 'Bea Booking' })
  await page.context().request.post('/office/v1/session', { data: { email, password: testPassword } })

  await page.goto(`/office/bookings?account=${slug}`)
  await page.getByRole('table', { name: 'Booking desk' }).waitFor()
  await page.keyboard.press('x')
  await page.keyboard.press('J')
  await page.keyboard.press('e')
  await page.keyboard.type('25')
  await page.keyboard.press('Enter')
  await page.getByText('2 lines of 2 orders').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('n')
  await page.getByLabel('Port of loading').fill('CN/SHA')
  await page.getByLabel('Port of discharge').fill('NL/RTM')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create shipment' }).click()
  await page.waitForURL(/\/office\/shipments\//)
  const svc_shipment_id = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '')
  // It has no tracking yet, whose absence the page shows.
  portal.expectFailures(`/ops/v1/accounts/${slug}/shipments/${svc_shipment_id}/tracking`)
  const { body: lines } = await forwarder.ops('listOrderLines', slug, { params: { svc_shipment_id } })
  expect(lines.map(({ record }) => record.assigned_quantity)).toEqual([40, 25])

  const params = { svc_shipment_id }
  const steps = [
    { id: 'sha', type: 'origin_port' as const, port: { unlocode: 'CN/SHA' } },
    { id: 'rtm', type: 'destination_port' as const, port: { unlocode: 'NL/RTM' } },
  ]
  await forwarder.ops('planTracking', slug, { params, body: { steps } })
  const expected = { step: 'rtm', description: 'Vessel arrival', status: 'estimated' as const }
  await forwarder.ops('addEvent', slug, { params, body: { ...expected, date: '2031-05-17T08:00:00+02:00' } })
  const arrival = async () =>
    (await call('getShipment', { params: { svc_shipment_id } })).body.main_tracking_dates?.arrival_date?.date
  await page.reload()
  await page.getByRole('button', { name: 'Shift dates d' }).waitFor()
  await page.keyboard.press('d')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('By how many').fill('3')
  await dialog.getByText('20 May').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Shift 1 date' }).click()
  await expect.poll(arrival).toBe('2031-05-20T08:00:00+02:00')
  await page.getByRole('button', { name: 'Undo z' }).waitFor()
  await page.keyboard.press('z')
  await expect.poll(arrival).toBe('2031-05-17T08:00:00+02:00')
})
