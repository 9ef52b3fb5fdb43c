import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { ExceptionPage } from '../../../src/contract/portal/exceptions.js'
import { en } from '../../../web/portal/i18n/en.js'
import { fr } from '../../../web/portal/i18n/fr.js'
import { evaluate } from '../../support/exceptions.js'
import { expectAccessible, expectNoSidewaysScroll, phone, startPortal } from './support.js'

/** The morning of a customer: what is wrong, what does it do to the orders, and what is done about it. */

const portal = await startPortal()
const m = en.exceptions
beforeAll(() => evaluate(portal.service, portal.demo.id), 120_000)

async function found(page: Page, query: string): Promise<ExceptionPage> {
  return (await (await page.request.get(`/portal/v1/exceptions?${query}`)).json()) as ExceptionPage
}

const rowsOf = (page: Page) => page.locator('[data-exception]')
const idsOf = (page: Page) => rowsOf(page).evaluateAll((rows) => rows.map((row) => row.getAttribute('data-exception')))

test('from the overview to free time that is ending, to its shipment, and acknowledged there; then in bulk by keyboard', async () => {
  const page = await portal.signedIn('/')
  const ending = await found(page, 'state=open&kind=free_time')
  expect(ending.count.value).toBeGreaterThan(0)
  await page.getByRole('link', { name: `${ending.count.value} ${en.overview.freeTime}` }).click()
  await page.getByRole('heading', { level: 1, name: m.title }).waitFor()
  await expect.poll(() => rowsOf(page).count()).toBe(ending.count.value)
  await expectAccessible(page)

  const { exception } = ending.exceptions[0]!
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).toContain(`/shipments/${exception.svc_shipment_id}`)
  const section = page.getByRole('region', { name: m.open })
  const row = section.locator(`[data-exception="${exception.exception_id}"]`)
  await row.getByRole('button', { name: m.acknowledge }).click()
  await row.getByText(m.acknowledged(portal.admin.name)).waitFor()
  await expectAccessible(page)

  // What a delay does to the products.
  const { exceptions: late } = await found(page, 'state=open&kind=late&take=100')
  const { sku = '' } = late.flatMap(({ exception: { threatens } }) => threatens).find((line) => line.sku)!
  await page.goto(`/inbound?sku=${encodeURIComponent(sku)}`)
  await page.getByRole('link', { name: sku }).first().waitFor()

  await page.goto('/exceptions?severity=warning')
  await rowsOf(page).nth(3).waitFor()
  const before = await idsOf(page)
  expect(before).not.toContain(exception.exception_id)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await page.keyboard.press('x')
  await page.getByText(m.selected(2)).first().waitFor()
  await page.getByRole('button', { name: m.withNote }).last().click()
  await page.getByLabel(m.note).fill('Booked a truck')
  // What was typed survives a reload.
  await page.reload()
  await expect.poll(() => page.getByLabel(m.note).inputValue()).toBe('Booked a truck')
  await page.getByRole('dialog').getByRole('button', { name: m.acknowledge }).click()
  await expect.poll(() => idsOf(page)).not.toContain(before[0])
  expect(await idsOf(page)).not.toContain(before[1])
  await page.keyboard.press('j')
  const focused = await page.evaluate<string | undefined>(
    'document.activeElement.closest("[data-exception]")?.dataset.exception',
  )
  await page.keyboard.press('e')
  await expect.poll(() => idsOf(page)).not.toContain(focused)
  await page.getByRole('link', { name: m.tabs.open }).click()
  await page.getByText('Booked a truck').first().waitFor()
})

test('an order shows what threatens it, in French and on a phone; a viewer reads and cannot acknowledge', async () => {
  const viewer = await portal.newPerson('viewer')
  const page = await portal.signedIn('/exceptions?state=open', { size: phone, theme: 'dark', person: viewer })
  await rowsOf(page).first().waitFor()
  expect(await page.getByRole('button', { name: m.acknowledge }).count()).toBe(0)
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  const { exceptions } = await found(page, 'state=open&kind=late&take=100')
  const { threatens } = exceptions.map(({ exception }) => exception).find((each) => each.threatens.length > 0)!
  const { csrf_token } = (await (await page.request.get('/portal/v1/session')).json()) as { csrf_token: string }
  await page.request.patch('/portal/v1/person', { data: { language: 'fr' }, headers: { 'x-csrf-token': csrf_token } })
  await page.goto(`/orders/${encodeURIComponent(threatens[0]!.po_number)}`)
  const section = page.getByRole('region', { name: fr.exceptions.open })
  await section
    .getByText(/après la date souhaitée|pas encore livrée/)
    .first()
    .waitFor()
  await expectNoSidewaysScroll(page)
  await page.goto('/exceptions?kind=conflict&severity=info')
  await page.getByText(fr.exceptions.nothingMatches).waitFor()
})
