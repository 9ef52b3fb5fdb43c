import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { ShipmentPage } from '../../../src/contract/portal/lists.js'
import type { Location } from '../../../src/contract/public/location.js'
import type { Shipment } from '../../../src/contract/public/shipment.js'
import { expectAccessible, expectNoSidewaysScroll, laptop, phone, startPortal, tablet } from './support.js'

/** The list of shipments, on the sandbox's data. */

const portal = await startPortal()

/** The results of the API, which the page has to show. */
async function found(page: Page, query: string): Promise<Shipment[]> {
  const response = await page.request.get(`/portal/v1/shipments?take=100&${query}`)
  return ((await response.json()) as ShipmentPage).shipments
}

const idsOf = (shipments: Shipment[]) => shipments.map(({ svc_shipment_id }) => svc_shipment_id)
const rows = (page: Page) => page.locator('tbody tr[data-row]')
const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)
const searchField = (page: Page) => page.getByRole('searchbox', { name: 'Search shipments' })
const filter = (page: Page, name: string) => page.getByRole('group', { name: 'Filters' }).getByRole('button', { name })

/** Waits until exactly these identifiers are shown. */
async function expectShown(page: Page, ids: string[]): Promise<void> {
  const shown = async () => (await rows(page).locator('td:first-child .mono').allInnerTexts()).map((id) => id.trim())
  await expect.poll(shown).toEqual(ids)
}

test('shipments are found by container, order, bill, booking, vessel and name', async () => {
  const page = await portal.signedIn('/shipments')
  const shipment = (await found(page, 'freight_mode=ocean&status=in_progress')).find(
    ({ cargo, purchase_order_references }) => cargo?.containers?.length && purchase_order_references?.length,
  )
  const { booking_information: booking } = shipment as Shipment
  const wanted = [
    shipment?.svc_shipment_id,
    shipment?.cargo?.containers?.[0]?.container_number,
    shipment?.purchase_order_references?.[0],
    booking?.master_bill,
    booking?.house_bill,
    booking?.ocean_booking?.booking_number,
    booking?.ocean_booking?.vessel,
    shipment?.name,
  ]
  for (const text of wanted) {
    expect(text).toBeTruthy()
    await searchField(page).fill(text as string)
    await expect.poll(() => searchOf(page)).toEqual({ q: text })
    await expectShown(page, idsOf(await found(page, `q=${encodeURIComponent(text as string)}`)))
    await rows(page)
      .filter({ hasText: shipment?.svc_shipment_id as string })
      .waitFor()
  }
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect.poll(() => searchOf(page)).toEqual({})
})

test('the list opens with what is under way, the soonest arrival first, and drafts and finished shipments are tabs', async () => {
  const page = await portal.signedIn('/shipments', { size: tablet })
  const moving = 'status=booking_request,awaiting_booking,booked,in_progress'
  await expectShown(page, idsOf(await found(page, `${moving}&sort=arrival&order=asc`)))
  expect(await page.getByRole('columnheader', { name: 'Arrival' }).getAttribute('aria-sort')).toBe('ascending')
  // On a tablet, decoration has given way to what people decide by.
  const heads = async () => (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim())
  expect(await heads()).toEqual(['Shipment', 'Arrival', 'Wanted by', 'Late', 'Orders'])
  expect((await rows(page).first().boundingBox())?.height).toBe(48)
  // On a laptop, the date that a shipment is late by, or held before, is beside the arrival.
  await page.setViewportSize(laptop)
  await expect.poll(heads).toEqual(['Shipment', 'Route', 'Arrival', 'Delivery', 'Wanted by', 'Late', 'Orders'])
  await page.setViewportSize(tablet)

  const tab = (name: string) => page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name })
  await tab('Drafts').click()
  await expectShown(page, idsOf(await found(page, 'status=draft')))
  expect(await heads()).toEqual(['Shipment', 'Route', 'Wanted by', 'Orders'])
  await tab('Finished').click()
  await expectShown(page, idsOf(await found(page, 'status=finished,cancelled&sort=delivery&order=desc')))
  await filter(page, 'Mode').click()
  await page.getByRole('checkbox', { name: /^Air/ }).click()
  await page.keyboard.press('Escape')
  const byAir = await found(page, 'status=finished,cancelled&freight_mode=air&sort=delivery&order=desc')
  await expectShown(page, idsOf(byAir))
  await rows(page).first().getByRole('link').press('Enter')
  await page.getByRole('heading', { level: 1, name: byAir[0]?.name as string }).waitFor()
  await page.goBack()
  await expectShown(page, idsOf(byAir))
  expect(searchOf(page)).toEqual({ tab: 'finished', freight_mode: 'air' })
})

