import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { evaluateAccount } from '../../../src/usecases/exceptions/run-exceptions.js'
import { newOperatorPerson } from '../../support/office.js'
import { testPassword } from '../../support/person.js'
import { createByScreen, planByScreen, startScreens } from './office-file.js'
import { startPortal } from './support.js'

/** What people do at the office takes effect once, in order, whatever becomes of the responses. */

const portal = await startPortal()
const { service, demo, forwarder } = portal

async function newOfficePage(role: 'operations' | 'finance', name: string): Promise<Page> {
  const page = await portal.newPage()
  const { email } = await newOperatorPerson(service, role, { name })
  await page.context().request.post('/office/v1/session', { data: { email, password: testPassword } })
  return page
}

/** Until `answer` is called, no write to these addresses gets its response, although the service has handled it. */
async function loseResponses(page: Page, address: RegExp): Promise<{ handled: () => number; answer: () => void }> {
  let handled = 0
  let isLost = true
  await page.route(address, async (route) => {
    if (!isLost || route.request().method() === 'GET') return route.fallback()
    expect((await route.fetch()).ok()).toBe(true)
    handled += 1
    await route.abort('connectionreset')
  })
  return { handled: () => handled, answer: () => void (isLost = false) }
}

test('an event whose response is lost is added once, and its form survives a reload until then', async () => {
  const { page, slug } = await startScreens(portal)
  const path = `/ops/v1/accounts/${slug}/shipments/`
  portal.expectFailures(path)
  const id = await createByScreen(page, slug, { mode: 'ocean', load: 'fcl' })
  await planByScreen(page, ['CN/NGB', 'DE/HAM'])
  const dialog = page.getByRole('dialog', { name: 'Add event' })
  const save = dialog.getByRole('button', { name: 'Save' })

  // The service is away while the form is filled in.
  let isAway = true
  await page.route(/\/tracking\/events$/, (route) => (isAway ? route.abort('connectionrefused') : route.fallback()))
  await page.keyboard.press('a')
  await dialog.getByLabel('What happened').selectOption('PICKED_UP')
  await dialog.getByLabel('When').fill('2026-03-04T11:00')
  await dialog.getByLabel('In words').fill('Typed once')
  await save.click()
  await dialog.getByRole('alert').waitFor()
  await page.reload()
  await expect.poll(() => dialog.getByLabel('In words').inputValue()).toBe('Typed once')

  isAway = false
  const { handled, answer } = await loseResponses(page, /\/tracking\/events$/)
  await save.click()
  await dialog.getByRole('alert').waitFor()
  await page.reload()
  await expect.poll(() => dialog.getByLabel('In words').inputValue()).toBe('Typed once')
  await save.click()
  await expect.poll(handled).toBe(2)
  await dialog.getByRole('alert').waitFor()
  answer()
  await save.click()
  await dialog.waitFor({ state: 'detached' })
  const { body } = await forwarder.ops('getTracking', slug, { params: { svc_shipment_id: id } })
  const events = body.steps.flatMap((step) => step.events)
  expect(events.filter(({ description }) => description === 'Typed once')).toHaveLength(1)

  // The same again is another event.
  await page.keyboard.press('a')
  await dialog.getByLabel('What happened').selectOption('PICKED_UP')
  await dialog.getByLabel('When').fill('2026-03-04T11:00')
  await dialog.getByLabel('In words').fill('Typed once')
  await save.click()
  await dialog.waitFor({ state: 'detached' })
  const again = await forwarder.ops('getTracking', slug, { params: { svc_shipment_id: id } })
  expect(again.body.steps.flatMap((step) => step.events)).toHaveLength(events.length + 1)
})

test('a payment of a bank list whose response is lost is shown as recorded, and no payment is recorded twice', async () => {
  const page = await newOfficePage('finance', 'Fanny Finance')
  portal.expectFailures(`/ops/v1/accounts/${demo.slug}/invoices/`)
  const lines = [{ description: 'Freight', price: { amount: 100, currency: 'EUR' as const }, vatRate: 0 }]
  const references: string[] = []
  for (const reference of ['LOST-1', 'LOST-2']) {
    await forwarder.ops('draftInvoice', demo.slug, { body: { reference, lines } })
    const { body } = await forwarder.ops('issueInvoice', demo.slug, { params: { reference }, body: {} })
    references.push(body.record.number ?? reference)
  }
  await page.goto('/office/billing/bank-list')
  await page
    .getByLabel('Rows of the bank list')
    .fill(references.map((number) => `14.04.2026;100,00;EUR;Invoice ${number}`).join('\n'))
  await page.getByRole('button', { name: 'Match' }).click()
  const record = page.getByRole('button', { name: 'Record 2 payments' })
  await record.waitFor()
  const { handled } = await loseResponses(page, /LOST-2\/payments$/)
  await record.click()
  await page.getByText('2 payments recorded').first().waitFor()
  expect(handled()).toBe(1)
  expect(await page.getByText('Recorded before', { exact: true }).count()).toBe(2)
  expect(await page.getByRole('button', { name: 'Record 0 payments' }).isDisabled()).toBe(true)
  for (const reference of ['LOST-1', 'LOST-2']) {
    const { body } = await forwarder.ops('getInvoice', demo.slug, { params: { reference } })
    expect(body.payments).toMatchObject([{ amount: 100 }])
  }
})

test('keys that are pressed while an action runs are done after it', async () => {
  await evaluateAccount(service.db, demo.id, Date.now())
  const page = await newOfficePage('operations', 'Olga Ops')
  await page.goto(`/office?show=exceptions&account=${demo.slug}`)
  const queue = page.getByRole('table', { name: 'Queue' })
  const rows = queue.locator('tbody tr')
  await rows.nth(2).waitFor()
  const count = Number(await queue.getAttribute('aria-rowcount'))
  const titles = await rows.getByRole('button').allInnerTexts()
  await page.route('**/ops/v1/exceptions/actions', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    await route.fallback()
  })
  for (const key of ['e', 'j', 'e', 'j', 'e']) await page.keyboard.press(key)
  await expect.poll(() => queue.getAttribute('aria-rowcount')).toBe(String(count - 3))
  // Rows that come up from below are rendered, too.
  const left = await rows.getByRole('button').allInnerTexts()
  expect(left.slice(0, titles.length - 3)).toEqual(titles.slice(3))
})
