import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { PurchaseOrder } from '../../../src/contract/public/purchase-order.js'
import { en } from '../../../web/portal/i18n/en.js'
import { expectAccessible, expectNoSidewaysScroll, phone, signIn, startPortal, tablet } from './support.js'

/** Purchase orders: list, page and form. */

const portal = await startPortal()

const newReference = () => `T/${randomUUID().slice(0, 8)}`

async function orderOf(page: Page, reference: string): Promise<PurchaseOrder> {
  const response = await page.request.get(`/v1/purchaseOrders/${encodeURIComponent(reference)}`)
  expect(response.status()).toBe(200)
  return (await response.json()) as PurchaseOrder
}

async function csrfToken(page: Page): Promise<string> {
  const session = (await (await page.request.get('/portal/v1/session')).json()) as { csrf_token: string }
  return session.csrf_token
}

/** Creates an order through the API, as the signed-in user. */
async function anOrder(page: Page, given: Partial<Record<string, unknown>> = {}): Promise<string> {
  const reference = newReference()
  const line = { reference: '1', ordered_quantity: 10, product: { sku: 'SKU-1' } }
  const response = await page.request.post('/v1/purchaseOrders', {
    data: { reference, product_lines: [line], ...given },
    headers: { 'x-csrf-token': await csrfToken(page) },
  })
  expect(response.status(), await response.text()).toBe(201)
  return reference
}

async function assign(reference: string, quantity = 4): Promise<string> {
  const page = await portal.signedIn('/orders')
  const found = await page.request.get('/portal/v1/shipments?status=in_progress&take=1')
  const { shipments } = (await found.json()) as { shipments: { svc_shipment_id: string; name: string }[] }
  const { svc_shipment_id } = shipments[0]!
  const params = { reference, line: '1', svc_shipment_id }
  await portal.forwarder.ops('assign', portal.demo.slug, { params, body: { assigned_quantity: quantity } })
  return svc_shipment_id
}

const field = (page: Page, pointer: string) => page.locator(`[name="${pointer}"]`)
const lineField = (page: Page, line: number, rest: string) => field(page, `/product_lines/${line}${rest}`)

async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await page.keyboard.press('ControlOrMeta+V')
}

const create = (page: Page) => page.getByRole('button', { name: 'Create order' })

test('where not all columns fit, the list keeps when orders are expected and how late that is', async () => {
  const page = await portal.signedIn('/orders', { size: { width: 720, height: 800 } })
  const heads = async () => (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim())
  await expect.poll(heads).toEqual(['Reference', 'Status', 'Expected', 'Wanted by'])
})

