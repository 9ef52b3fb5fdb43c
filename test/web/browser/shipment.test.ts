import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Journey } from '../../../src/contract/portal/journey.js'
import type { DocumentPage, ShipmentPage } from '../../../src/contract/portal/lists.js'
import type { Shipment } from '../../../src/contract/public/shipment.js'
import type { Tracking } from '../../../src/contract/public/tracking.js'
import { settled } from './settled.js'
import { expectAccessible, expectNoSidewaysScroll, phone, startPortal } from './support.js'

/** The page of a shipment, on the sandbox's data. */

const portal = await startPortal()
const atSea = await oneAtSea(await portal.signedIn('/settings'))

async function read<Answer>(page: Page, path: string): Promise<Answer> {
  return (await (await page.request.get(path)).json()) as Answer
}

/** A shipment at sea with several containers, orders and an invoice. */
async function oneAtSea(page: Page): Promise<Shipment> {
  const { shipments } = await read<ShipmentPage>(
    page,
    '/portal/v1/shipments?status=in_progress&freight_mode=ocean&take=100',
  )
  const full = shipments.find(
    ({ cargo, purchase_order_references, invoice_references, main_tracking_dates: dates }) =>
      (cargo?.containers?.length ?? 0) > 1 &&
      purchase_order_references?.length &&
      invoice_references?.length &&
      dates?.arrival_date?.status === 'estimated',
  )
  if (!full) throw new Error('the sandbox has no such shipment')
  return full
}

const pathOf = ({ svc_shipment_id }: Shipment) => `/shipments/${svc_shipment_id}`
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const lead = (page: Page) => page.locator('main header p').first().innerText()

test('the page of a shipment opens with a sentence on where it is and when it arrives', async () => {
  const page = await portal.signedIn(pathOf(atSea))
  expect(await lead(page)).toMatch(
    /^On the water between .+ and .+, arrives (?:in .+ )?\w{3} \d+ \w{3}.*, (?:as first planned|\d+ days? (?:later|earlier) than first planned)\.$/,
  )
})

test('the first sentence of a shipment is in the language of the reader', async () => {
  const page = await portal.signedIn('/settings', { person: await portal.newPerson('viewer') })
  const { csrf_token } = await read<{ csrf_token: string }>(page, '/portal/v1/session')
  await page.request.patch('/portal/v1/person', { data: { language: 'fr' }, headers: { 'x-csrf-token': csrf_token } })
  await page.goto(pathOf(atSea))
  await page.getByRole('region', { name: 'Suivi' }).waitFor()
  await expect.poll(() => lead(page)).toMatch(/^En mer entre .+ et .+, arrivée .+ prévu initialement\.$/)
})

test('each date says why, with what it follows from on request, in both languages', async () => {
  const page = await portal.signedIn(pathOf(atSea))
  const why = section(page, 'Why these dates?')
  const arrival = why.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Arrival', exact: true }) })
  await arrival.getByText(/^Estimated for .+\.$/).waitFor()
  await arrival.getByText('Details').click()
  expect(await arrival.getByText('What would change it:').isVisible()).toBe(true)
  expect(await arrival.getByRole('heading', { name: 'Containers' }).isVisible()).toBe(true)
  await expectAccessible(page)

  const reader = await portal.signedIn('/settings', { person: await portal.newPerson('viewer') })
  const { csrf_token } = await read<{ csrf_token: string }>(reader, '/portal/v1/session')
  await reader.request.patch('/portal/v1/person', { data: { language: 'fr' }, headers: { 'x-csrf-token': csrf_token } })
  await reader.goto(pathOf(atSea))
  const pourquoi = section(reader, 'Pourquoi ces dates ?')
  await pourquoi.getByText(/^Estimé au .+\s:\s«\sArrivée/).waitFor()
  // An abbreviated month has a full stop of its own.
  expect(await pourquoi.innerText()).not.toMatch(/\.\.|\S[:;]\s/)
})

