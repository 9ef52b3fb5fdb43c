import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Overview } from '../../../src/contract/portal/overview.js'
import { evaluate } from '../../support/exceptions.js'
import { expectAccessible, expectNoSidewaysScroll, phone, startPortal } from './support.js'

/** The overview: a sentence, and numbers that link to lists. */

const portal = await startPortal()
beforeAll(() => evaluate(portal.service, portal.demo.id), 120_000)

async function overviewOf(page: Page): Promise<Overview> {
  return (await (await page.request.get('/portal/v1/overview')).json()) as Overview
}

const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

test('the overview opens with a sentence on what is on the way, late and overdue', async () => {
  const page = await portal.signedIn('/')
  const { shipments_by_status, late, invoices } = await overviewOf(page)
  const underWay = shipments_by_status.find(({ status }) => status === 'in_progress')?.count
  const overdue = invoices.reduce((sum, { overdue_count }) => sum + overdue_count, 0)
  const lead = await page.locator('main header p').innerText()
  expect(lead).toMatch(new RegExp(`^${underWay} shipments are on the way`))
  expect(lead).toContain(String(late.count))
  expect(lead).toContain(`${overdue} invoice`)
  await expectAccessible(page)
})

test('every number of the overview opens the list that it counts', async () => {
  const page = await portal.signedIn('/')
  const { shipments_by_status, invoices, unassigned_orders, late, to_do } = await overviewOf(page)
  const numbers = [
    ['Late', 'Shipments', to_do.late],
    ['Arriving in 7 days', 'Shipments', to_do.arriving],
    ['Overdue invoices', 'Invoices', to_do.overdue_invoices],
    ['Unassigned orders', 'Orders', to_do.unassigned_orders],
    ['Late orders', 'Orders', to_do.late_orders],
    ['Held', 'Exceptions', to_do.held],
    ['Free time ending', 'Exceptions', to_do.free_time],
    ['Missing documents', 'Exceptions', to_do.missing_documents],
  ] as const
  for (const [name, title, { value }] of numbers) {
    await page
      .getByRole('region', { name: 'Needs doing' })
      .getByRole('link', { name: `${value} ${name}`, exact: true })
      .click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    // The demo of a day may have nothing that is held.
    if (name !== 'Held') expect(value).toBeGreaterThan(0)
    await expect.poll(() => page.locator('tbody tr[data-row], [data-exception]').count()).toBe(Math.min(value, 50))
    await page.goBack()
  }
  for (const { status, count } of shipments_by_status) {
    const link = page
      .getByRole('region', { name: 'Shipments by status' })
      .locator(`a[href="/shipments?status=${status}"]`)
    expect(await link.last().innerText()).toContain(String(count))
  }
  await page.getByRole('link', { name: /In progress$/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Shipments' }).waitFor()
  expect(searchOf(page)).toEqual({ status: 'in_progress' })
  await page.goBack()

  const [first] = invoices
  const row = page.getByRole('row', { name: new RegExp(`^${first?.currency}`) })
  await row.getByRole('link').first().click()
  await page.getByRole('heading', { level: 1, name: 'Invoices' }).waitFor()
  expect(searchOf(page)).toEqual({ state: 'open', currency: first?.currency })
  await page.goBack()

  const orders = page.getByRole('region', { name: 'Unassigned orders' })
  await orders.getByRole('link', { name: `View all ${unassigned_orders.count}` }).click()
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
  expect(searchOf(page)).toMatchObject({ state: 'open' })
  await page.goBack()

  const lateOnes = page.getByRole('region', { name: 'Late', exact: true })
  await lateOnes.getByRole('link', { name: `View all ${late.count}` }).click()
  await page.getByRole('heading', { level: 1, name: 'Shipments' }).waitFor()
  expect(searchOf(page)).toEqual({ tab: 'late' })
})

test('late shipments are listed with their days, the latest first, and open', async () => {
  const page = await portal.signedIn('/')
  const { late } = await overviewOf(page)
  const rows = page.getByRole('region', { name: 'Late', exact: true }).locator('ol > li')
  expect(await rows.count()).toBe(late.worst.length)
  const texts = await rows.allInnerTexts()
  const days = texts.map((text) => Number(/(\d+) days? late/.exec(text)?.[1]))
  expect(days).toEqual(late.worst.map((shipment) => shipment.days))
  expect(days).toEqual(days.toSorted((one, other) => other - one))
  await rows.first().getByRole('link').click()
  await page.waitForURL(`**/shipments/${late.worst[0]?.svc_shipment_id}`)
})

test('the calendar shows two weeks, and each entry opens its shipment', async () => {
  const page = await portal.signedIn('/')
  const { coming, today } = await overviewOf(page)
  const calendar = page.getByRole('region', { name: 'Next two weeks' })
  const days = calendar.locator('ol > li')
  expect(await days.count()).toBe(14)
  expect(await days.first().locator('time').getAttribute('datetime')).toBe(today)
  for (const day of new Set(coming.map((event) => event.day))) {
    const cell = calendar.locator('ol > li', { has: page.locator(`time[datetime="${day}"]`) })
    const ids = coming
      .filter((event) => event.day === day)
      .map(({ svc_shipment_id }) => `/shipments/${svc_shipment_id}`)
    const links = await cell.locator('ul a').evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(links).toEqual(ids.slice(0, 4))
  }
})

test('a change by the forwarder appears on the overview without a reload', async () => {
  const page = await portal.signedIn('/')
  const drafts = page.getByRole('region', { name: 'Shipments by status' }).getByRole('link', { name: /Draft$/ })
  const before = Number.parseInt(await drafts.innerText(), 10)
  await portal.forwarder.ops('createShipment', portal.demo.slug, { body: { name: 'Just now', status: 'draft' } })
  await expect.poll(async () => Number.parseInt(await drafts.innerText(), 10)).toBe(before + 1)
})

test('the overview of an empty account explains what will appear and how to start', async () => {
  const account = await portal.newAccount('Clearwater Supplies')
  const page = await portal.signedIn('/', { person: await portal.newPerson('member', { account }) })
  await page.getByRole('heading', { name: 'No shipments yet' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'New order' }).click()
  await page.getByRole('heading', { level: 1, name: 'New order' }).waitFor()

  const viewer = await portal.signedIn('/', { person: await portal.newPerson('viewer', { account }) })
  await viewer.getByRole('heading', { name: 'No shipments yet' }).waitFor()
  expect(await viewer.getByRole('link', { name: 'New order' }).count()).toBe(0)
})

test('on a phone the days of the calendar are a list, and nothing overflows', async () => {
  const page = await portal.signedIn('/', { size: phone })
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  const { coming } = await overviewOf(page)
  const shown = page.getByRole('region', { name: 'Next two weeks' }).locator('ol > li:visible')
  expect(await shown.count()).toBeLessThanOrEqual(new Set(coming.map(({ day }) => day)).size + 1)
})

test('an overview that could not be loaded shows an error and a retry', async () => {
  portal.expectFailures('/portal/v1/overview')
  const page = await portal.newPage()
  await page.route('**/portal/v1/overview', (route) => route.abort())
  await page.context().request.post('/portal/v1/session', {
    data: { email: portal.admin.email, password: portal.admin.password },
  })
  await page.goto('/')
  await page.getByRole('alert').getByText('Cannot reach Waybill').waitFor()
  await page.unroute('**/portal/v1/overview')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('region', { name: 'Shipments by status' }).waitFor()
})

test('the overview is shown in French to a user who chose French', async () => {
  const person = await portal.newPerson('viewer')
  const page = await portal.signedIn('/', { person })
  await page.goto('/settings')
  await page.getByRole('radio', { name: 'Français' }).click()
  await page.goto('/')
  await page.getByRole('heading', { level: 1, name: 'Vue d’ensemble' }).waitFor()
  await page.getByText(/expéditions en cours/).waitFor()
  await page.getByRole('region', { name: 'Deux prochaines semaines' }).waitFor()
})
