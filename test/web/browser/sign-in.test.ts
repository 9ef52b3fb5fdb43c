import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { invite } from '../../../src/usecases/people/invite-person.js'
import { expectAccessible, expectSignedOut, phone, startPortal, type TestPerson } from './support.js'

/** Sign-in by password, by one click in the sandbox and by e-mail link; sign-out. */

const portal = await startPortal()

async function fillIn(page: Page, { email, password }: Pick<TestPerson, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('signing in with a password leads to the requested page, and lasts', async () => {
  const page = await portal.newPage()
  await page.goto('/invoices?state=open')
  await heading(page, 'Sign in').waitFor()
  await expectAccessible(page)
  await fillIn(page, portal.admin)
  await heading(page, 'Invoices').waitFor()
  expect(new URL(page.url()).search).toBe('?state=open')
  await page.reload()
  await heading(page, 'Invoices').waitFor()
})

test('no request of a visitor is refused before they sign in', async () => {
  const page = await portal.newPage()
  const refused: string[] = []
  page.on('response', (response) => response.status() >= 400 && refused.push(response.url()))
  for (const path of ['/sign-in', '/', '/forgot']) {
    await page.goto(path)
    await page.getByLabel('E-mail address').waitFor()
  }
  expect(refused).toEqual([])
})

test('a wrong password and an unknown address get the same message, and the address stays filled in', async () => {
  portal.expectFailures('/portal/v1/session')
  const page = await portal.newPage()
  await page.goto('/sign-in')
  const messages: string[] = []
  for (const email of [portal.admin.email, 'nobody@example.com']) {
    await fillIn(page, { email, password: 'not the password' })
    const alert = page.getByRole('alert')
    await alert.waitFor()
    messages.push(await alert.innerText())
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(email)
    await page.reload()
  }
  expect(messages[0]).toContain('Incorrect e-mail address or password')
  expect(messages[1]).toBe(messages[0])
})

test('one click signs in to the sandbox, on a phone too', async () => {
  const page = await portal.newPage({ size: phone })
  await page.goto('/')
  await page.getByRole('button', { name: 'Open demo' }).click()
  await heading(page, 'Overview').waitFor()
})

test('signing out ends the session of this device, and ending all others those of the rest', async () => {
  portal.expectSessionEnd()
  const person = await portal.newPerson('member', { name: 'Mia Member' })
  const here = await portal.signedIn('/settings', { person })
  const elsewhere = await portal.signedIn('/settings', { person })
  await here.getByRole('button', { name: /Mia Member/ }).click()
  await here.getByRole('menuitem', { name: 'Sign out' }).click()
  await heading(here, 'Sign in').waitFor()
  await here.getByText('You are signed out on this device.').waitFor()
  await fillIn(here, person)
  await heading(here, 'Overview').waitFor()

  await here.goto('/settings')
  await here.getByRole('button', { name: 'End all other sessions' }).click()
  await here.getByRole('button', { name: 'End sessions' }).click()
  await here.getByRole('status').getByText('All other sessions ended.').waitFor({ state: 'attached' })
  await expectSignedOut(elsewhere)
  await fillIn(elsewhere, person)
  await elsewhere.getByRole('heading', { level: 1, name: /^(?:Settings|Team)$/ }).waitFor()
})

test('a late refusal of an earlier session does not end the one that began since', async () => {
  portal.expectSessionEnd()
  const next = await portal.newPerson('viewer', { name: 'Nora Next' })
  const page = await portal.signedIn('/settings')
  const held: (() => void)[] = []
  await page.route('**/portal/v1/person', async (route) => {
    const response = await route.fetch()
    await new Promise<void>((resolve) => held.push(resolve))
    await route.fulfill({ response })
  })
  const link = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })
  await page.context().clearCookies()
  await page.getByRole('radio', { name: 'Pounds (lb)' }).click()
  await expect.poll(() => held).toHaveLength(1)
  await link('Invoices').or(heading(page, 'Sign in')).click()
  await heading(page, 'Sign in').waitFor()
  await fillIn(page, next)
  await page.getByRole('button', { name: /^Nora Next/ }).waitFor()

  const late = page.waitForResponse('**/portal/v1/person')
  held[0]?.()
  expect((await late).status()).toBe(401)
  await link('Orders').click()
  await heading(page, 'Orders').waitFor()
  await page.getByRole('button', { name: /^Nora Next/ }).waitFor()
})

test('an invited person chooses a name and a password and is signed in; the link works once', async () => {
  portal.expectFailures('/portal/v1/links')
  const email = `new-${Date.now()}@example.com`
  const { token } = await invite(portal.service.db, portal.demo.id, { email, name: 'New Person', role: 'viewer' })
  const page = await portal.newPage()
  await page.goto(`/welcome#${token}`)
  await heading(page, 'Welcome to Alder & Moreau SAS').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Your name').fill('Noor Newcomer')
  await page.getByRole('textbox', { name: 'New password' }).fill('short')
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await page.getByText('Use 10 to 256 characters.').waitFor()
  await page.getByRole('textbox', { name: 'New password' }).fill('four words in a row')
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await heading(page, 'Overview').waitFor()
  await page.getByRole('button', { name: /Noor Newcomer/ }).waitFor()

  const again = await portal.newPage()
  await again.goto(`/welcome#${token}`)
  await heading(again, 'This link is no longer valid').waitFor()
})

test('a forgotten password is reset by a mailed link; an unknown address gets the same message', async () => {
  const person = await portal.newPerson('member')
  const page = await portal.newPage()
  await page.goto('/sign-in')
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await heading(page, 'Reset your password').waitFor()
  expect(await page.getByLabel('E-mail address').inputValue()).toBe(person.email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByText(`If ${person.email} has an account`).waitFor()
  await expect.poll(() => portal.mails.find(({ to }) => to === person.email)?.text).toContain('/welcome#')
  const [, path] =
    /https?:\/\/[^/\s]+(\/welcome#\S+)/.exec(portal.mails.find(({ to }) => to === person.email)?.text ?? '') ?? []
  await page.goto(path ?? '')
  await page.getByRole('textbox', { name: 'New password' }).fill('another good password')
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await heading(page, 'Overview').waitFor()

  await page.context().clearCookies()
  await page.goto('/forgot')
  await page.getByLabel('E-mail address').fill('nobody@example.com')
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByText('If nobody@example.com has an account').waitFor()
})

test('the sign-in page is in French if the browser’s language is French', async () => {
  const page = await portal.newPage({ locale: 'fr-FR' })
  await page.goto('/sign-in')
  await heading(page, 'Connexion').waitFor()
  expect(await page.evaluate('document.documentElement.lang')).toBe('fr')
  await page.getByRole('button', { name: 'English' }).click()
  await heading(page, 'Sign in').waitFor()
})