test('the map is loaded from our own host and shows land, route, stops and current position', async () => {
  const page = await portal.signedIn(pathOf(atSea), { drawsMaps: true })
  const journey = await read<Journey>(page, `/portal/v1${pathOf(atSea)}/journey`)
  const map = page.getByRole('figure', { name: 'Route map' })
  await map.locator('canvas').waitFor()
  await map.locator('[aria-busy="false"]').waitFor()
  const asked = portal.requested.filter((address) =>
    /\/assets\/(?:land-50m|maplibre-gl-worker|route-map)/.test(address),
  )
  expect(asked.length).toBeGreaterThanOrEqual(3)
  // A list for screen readers, in the order of the route.
  const listed = await map.getByRole('list', { name: 'Stops' }).getByRole('listitem').allTextContents()
  expect(listed).toHaveLength(journey.places.length)
  journey.places.forEach(({ name }, index) => expect(listed[index]).toContain(name))
  expect(await map.locator('.map-mark').count()).toBe(journey.places.length + 1)
  // Countries are named in the reader's language; no name covers another or the label of a stop.
  expect(await map.locator('.map-name[data-kind="country"]').count()).toBeGreaterThan(2)
  const boxes = (await Promise.all(
    (await map.locator('.map-name, .map-label:not([data-side="none"])').all()).map((each) => each.boundingBox()),
  )) as { x: number; y: number; width: number; height: number }[]
  const covers = boxes.flatMap((one, index) =>
    boxes
      .slice(index + 1)
      .filter(
        (other) =>
          one.x < other.x + other.width - 1 &&
          other.x < one.x + one.width - 1 &&
          one.y < other.y + other.height - 1 &&
          other.y < one.y + one.height - 1,
      ),
  )
  expect(covers).toEqual([])
  const destination = map.locator('.map-mark[data-role="destination"] .map-label')
  expect(await destination.innerText()).toBe(journey.places.find(({ role }) => role === 'destination')?.name)
  // Arrow keys move it, a button moves it back.
  const where = () => destination.locator('..').boundingBox()
  await map.scrollIntoViewIfNeeded()
  const before = await where()
  await map.locator('canvas').focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(where).not.toEqual(before)
  await map.getByRole('button', { name: 'Show the whole route' }).click()
  await expect.poll(where).toEqual(before)
})

test('tracking shows planned and actual times in the time zone of each place, for all containers or one', async () => {
  const page = await portal.signedIn(pathOf(atSea))
  const { tracking_steps = [] } = await read<Tracking>(page, `/v1/tracking/${atSea.svc_shipment_id}`)
  const { places } = await read<Journey>(page, `/portal/v1${pathOf(atSea)}/journey`)
  const tracking = section(page, 'Tracking')
  expect(await tracking.getByRole('heading', { level: 3 }).count()).toBe(tracking_steps.length)
  const zone = places.find(({ role }) => role === 'origin')?.time_zone as string
  const named = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longGeneric' })
  const clock = named.formatToParts(new Date()).find(({ type }) => type === 'timeZoneName')?.value as string
  expect(await tracking.innerText()).toContain(`times in ${clock}`)

  const events = tracking_steps.flatMap((step) => step.events ?? [])
  const [first, second] = events.filter(({ container_number, status }) => container_number && status === 'actual')
  const time = (date = '') => tracking.locator(`time[datetime="${date}"]`)
  await time(second?.date).first().waitFor()
  await tracking.getByRole('button', { name: 'Container' }).click()
  await page.getByRole('radio', { name: first?.container_number as string }).click()
  await time(first?.date).first().waitFor()
  expect(new URL(page.url()).searchParams.get('container')).toBe(first?.container_number)
})

test('a shipment lists its containers, orders, documents, invoices, booking and places, with links', async () => {
  const page = await portal.signedIn(pathOf(atSea))
  const { cargo, purchase_order_references = [], invoice_references = [], booking_information: booking } = atSea
  for (const { container_number } of cargo?.containers ?? []) {
    await section(page, 'Containers and packages')
      .getByRole('button', { name: container_number as string })
      .waitFor()
  }
  for (const reference of purchase_order_references) {
    const link = section(page, 'Orders').getByRole('link', { name: reference })
    expect(await link.getAttribute('href')).toBe(`/orders/${encodeURIComponent(reference)}`)
  }
  expect(await section(page, 'Booking').innerText()).toContain(booking?.ocean_booking?.vessel)
  await section(page, 'Pick-up and delivery').getByRole('link').first().waitFor()
  await section(page, 'ETA history').getByRole('table').waitFor()

  const bill = booking?.master_bill as string
  await section(page, 'Booking').getByRole('button', { name: bill }).click()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(bill)

  const invoice = section(page, 'Invoices').getByRole('link', { name: invoice_references[0] as string })
  await invoice.click()
  await page
    .getByRole('heading', { level: 1 })
    .filter({ hasText: invoice_references[0] as string })
    .waitFor()
})

