import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { en } from '../../../web/portal/i18n/en.js'
import { fr } from '../../../web/portal/i18n/fr.js'
import { newOperatorPerson } from '../../support/office.js'
import { testPassword } from '../../support/person.js'
import { binaryFiles } from '../../support/sample-files.js'
import { expectAccessible, expectNoSidewaysScroll, phone, startPortal } from './support.js'

/** A customer asks about a shipment, the forwarder answers in the office, and the customer sees it without a reload. */

const portal = await startPortal()
const { service, demo } = portal
const m = en.conversation

const section = (page: Page) => page.getByRole('region', { name: m.title, exact: true })
const messages = (page: Page) => section(page).locator('[data-message]')

test('a conversation goes both ways, with a mention and a file, and waits in the queue until it is answered', async () => {
  const customer = await portal.newPerson('member', { name: 'Carla Customer' })
  // Staff belong to all accounts of the test database.
  const name = `Odette ${randomBytes(4).toString('hex')}`
  const staff = await newOperatorPerson(service, 'operations', { name })
  const { body } = await portal.forwarder.ops('createShipment', demo.slug, {
    body: { name: 'Lamps', status: 'booked' },
  })
  portal.expectFailures(`/ops/v1/accounts/${demo.slug}/shipments/${body.id}/tracking`)

  const page = await portal.signedIn(`/shipments/${body.id}`, { person: customer })
  await section(page).getByText(m.none).waitFor()
  const field = section(page).getByRole('textbox', { name: m.write })
  await field.fill('Can it be delivered on Thursday, ')
  await field.press('End')
  await field.pressSequentially(`@${name.slice(0, 12)}`)
  await page.getByRole('listbox', { name: m.people }).getByRole('option', { name }).waitFor()
  await expectAccessible(page)
  await field.press('Enter')
  expect(await field.inputValue()).toBe(`Can it be delivered on Thursday, @${name} `)
  const file = { name: 'slot.pdf', mimeType: 'application/pdf', buffer: binaryFiles.pdf as Buffer }
  await section(page).locator('input[type=file]').setInputFiles(file)
  await section(page).getByRole('list', { name: m.attached }).getByText('slot.pdf').waitFor()
  await field.press('Control+Enter')
  await expect.poll(() => messages(page).count()).toBe(1)
  expect(await field.inputValue()).toBe('')

  const office = await portal.newPage()
  await office.context().request.post('/office/v1/session', { data: { email: staff.email, password: testPassword } })
  await office.goto(`/office?show=conversations&account=${demo.slug}`)
  const details = office.getByRole('complementary', { name: 'Details' })
  await details.getByText('Can it be delivered on Thursday', { exact: false }).last().waitFor()
  await details.getByText(`To ${name}`).waitFor()
  await details.getByRole('link', { name: 'slot.pdf' }).waitFor()
  await expectAccessible(office)
  await details.getByRole('textbox', { name: m.write }).fill('Yes, at 9.')
  await details.getByRole('button', { name: m.send }).click()
  // Answered: it leaves the queue.
  await office.getByText('Nothing matches these filters.').waitFor()
  await office.goto(`/office/shipments/${demo.slug}/${body.id}`)
  await expect.poll(() => messages(office).count()).toBe(2)
  await expectAccessible(office)

  await expect.poll(() => messages(page).count()).toBe(2)
  await messages(page).last().getByText('Yes, at 9.').waitFor()
  await messages(page).last().getByText(m.forwarder).waitFor()
})

test('a viewer reads the messages of an order in French on a phone, and they are marked as read once seen', async () => {
  const { body: orders } = await portal.forwarder.ops('listPurchaseOrders', demo.slug, { query: { take: 1 } })
  const po_number = orders[0]!.id
  await portal.forwarder.ops('postCustomerMessage', demo.slug, {
    body: { po_number, text: 'Is the packing list final?' },
  })
  const viewer = await portal.newPerson('viewer')
  const page = await portal.signedIn('/', { person: viewer, size: phone, locale: 'fr-FR' })
  const { csrf_token } = (await (await page.request.get('/portal/v1/session')).json()) as { csrf_token: string }
  await page.request.patch('/portal/v1/person', { data: { language: 'fr' }, headers: { 'x-csrf-token': csrf_token } })
  const unread = async () => {
    const response = await page.request.get(`/portal/v1/conversation?po_number=${encodeURIComponent(po_number)}`)
    return ((await response.json()) as { unread: number }).unread
  }
  expect(await unread()).toBe(1)
  await page.goto(`/orders/${encodeURIComponent(po_number)}#messages`)
  const shown = page.getByRole('region', { name: fr.conversation.title })
  await shown.getByText('Is the packing list final?').scrollIntoViewIfNeeded()
  expect(await shown.getByRole('textbox').count()).toBe(0)
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await expect.poll(unread).toBe(0)
})
