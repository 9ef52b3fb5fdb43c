import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  eventually,
  expectAccessible,
  expectNoSidewaysScroll,
  phone,
  sessionPaths,
  startPortal,
  type TestPerson,
} from './support.js'

/** Who belongs to an account: invited, changed, disabled, removed. */

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
    .getByRole('button', { name: `What to do about ${person.name}` })
    .click()
  await page.getByRole('menuitem', { name: what }).click()
}

test('somebody is invited by mail, again with a new link, and signs in by it', async () => {
  portal.expectFailures('/portal/v1/links/', '/portal/v1/people')
  const { admin } = await newTeam()
  const page = await portal.signedIn('/team', { person: admin })
  await page.getByText('You are the only one').waitFor()
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite somebody' })
  await dialog.getByRole('button', { name: 'Send the invitation' }).click()
  await dialog.getByText('Type a name.').waitFor()
  await dialog.getByText('Type an e-mail address.').waitFor()
  await expectAccessible(page)
  await dialog.getByLabel('Name').fill('Ines Invited')
  await dialog.getByLabel('E-mail address').fill('ines')
  await dialog.getByRole('button', { name: 'Send the invitation' }).click()
  await dialog.getByText('This is not an e-mail address.').waitFor()
  const email = `invited-${Date.now()}@example.com`
  await dialog.getByLabel('E-mail address').fill(email)
  await dialog.getByRole('radio', { name: 'Viewer' }).check()
  await dialog.getByRole('button', { name: 'Send the invitation' }).click()
  await page.getByText(`An invitation is on its way to ${email}`).first().waitFor()
  const row = rowOf(page, { name: 'Ines Invited' })
  expect(await row.innerText()).toMatch(/Viewer[\s\S]*Invited/)

  await choose(page, { name: 'Ines Invited' }, 'Send the invitation again')
  await expect.poll(() => portal.mails.filter(({ to }) => to === email).length, eventually).toBe(2)
  const [first, second] = portal.mails
    .filter(({ to }) => to === email)
    .map(({ text }) => new URL(/https?:\S+\/welcome\/\S+/.exec(text)?.[0] ?? '').pathname)
  const invited = await portal.newPage()
  await invited.goto(first ?? '')
  await invited.getByRole('heading', { name: 'This link is not valid any more' }).waitFor()
  await invited.goto(second ?? '')
  await invited.getByRole('textbox', { name: 'New password' }).fill('a good password')
  await invited.getByRole('button', { name: 'Save and sign in' }).click()
  await invited.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.reload()
  await row.getByText('Active').waitFor()
})

test('an address that is here already is refused beside its field', async () => {
  portal.expectFailures('/portal/v1/people')
  const { admin } = await newTeam()
  const page = await portal.signedIn('/team', { person: admin })
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite somebody' })
  await dialog.getByLabel('Name').fill('The same')
  await dialog.getByLabel('E-mail address').fill(admin.email.toUpperCase())
  await dialog.getByRole('button', { name: 'Send the invitation' }).click()
  await dialog.getByText('Somebody with this e-mail address is here already').first().waitFor()
  expect(await dialog.getByLabel('Name').inputValue()).toBe('The same')
})

test('a role is changed, and holds at once', async () => {
  const { account, admin } = await newTeam()
  const member = await portal.newPerson('member', { account, name: 'Milo Member' })
  const theirs = await portal.signedIn('/orders/new', { person: member })
  const page = await portal.signedIn('/team', { person: admin })
  await choose(page, member, 'Change the role')
  const dialog = page.getByRole('dialog', { name: 'Role of Milo Member' })
  await expectAccessible(page)
  await dialog.getByRole('radio', { name: 'Viewer' }).check()
  await dialog.getByRole('button', { name: 'Change the role' }).click()
  await page.getByText('Milo Member is now Viewer').first().waitFor()
  await rowOf(page, member).getByText('Viewer').waitFor()
  await theirs.goto('/developers')
  await theirs.getByRole('heading', { name: 'Keys are for admins and members' }).waitFor()
})

test('who is disabled is signed out at once and cannot sign in; who is enabled again can', async () => {
  portal.expectFailures('/portal/v1/people', ...sessionPaths)
  const { account, admin } = await newTeam()
  const member = await portal.newPerson('member', { account, name: 'Mona Member' })
  const theirs = await portal.signedIn('/settings', { person: member })
  const page = await portal.signedIn('/team', { person: admin })
  await choose(page, member, 'Disable')
  await page.getByRole('dialog', { name: 'Disable Mona Member?' }).getByRole('button', { name: 'Disable' }).click()
  await rowOf(page, member).getByText('Disabled').waitFor()
  await theirs.getByRole('link', { name: 'Team' }).click()
  await theirs.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  const { email, password } = member
  const attempt = () => theirs.request.post('/portal/v1/session', { data: { email, password } })
  expect((await attempt()).status()).toBe(401)
  await choose(page, member, 'Enable')
  await rowOf(page, member).getByText('Active').waitFor()
  expect((await attempt()).status()).toBe(201)
})

test('who is removed is gone, and their session with them', async () => {
  portal.expectFailures('/portal/v1/people', ...sessionPaths)
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
  await theirs.getByRole('link', { name: 'Team' }).click()
  await theirs.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
})

test('the last admin cannot be taken away, and is told why; their own row is marked', async () => {
  const { account, admin } = await newTeam()
  const page = await portal.signedIn('/team', { person: admin })
  expect(await rowOf(page, admin).innerText()).toContain('you')
  for (const what of ['Change the role', 'Disable', 'Remove']) {
    await choose(page, admin, what)
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Anna Admin is the only admin').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
  }
  const other = await portal.newPerson('admin', { account, name: 'Otto Other' })
  await rowOf(page, other).waitFor()
  await choose(page, admin, 'Disable')
  await page.getByRole('dialog').getByText('This is you').waitFor()
})

test('the service itself refuses what a page did not know of, in words', async () => {
  portal.expectFailures('/portal/v1/people/')
  const { account, admin } = await newTeam()
  const other = await portal.newPerson('admin', { account, name: 'Otto Other' })
  const page = await portal.signedIn('/team', { person: admin })
  await choose(page, admin, 'Disable')
  await portal.service.db`update people set disabled_at = now() where person_id = ${other.person_id}`
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('alert').getByText('Somebody has to be an admin').waitFor()
})

test('who is no admin sees who is there, and changes nothing', async () => {
  const { account, admin } = await newTeam()
  const page = await portal.signedIn('/team', { person: await portal.newPerson('member', { account }), size: phone })
  await page.getByText(admin.email).waitFor()
  expect(await page.getByRole('button', { name: 'Invite somebody' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: /^What to do about/ }).count()).toBe(0)
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
})
