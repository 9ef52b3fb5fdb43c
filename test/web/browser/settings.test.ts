import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectSignedOut,
  phone,
  startPortal,
  type TestPerson,
} from './support.js'

/** Profile, display preferences and password. */

const portal = await startPortal()

async function preferencesOf(page: Page) {
  return ((await (await page.request.get('/portal/v1/session')).json()) as { preferences: Record<string, string> })
    .preferences
}

test('the language changes immediately on every page, and is kept', async () => {
  const page = await portal.signedIn('/settings', { person: await portal.newPerson('viewer') })
  await page.getByRole('radio', { name: 'Français' }).click()
  await page.getByRole('heading', { level: 1, name: 'Paramètres' }).waitFor()
  await page.getByRole('link', { name: 'Expéditions' }).waitFor()
  expect(await page.evaluate('document.documentElement.lang')).toBe('fr')
  await expectAccessible(page)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Paramètres' }).waitFor()
  await page.getByRole('radio', { name: 'English' }).click()
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
})

test('a time zone is found by typing part of its name', async () => {
  const page = await portal.signedIn('/settings', { person: await portal.newPerson('viewer') })
  await page.getByRole('button', { name: /^Time zone/ }).click()
  const choices = page.getByRole('dialog', { name: 'Time zone' })
  await choices.getByRole('searchbox').fill('singap')
  expect(await choices.getByRole('radio').count()).toBe(1)
  await expectAccessible(page)
  await choices.getByRole('radio', { name: /Asia\/Singapore/ }).click()
  await expect.poll(async () => (await preferencesOf(page)).time_zone).toBe('Asia/Singapore')
  await page.getByRole('button', { name: 'Use this device’s time zone (Europe/Paris)' }).click()
  await expect.poll(async () => (await preferencesOf(page)).time_zone).toBe('Europe/Paris')
})

test('weights are shown in the chosen unit', async () => {
  const page = await portal.signedIn('/settings', { person: await portal.newPerson('viewer') })
  expect(await page.getByText('is shown as').count()).toBe(0)
  await page.getByRole('radio', { name: 'Pounds (lb)' }).click()
  await page.getByText('1,000 kg is shown as 2,205 lb.').waitFor()
  await page.getByText('Saved').first().waitFor()
  await expect.poll(async () => (await preferencesOf(page)).weight_unit).toBe('lbs')
})

test('the theme changes immediately, and is kept', async () => {
  const page = await portal.signedIn('/settings', { person: await portal.newPerson('viewer') })
  const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  const light = await ground()
  await page.getByRole('radio', { name: 'Dark' }).click()
  await expect.poll(ground).not.toBe(light)
  await expectAccessible(page)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  expect(await ground()).not.toBe(light)
})

test('a changed name is shown on the team page; an empty one is refused beside the field', async () => {
  const page = await portal.signedIn('/settings', { person: await portal.newPerson('member', { name: 'Old Name' }) })
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill(' ')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Enter your name.').waitFor()
  await name.fill('New Name')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: /^New Name/ }).waitFor()
  await page.getByRole('link', { name: 'Team' }).click()
  await page.getByRole('row', { name: /New Name/ }).waitFor()
})

async function changePassword(page: Page, current: string, next: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Current password' }).fill(current)
  await page.getByRole('textbox', { name: 'New password' }).fill(next)
  await page.getByRole('button', { name: 'Change password' }).click()
}

const canSignIn = async (page: Page, { email }: TestPerson, password: string) =>
  (await page.request.post('/portal/v1/session', { data: { email, password } })).ok()

test('changing the password takes the current one, shows errors beside the fields, and ends all other sessions', async () => {
  portal.expectFailures('/portal/v1/person/password')
  portal.expectSessionEnd()
  const person = await portal.newPerson('member')
  const elsewhere = await portal.signedIn('/settings', { person })
  const page = await portal.signedIn('/settings', { person })
  await changePassword(page, '', 'short')
  await page.getByText('Enter your current password.').waitFor()
  await page.getByText('Use at least 10 characters.', { exact: true }).waitFor()
  await changePassword(page, 'not the current one', 'a much better one')
  await page.getByText('Incorrect current password').waitFor()
  expect(await page.getByRole('textbox', { name: 'New password' }).inputValue()).toBe('a much better one')
  await expectAccessible(page)
  await changePassword(page, person.password, 'a much better one')
  await page.getByText('Password changed').first().waitFor()
  await page.getByRole('link', { name: 'Team' }).click()
  await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor()
  await expectSignedOut(elsewhere)
  expect(await canSignIn(elsewhere, person, person.password)).toBe(false)
  expect(await canSignIn(elsewhere, person, 'a much better one')).toBe(true)
})

test('the settings do not overflow on a phone', async () => {
  const page = await portal.signedIn('/settings', { size: phone })
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
})
