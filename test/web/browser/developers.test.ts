import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll, phone, startPortal } from './support.js'

/** Keys of an account, created in the portal and used with curl. */

const portal = await startPortal()
const run = promisify(execFile)

async function createKey(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create key' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const created = page.getByRole('dialog', { name: `Key “${name}” created` })
  await created.waitFor()
  return (await created.getByRole('group', { name: 'Key' }).innerText()).trim()
}

/** Sends a request with curl; returns its status and request id. */
async function curl(command: string): Promise<{ status: string; requestId: string }> {
  const { stdout } = await run('sh', ['-c', `${command} --silent --include`])
  return {
    status: /^HTTP\/1\.1 (\d+)/.exec(stdout)?.[1] ?? '',
    requestId: /^x-request-id: (\S+)/im.exec(stdout)?.[1] ?? '',
  }
}

test('a key is created, shown once, works with curl, appears as used, and stops working when revoked', async () => {
  const page = await portal.signedIn('/developers')
  const key = await createKey(page, 'Warehouse')
  expect(key).toMatch(/^wb_\w+$/)
  const dialog = page.getByRole('dialog')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Copy key' }).click()
  await dialog.getByRole('button', { name: 'Copied', exact: true }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key)
  const command = (await dialog.getByRole('group', { name: 'Try it' }).innerText()).trim()
  const answered = await curl(command)
  expect(answered).toMatchObject({ status: '200' })
  await dialog.getByRole('button', { name: 'Done' }).click()
  expect(await page.getByText(key).count()).toBe(0)

  const keyRow = page.getByRole('table', { name: 'API keys' }).getByRole('row', { name: /Warehouse/ })
  expect(await keyRow.innerText()).toContain(key.slice(-4))
  const requests = page.getByRole('table', { name: 'Recent requests' })
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click()
      return requests.getByRole('row', { name: new RegExp(answered.requestId) }).count()
    })
    .toBe(1)
  const asked = await requests.getByRole('row', { name: new RegExp(answered.requestId) }).innerText()
  expect(asked).toContain('GET /v1/shipments?take=1')
  expect(asked).toContain('200')

  await keyRow.getByRole('button', { name: 'Revoke Warehouse' }).click()
  await page.getByRole('dialog', { name: 'Revoke “Warehouse”?' }).getByRole('button', { name: 'Revoke' }).click()
  await keyRow.getByText('Revoked').waitFor()
  expect(await curl(command)).toMatchObject({ status: '401' })
})

test('requests are filtered by key and result, as part of the address', async () => {
  const page = await portal.signedIn('/developers')
  const key = await createKey(page, 'Filtered')
  await page.getByRole('button', { name: 'Done' }).click()
  const headers = { authorization: `Bearer ${key}` }
  const refused = await fetch(`${portal.service.baseUrl}/v1/shipments/none`, { headers })
  expect(refused.status).toBe(404)
  await page.getByRole('button', { name: 'Key', exact: true }).click()
  await page.getByRole('radio', { name: 'Filtered' }).click()
  await page.getByRole('button', { name: 'Result', exact: true }).click()
  await page.getByRole('radio', { name: 'Client error' }).click()
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click()
      return page.getByRole('row', { name: new RegExp(refused.headers.get('x-request-id') ?? '-') }).count()
    })
    .toBe(1)
  expect(new URL(page.url()).searchParams.get('outcome')).toBe('refused')
  await page.reload()
  await page.getByRole('row', { name: /\/v1\/shipments\/none/ }).waitFor()
  expect(await page.getByRole('row', { name: /take=1/ }).count()).toBe(0)
})

test('missing values of a new key are reported beside their fields, and nothing typed is lost', async () => {
  const page = await portal.signedIn('/developers')
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create key' })
  await dialog.getByRole('checkbox', { name: /^Read/ }).uncheck()
  await dialog.getByLabel('Expires').selectOption('on')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('Enter a name.').waitFor()
  await dialog.getByText('Select at least one permission.').waitFor()
  await dialog.getByText('Choose a future date.').waitFor()
  await expectAccessible(page)
  await dialog.getByLabel('Name').fill('Until tomorrow')
  await dialog.getByRole('checkbox', { name: /^Write/ }).check()
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  await dialog.getByLabel('Expiry date').fill(tomorrow)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('row', { name: /Until tomorrow/ })
  await row.getByText('Expires soon').waitFor()
  expect(await row.innerText()).toContain('Write')
})

test('closing the dialog of a new key returns the focus to the button that opened it', async () => {
  const page = await portal.signedIn('/developers')
  const opener = page.getByRole('button', { name: 'Create key' }).first()
  const focused = () =>
    page.evaluate('[document.activeElement.closest("dialog") !== null, document.activeElement.textContent]')
  for (const close of ['Escape', 'Cancel']) {
    await opener.click()
    const dialog = page.getByRole('dialog', { name: 'Create key' })
    await dialog.waitFor()
    expect(await focused()).toEqual([true, ''])
    if (close === 'Escape') await page.keyboard.press('Escape')
    else await dialog.getByRole('button', { name: close }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await focused()).toEqual([false, 'Create key'])
  }
})

test('the API reference opens with the key filled in, without it in any address or storage', async () => {
  const page = await portal.signedIn('/developers')
  const key = await createKey(page, 'For the reference')
  const [reference] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Open the API reference with this key' }).click(),
  ])
  await reference.getByRole('heading', { name: 'Waybill: freight forwarding service' }).waitFor()
  await expect.poll(() => reference.getByRole('textbox', { name: /token/i }).first().inputValue()).toBe(key)
  for (const each of [page, reference]) {
    expect(each.url()).not.toContain(key)
    expect(
      await each.evaluate('JSON.stringify({ ...sessionStorage }) + JSON.stringify({ ...localStorage })'),
    ).not.toContain(key)
  }
  expect(portal.requested.filter((url) => url.includes(key))).toEqual([])
})

test('a viewer sees why there are no keys', async () => {
  const page = await portal.signedIn('/developers', { person: await portal.newPerson('viewer') })
  await page.getByRole('heading', { name: 'API keys are for admins and members' }).waitFor()
  expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(0)
  await expectAccessible(page)
})

test('keys are created on a phone, and nothing overflows', async () => {
  const page = await portal.signedIn('/developers', { size: phone })
  await createKey(page, 'By thumb')
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Done' }).click()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
})