test('orders are searched, filtered and sorted in the address, and the back button returns there', async () => {
  const page = await portal.signedIn('/orders')
  const table = page.getByRole('table', { name: 'Orders' })
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Late', exact: true }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('?late=now')
  const isLate = async () => (await table.getByRole('row').nth(1).innerText()).includes('late')
  await expect.poll(isLate).toBe(true)
  await page.getByRole('button', { name: 'Clear filters' }).click()

  await page.getByRole('button', { name: 'Status' }).click()
  await page.getByRole('checkbox', { name: 'Shipped' }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => new URL(page.url()).search).toBe('?state=shipped')
  await expect.poll(() => table.getByText('Unassigned').count()).toBe(0)
  expect(await table.getByText('Shipped').count()).toBeGreaterThan(1)

  await table.getByRole('button', { name: 'Reference' }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('?state=shipped&sort=reference&order=asc')
  const reference = await table.getByRole('row').nth(1).locator('.mono').first().innerText()
  await page.getByRole('searchbox', { name: 'Search orders' }).fill(reference)
  await expect.poll(() => table.getByRole('row').count()).toBe(2)
  await table.getByRole('row').nth(1).getByText(reference).locator('xpath=ancestor::tr').click()
  await page.getByRole('heading', { level: 1, name: reference }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
  expect(await page.getByRole('searchbox', { name: 'Search orders' }).inputValue()).toBe(reference)
})

test('the supplier filter offers all suppliers, and searches them where there are many', async () => {
  const account = await portal.newAccount()
  const page = await portal.signedIn('/orders', { person: await portal.newPerson('admin', { account }) })
  const names = Array.from({ length: 60 }, (_, index) => `Works ${String(index).padStart(2, '0')}`)
  for (const supplier_id of names) await anOrder(page, { supplier_id })
  await page.reload()
  await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: 'Supplier' }).press('Enter')
  const offered = page.getByRole('dialog', { name: 'Supplier' })
  await expect.poll(() => offered.getByRole('radio').count()).toBe(50)
  await offered.getByText('There are more. Type to search.').waitFor()
  expect(await page.evaluate(`document.activeElement.closest('[popover]') !== null`)).toBe(true)
  await expectAccessible(page)
  await offered.getByRole('searchbox').fill('nobody')
  await offered.getByText('No results').waitFor()
  // A supplier that is on no loaded page.
  await offered.getByRole('searchbox').fill('works 00')
  await offered.getByRole('radio', { name: 'Works 00' }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('?supplier=Works+00')
  await expect.poll(() => page.getByRole('table', { name: 'Orders' }).getByRole('row').count()).toBe(2)
  await page.getByRole('button', { name: 'Supplier: Works 00' }).waitFor()
})

test('a search of orders is saved as a view', async () => {
  const page = await portal.signedIn('/orders?state=partly_assigned')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('textbox', { name: 'View name' }).fill('Half way')
  await page.getByRole('textbox', { name: 'View name' }).press('Enter')
  await page.getByRole('link', { name: 'Half way' }).waitFor()
  await page.goto('/orders')
  await page.getByRole('link', { name: 'Half way' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('state')).toBe('partly_assigned')
})

test('an order opens with a sentence on where its pieces are, and each line links to its shipment', async () => {
  const page = await portal.signedIn('/orders')
  const reference = await anOrder(page)
  const shipment = await assign(reference)
  await page.goto(`/orders/${encodeURIComponent(reference)}`)
  await page.getByText('4 of 10 pieces are on their way; the rest are not yet assigned.').waitFor()
  const place = page.locator(`a[href="/shipments/${shipment}"]`)
  await place.waitFor()
  expect(await place.locator('xpath=ancestor::li[1]').innerText()).toMatch(/^4\n[\s\S]*In progress/)
  await page.getByText('Not yet assigned to a shipment').waitFor()
  await expectAccessible(page)
})

test('an order is created with lines pasted from a spreadsheet', async () => {
  const page = await portal.signedIn('/orders')
  await page.getByRole('link', { name: 'New order' }).click()
  await page.getByRole('heading', { level: 1, name: 'New order' }).waitFor()
  await expectAccessible(page)
  const reference = newReference()
  await field(page, '/reference').fill(reference)
  await field(page, '/supplier_id').fill('Lamps & Co')
  await field(page, '/desired_delivery_date').fill('2027-03-20')
  await lineField(page, 0, '/product/sku').focus()
  await paste(page, 'LAMP-1\tDesk lamp\t1,200\t14.90\tusd\t940521\r\nLAMP-2\t"Floor ""Arc"" lamp"\t80\t39\tUSD\t\r\n')
  expect(await lineField(page, 1, '/product/name').inputValue()).toBe('Floor "Arc" lamp')
  await page.getByText('2 lines · 1,280 pieces · US$21,000.00').waitFor()
  await page.getByRole('button', { name: 'Duplicate line 2' }).click()
  await lineField(page, 2, '/product/sku').fill('LAMP-3')
  await page.getByRole('button', { name: 'Remove line 2' }).click()
  await create(page).click()
  await page.getByText('Order created.').waitFor()
  await page.getByText('None of the 1,280 pieces are assigned to a shipment yet.').waitFor()

  const order = await orderOf(page, reference)
  expect(order).toMatchObject({ supplier_name: 'Lamps & Co', desired_delivery_date: '2027-03-20' })
  expect(order.purchase_order_lines).toMatchObject([
    {
      product: { sku: 'LAMP-1', name: 'Desk lamp', hs_code: '940521' },
      ordered_quantity: 1200,
      unit_price: { amount: 14.9, currency: 'USD' },
    },
    { product: { sku: 'LAMP-3', name: 'Floor "Arc" lamp' }, ordered_quantity: 80 },
  ])
})

// An empty field says what to enter; other errors are worded by the server.
const shownFaults: Record<string, string> = {
  '/reference': 'Enter a reference',
  '/product_lines/0/product/sku': 'Enter an SKU',
}

const capitalized = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

test('every error is shown beside its field and in a list that leads there, and nothing is sent', async () => {
  const page = await portal.signedIn('/orders/new')
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await lineField(page, 0, '/reference').fill('1')
  await lineField(page, 0, '/ordered_quantity').fill('many')
  await page.getByRole('button', { name: 'Add line' }).click()
  await lineField(page, 1, '/reference').fill('1')
  await lineField(page, 1, '/product/sku').fill('SKU-2')
  await lineField(page, 1, '/ordered_quantity').fill('0')
  await create(page).click()

  const list = page.getByRole('group', { name: 'Fix 5 fields' })
  await list.waitFor()
  // The server's errors for the same body, without those it reports only for otherwise valid ones.
  const answer = await page.request.post('/v1/purchaseOrders', {
    data: {
      product_lines: [
        { reference: '1', ordered_quantity: 'many', product: {} },
        { reference: '1', ordered_quantity: 0, product: { sku: 'SKU-2' } },
      ],
    },
    headers: { 'x-csrf-token': await csrfToken(page) },
  })
  const { errors } = (await answer.json()) as { errors: { pointer: string; detail: string }[] }
  expect(errors).toHaveLength(4)
  for (const { pointer, detail } of errors) {
    const described = await field(page, pointer).getAttribute('aria-describedby')
    const text = shownFaults[pointer] ?? capitalized(detail)
    expect(await page.locator(`[id="${described}"]`).innerText(), pointer).toBe(text)
    expect(await list.innerText()).toContain(text)
  }
  expect(await list.innerText()).toContain('Must differ from the references of the other lines')
  expect(sent).toEqual([])

  await list.getByRole('button', { name: 'SKU, line 1' }).click()
  expect(await page.evaluate('document.activeElement.name')).toBe('/product_lines/0/product/sku')
  await lineField(page, 0, '/product/sku').fill('SKU-1')
  await page.getByRole('group', { name: 'Fix 4 fields' }).waitFor()
  await expectAccessible(page)
})

test('a reference that is already used is an error beside its field, with a link to the order', async () => {
  portal.expectFailures('/v1/purchaseOrders')
  const page = await portal.signedIn('/orders/new')
  const taken = await anOrder(page)
  await field(page, '/reference').fill(taken)
  await lineField(page, 0, '/product/sku').fill('SKU-1')
  await lineField(page, 0, '/ordered_quantity').fill('5')
  await create(page).click()
  await page.getByText('This reference is already used.').waitFor()
  expect(await page.getByRole('link', { name: 'View order' }).getAttribute('href')).toBe(
    `/orders/${encodeURIComponent(taken)}`,
  )
  await field(page, '/reference').fill(newReference())
  await create(page).click()
  await page.getByText('Order created.').waitFor()
})

test('a draft survives a reload and the end of the session', async () => {
  portal.expectSessionEnd()
  const page = await portal.signedIn('/orders/new')
  page.on('dialog', (dialog) => void dialog.accept())
  const reference = newReference()
  await field(page, '/reference').fill(reference)
  await lineField(page, 0, '/product/sku').fill('SKU-1')
  await page.reload()
  await page.getByText('Draft restored').waitFor()
  expect(await field(page, '/reference').inputValue()).toBe(reference)
  expect(await lineField(page, 0, '/product/sku').inputValue()).toBe('SKU-1')

  await lineField(page, 0, '/ordered_quantity').fill('5')
  await page.request.delete('/portal/v1/session', { headers: { 'x-csrf-token': await csrfToken(page) } })
  const form = page.getByRole('heading', { level: 1, name: 'Sign in' })
  await create(page).or(form).click()
  await form.waitFor()
  await page.getByLabel('E-mail address').fill(portal.admin.email)
  await page.getByLabel('Password', { exact: true }).fill(portal.admin.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'New order' }).waitFor()
  expect(await lineField(page, 0, '/ordered_quantity').inputValue()).toBe('5')
  await create(page).click()
  await page.getByText('Order created.').waitFor()
  expect((await orderOf(page, reference)).purchase_order_lines[0]?.ordered_quantity).toBe(5)
})

test('a draft includes the last key before the page was left', async () => {
  const page = await portal.signedIn('/orders/new')
  page.on('dialog', (dialog) => void dialog.accept())
  await field(page, '/reference').fill('LAST-KEY')
  await lineField(page, 0, '/product/sku').focus()
  // In one task, so that the page cannot process the input in between.
  const reloaded = page.waitForEvent('load')
  await page.evaluate("document.execCommand('insertText', false, 'SKU-9'); location.reload()")
  await reloaded
  await page.getByText('Draft restored').waitFor()
  expect(await lineField(page, 0, '/product/sku').inputValue()).toBe('SKU-9')
})

test('leaving with unsaved changes asks whether to keep or discard the draft', async () => {
  const page = await portal.signedIn('/orders/new')
  const toInvoices = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Invoices' })
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  await field(page, '/reference').fill('KEPT-1')
  await toInvoices.click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Stay' }).click()
  expect(await field(page, '/reference').inputValue()).toBe('KEPT-1')
  await toInvoices.click()
  await dialog.getByRole('button', { name: 'Leave and keep draft' }).click()
  await page.getByRole('heading', { level: 1, name: 'Invoices' }).waitFor()
  await page.goBack()
  await page.getByText('Draft restored').waitFor()
  expect(await field(page, '/reference').inputValue()).toBe('KEPT-1')
  await toInvoices.click()
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('heading', { level: 1, name: 'Invoices' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'New order' }).waitFor()
  expect(await field(page, '/reference').inputValue()).toBe('')
})

test('saving again after a lost response creates the order once', async () => {
  portal.expectFailures('/v1/purchaseOrders')
  const page = await portal.signedIn('/orders/new')
  const keys: (string | undefined)[] = []
  await page.route('**/v1/purchaseOrders', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    keys.push(route.request().headers()['idempotency-key'])
    if (keys.length > 1) return route.continue()
    // The request takes effect, but its response is lost.
    const { status } = await route.fetch().then((answer) => ({ status: answer.status() }))
    expect(status).toBe(201)
    return route.abort('connectionreset')
  })
  const reference = newReference()
  await field(page, '/reference').fill(reference)
  await lineField(page, 0, '/product/sku').fill('SKU-1')
  await lineField(page, 0, '/ordered_quantity').fill('5')
  await create(page).click()
  await page.getByRole('heading', { name: 'Cannot reach Waybill' }).waitFor()
  await create(page).click()
  await page.getByText('Order created.').waitFor()
  expect(keys).toHaveLength(2)
  expect(keys[1]).toBe(keys[0])
})