test('the sections of a shipment are in reach, and the link back returns to the list as it was left', async () => {
  const page = await portal.signedIn('/shipments?tab=under_way&freight_mode=ocean')
  const row = page.locator('tbody tr[data-row]').filter({ hasText: atSea.svc_shipment_id })
  await row.getByRole('link').press('Enter')
  await section(page, 'Why these dates?').waitFor()
  // Documents are near the top: beside the rest, and where there is one column, below why.
  const topOf = async (name: string) => (await section(page, name).boundingBox())?.y ?? NaN
  expect(await topOf('Documents')).toBe(await topOf('Why these dates?'))
  const { height, width } = page.viewportSize()!
  await page.setViewportSize({ width: 1024, height })
  const names = () => page.getByRole('region').getByRole('heading', { level: 2 }).allInnerTexts()
  await expect.poll(async () => (await names()).slice(0, 3)).toEqual(['Why these dates?', 'Documents', 'Tracking'])
  await page.setViewportSize({ width, height })
  const links = page.getByRole('navigation', { name: 'On this page' })
  await links.getByRole('link', { name: 'Tracking' }).click()
  await expect.poll(async () => (await section(page, 'Tracking').boundingBox())?.y).toBeLessThan(300)
  expect((await links.boundingBox())?.y).toBe(0)
  await expectAccessible(page)

  await page.getByRole('main').getByRole('link', { name: 'Shipments', exact: true }).click()
  await row.waitFor()
  expect(new URL(page.url()).search).toBe('?tab=under_way&freight_mode=ocean')
  expect(await row.getByRole('link').getAttribute('tabindex')).toBe('0')
})

test('a document of a shipment is previewed without leaving the page', async () => {
  const page = await portal.signedIn('/settings')
  const { documents } = await read<DocumentPage>(page, '/portal/v1/documents?take=100')
  const document = documents.find(({ svc_shipment_id, name }) => svc_shipment_id && name.endsWith('.pdf'))
  await page.goto(`/shipments/${document?.svc_shipment_id}`)
  const row = section(page, 'Documents')
    .getByRole('listitem')
    .filter({ hasText: document?.name as string })
  await row.getByRole('button').click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  expect(await dialog.innerText()).toContain(document?.name)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

test('a section that could not be loaded shows its error in place, beside the others', async () => {
  portal.expectFailures('/portal/v1/shipments/')
  const page = await portal.signedIn('/settings')
  await page.route('**/journey', (route) => route.abort())
  await page.goto(pathOf(atSea))
  const arrival = section(page, 'ETA history')
  await arrival.getByRole('alert').waitFor()
  expect(await section(page, 'Tracking').getByRole('heading', { level: 3 }).count()).toBeGreaterThan(1)
  await page.unroute('**/journey')
  await arrival.getByRole('button', { name: 'Try again' }).click()
  await arrival.getByRole('table').waitFor()
})

test('an unknown shipment is reported as not found, with a link to the list', async () => {
  portal.expectFailures('/v1/shipments/SHP-NONE', '/v1/tracking/SHP-NONE', '/portal/v1/shipments/SHP-NONE')
  const page = await portal.signedIn('/shipments/SHP-NONE')
  await page.getByRole('heading', { name: 'Shipment SHP-NONE not found' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('main').getByRole('link', { name: 'All shipments' }).click()
  await page.getByRole('heading', { level: 1, name: 'Shipments' }).waitFor()
})

test('a change by the forwarder appears on an open shipment without a reload', async () => {
  const page = await portal.signedIn(pathOf(atSea))
  await portal.forwarder.ops('updateShipment', portal.demo.slug, {
    params: { svc_shipment_id: atSea.svc_shipment_id },
    body: { specific_instructions: 'Call the gate before you come' },
  })
  await section(page, 'Goods').getByText('Call the gate before you come').waitFor()
})

test('on a phone the map of a shipment is one tap away, and the back button returns to the details', async () => {
  const page = await portal.signedIn(pathOf(atSea), { size: phone, drawsMaps: true })
  expect(await page.locator('canvas').count()).toBe(0)
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await page.getByRole('navigation', { name: 'Page sections' }).getByRole('link', { name: 'Map' }).click()
  await page.locator('canvas').waitFor()
  await settled(page)
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await page.goBack()
  await section(page, 'Tracking').waitFor()
})
