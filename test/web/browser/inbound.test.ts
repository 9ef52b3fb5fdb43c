import { expect, test } from 'vitest'
import type { InboundLine } from '../../../src/contract/public/inbound.js'
import { en } from '../../../web/portal/i18n/en.js'
import { expectAccessible, expectNoSidewaysScroll, phone, startPortal } from './support.js'

/** From the orders to what arrives when, and out again as a sheet. */

const portal = await startPortal()
test('an order opens from the list, its lines open to their shipments, and the exported sheet has what the records say', async () => {
  const page = await portal.signedIn('/orders')
  await page.getByRole('columnheader', { name: en.orders.expected }).waitFor()
  const listed = await page.request.get('/v1/inbound?take=1000')
  const lines = (await listed.json()) as InboundLine[]
  const { reference, shipment_name = '' } = lines.find(({ svc_shipment_id }) => svc_shipment_id !== undefined)!

  await page.goto(`/orders/${encodeURIComponent(reference)}`)
  const table = page.getByRole('table', { name: en.order.lines })
  const opener = table.getByRole('button').first()
  await opener.waitFor()
  if ((await opener.getAttribute('aria-expanded')) === 'false') await opener.press('Enter')
  expect(await opener.getAttribute('aria-expanded')).toBe('true')
  await table.getByRole('link', { name: shipment_name }).first().waitFor()
  await expectAccessible(page)

  await page.getByRole('link', { name: en.nav.inbound }).click()
  await page.getByRole('heading', { name: en.inbound.title, level: 1 }).waitFor()
  await page.getByRole('table').nth(1).waitFor()
  await expectAccessible(page)
  // Places by their names.
  await expect.poll(() => page.getByText(/^[A-Z]{2}\/[A-Z\d]{3}$/).count()).toBe(0)
  await page.getByRole('button', { name: en.shipments.export }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: en.shipments.exportCsv }).click(),
  ])
  let text = ''
  for await (const chunk of await download.createReadStream()) text += String(chunk)
  expect(text.trim().split('\n')).toHaveLength(lines.length + 1)
  for (const { sku } of lines.slice(0, 20)) expect(text).toContain(sku)

  await page.setViewportSize(phone)
  await expectNoSidewaysScroll(page)
  await page.getByLabel(en.inbound.since).fill('2020-01-01')
  await page
    .getByText(/moved since/)
    .first()
    .waitFor()
  await expectNoSidewaysScroll(page)
})

test('a shipment shows what would be late if it was, and a duplicate of an order is checked for the order of its dates', async () => {
  const page = await portal.signedIn('/orders')
  const lines = (await (await page.request.get('/v1/inbound?take=1000')).json()) as InboundLine[]
  const line = lines.find(({ expected_date, is_delivered }) => expected_date !== undefined && !is_delivered)!
  await page.goto(`/shipments/${encodeURIComponent(line.svc_shipment_id!)}`)
  await page.getByRole('heading', { name: en.inbound.whatIf.title }).waitFor()
  await page.getByLabel(en.inbound.whatIf.days).fill('300')
  await page
    .getByRole('table', { name: en.inbound.whatIf.title })
    .getByRole('link', { name: line.reference })
    .first()
    .waitFor()

  await page.goto(`/orders/${encodeURIComponent(line.reference)}`)
  await page.getByRole('link', { name: en.order.duplicate }).click()
  await page.locator('[name="/reference"]').fill('COPY-1')
  await page.locator('[name="/desired_ex_factory_date"]').fill('2098-03-02')
  await page.locator('[name="/desired_delivery_date"]').fill('2098-03-01')
  await page.getByRole('button', { name: en.orderForm.create }).click()
  await page.getByText(en.orderForm.outOfOrder).first().waitFor()
  await page.locator('[name="/desired_delivery_date"]').fill('2098-04-01')
  await page.getByRole('button', { name: en.orderForm.create }).click()
  await page.getByRole('heading', { name: 'COPY-1' }).waitFor()
})
