import { expect, test } from 'vitest'
import type { ShipmentPage } from '../../../src/contract/portal/lists.js'
import { expectAccessible, expectNoSidewaysScroll, phone, startPortal } from './support.js'

/** Somebody without an account follows a shipment on a phone. */

const portal = await startPortal({ portal: { sendMail: async () => {}, offersTracking: true } })
test('a shipment that was shared on its page is followed on a phone, without an account, until the link is revoked', async () => {
  const page = await portal.signedIn('/documents')
  const answer = await page.request.get('/portal/v1/documents?take=50')
  const { documents } = (await answer.json()) as { documents: { svc_shipment_id?: string; name: string }[] }
  const { svc_shipment_id = '' } = documents.find((document) => document.svc_shipment_id) ?? {}
  await page.goto(`/shipments/${encodeURIComponent(svc_shipment_id)}`)
  const title = await page.getByRole('heading', { level: 1 }).innerText()
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('textbox', { name: 'For whom' }).fill('Warehouse')
  await page.getByRole('dialog').getByRole('checkbox').nth(2).check()
  await page.reload()
  await expect.poll(() => page.getByRole('dialog').getByRole('checkbox').nth(2).isChecked()).toBe(true)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create link' }).click()
  const url = await page.getByText(/\/share#[\w-]{32}/).innerText()

  const visitor = await portal.newPage({ size: phone })
  await visitor.goto(url)
  await visitor.getByRole('heading', { name: title, level: 1 }).waitFor()
  await visitor.getByRole('heading', { name: 'Documents' }).waitFor()
  await expectAccessible(visitor)
  await expectNoSidewaysScroll(visitor)
  const [download] = await Promise.all([
    visitor.waitForEvent('download'),
    visitor
      .getByRole('button', { name: /Download/ })
      .first()
      .click(),
  ])
  expect(documents.map((document) => document.name)).toContain(download.suggestedFilename())
  await visitor.getByRole('button', { name: 'Français' }).click()
  await visitor.getByText('Cette page se met à jour toute seule.').waitFor()
  expect(await visitor.context().cookies()).toEqual([])

  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Warehouse').waitFor({ state: 'detached' })
  portal.expectFailures('/portal/v1/shared-shipment')
  await visitor.reload()
  await visitor.getByText('Ce lien n’est plus valable').waitFor()
})

test('a shipment is tracked without an account or a link, by its number and an order on it', async () => {
  const signedIn = await portal.signedIn('/settings')
  const answer = await signedIn.request.get('/portal/v1/shipments?status=in_progress&take=100')
  const { shipments } = (await answer.json()) as ShipmentPage
  const tracked = shipments.find(({ purchase_order_references: orders = [] }) => orders.length > 0)
  const [order = ''] = tracked?.purchase_order_references ?? []
  const page = await portal.newPage({ size: phone })
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Track a shipment' }).click()
  await page.getByRole('textbox', { name: 'Number', exact: true }).fill(tracked?.svc_shipment_id ?? '')
  await page.getByRole('textbox', { name: 'Postcode or order number' }).fill('wrong')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  portal.expectFailures('/portal/v1/public-tracking')
  await page.getByRole('button', { name: 'Track' }).click()
  await page.getByRole('alert').getByText('Check both').waitFor()
  await page.getByRole('textbox', { name: 'Postcode or order number' }).fill(order)
  await page.getByRole('button', { name: 'Track' }).click()
  await page.getByRole('heading', { name: tracked?.svc_shipment_id ?? '', level: 1 }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Track another shipment' }).click()
  await page.getByRole('button', { name: 'Track' }).waitFor()
})
