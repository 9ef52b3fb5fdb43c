import { expect, test } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll, phone, startPortal } from './support.js'

const portal = await startPortal()
test('a calendar is created in the settings, read by its address, and removed', async () => {
  const page = await portal.signedIn('/settings')
  await page.getByRole('button', { name: 'Create calendar' }).click()
  const url = await page.getByText(/\/portal\/v1\/calendar\/[\w-]{32}/).innerText()
  expect(await page.getByRole('link', { name: 'Open in calendar program' }).getAttribute('href')).toMatch(/^webcal:/)
  await expectAccessible(page)
  await page.setViewportSize(phone)
  await expectNoSidewaysScroll(page)
  const calendar = await fetch(url)
  expect(calendar.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  expect(await calendar.text()).toContain('BEGIN:VEVENT')
  await page.getByRole('button', { name: 'Remove the calendar Shipments' }).click()
  await page.getByRole('paragraph').filter({ hasText: 'Its address no longer works' }).waitFor()
  expect(await page.getByText(url).count()).toBe(0)
  expect((await fetch(url)).status).toBe(404)
})
