import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Location } from '../../../src/contract/public/location.js'
import { expectAccessible, expectNoSidewaysScroll, phone, startPortal } from './support.js'

/** Pick-up and delivery locations. */

const portal = await startPortal()

async function allLocations(page: Page): Promise<Location[]> {
  return (await (await page.request.get('/v1/locations')).json()) as Location[]
}

const cards = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading') })

test('every location has a card with its address, its hours, its contacts and a map', async () => {
  const page = await portal.signedIn('/locations')
  const locations = await allLocations(page)
  await expect.poll(() => cards(page).count()).toBe(locations.length)
  const [{ company_name = '', address = '', city = '', opening_hours = '', contacts = [] }] = locations as [Location]
  const card = cards(page).first()
  for (const text of [company_name, address, city, opening_hours]) {
    await expect.poll(() => card.textContent()).toContain(text)
  }
  await card.getByRole('img', { name: `Map of ${city}` }).waitFor()
  await expect.poll(() => card.locator('svg.place-map path').count()).toBe(1)
  const mail = contacts[0]?.email ?? ''
  expect(await card.getByRole('link', { name: mail }).getAttribute('href')).toBe(`mailto:${mail}`)
  const withPhone = locations.find((location) => location.contacts?.some((contact) => contact.phone !== undefined))
  const telephone = withPhone?.contacts?.find((contact) => contact.phone !== undefined)?.phone
  await page.locator(`a[href$="${telephone}"][href^="tel:"]`).first().waitFor()
  await expectAccessible(page)
})

test('locations are searched by city, country and contact while typing', async () => {
  const page = await portal.signedIn('/locations')
  const search = page.getByRole('searchbox', { name: 'Search locations' })
  await search.fill('sao')
  await expect.poll(() => cards(page).count()).toBe(1)
  await expect.poll(() => cards(page).first().textContent()).toContain('São Paulo')
  expect(new URL(page.url()).search).toBe('?q=sao')
  await search.fill('germany')
  await expect
    .poll(async () => (await cards(page).allTextContents()).every((text) => text.includes('Germany')))
    .toBe(true)
  await search.fill('nowhere at all')
  await page.getByRole('heading', { name: 'No matching locations' }).waitFor()
  await page.getByRole('button', { name: 'Clear search' }).last().click()
  await expect.poll(() => cards(page).count()).toBeGreaterThan(5)
})

test('a card opens its location, which shows the local time', async () => {
  portal.expectFailures('/v1/locations/424242')
  const page = await portal.signedIn('/locations')
  const { company_name = '', id } = (await allLocations(page))[0] as Location
  await cards(page).first().getByRole('link', { name: company_name, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: company_name }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/locations/${id}`)
  await page.getByText(/^Local time \w+ \d\d:\d\d$/).waitFor()
  await expectAccessible(page)
  await page.goto('/locations/424242')
  await page.getByRole('heading', { name: 'Location not found' }).waitFor()
})

test('locations are readable on a phone, and an account without any sees where they come from', async () => {
  const page = await portal.signedIn('/locations', { size: phone, theme: 'dark' })
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  const account = await portal.newAccount()
  const empty = await portal.signedIn('/locations', { person: await portal.newPerson('viewer', { account }) })
  await empty.getByRole('heading', { name: 'No locations yet' }).waitFor()
  await expectAccessible(empty)
})
