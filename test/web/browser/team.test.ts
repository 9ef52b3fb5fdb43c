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

/** The users of an account: invitations, roles, disabling, removal. */

const portal = await startPortal()

async function newTeam() {
  const account = await portal.newAccount('Team of a test')
  const admin = await portal.newPerson('admin', { account, name: 'Anna Admin' })
  return { account, admin }
}

const rowOf = (page: Page, { name }: Pick<TestPerson, 'name'>) =>
  page.getByRole('table', { name: 'People' }).getByRole('row', { name: new RegExp(name) })

async function choose(page: Page, person: Pick<TestPerson, 'name'>, what: string): Promise<void> {
  await rowOf(page, person)
    .getByRole('button', { name: `Actions for ${person.name}` })
    .click()
  await page.getByRole('menuitem', { name: what, exact: true }).click()
}

test('a teammate is invited by mail, again with a new link, and signs in with it', async () => {
  portal.expectFailures('/portal/v1/links', '/portal/v1/people')
  const { admin } = await newTeam()
  const page = await portal.signedIn('/team', { person: admin })
  await page.getByText('Only you have access to').waitFor()
  await page.getByRole('button', { name: 'Invite a teammate' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite a teammate' })
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await dialog.getByText('Enter a name.').waitFor()
  await dialog.getByText('Enter an e-mail address.').waitFor()
  await expectAccessible(page)
  await dialog.getByLabel('Name').fill('Ines Invited')
  await dialog.getByLabel('E-mail address').fill('ines')
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await dialog.getByText('Enter a valid e-mail address.').waitFor()
  const email = `invited-${Date.now()}@example.com`
  await dialog.getByLabel('E-mail address').fill(email)
  await dialog.getByRole('radio', { name: 'Viewer' }).check()
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await page.getByText(`Invitation sent to ${email}`).first().waitFor()
  const row = rowOf(page, { name: 'Ines Invited' })
  expect(await row.innerText()).toMatch(/Viewer[\s\S]*Invited/)

  await choose(page, { name: 'Ines Invited' }, 'Resend invitation')
  await expect.poll(() => portal.mails.filter(({ to }) => to === email).length).toBe(2)
  const [first, second] = portal.mails
    .filter(({ to }) => to === email)
    .map(({ text }) => /\/welcome#\S+/.exec(text)?.[0])
  const invited = await portal.newPage()
  await invited.goto(first ?? '')
  await invited.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
  await invited.goto(second ?? '')
  await invited.getByRole('textbox', { name: 'New password' }).fill('a good password')
  await invited.getByRole('button', { name: 'Save and sign in' }).click()
  await invited.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.reload()
  await row.getByText('Active').waitFor()
})

test('inviting an address that is already on the team is refused beside its field', async () => {
  portal.expectFailures('/portal/v1/people')
  const { admin } = await newTeam()
  const page = await portal.signedIn('/team', { person: admin })
  await page.getByRole('button', { name: 'Invite a teammate' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite a teammate' })
  await dialog.getByLabel('Name').fill('The same')
  await dialog.getByLabel('E-mail address').fill(admin.email.toUpperCase())
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await dialog.getByText('This e-mail address is already on the team').first().waitFor()
  expect(await dialog.getByLabel('Name').inputValue()).toBe('The same')
})

test('a changed role takes effect immediately', async () => {
  const { account, admin } = await newTeam()
  const member = await portal.newPerson('member', { account, name: 'Milo Member' })
  const theirs = await portal.signedIn('/orders/new', { person: member })
  const page = await portal.signedIn('/team', { person: admin })
  await choose(page, member, 'Change role')
  const dialog = page.getByRole('dialog', { name: 'Role of Milo Member' })
  await expectAccessible(page)
  await dialog.getByRole('radio', { name: 'Viewer' }).check()
  await dialog.getByRole('button', { name: 'Change role' }).click()
  await page.getByText('Role of Milo Member changed to Viewer').first().waitFor()
  await rowOf(page, member).getByText('Viewer').waitFor()
  await theirs.goto('/developers')
  await theirs.getByRole('heading', { name: 'API keys are for admins and members' }).waitFor()
})

test('a disabled person is signed out and cannot sign in until enabled again', async () => {
  portal.expectSessionEnd()
  const { account, admin } = await newTeam()
  const member = await portal.newPerson('member', { account, name: 'Mona Member' })
  const theirs = await portal.signedIn('/settings', { person: member })
  const page = await portal.signedIn('/team', { person: admin })
  await choose(page, member, 'Disable')
  await page.getByRole('dialog', { name: 'Disable Mona Member?' }).getByRole('button', { name: 'Disable' }).click()
  await rowOf(page, member).getByText('Disabled').waitFor()
  await expectSignedOut(theirs)
  const { email, password } = member
  const attempt = () => theirs.request.post('/portal/v1/session', { data: { email, password } })
  expect((await attempt()).status()).toBe(401)
  await choose(page, member, 'Enable')
  await rowOf(page, member).getByText('Active').waitFor()
  expect((await attempt()).status()).toBe(201)
})

test('a removed person and their session are gone', async () => {
  portal.expectSessionEnd()
  const { account, admin } = await newTeam()
  const viewer = await portal.newPerson('viewer', { account, name: 'Vera Viewer' })
  const theirs = await portal.signedIn('/settings', { person: viewer })
  const page = await portal.signedIn('/team', { person: admin })
  await choose(page, viewer, 'Remove')
  const dialog = page.getByRole('dialog', { name: 'Remove Vera Viewer?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await rowOf(page, viewer).count()).toBe(1)
  await choose(page, viewer, 'Remove')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await rowOf(page, viewer).waitFor({ state: 'detached' })
  await expectSignedOut(theirs)
})

test('the last admin cannot be changed, with the reason; one’s own row is marked', async () => {
  const { account, admin } = await newTeam()
  const page = await portal.signedIn('/team', { person: admin })
  expect(await rowOf(page, admin).innerText()).toContain('you')
  for (const what of ['Change role', 'Disable', 'Remove']) {
    await choose(page, admin, what)
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Anna Admin is the only admin').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
  }
  const other = await portal.newPerson('admin', { account, name: 'Otto Other' })
  await rowOf(page, other).waitFor()
  await choose(page, admin, 'Disable')
  await page.getByRole('dialog').getByText('This is your own account').waitFor()
})

test('a refusal by the server is shown when the page did not expect it', async () => {
  portal.expectFailures('/portal/v1/people/')
  const { account, admin } = await newTeam()
  const other = await portal.newPerson('admin', { account, name: 'Otto Other' })
  const page = await portal.signedIn('/team', { person: admin })
  await choose(page, admin, 'Disable')
  await portal.service.db`update people set disabled_at = now() where person_id = ${other.person_id}`
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('alert').getByText('An account needs at least one admin').waitFor()
})

test('a member sees the team but cannot change it', async () => {
  const { account, admin } = await newTeam()
  const page = await portal.signedIn('/team', { person: await portal.newPerson('member', { account }), size: phone })
  await page.getByText(admin.email).waitFor()
  expect(await page.getByRole('button', { name: 'Invite a teammate' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0)
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
})
