import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { evaluateAccount } from '../../../src/usecases/exceptions/run-exceptions.js'
import { codeOf } from '../../support/factors.js'
import { newOperatorPerson, sendToOffice } from '../../support/office.js'
import { newEmail, testPassword } from '../../support/person.js'
import { runProgram } from '../../support/program.js'
import { addVirtualAuthenticator, expectAccessible, expectNoSidewaysScroll, phone, startPortal } from './support.js'

/** Operators in a browser: from the command that adds the first one to signing out. */

const portal = await startPortal()

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

async function add(email: string): Promise<string> {
  const { stdout, stderr } = await runProgram(
    ['operator', 'add', '--email', email, '--name', 'Ines Moreau', '--role', 'admin'],
    { env: { DATABASE_URL: portal.databaseUrl, WAYBILL_PUBLIC_URL: portal.service.baseUrl } },
  )
  expect(stderr).toBe('')
  return stdout.trim()
}

async function enterPassword(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('an added operator chooses a password, sees name and role, sets up an authenticator app, and signs out', async () => {
  portal.expectFailures('/office/v1/session')
  const email = newEmail()
  const password = randomBytes(9).toString('base64url')
  const page = await portal.newPage()
  await page.goto(await add(email))
  await page.getByRole('textbox', { name: 'New password' }).fill(password)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await heading(page, 'My work').waitFor()
  expect(new URL(page.url()).pathname).toBe('/office')
  await page.getByRole('link', { name: 'Profile' }).click()
  await heading(page, 'Ines Moreau').waitFor()
  await page.getByText(`Admin, signed in as ${email}.`).waitFor()
  await page.getByText('This device').or(page.getByText('Current')).first().waitFor()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  const secret = (await page.getByRole('button', { name: /^[A-Z2-7]{4} / }).innerText()).replaceAll(/\s/g, '')
  await page.getByLabel('Six-digit code').fill(codeOf(secret, -1))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('dialog', { name: 'Recovery codes' }).getByRole('button', { name: 'I have saved them' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await heading(page, 'Sign in').waitFor()
  expect(new URL(page.url()).pathname).toBe('/office/sign-in')
  await page.goto('/office')
  await heading(page, 'Sign in').waitFor()

  const next = await portal.newPage({ size: phone })
  await next.goto('/office/sign-in')
  await expectAccessible(next)
  await expectNoSidewaysScroll(next)
  await enterPassword(next, email, password)
  await next.getByLabel('Six-digit code').fill(codeOf(secret))
  await next.getByRole('button', { name: 'Sign in', exact: true }).click()
  await heading(next, 'My work').waitFor()
  await expectNoSidewaysScroll(next)
  // The pages that are not at the lower edge are in a sheet.
  await next.getByRole('button', { name: 'More' }).click()
  await expectAccessible(next)
  await next.getByRole('dialog').getByRole('link', { name: 'Profile' }).click()
  await heading(next, 'Ines Moreau').waitFor()
  await expectNoSidewaysScroll(next)
  await next.getByRole('radio', { name: 'Français' }).click()
  await next.getByText(`Administrateur, en tant que ${email}.`).waitFor()
  await expectNoSidewaysScroll(next)
  await expectAccessible(next)
})

test('a passkey signs an operator in at the office, and not at the portal', async () => {
  portal.expectFailures('/office/v1/session', '/portal/v1/session')
  const { email } = await newOperatorPerson(portal.service, 'finance', { name: 'Finn Finance' })
  const page = await portal.newPage()
  // Browsers have no passkeys for IP addresses.
  const site = portal.service.baseUrl.replace('127.0.0.1', 'localhost')
  await addVirtualAuthenticator(page)
  await page.goto(`${site}/office/sign-in`)
  await enterPassword(page, email, testPassword)
  await heading(page, 'My work').waitFor()
  await page.getByRole('link', { name: 'Profile' }).click()
  await heading(page, 'Finn Finance').waitFor()
  await page.getByText(`Finance, signed in as ${email}.`).waitFor()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill('Work laptop')
  await dialog.getByRole('button', { name: 'Create passkey' }).click()
  await page.getByRole('dialog', { name: 'Recovery codes' }).getByRole('button', { name: 'I have saved them' }).click()

  await page.context().clearCookies()
  await page.goto(`${site}/office/sign-in`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await heading(page, 'My work').waitFor()

  await page.goto(`${site}/sign-in`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('alert').waitFor()
  expect(new URL(page.url()).pathname).toBe('/sign-in')
})

test('a user of the portal is refused at the office', async () => {
  portal.expectFailures('/office/v1/session')
  const page = await portal.newPage()
  await page.goto('/office')
  await enterPassword(page, portal.admin.email, portal.admin.password)
  await page.getByText('Incorrect e-mail address or password').waitFor()
  const refused = await sendToOffice(portal.service, 'signIn', {
    body: { email: portal.admin.email, password: portal.admin.password },
  })
  expect(refused).toBeRefused('sign_in_failed')
})

test('an operator works through the queue by keyboard, takes actions back, and a reload keeps the place', async () => {
  const { service, demo, forwarder } = portal
  await evaluateAccount(service.db, demo.id, Date.now())
  const event = {
    description: 'Gate in',
    status: 'actual',
    date: '2026-03-01T08:00:00Z',
    reference: 'NO-SUCH-REFERENCE',
  }
  const sender = `ACME ${randomBytes(4).toString('hex')}`
  const sent = await fetch(`${service.baseUrl}/ops/v1/messages?format=events&sender=${encodeURIComponent(sender)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${forwarder.key}`, 'content-type': 'application/octet-stream' },
    body: JSON.stringify([event]),
  })
  expect(await sent.json()).toMatchObject({ outcome: 'unmatched' })
  const { email } = await newOperatorPerson(service, 'operations', { name: 'Olga Ops' })
  const page = await portal.newPage()
  await page.context().request.post('/office/v1/session', { data: { email, password: testPassword } })

  await page.goto(`/office?show=exceptions&account=${demo.slug}`)
  const rows = page.getByRole('table', { name: 'Queue' }).locator('tbody tr')
  await rows.nth(2).waitFor()
  await expect.poll(() => page.title()).toMatch(/^\(\d+\+?\) My work/)
  // Of all items: not all are rendered.
  const countItems = async () =>
    Number(await page.getByRole('table', { name: 'Queue' }).getAttribute('aria-rowcount')) - 1
  const count = await countItems()
  expect(count).toBeGreaterThan(2)
  await page.keyboard.press('j')
  const details = page.getByRole('complementary', { name: 'Details' })
  await expect.poll(() => rows.nth(1).getAttribute('aria-current')).toBe('true')
  await page.keyboard.press('m')
  await page.getByText('1 exception assigned').first().waitFor()
  await expect.poll(() => details.getByLabel('Owner').inputValue()).toBe('Olga Ops')
  await page.keyboard.press('z')
  await page.getByText('Undone').first().waitFor()
  await expect.poll(() => details.getByLabel('Owner').inputValue()).toBe('')
  await page.reload()
  await rows.nth(2).waitFor()
  await expect.poll(() => rows.nth(1).getAttribute('aria-current')).toBe('true')
  await expectAccessible(page)
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.getByText('2 selected').waitFor()
  await page.keyboard.press('e')
  await page.getByText('2 exceptions acknowledged').first().waitFor()
  await expect.poll(countItems).toBe(count - 2)

  await page.goto('/office?show=messages')
  await rows.filter({ hasText: sender }).click()
  await details.getByText('NOSUCHREFERENCE').first().waitFor()
  await details.getByRole('button', { name: 'Drop' }).click()
  await details.getByLabel('Reason').fill('Not ours')
  await details.getByRole('button', { name: 'Drop' }).last().click()
  await page.getByText('Message dropped').first().waitFor()
  await expect.poll(() => rows.filter({ hasText: sender }).count()).toBe(0)

  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  // Its number is of no other account, unlike those of the demo.
  const { body: shipment } = await forwarder.ops('createShipment', demo.slug, { body: { status: 'draft' } })
  // It has no tracking.
  portal.expectFailures(`/ops/v1/accounts/${demo.slug}/shipments/${shipment.id}/tracking`)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill(shipment.id)
  await page.getByRole('option', { name: shipment.id }).first().waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).toContain(encodeURIComponent(shipment.id))

  const viewer = await newOperatorPerson(service, 'viewer')
  const reading = await portal.newPage()
  await reading.context().request.post('/office/v1/session', { data: { email: viewer.email, password: testPassword } })
  await reading.goto(`/office?show=exceptions&account=${demo.slug}`)
  await reading.getByRole('complementary', { name: 'Details' }).waitFor()
  expect(await reading.getByRole('button', { name: /^Acknowledge/ }).count()).toBe(0)
})

test('filters of the queue are saved as a view of their own person, next to those that everybody has', async () => {
  const { service, demo } = portal
  await evaluateAccount(service.db, demo.id, Date.now())
  const { email } = await newOperatorPerson(service, 'operations', { name: 'Sven Saves' })
  const page = await portal.newPage()
  await page.context().request.post('/office/v1/session', { data: { email, password: testPassword } })
  await page.goto(`/office?account=${demo.slug}`)
  const rows = page.getByRole('table', { name: 'Queue' }).locator('tbody tr')
  await rows.first().waitFor()
  const views = page.getByRole('navigation', { name: 'Views' })
  await page.keyboard.press('m')
  await page.getByText('1 exception assigned').first().waitFor()
  await views.getByRole('link', { name: 'Mine' }).click()
  await expect.poll(() => rows.count()).toBe(1)

  await page.goto(`/office?account=${demo.slug}&kind=missing_document`)
  await rows.first().waitFor()
  const count = await rows.count()
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('textbox', { name: 'View name' }).fill('Papers of Alder')
  await page.keyboard.press('Enter')
  await views.getByRole('link', { name: 'Papers of Alder' }).waitFor()
  await expectAccessible(page)
  await views.getByRole('link', { name: 'Everything' }).click()
  await views.getByRole('link', { name: 'Papers of Alder' }).click()
  await expect.poll(() => rows.count()).toBe(count)
  expect(new URL(page.url()).searchParams.get('kind')).toBe('missing_document')
})

test('what waits is one queue with its true count, by what was done, and search finds any number and starts work', async () => {
  const { service, forwarder } = portal
  const { slug } = await portal.newAccount('Kestrel Lamps')
  const id = slug.slice(-6).toUpperCase()
  await forwarder.ops('createShipment', slug, {
    body: {
      svc_shipment_id: `REQ-${id}`,
      name: 'Lamps for spring',
      status: 'booking_request',
      booking_information: { ocean_booking: { vessel: `Aurora ${id}` } },
    },
  })
  const data = {
    reference: `PO-${id}`,
    product_lines: [{ reference: '1', ordered_quantity: 5, product: { sku: 'LAMP' } }],
  }
  const imported = await fetch(`${service.baseUrl}/ops/v1/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${forwarder.key}`, 'content-type': 'application/x-ndjson' },
    body: `${JSON.stringify({ kind: 'purchase_order', account: slug, data })}\n`,
  })
  expect(imported.status).toBe(200)
  const lines = [{ description: 'Freight', price: { amount: 100, currency: 'EUR' as const } }]
  const params = { reference: `INV-${id}` }
  await forwarder.ops('draftInvoice', slug, { body: { ...params, lines } })
  const { body: issued } = await forwarder.ops('issueInvoice', slug, { params, body: {} })
  await forwarder.ops('moveInvoice', slug, { params, body: { status: 'litigious' } })
  const { email } = await newOperatorPerson(service, 'admin', { name: 'Nora North' })
  const page = await portal.newPage()
  await page.context().request.post('/office/v1/session', { data: { email, password: testPassword } })
  await page.goto(`/office?account=${slug}`)
  const rows = page.getByRole('table', { name: 'Queue' }).locator('tbody tr')
  await rows.nth(2).waitFor()
  expect(await rows.count()).toBe(3)
  await expect.poll(() => page.title()).toMatch(/^\(3\) My work/)
  await rows.filter({ hasText: `PO-${id}` }).click()
  const details = page.getByRole('complementary', { name: 'Details' })
  await details.getByRole('link', { name: 'Book it' }).waitFor()
  await rows.filter({ hasText: '€100.00 in dispute' }).click()
  await details.getByRole('link', { name: 'Open the invoice' }).waitFor()
  await rows.filter({ hasText: 'Lamps for spring' }).click()
  await details.getByRole('link', { name: 'Open the shipment' }).waitFor()
  await expectAccessible(page)
  await page.goto(`/office?account=${slug}&show=disputes`)
  await expect.poll(() => page.title()).toMatch(/^\(1\) My work/)

  const search = page.getByRole('combobox', { name: 'Search' })
  const finds = async (typed: string, option: string) => {
    await search.fill(typed)
    await page.getByRole('option', { name: option }).first().waitFor()
  }
  await page.keyboard.press('Control+k')
  await finds(`po-${id.toLowerCase()}`, `PO-${id}`)
  await finds(issued.record.number ?? '', issued.record.number ?? '')
  await finds(params.reference.toLowerCase(), issued.record.number ?? '')
  await finds(`aurora ${id}`, `REQ-${id}`)
  await finds(`req${id}`, `Invoice for REQ-${id}`)
  await expectAccessible(page)
  await finds('New cus', 'New customer')
  await page.getByRole('option', { name: 'New customer' }).click()
  await page.getByRole('dialog', { name: 'New customer' }).waitFor()
})
