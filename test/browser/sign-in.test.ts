import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { invite } from '../../src/portal-api/membership.js'
import { eventually, expectAccessible, phone, sessionPaths, startPortal, type TestPerson } from './support.js'

/** The way in and out: by password, by a click in the sandbox, by a link from a mail. */

const portal = await startPortal()

async function fillIn(page: Page, { email, password }: Pick<TestPerson, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('somebody signs in with a password, comes to where they wanted to go, and stays signed in', async () => {
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

test('a visitor is nobody, which is no error: nothing is refused before they have signed in', async () => {
  const page = await portal.newPage()
  const refused: string[] = []
  page.on('response', (response) => response.status() >= 400 && refused.push(response.url()))
  for (const path of ['/sign-in', '/', '/forgot']) {
    await page.goto(path)
    await page.getByLabel('E-mail address').waitFor()
  }
  expect(refused).toEqual([])
})

test('a wrong password and an unknown address are told the same, beside nothing that was typed being lost', async () => {
  portal.expectFailures('/portal/v1/session')
  const page = await portal.newPage()
  await page.goto('/sign-in')
  const told: string[] = []
  for (const email of [portal.admin.email, 'nobody@example.com']) {
    await fillIn(page, { email, password: 'not the password' })
    const alert = page.getByRole('alert')
    await alert.waitFor()
    told.push(await alert.innerText())
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(email)
    await page.reload()
  }
  expect(told[0]).toContain('E-mail address or password are not right')
  expect(told[1]).toBe(told[0])
})

test('in the sandbox one click signs in, on a phone too', async () => {
  const page = await portal.newPage({ size: phone })
  await page.goto('/')
  await page.getByRole('button', { name: 'Open the demo' }).click()
  await heading(page, 'Overview').waitFor()
})

test('signing out ends every session, everywhere', async () => {
  portal.expectFailures('/portal/v1/people', ...sessionPaths)
  const person = await portal.newPerson('member', { name: 'Mia Member' })
  const here = await portal.signedIn('/settings', { person })
  const elsewhere = await portal.signedIn('/settings', { person })
  await here.getByRole('button', { name: /Mia Member/ }).click()
  await here.getByRole('menuitem', { name: 'Sign out everywhere' }).click()
  await heading(here, 'Sign in').waitFor()
  await here.getByText('You are signed out, on every device.').waitFor()

  await elsewhere.getByRole('link', { name: 'Team' }).click()
  await heading(elsewhere, 'Sign in').waitFor()
  await fillIn(elsewhere, person)
  await heading(elsewhere, 'Team').waitFor()
})

test('a refusal of the session before, come late, does nothing to the one that somebody has begun since', async () => {
  portal.expectFailures('/portal/v1/person', '/portal/v1/invoices', '/portal/v1/views', ...sessionPaths)
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
  await expect.poll(() => held, eventually).toHaveLength(1)
  await link('Invoices').click()
  await heading(page, 'Sign in').waitFor()
  await fillIn(page, next)
  await heading(page, 'Invoices').waitFor()

  const late = page.waitForResponse('**/portal/v1/person')
  held[0]?.()
  expect((await late).status()).toBe(401)
  await link('Orders').click()
  await heading(page, 'Orders').waitFor()
  await page.getByRole('button', { name: /^Nora Next/ }).waitFor()
})

test('whoever is invited chooses a name and a password, and is in; the link works once', async () => {
  portal.expectFailures('/portal/v1/links/')
  const email = `new-${Date.now()}@example.com`
  const { token } = await invite(portal.service.db, portal.demo.id, { email, name: 'New Person', role: 'viewer' })
  const page = await portal.newPage()
  await page.goto(`/welcome/${token}`)
  await heading(page, 'Welcome to Alder & Moreau SAS').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Your name').fill('Noor Newcomer')
  await page.getByRole('textbox', { name: 'New password' }).fill('short')
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await page.getByText('Choose 10 to 256 characters.').waitFor()
  await page.getByRole('textbox', { name: 'New password' }).fill('four words in a row')
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await heading(page, 'Overview').waitFor()
  await page.getByRole('button', { name: /Noor Newcomer/ }).waitFor()

  const again = await portal.newPage()
  await again.goto(`/welcome/${token}`)
  await heading(again, 'This link is not valid any more').waitFor()
})

test('a forgotten password is replaced by a link from a mail; an unknown address is told nothing else', async () => {
  const person = await portal.newPerson('member')
  const page = await portal.newPage()
  await page.goto('/sign-in')
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await heading(page, 'Choose a new password').waitFor()
  expect(await page.getByLabel('E-mail address').inputValue()).toBe(person.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText(`If ${person.email} is known here`).waitFor()
  await expect.poll(() => portal.mails.find(({ to }) => to === person.email)?.text, eventually).toContain('/welcome/')
  const [, path] =
    /https?:\/\/[^/\s]+(\/welcome\/\S+)/.exec(portal.mails.find(({ to }) => to === person.email)?.text ?? '') ?? []
  await page.goto(path ?? '')
  await page.getByRole('textbox', { name: 'New password' }).fill('another good password')
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await heading(page, 'Overview').waitFor()

  await page.context().clearCookies()
  await page.goto('/forgot')
  await page.getByLabel('E-mail address').fill('nobody@example.com')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('If nobody@example.com is known here').waitFor()
})

test('the way in reads French where the browser does', async () => {
  const page = await portal.newPage({ locale: 'fr-FR' })
  await page.goto('/sign-in')
  await heading(page, 'Connexion').waitFor()
  expect(await page.evaluate('document.documentElement.lang')).toBe('fr')
  await page.getByRole('button', { name: 'English' }).click()
  await heading(page, 'Sign in').waitFor()
})
