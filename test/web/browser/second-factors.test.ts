import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { codeOf } from '../../support/factors.js'
import {
  addVirtualAuthenticator,
  expectAccessible,
  expectNoSidewaysScroll,
  phone,
  startPortal,
  type TestPerson,
} from './support.js'

/** One-time codes, recovery codes and passkeys, with a virtual authenticator of the browser. */

const portal = await startPortal()

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

async function enterPassword(page: Page, { email, password }: TestPerson): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await heading(page, 'Second step').waitFor()
}

test('somebody sets up an authenticator app, signs in with its code, and with a recovery code where it is required', async () => {
  portal.expectFailures('/portal/v1/session')
  const account = await portal.newAccount()
  const person = await portal.newPerson('admin', { account })
  await portal.forwarder.ops('updateAccount', account.slug, { body: { second_factor_required: true } })

  // Nothing else can be opened.
  const page = await portal.signedIn('/invoices?state=open', { person })
  await heading(page, 'Set up a second factor').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  const secret = (await page.getByRole('button', { name: /^[A-Z2-7]{4} / }).innerText()).replaceAll(/\s/g, '')
  await expectAccessible(page)
  await page.getByLabel('Six-digit code').fill(codeOf(secret, -1))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await heading(page, 'Recovery codes').waitFor()
  const codes = (await page.getByRole('group', { name: 'Recovery codes' }).innerText()).trim().split('\n')
  expect(codes).toHaveLength(10)
  await page.getByRole('button', { name: 'I have saved them, continue' }).click()
  await heading(page, 'Invoices').waitFor()
  expect(new URL(page.url()).search).toBe('?state=open')

  const next = await portal.newPage({ size: phone })
  await next.goto('/sign-in')
  await enterPassword(next, person)
  await expectAccessible(next)
  await expectNoSidewaysScroll(next)
  await next.getByLabel('Six-digit code').fill(codeOf(secret))
  await next.getByRole('button', { name: 'Sign in', exact: true }).click()
  await heading(next, 'Overview').waitFor()

  const lost = await portal.newPage()
  await lost.goto('/sign-in')
  await enterPassword(lost, person)
  await lost.getByRole('button', { name: 'Use a recovery code' }).click()
  await lost.getByLabel('Recovery code').fill(codes[3] as string)
  await lost.getByRole('button', { name: 'Sign in', exact: true }).click()
  await heading(lost, 'Overview').waitFor()
  await lost.goto('/settings')
  await lost.getByText('9 of 10 left').waitFor()
  await expectAccessible(lost)
})

test('a passkey is added in the settings, signs in without a password, and completes a sign-in with one', async () => {
  portal.expectFailures('/portal/v1/session')
  const person = await portal.newPerson('member')
  const page = await portal.newPage()
  // Browsers have no passkeys for IP addresses.
  const site = portal.service.baseUrl.replace('127.0.0.1', 'localhost')
  await addVirtualAuthenticator(page)
  await page.goto(`${site}/sign-in?to=/settings`)
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill('Work laptop')
  await dialog.getByRole('button', { name: 'Create passkey' }).click()
  await page.getByRole('dialog', { name: 'Recovery codes' }).getByRole('button', { name: 'I have saved them' }).click()
  await page.getByText('Work laptop').waitFor()
  await expectAccessible(page)

  await page.context().clearCookies()
  await page.goto(`${site}/sign-in`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await heading(page, 'Overview').waitFor()

  await page.context().clearCookies()
  await page.goto(`${site}/sign-in`)
  await enterPassword(page, person)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await heading(page, 'Overview').waitFor()
})
