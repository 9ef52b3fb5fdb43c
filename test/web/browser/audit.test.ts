import { expect, test } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll, phone, startPortal } from './support.js'

/** Keys that are limited and rotated in the portal, and what the audit log says about it. */

const portal = await startPortal()

test('a key is created for some resources and networks, rotated with an overlap, and both are in the audit log', async () => {
  const person = await portal.newPerson('admin', { name: 'Rosa Linde' })
  const page = await portal.signedIn('/developers', { person })
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const form = page.getByRole('dialog', { name: 'Create key' })
  await form.getByLabel('Name').fill('Warehouse scanner')
  await form.getByLabel('Access to').selectOption('some')
  await form.getByRole('checkbox', { name: 'Read locations' }).check()
  await form.getByLabel('Only from these addresses').fill('127.0.0.0/8, nowhere')
  await form.getByRole('button', { name: 'Create key' }).click()
  await form.getByText('Enter IP addresses or networks, separated by commas.').waitFor()
  await form.getByLabel('Only from these addresses').fill('127.0.0.0/8')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Create key' }).click()
  const created = page.getByRole('dialog', { name: 'Key “Warehouse scanner” created' })
  const old = (await created.getByRole('group', { name: 'Key' }).innerText()).trim()
  await created.getByRole('button', { name: 'Done' }).click()
  const mails = () => portal.mails.flatMap(({ to, text }) => (to === person.email ? [text] : []))
  await expect.poll(mails).toContainEqual(expect.stringContaining(old.slice(-4)))
  expect(mails().join()).not.toContain(old)

  const keys = page.getByRole('table', { name: 'API keys' })
  expect(await keys.getByRole('row', { name: /Warehouse scanner/ }).innerText()).toMatch(
    /Read locations[\s\S]*only from 127\.0\.0\.0\/8[\s\S]*by Rosa Linde/,
  )
  await keys.getByRole('button', { name: 'Rotate Warehouse scanner' }).click()
  const rotation = page.getByRole('dialog', { name: 'Rotate “Warehouse scanner”' })
  await rotation.getByLabel('The old key works').selectOption('1')
  await expectAccessible(page)
  await rotation.getByRole('button', { name: 'Rotate' }).click()
  const rotated = page.getByRole('dialog', { name: 'New key for “Warehouse scanner”' })
  const renewed = (await rotated.getByRole('group', { name: 'Key' }).innerText()).trim()
  await rotated.getByRole('button', { name: 'Done' }).click()
  for (const key of [old, renewed]) {
    const read = (path: string) =>
      fetch(portal.service.baseUrl + path, { headers: { authorization: `Bearer ${key}` } }).then(({ status }) => status)
    expect([await read('/v1/locations'), await read('/v1/invoices')]).toEqual([200, 403])
  }

  await page.getByRole('link', { name: 'Audit log' }).click()
  const log = page.getByRole('table', { name: 'Audit log' })
  await log.getByRole('row', { name: /Key rotated.*Warehouse scanner.*Rosa Linde/ }).waitFor()
  await log.getByRole('row', { name: /Key created.*Warehouse scanner.*Rosa Linde.*127\.0\.0\.1/ }).waitFor()
  await expectAccessible(page)
  // Each filter says what it is for.
  for (const label of ['From', 'Until']) await page.getByText(label, { exact: true }).waitFor()
  await page.getByLabel('Until', { exact: true }).fill('2020-01-01')
  await page.getByText('No entry matches the filters.').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await log.getByRole('row', { name: /Key rotated/ }).waitFor()
  await page.getByRole('button', { name: 'Kind', exact: true }).click()
  await page.getByRole('radio', { name: 'API keys' }).click()
  await expect.poll(() => log.getByRole('row', { name: /Signed in/ }).count()).toBe(0)
  expect(new URL(page.url()).searchParams.get('kind')).toBe('key')
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/^audit-.*\.ndjson$/)
})

test('the audit log fits on a phone, and people who are not admins do not see it', async () => {
  const page = await portal.signedIn('/audit', { size: phone })
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
  await expectNoSidewaysScroll(page)
  const member = await portal.signedIn('/audit', { person: await portal.newPerson('member') })
  await member.getByText('The audit log is for admins').waitFor()
  expect(await member.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
})