test('filters show counts, are part of the address, and are undone by the back button', async () => {
  const page = await portal.signedIn('/shipments?tab=all')
  const booked = await found(page, 'status=booked')
  await filter(page, 'Status').click()
  await page.getByRole('checkbox', { name: `Booked ${booked.length}` }).click()
  await expectShown(page, idsOf(booked))
  await page.getByRole('checkbox', { name: /^Draft/ }).click()
  await page.keyboard.press('Escape')
  await expectShown(page, idsOf(await found(page, 'status=draft,booked')))
  expect(searchOf(page)).toEqual({ tab: 'all', status: 'draft,booked' })

  await filter(page, 'Late').click()
  await page.getByRole('heading', { name: 'No matching shipments' }).waitFor()
  await expectAccessible(page)
  await page.goBack()
  await expectShown(page, idsOf(await found(page, 'status=draft,booked')))
  await page.goBack()
  await expectShown(page, idsOf(booked))

  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect.poll(() => searchOf(page)).toEqual({ tab: 'all' })
})

test('shipments are filtered by the name of a port and by a range of dates', async () => {
  const page = await portal.signedIn('/shipments?tab=all')
  await filter(page, 'Destination').click()
  await page.getByRole('radio', { name: /^Rotterdam/ }).click()
  await expectShown(page, idsOf((await found(page, 'destination=NL/RTM')).slice(0, 50)))
  await filter(page, 'Arrival').click()
  await page.getByLabel('From').fill('2026-01-01')
  await page.getByRole('button', { name: 'Next 14 days' }).click()
  const { arrives_from, arrives_to } = searchOf(page)
  await expectShown(
    page,
    idsOf(await found(page, `destination=NL/RTM&arrives_from=${arrives_from}&arrives_to=${arrives_to}`)),
  )
})

test('shipments are filtered by the name of a location, and the page of the location links to the same list', async () => {
  const page = await portal.signedIn('/locations')
  const [first] = (await (await page.request.get('/v1/locations')).json()) as Location[]
  const { id, company_name = '', city = '' } = first as Location
  const here = idsOf(await found(page, `location=${id}`))
  expect(here.length).toBeGreaterThan(1)
  await page
    .getByRole('link', { name: `Shipments: ${company_name}` })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: 'Shipments' }).waitFor()
  expect(searchOf(page)).toEqual({ location: String(id) })
  await expectShown(page, here)
  await page.getByRole('button', { name: `Location: ${company_name}, ${city}` }).waitFor()
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect.poll(() => searchOf(page)).toEqual({})
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'All' }).click()
  await filter(page, 'Location').click()
  await page
    .getByRole('radio', { name: `${company_name}, ${city}` })
    .first()
    .click()
  await expectShown(page, here)
  await expectAccessible(page)

  await page.goto(`/locations/${id}`)
  const section = page.getByRole('region', { name: 'Shipments at this location' })
  await expect.poll(() => section.getByRole('listitem').count()).toBe(Math.min(5, here.length))
  await section.getByRole('link', { name: `View all ${here.length}` }).click()
  await expectShown(page, here)
})

test('column headings sort in ascending and descending order', async () => {
  const page = await portal.signedIn('/shipments?status=in_progress')
  const head = page.getByRole('columnheader', { name: 'Arrival' })
  await head.getByRole('button').click()
  await expectShown(page, idsOf(await found(page, 'status=in_progress&sort=arrival&order=asc')))
  expect(await head.getAttribute('aria-sort')).toBe('ascending')
  await head.getByRole('button').click()
  await expectShown(page, idsOf(await found(page, 'status=in_progress&sort=arrival&order=desc')))
  expect(searchOf(page)).toEqual({ tab: 'all', status: 'in_progress', sort: 'arrival', order: 'desc' })
})

