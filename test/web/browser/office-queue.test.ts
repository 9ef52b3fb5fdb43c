import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { OperatorRole } from '../../../src/contract/operator/accounts.js'
import { evaluateAccount } from '../../../src/usecases/exceptions/run-exceptions.js'
import { newOperatorPerson } from '../../support/office.js'
import { testPassword } from '../../support/person.js'
import { expectAccessible, startPortal } from './support.js'

/** Whatever waits in the queue of the office has an owner and can be put aside, as exceptions can. */

const portal = await startPortal()

/** An account with a booking request, an open order and a disputed invoice. */
async function waiting() {
  const { service, forwarder } = portal
  const { slug } = await portal.newAccount('Plover Chairs')
  const id = slug.slice(-6).toUpperCase()
  await forwarder.ops('createShipment', slug, { body: { svc_shipment_id: `REQ-${id}`, status: 'booking_request' } })
  const product_lines = [{ reference: '1', ordered_quantity: 5, product: { sku: 'CHAIR' } }]
  await fetch(`${service.baseUrl}/ops/v1/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${forwarder.key}`, 'content-type': 'application/x-ndjson' },
    body: `${JSON.stringify({ kind: 'purchase_order', account: slug, data: { reference: `PO-${id}`, product_lines } })}\n`,
  })
  const params = { reference: `INV-${id}` }
  const lines = [{ description: 'Freight', price: { amount: 100, currency: 'EUR' as const } }]
  await forwarder.ops('draftInvoice', slug, { body: { ...params, lines } })
  await forwarder.ops('issueInvoice', slug, { params, body: {} })
  await forwarder.ops('moveInvoice', slug, { params, body: { status: 'litigious' } })
  return { slug }
}

async function signedIn(role: OperatorRole) {
  const name = `Quinn ${randomBytes(4).toString('hex')}`
  const { email } = await newOperatorPerson(portal.service, role, { name })
  const page = await portal.newPage()
  await page.context().request.post('/office/v1/session', { data: { email, password: testPassword } })
  const rows = page.getByRole('table', { name: 'Queue' }).locator('tbody tr')
  const details = page.getByRole('complementary', { name: 'Details' })
  return { name, page, rows, details }
}

test('requests, orders and disputes are selected, assigned, put aside and undone by the same keys as exceptions', async () => {
  const { slug } = await waiting()
  const { name, page, rows, details } = await signedIn('operations')
  await page.goto(`/office?account=${slug}`)
  await rows.nth(2).waitFor()
  expect(await rows.count()).toBe(3)
  for (const key of ['x', 'j', 'x', 'j', 'x']) await page.keyboard.press(key)
  await page.getByText('3 selected').waitFor()
  await page.keyboard.press('m')
  await page.getByText('3 items assigned').first().waitFor()
  await expect.poll(() => rows.filter({ hasText: name }).count()).toBe(3)
  await page.keyboard.press('z')
  await page.getByText('Undone').first().waitFor()
  await expect.poll(() => rows.filter({ hasText: name }).count()).toBe(0)
  await page.keyboard.press('m')
  await expect.poll(() => rows.filter({ hasText: name }).count()).toBe(3)
  const views = page.getByRole('navigation', { name: 'Views' })
  await views.getByRole('link', { name: 'Mine' }).click()
  await expect.poll(() => rows.count()).toBe(3)
  await page.goto(`/office?account=${slug}&owner=nobody`)
  await page.getByText('Nothing matches these filters.').waitFor()

  await page.goto(`/office?account=${slug}`)
  await rows.nth(2).waitFor()
  expect(await rows.count()).toBe(3)
  await page.keyboard.press('s')
  await page.getByText('1 item snoozed').first().waitFor()
  await expect.poll(() => rows.count()).toBe(2)
  await expect.poll(() => page.title()).toMatch(/^\(2\) My work/)
  await page.goto(`/office?account=${slug}&state=snoozed`)
  await rows.first().waitFor()
  await expect.poll(() => rows.count()).toBe(1)
  await expectAccessible(page)
  await details.getByRole('button', { name: 'Wake' }).click()
  await page.getByText('1 item woken').first().waitFor()
  await expect.poll(() => rows.count()).toBe(0)
  await page.goto(`/office?account=${slug}`)
  await rows.nth(2).waitFor()
  expect(await rows.count()).toBe(3)
})