test('editing an order sends only what changed', async () => {
  const page = await portal.signedIn('/orders')
  const reference = await anOrder(page, {
    supplier_id: 'Lamps & Co',
    custom_parameters: [{ name: 'Season', value: 'SS27' }],
  })
  await page.goto(`/orders/${encodeURIComponent(reference)}`)
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('heading', { level: 1, name: `Edit ${reference}` }).waitFor()
  await expectAccessible(page)
  await field(page, '/desired_ex_factory_date').fill('2027-02-02')
  const sent = page.waitForRequest(
    (request) => request.method() === 'PATCH' && request.url().endsWith('/v1/purchaseOrders'),
  )
  await page.getByRole('button', { name: 'Save changes' }).click()
  expect((await sent).postDataJSON()).toEqual({ reference, desired_ex_factory_date: '2027-02-02' })
  await page.getByText('Changes saved.').waitFor()
  expect(await orderOf(page, reference)).toMatchObject({
    supplier_name: 'Lamps & Co',
    desired_ex_factory_date: '2027-02-02',
    custom_parameters: [{ name: 'Season', value: 'SS27' }],
    purchase_order_lines: [{ ordered_quantity: 10 }],
  })
})

test('an assigned order explains why it cannot be edited', async () => {
  portal.expectFailures('/v1/purchaseOrders', '/portal/v1/changes')
  const page = await portal.signedIn('/orders')
  const reference = await anOrder(page)
  const { what, remedy } = en.problems.purchase_order_assigned

  // Assigned while the form is open, without a live update.
  await page.route('**/portal/v1/changes*', (route) => route.abort())
  await page.goto(`/orders/${encodeURIComponent(reference)}/edit`)
  await lineField(page, 0, '/ordered_quantity').fill('12')
  await assign(reference)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText(what).waitFor()
  await page.getByText(remedy).waitFor()
  expect(await lineField(page, 0, '/ordered_quantity').inputValue()).toBe('12')
  expect((await orderOf(page, reference)).purchase_order_lines[0]?.ordered_quantity).toBe(10)

  const other = await portal.signedIn(`/orders/${encodeURIComponent(reference)}`)
  await other.getByText(what).waitFor()
  expect(await other.getByRole('link', { name: 'Edit' }).count()).toBe(0)
  await other.goto(`/orders/${encodeURIComponent(reference)}/edit`)
  await other.getByText(remedy).waitFor()
  expect(await other.getByRole('button', { name: 'Save changes' }).count()).toBe(0)
})