test('a search is saved as a view, changed, renamed and deleted', async () => {
  const person = await portal.newPerson('viewer')
  const page = await portal.signedIn('/shipments?freight_mode=air', { person })
  const views = page.getByRole('navigation', { name: 'Views' })
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('textbox', { name: 'View name' }).fill('By air')
  await page.keyboard.press('Enter')
  await views.getByRole('link', { name: 'By air' }).waitFor()
  expect(await views.getByRole('link', { name: 'By air' }).getAttribute('aria-current')).toBe('page')

  await views.getByRole('link', { name: 'All' }).click()
  await expect.poll(() => searchOf(page)).toEqual({ tab: 'all' })
  await page.reload()
  await views.getByRole('link', { name: 'By air' }).click()
  await expectShown(page, idsOf(await found(page, 'freight_mode=air')))

  await searchField(page).fill('Amsterdam')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('button', { name: 'Save changes' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'By air: rename or delete' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'View name' }).fill('To Amsterdam')
  await page.keyboard.press('Enter')
  await views.getByRole('link', { name: 'To Amsterdam' }).waitFor()
  await page.goto('/shipments')
  await views.getByRole('link', { name: 'To Amsterdam' }).click()
  await expect.poll(() => searchOf(page)).toMatchObject({ freight_mode: 'air', q: 'Amsterdam' })

  await page.getByRole('button', { name: 'To Amsterdam: rename or delete' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page
    .getByRole('group', { name: /^Delete the view/ })
    .getByRole('button', { name: 'Delete' })
    .click()
  await views.getByRole('link', { name: 'To Amsterdam' }).waitFor({ state: 'detached' })
})

test('the export holds the shipments of the list in its order', async () => {
  const page = await portal.signedIn('/shipments?status=in_progress&sort=name&order=asc')
  const shown = idsOf(await found(page, 'status=in_progress&sort=name&order=asc'))
  await page.getByRole('button', { name: 'Export' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/\.csv$/)
  const text = await readFile(await download.path(), 'utf8')
  const written = parse(text, { columns: true, bom: true }) as { Shipment: string }[]
  expect(written.map(({ Shipment: id }) => id)).toEqual(shown)
})

test('the keyboard moves down the table, opens a shipment, and returns to its row', async () => {
  const page = await portal.signedIn('/shipments?tab=all')
  const third = (await found(page, ''))[2] as Shipment
  await rows(page).first().getByRole('link').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: third.name as string }).waitFor()
  await page.goBack()
  const row = rows(page).filter({ hasText: third.svc_shipment_id })
  await row.waitFor()
  expect(await row.getByRole('link').getAttribute('tabindex')).toBe('0')
})

test('more rows load when they are scrolled to, and the back button returns to the same scroll position', async () => {
  const page = await portal.signedIn('/shipments?tab=all')
  const all = await found(page, '')
  expect(all.length).toBeGreaterThan(60)
  await page.mouse.move(700, 600)
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 4000)
      return rows(page).count()
    })
    .toBe(all.length)
  const last = rows(page).filter({ hasText: all.at(-3)?.svc_shipment_id as string })
  await last.scrollIntoViewIfNeeded()
  const before = await page.evaluate('window.scrollY')
  await last.click()
  await page.getByRole('heading', { level: 1, name: all.at(-3)?.name as string }).waitFor()
  await page.goBack()
  await last.waitFor()
  await expect.poll(() => page.evaluate('window.scrollY')).toBe(before)
})

