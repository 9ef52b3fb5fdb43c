import { expect, test } from 'vitest'
import { notifyRound } from '../../../src/usecases/notifications/run-notifications.js'
import { expectAccessible, expectNoSidewaysScroll, phone, startPortal } from './support.js'

/** The bell, watching, and the settings of notifications. */

const portal = await startPortal()

test('a person watches a shipment, reads what changed under the bell, and chooses what to be notified of', async () => {
  const person = await portal.newPerson('member')
  const page = await portal.signedIn('/shipments', { person })
  await page.locator('a[href^="/shipments/"]').first().click()
  await page.getByRole('button', { name: 'Watch', exact: true }).click()
  await page.getByRole('button', { name: 'Watching' }).waitFor()
  const svc_shipment_id = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '')
  await portal.forwarder.ops('updateShipment', portal.demo.slug, {
    params: { svc_shipment_id },
    body: { name: 'Renamed lamps' },
  })
  await notifyRound(portal.service.db, Date.now(), { mail: undefined })
  const bell = page.getByRole('link', { name: 'Notifications: 1 unread' })
  // Many are on one line, too.
  const [one, many] = await bell.locator('span').evaluate((badge) => {
    const [text, height] = [badge.textContent, badge.clientHeight]
    badge.textContent = '99+'
    const heightOfMany = badge.clientHeight
    badge.textContent = text
    return [height, heightOfMany]
  })
  expect(many).toBe(one)
  await bell.click()
  await page.getByText('Shipment changed').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByText('You have read everything.').waitFor()
  await page.getByRole('link', { name: 'Renamed lamps' }).click()
  await page.getByRole('heading', { level: 1, name: 'Renamed lamps' }).waitFor()

  await page.goto('/settings')
  const table = page.getByRole('table', { name: 'Notifications' })
  await table.getByRole('row', { name: /Shipment Renamed lamps/ }).waitFor()
  await page.getByRole('button', { name: 'Add notifications' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add notifications' })
  await dialog.getByRole('combobox', { name: 'How' }).selectOption('weekly')
  await dialog.getByRole('checkbox', { name: 'New document' }).check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await table.getByRole('row', { name: /Everything.*Weekly e-mail/ }).waitFor()
  await table.getByRole('button', { name: 'Remove notifications: Shipment Renamed lamps' }).click()
  await expect.poll(() => table.getByRole('row').count()).toBe(2)
  await page.getByLabel('From').fill('21:00')
  await page.getByLabel('To', { exact: true }).fill('07:30')
  await page.getByRole('button', { name: 'Set e-mail times' }).click()
  await expect
    .poll(async () => (await page.request.get('/portal/v1/notifications/settings')).json())
    .toMatchObject({ quiet_hours: { from: '21:00', to: '07:30' } })
})

test('notifications fit a phone, in French', async () => {
  const person = await portal.newPerson('viewer')
  await portal.service.db`update people set language = 'fr' where person_id = ${person.person_id}`
  const page = await portal.signedIn('/notifications', { person, size: phone })
  await page.getByText('Aucune notification pour l’instant').waitFor()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
})