test('an assignment locks the open form of its order', async () => {
  const page = await portal.signedIn('/orders')
  const reference = await anOrder(page)
  await page.goto(`/orders/${encodeURIComponent(reference)}/edit`)
  await lineField(page, 0, '/ordered_quantity').fill('12')
  await assign(reference)
  await page.getByText(en.problems.purchase_order_assigned.what).waitFor()
  expect(await page.getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true)
  expect(await lineField(page, 0, '/ordered_quantity').inputValue()).toBe('12')
})

test('a viewer sees orders but cannot create or upload any', async () => {
  const viewer = await portal.newPerson('viewer')
  const page = await portal.signedIn('/orders', { person: viewer })
  expect(await page.getByRole('link', { name: 'New order' }).count()).toBe(0)
  for (const path of ['/orders/new', '/orders/upload']) {
    await page.goto(path)
    await page.getByText('Your role does not allow this').waitFor()
  }
})

test('an account without orders sees how to add them, and a failed list offers a retry', async () => {
  portal.expectFailures('/portal/v1/purchase-orders')
  const account = await portal.newAccount()
  const person = await portal.newPerson('member', { account })
  const page = await portal.signedIn('/orders', { person })
  await page.getByRole('heading', { name: 'No orders yet' }).waitFor()
  await expectAccessible(page)
  await page.route('**/portal/v1/purchase-orders*', (route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        code: 'internal_error',
        title: 'x',
        detail: 'x',
        status: 500,
        request_id: 'req_of_a_test',
      }),
    }),
  )
  await page.reload()
  await page.getByText('req_of_a_test').waitFor()
  await page.unroute('**/portal/v1/purchase-orders*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'No orders yet' }).waitFor()
})