test('of a long list only the rows near the window are rendered, and keys and the back button reach every row', async () => {
  const account = await portal.newAccount()
  const person = await portal.newPerson('viewer', { account })
  const names = Array.from({ length: 200 }, (_, index) => `Shipment ${String(index + 1).padStart(3, '0')}`)
  for (const name of names)
    await portal.forwarder.ops('createShipment', account.slug, { body: { name, status: 'draft' } })
  const page = await portal.signedIn('/shipments?sort=name&order=asc', { person })
  const table = page.getByRole('table', { name: 'Shipments' })
  const activeRow = () => page.evaluate<string>(`document.activeElement.closest('tr')?.textContent ?? ''`)
  await rows(page).first().getByRole('link').focus()
  const loaded = async () => {
    await page.keyboard.press('End')
    return table.getAttribute('aria-rowcount')
  }
  await expect.poll(loaded).toBe('201')
  await page.keyboard.press('End')
  await expect.poll(activeRow).toContain('Shipment 200')
  expect(await rows(page).count()).toBeLessThan(120)
  expect((await table.getByRole('columnheader').first().boundingBox())?.y).toBe(0)

  const before = await page.evaluate<number>('window.scrollY')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Shipment 200' }).waitFor()
  await page.goBack()
  const row = rows(page).filter({ hasText: 'Shipment 200' })
  await row.waitFor()
  await expect.poll(() => page.evaluate('window.scrollY')).toBe(before)
  expect(await row.getByRole('link').getAttribute('tabindex')).toBe('0')

  await row.getByRole('link').focus()
  await page.keyboard.press('Home')
  await expect.poll(activeRow).toContain('Shipment 001')
  await page.keyboard.press('ArrowDown')
  await expect.poll(activeRow).toContain('Shipment 002')
  // The sticky head must not cover the active row.
  expect((await rows(page).nth(1).boundingBox())?.y).toBeGreaterThanOrEqual(36)
})

test('a change by the forwarder appears in its row without a reload', async () => {
  const page = await portal.signedIn('/shipments?status=booked')
  const [shipment] = await found(page, 'status=booked')
  const svc_shipment_id = shipment?.svc_shipment_id as string
  const { status } = await portal.forwarder.ops('updateShipment', portal.demo.slug, {
    params: { svc_shipment_id },
    body: { name: 'Renamed while somebody looks' },
  })
  expect(status).toBe(200)
  await rows(page).filter({ hasText: 'Renamed while somebody looks' }).filter({ hasText: svc_shipment_id }).waitFor()
})

test('an account without shipments sees where they come from, and a lost connection offers a retry', async () => {
  portal.expectFailures('/portal/v1/shipments')
  const account = await portal.newAccount()
  const page = await portal.signedIn('/shipments', { person: await portal.newPerson('admin', { account }) })
  await page.getByRole('heading', { name: 'No shipments yet' }).waitFor()
  await expectAccessible(page)
  await page.route('**/portal/v1/shipments?*', (route) => route.abort())
  await searchField(page).fill('anything')
  await page.getByRole('heading', { name: 'Cannot reach Waybill' }).waitFor()
  await page.unroute('**/portal/v1/shipments?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'No matching shipments' }).waitFor()
})

test('on a phone the card of a shipment that has arrived shows its delivery', async () => {
  const page = await portal.signedIn('/shipments', { size: phone })
  const moving = 'status=booking_request,awaiting_booking,booked,in_progress&sort=arrival&order=asc'
  const arrived = (await found(page, moving)).find(
    ({ main_tracking_dates: dates }) => dates?.arrival_date?.status === 'actual' && dates.delivery_date !== undefined,
  )
  const card = page.getByRole('listitem').filter({ hasText: arrived?.svc_shipment_id as string })
  await card.getByText('Delivery', { exact: true }).waitFor()
  expect(await card.getByText('Arrival', { exact: true }).count()).toBe(0)
})

test('on a phone shipments are cards with their journey', async () => {
  const page = await portal.signedIn('/shipments?status=in_progress', { size: phone })
  const [first] = await found(page, 'status=in_progress')
  const card = page.getByRole('list', { name: 'Shipments' }).getByRole('listitem').first()
  // The text content, since the text of cards outside of the window is not rendered.
  expect(await card.textContent()).toContain(first?.svc_shipment_id)
  await card.getByRole('img', { name: /^Journey: / }).waitFor()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await card.click()
  await page.getByRole('heading', { level: 1, name: first?.name as string }).waitFor()
})
