import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newOperatorPerson } from '../../support/office.js'
import { withinOneMinute } from '../../support/one-minute.js'
import { newEmail, testPassword } from '../../support/person.js'
import { expectAccessible, expectNoSidewaysScroll, phone, startPortal } from './support.js'

/** A morning of an admin at the office: a new customer, its people, keys and limits, and a colleague who only looks. */

const portal = await startPortal()
const { service } = portal

async function signIn(page: Page, email: string, password = testPassword): Promise<void> {
  const response = await page.context().request.post('/office/v1/session', { data: { email, password } })
  expect(response.status()).toBe(201)
}

const done = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

test('an admin adds a customer, invites somebody, makes a key that works, sets a limit that is in force, and adds a viewer who changes nothing', async () => {
  const page = await portal.newPage()
  const { email } = await newOperatorPerson(service, 'admin', { name: 'Ada Admin' })
  await signIn(page, email)
  const slug = `nord-${randomBytes(3).toString('hex')}`

  await page.goto('/office/customers')
  await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
  await page.keyboard.press('n')
  const adding = page.getByRole('dialog', { name: 'New customer' })
  await adding.getByLabel('Name', { exact: true }).fill('Nordlicht Leuchten')
  await adding.getByLabel('Short name').fill(slug)
  // What was typed survives a reload.
  await page.reload()
  expect(await adding.getByLabel('Short name').inputValue()).toBe(slug)
  await expectAccessible(page)
  await adding.getByRole('button', { name: 'New customer' }).click()
  await page.getByRole('heading', { level: 1, name: 'Nordlicht Leuchten' }).waitFor()

  await page.getByText('Nobody yet').waitFor()
  await page.keyboard.press('i')
  const inviting = page.getByRole('dialog', { name: 'Invite a teammate' })
  const kim = newEmail()
  await inviting.getByLabel('Name').fill('Kim Larsen')
  await inviting.getByLabel('E-mail address').fill(kim)
  await expectAccessible(page)
  await inviting.getByRole('button', { name: 'Send invitation' }).click()
  await done(page, `Invitation sent to ${kim}`)
  expect(portal.mails.at(-1)?.to).toBe(kim)
  await page.getByLabel('Role of Kim Larsen').selectOption('viewer')
  await done(page, 'Role of Kim Larsen changed to Viewer')
  await page.keyboard.press('z')
  await done(page, 'Undone')
  await expect.poll(() => page.getByLabel('Role of Kim Larsen').inputValue()).toBe('admin')
  await expectAccessible(page)

  await page.keyboard.press('4')
  await page.keyboard.press('c')
  const creating = page.getByRole('dialog', { name: /key/i })
  await creating.getByLabel('Name').fill('ERP')
  await creating.getByRole('button', { name: 'Create', exact: false }).click()
  const secret = (await page.getByRole('dialog').getByRole('group', { name: 'Key' }).innerText()).trim()
  await creating.getByRole('button', { name: 'Done' }).click()
  const read = () => fetch(`${service.baseUrl}/v1/locations`, { headers: { authorization: `Bearer ${secret}` } })
  expect((await read()).status).toBe(200)
  await page.getByRole('table').getByText('ERP').waitFor()
  await expectAccessible(page)

  await page.keyboard.press('5')
  await page.getByLabel('Requests per minute').fill('1')
  await page.getByRole('button', { name: 'Save' }).click()
  await done(page, 'Limits in force')
  await withinOneMinute(async () => {
    await read()
    expect((await read()).status).toBe(429)
  })
  await page.keyboard.press('6')
  await page.getByLabel('Show to customers: Held').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('7')
  await page.getByRole('table', { name: 'Audit log' }).getByText('Ada Admin').first().waitFor()
  await expectAccessible(page)

  await page.goto('/office/settings')
  await page.getByRole('table', { name: 'Staff' }).waitFor()
  await page.keyboard.press('i')
  const viewer = newEmail()
  await inviting.getByLabel('Name').fill('Vera Viewer')
  await inviting.getByLabel('E-mail address').fill(viewer)
  await inviting.getByRole('button', { name: 'Send invitation' }).click()
  await done(page, `Invitation sent to ${viewer}`)
  await expectAccessible(page)
  const token = portal.mails.at(-1)?.link.split('#').at(-1) ?? ''
  const chosen = await fetch(`${service.baseUrl}/office/v1/links/use`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, password: testPassword }),
  })
  expect(chosen.status).toBe(201)

  const other = await portal.newPage({ size: phone, theme: 'dark' })
  await signIn(other, viewer)
  await other.goto(`/office/customers/${slug}?show=limits`)
  expect(await other.getByLabel('Requests per minute').isDisabled()).toBe(true)
  await other.getByText('Only admins change this.').first().waitFor()
  for (const address of [
    `/office/customers/${slug}`,
    `/office/customers/${slug}?show=people`,
    '/office/settings?show=terms',
  ]) {
    await other.goto(address)
    await other.getByRole('heading', { level: 1 }).waitFor()
    await expectNoSidewaysScroll(other)
    await expectAccessible(other)
  }
})
