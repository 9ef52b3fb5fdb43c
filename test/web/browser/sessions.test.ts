import { expect, test } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll, expectSignedOut, phone, startPortal } from './support.js'

/** The list of sessions, and authenticating again. */

const portal = await startPortal()

test('a person ends a session in the list of devices, and confirms a new key with the password ten minutes later', async () => {
  portal.expectFailures('/portal/v1/keys', '/portal/v1/session')
  portal.expectSessionEnd()
  const person = await portal.newPerson('admin')
  const elsewhere = await portal.signedIn('/settings', { person })
  const page = await portal.signedIn('/settings', { person })
  const devices = page.getByRole('table', { name: 'Devices' })
  await devices.getByRole('row', { name: /This device/ }).waitFor()
  expect(await devices.getByRole('row').count()).toBe(3)
  await expectAccessible(page)
  await devices.getByRole('button', { name: /^End session: / }).click()
  await page.getByText('Session ended.').first().waitFor()
  await expectSignedOut(elsewhere)

  await portal.service.db`
    update sessions set authenticated_at = now() - interval '11 minutes' where person_id = ${person.person_id}`
  await page.goto('/developers')
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const form = page.getByRole('dialog', { name: 'Create key' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Confirmed')
  await form.getByRole('button', { name: 'Create key' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await confirm.getByRole('textbox', { name: 'Password' }).fill('not the password')
  await confirm.getByRole('button', { name: 'Continue' }).click()
  await confirm.getByText('Incorrect current password').waitFor()
  await expectAccessible(page)
  await confirm.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await confirm.getByRole('button', { name: 'Continue' }).click()
  // The request is repeated without another click.
  await page.getByRole('button', { name: 'Copy key' }).waitFor()
})

test('the list of devices fits on a phone', async () => {
  const page = await portal.signedIn('/settings', { size: phone })
  await page.getByRole('table', { name: 'Devices' }).waitFor()
  await expectNoSidewaysScroll(page)
})