test('of a long queue the rows near the screen are rendered, the others when they are scrolled to, or reached by key', async () => {
  const { demo } = portal
  await evaluateAccount(portal.service.db, demo.id, Date.now())
  const { page, rows } = await signedIn('operations')
  await page.goto(`/office?show=exceptions&account=${demo.slug}`)
  await rows.nth(2).waitFor()
  const lead = await page.getByText(/^\d+ items to look after/).innerText()
  const count = Number.parseInt(lead, 10)
  expect(count).toBeGreaterThan(60)
  expect(await rows.count()).toBeLessThan(count)
  const table = page.getByRole('table', { name: 'Queue' })
  expect(await table.getAttribute('aria-rowcount')).toBe(String(count + 1))
  for (let row = 0; row < 45; row++) await page.keyboard.press('j')
  await expect.poll(() => rows.nth(45).getAttribute('aria-current')).toBe('true')
  await expect
    .poll(async () => {
      await rows.last().scrollIntoViewIfNeeded()
      return rows.count()
    })
    .toBe(count)
})

test('an exception of a container names it, and is due on the day of its sentence', async () => {
  const { demo } = portal
  await evaluateAccount(portal.service.db, demo.id, Date.now())
  const { page, rows } = await signedIn('operations')
  await page.goto(`/office?kind=free_time&account=${demo.slug}`)
  const ending = rows.filter({ hasText: /Last free day/ }).first()
  await ending.waitFor()
  const [, day = ''] = /: (\d+ \w+)\./.exec(await ending.innerText()) ?? []
  expect(await ending.innerText()).toMatch(/[A-Z]{3}U\d{7}/)
  expect(await ending.locator('time').first().innerText()).toBe(day)
  await page.goto(`/office?kind=invoice_overdue&account=${demo.slug}`)
  const overdue = rows.filter({ hasText: /Was due on/ }).first()
  await overdue.waitFor()
  const [, dueDay = ''] = /Was due on (\d+ \w+);/.exec(await overdue.innerText()) ?? []
  expect(await overdue.locator('time').first().innerText()).toBe(dueDay)
})

test('a note, a template and a message that are not sent yet survive a reload, and what was sent is gone', async () => {
  const { service, demo, forwarder } = portal
  await evaluateAccount(service.db, demo.id, Date.now())
  const { page, rows, details } = await signedIn('admin')
  await page.goto(`/office?show=exceptions&account=${demo.slug}`)
  await rows.first().waitFor()
  await details.getByRole('button', { name: 'Add note' }).click()
  await details.getByLabel('Note', { exact: true }).fill('Rang the haulier')
  await page.reload()
  await expect.poll(() => details.getByLabel('Note', { exact: true }).inputValue()).toBe('Rang the haulier')
  await details.getByRole('button', { name: 'Add note' }).last().click()
  await page.getByText('Note added to 1 exception').first().waitFor()
  await page.reload()
  await details.getByText('Rang the haulier').waitFor()
  expect(await details.getByLabel('Note', { exact: true }).count()).toBe(0)

  const { body: shipment } = await forwarder.ops('createShipment', demo.slug, { body: { status: 'draft' } })
  // It has no tracking.
  portal.expectFailures(`/ops/v1/accounts/${demo.slug}/shipments/${shipment.id}/tracking`)
  await page.goto('/office/billing/settings')
  const template = page.getByRole('textbox', { name: 'Charges' })
  await template.fill('Freight; container; 100; EUR')
  await page.reload()
  await expect.poll(() => template.inputValue()).toBe('Freight; container; 100; EUR')

  await page.goto(`/office/shipments/${demo.slug}/${shipment.id}`)
  const message = page.getByRole('textbox', { name: 'Message', exact: true })
  await message.fill('The booking is')
  await page.reload()
  await expect.poll(() => message.inputValue()).toBe('The booking is')
  await message.press('Control+Enter')
  await expect.poll(() => message.inputValue()).toBe('')
  await page.reload()
  await message.waitFor()
  expect(await message.inputValue()).toBe('')
})

test('finance takes a dispute, and hands it to a colleague', async () => {
  const { slug } = await waiting()
  const colleague = await signedIn('admin')
  const { name, page, rows, details } = await signedIn('finance')
  await page.goto(`/office?account=${slug}&show=disputes`)
  await rows.first().waitFor()
  await details.getByRole('button', { name: 'Assign to me' }).click()
  await expect.poll(() => details.getByLabel('Owner').inputValue()).toBe(name)
  await details.getByLabel('Owner').selectOption(colleague.name)
  await expect.poll(() => rows.filter({ hasText: colleague.name }).count()).toBe(1)
  await colleague.page.goto('/office?owner=me')
  await colleague.rows.first().waitFor()
  await expect.poll(() => colleague.rows.count()).toBe(1)
})