test('orders and their form work on a phone, in French and in the dark theme', async () => {
  const person = await portal.newPerson('member')
  const page = await portal.newPage({ size: phone, theme: 'dark', locale: 'fr-FR' })
  await signIn(page, person)
  await page.request.patch('/portal/v1/person', {
    data: { language: 'fr' },
    headers: { 'x-csrf-token': await csrfToken(page) },
  })
  await page.goto('/orders')
  await page.getByRole('list', { name: 'Commandes' }).getByRole('listitem').first().waitFor()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await page.getByRole('link', { name: 'Nouvelle commande' }).click()
  await page.getByRole('heading', { level: 1, name: 'Nouvelle commande' }).waitFor()
  const reference = newReference()
  await field(page, '/reference').fill(reference)
  await lineField(page, 0, '/product/sku').fill('SKU-1')
  await lineField(page, 0, '/ordered_quantity').fill('rien')
  await page.getByRole('button', { name: 'Créer la commande' }).click()
  await page.getByText('Saisissez un nombre').first().waitFor()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await lineField(page, 0, '/ordered_quantity').fill('1 250,5')
  await page.getByRole('button', { name: 'Créer la commande' }).click()
  await page.getByText('Commande créée.').waitFor()
  await expectNoSidewaysScroll(page)
  expect((await orderOf(page, reference)).purchase_order_lines[0]?.ordered_quantity).toBe(1250.5)
})

test('the order form does not overflow on a tablet', async () => {
  const page = await portal.signedIn('/orders/new', { size: tablet })
  await page.getByRole('button', { name: 'More fields, line 1' }).click()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
})

test('an order of which nothing is assigned is cancelled after a question, and can be duplicated', async () => {
  const page = await portal.signedIn('/orders')
  const reference = await anOrder(page)
  await page.goto(`/orders/${encodeURIComponent(reference)}`)
  await page.getByRole('button', { name: 'Cancel order' }).click()
  const dialog = page.getByRole('dialog', { name: `Cancel order ${reference}?` })
  await dialog.getByLabel('Reason (optional)').fill('Ordered twice')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel order' }).click()
  await page.getByText('Ordered twice').waitFor()
  await dialog.waitFor({ state: 'hidden' })
  expect(await page.getByRole('button', { name: 'Cancel order' }).count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Duplicate' }).waitFor()
  await page.goto(`/orders?state=cancelled&q=${encodeURIComponent(reference)}`)
  await page.getByText('Cancelled', { exact: true }).first().waitFor()
})
