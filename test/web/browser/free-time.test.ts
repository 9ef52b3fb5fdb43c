import { expect, test } from 'vitest'
import { expectAccessible, laptop, phone, startPortal } from './support.js'

const portal = await startPortal()

/** A shipment of the demo with a container that costs, and its clock. */
async function overdue() {
  const { body } = await portal.forwarder.ops('listShipments', portal.demo.slug, { query: { take: 100 } })
  for (const { id, record } of body) {
    if (record.status !== 'in_progress' || record.freight_mode !== 'ocean') continue
    const response = await portal.forwarder.ops('getFreeTime', portal.demo.slug, {
      params: { svc_shipment_id: id },
    })
    const clock = response.status === 200 && response.body.clocks.find(({ state, cost }) => state === 'expired' && cost)
    if (clock) return { id, clock }
  }
  throw new Error('the demo has no container over its free time')
}

test('the shipment page shows the free time of containers, with given days beside computed ones, in both languages', async () => {
  const { id, clock } = await overdue()
  const page = await portal.signedIn(`/shipments/${id}`, { size: laptop })
  const table = page.getByRole('table', { name: 'Free time' })
  await expect.poll(() => table.textContent()).toContain(clock.container_number)
  expect(await table.textContent()).toMatch(/\d+ days? over/)
  await portal.forwarder.ops('giveFreeTime', portal.demo.slug, {
    params: { svc_shipment_id: id, fact_id: 'arrival-notice' },
    body: { direction: 'import', clock: clock.clock, last_free_day: '2999-01-01', source: 'carrier', reason: 'Mail' },
  })
  // Without loading the page again.
  await expect.poll(() => table.textContent()).toContain('Given by the carrier')
  expect(await table.textContent()).toContain('By the rule')
  await expectAccessible(page)
  const { csrf_token } = (await (await page.request.get('/portal/v1/session')).json()) as { csrf_token: string }
  await page.request.patch('/portal/v1/person', { data: { language: 'fr' }, headers: { 'x-csrf-token': csrf_token } })
  const small = await portal.signedIn(`/shipments/${id}`, { size: phone, theme: 'dark' })
  const franchise = small.getByRole('table', { name: 'Franchise' })
  await expect.poll(() => franchise.textContent()).toContain('Selon la règle')
})
