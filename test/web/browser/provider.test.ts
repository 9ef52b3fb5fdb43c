import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { startProvider } from '../../support/oidc-test-provider.js'
import { expectAccessible, startPortal } from './support.js'

/** Sign-in with the company's OpenID Connect provider, and an account that allows nothing else. */

const provider = await startProvider({ emailIn: 'ID token', until: afterAll })
const portal = await startPortal({ portal: { sendMail: async () => {}, provider: provider.settings } })
provider.trust(portal.service.baseUrl)

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

async function signInAtProvider(page: Page, email: string): Promise<void> {
  provider.somebody = { email }
  await page.getByRole('link', { name: 'Sign in with Northwind ID' }).click()
  await heading(page, 'Overview').waitFor()
}

test('an admin who signed in with the provider requires it of everybody: sessions of passwords end, and passwords are refused', async () => {
  portal.expectFailures('/portal/v1/session')
  portal.expectSessionEnd()
  const account = await portal.newAccount()
  const [admin, member] = [
    await portal.newPerson('admin', { account }),
    await portal.newPerson('member', { account, name: 'Max Member' }),
  ]
  const rule = (page: Page) => page.getByRole('checkbox', { name: 'Sign in with Northwind ID only' })

  // Whoever has not shown that the provider lets them in cannot lock themselves out.
  const withPassword = await portal.signedIn('/team', { person: admin })
  await withPassword.getByText('To turn this on, sign in that way yourself first').waitFor()
  expect(await rule(withPassword).isDisabled()).toBe(true)

  const others = await portal.signedIn('/invoices', { person: member })
  const page = await portal.newPage()
  await page.goto('/sign-in')
  await heading(page, 'Sign in').waitFor()
  await expectAccessible(page)
  await signInAtProvider(page, admin.email)
  await page.goto('/team')
  await rule(page).click()
  await page.getByText('People now sign in with the company account only.').first().waitFor()
  await expectAccessible(page)
  expect(await rule(page).isChecked()).toBe(true)

  await others.goto('/orders')
  await heading(others, 'Sign in').waitFor()
  await others.getByLabel('E-mail address').fill(member.email)
  await others.getByRole('textbox', { name: 'Password' }).fill(member.password)
  await others.getByRole('button', { name: 'Sign in', exact: true }).click()
  await others.getByText('Your company does not allow passwords here.').waitFor()
  await others.goto('/sign-in')
  await signInAtProvider(others, member.email)
  await others.getByRole('button', { name: /^Max Member/ }).waitFor()

  await rule(page).click()
  await page.getByText('People can sign in with a password again.').first().waitFor()
})
