import { expect, test } from 'vitest'
import { newOperatorPerson } from '../../support/office.js'
import { testPassword } from '../../support/person.js'
import { expectAccessible, expectNoSidewaysScroll, phone, startPortal } from './support.js'

/** A morning of a finance person at the office. */

const portal = await startPortal()
const { service, demo, forwarder } = portal

async function financePage() {
  const page = await portal.newPage()
  const { email } = await newOperatorPerson(service, 'finance', { name: 'Fanny Finance' })
  await page.context().request.post('/office/v1/session', { data: { email, password: testPassword } })
  return page
}

test('a draft is edited by line, what two people change is shown by line, and the edit survives a reload and is undone', async () => {
  const page = await financePage()
  const { slug } = await portal.newAccount()
  const line = (description: string, amount: number) => ({ description, price: { amount, currency: 'EUR' as const } })
  const { body: draft } = await forwarder.ops('draftInvoice', slug, { body: { lines: [line('Customs', 40)] } })
  const params = { reference: draft.id }
  const stored = async () => (await forwarder.ops('getInvoice', slug, { params })).body

  await page.goto(`/office/billing/invoices/${slug}/${draft.id}`)
  await page.getByRole('button', { name: 'Edit lines' }).waitFor()
  await page.keyboard.press('e')
  await page.getByRole('button', { name: 'Add line' }).click()
  const added = page.getByRole('group', { name: 'Line 2' })
  await added.getByLabel('Description').fill('Ocean freight')
  await added.getByLabel('Quantity').fill('2')
  await added.getByLabel('Unit, Line 2').fill('container')
  await added.getByLabel('Rate').fill('1850,50')
  await added.getByLabel('Tax category').selectOption('Export')
  await expect.poll(() => added.getByLabel('Amount').inputValue()).toBe('3,701')
  await page.reload()
  await expect.poll(() => added.getByLabel('Rate').inputValue()).toBe('1850,50')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Draft saved').first().waitFor()
  expect((await stored()).record.lines).toMatchObject([
    { description: 'Customs' },
    { quantity: { value: 2, unit: 'container' }, price: { amount: 3701 }, tax_category: 'export', vatRate: 0 },
  ])
  await page.keyboard.press('z')
  await expect.poll(async () => (await stored()).record.lines?.length).toBe(1)

  // Somebody else adds a line and changes the one that is edited here.
  await page.keyboard.press('e')
  const first = page.getByRole('group', { name: 'Line 1' })
  await first.getByLabel('Amount').fill('45')
  portal.expectFailures(`/ops/v1/accounts/${slug}/invoices`)
  await forwarder.ops('replaceInvoice', slug, { params, body: { lines: [line('Customs', 42), line('Storage', 7)] } })
  await page.getByRole('button', { name: 'Save draft' }).click()
  const conflict = page.getByRole('dialog')
  await conflict.getByText('Customs: 42 EUR').waitFor()
  await expectAccessible(page)
  await conflict.getByLabel('Customs: 45 EUR').check()
  await conflict.getByRole('button').last().click()
  await page.getByText('Draft saved').first().waitFor()
  expect((await stored()).record.lines).toMatchObject([
    { description: 'Customs', price: { amount: 45 } },
    { description: 'Storage', price: { amount: 7 } },
  ])
})

test('terms, taxes and address of a customer are set by screen, and what it paid in excess is applied and refunded', async () => {
  const page = await financePage()
  const { slug } = await portal.newAccount()
  const issue = async (amount: number) => {
    const lines = [{ description: 'Freight', price: { amount, currency: 'EUR' as const } }]
    const { body } = await forwarder.ops('draftInvoice', slug, { body: { lines } })
    return (await forwarder.ops('issueInvoice', slug, { params: { reference: body.id }, body: {} })).body
  }
  const [paid, open] = [await issue(100), await issue(30)]
  const payment = { payment_id: 'BANK-7', amount: 150, currency: 'EUR' as const, paid_on: '2026-04-01' }
  await forwarder.ops('recordPayment', slug, {
    params: { reference: paid.id },
    body: { ...payment, excess: 'keep_unapplied' },
  })

  await page.goto(`/office/customers/${slug}`)
  await page.getByRole('radio', { name: 'Billing' }).or(page.getByText('Billing').last()).first().waitFor()
  await page.keyboard.press('3')
  await page.getByLabel('Legal name').fill('Brix Trading BV')
  await page.getByLabel('Address').fill('Kade 4\n3011 Rotterdam')
  await page.getByLabel('Country code').fill('nl')
  await page.getByLabel('Days until due').fill('14')
  await page.getByLabel('Days count from').selectOption('End of its month')
  await page.getByLabel('Tax category').selectOption('Reverse charge')
  await page.reload()
  await expect.poll(() => page.getByLabel('Legal name').inputValue()).toBe('Brix Trading BV')
  await expectAccessible(page)
  const saving = page.waitForResponse((response) => response.request().method() === 'PUT')
  await page.getByRole('button', { name: 'Save' }).click()
  const typed = {
    buyer: { name: 'Brix Trading BV', address: ['Kade 4', '3011 Rotterdam'], country: 'NL' },
    terms: { days: 14, from: 'end_of_month' },
    tax_category: 'reverse_charge',
  }
  expect(await (await saving).json()).toMatchObject({ settings: typed })
  await page.getByText('Saved').first().waitFor()
  const settings = async () => (await forwarder.ops('getAccountBilling', slug)).body
  expect((await settings()).settings).toEqual(typed)

  await page.getByRole('button', { name: 'Apply: BANK-7' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
  await page.getByText(`Applied to ${open.record.number}`).first().waitFor()
  await page.getByRole('button', { name: 'Refund: BANK-7' }).click()
  const refund = page.getByRole('dialog')
  expect(await refund.getByLabel('Amount').inputValue()).toBe('20')
  await refund.getByLabel('Note').fill('Transfer 12')
  await refund.getByRole('button', { name: 'Refund' }).click()
  await page.getByText('Refund recorded').first().waitFor()
  expect(await settings()).toMatchObject({ unapplied: [], unapplied_payments: [] })
  const { body: settled } = await forwarder.ops('getInvoice', slug, { params: { reference: open.id } })
  expect(settled.record.status).toBe('paid')

  // A viewer sees it, and changes nothing.
  const viewer = await newOperatorPerson(service, 'viewer')
  const reading = await portal.newPage({ size: phone, theme: 'dark' })
  await reading.context().request.post('/office/v1/session', { data: { email: viewer.email, password: testPassword } })
  await reading.goto(`/office/customers/${slug}?show=billing`)
  await reading.getByText('Finance and admins change these settings.').waitFor()
  expect(await reading.getByRole('button', { name: /^(?:Save|Apply|Refund)/ }).count()).toBe(0)
  await expectNoSidewaysScroll(reading)
  await expectAccessible(reading)
})

test('exchange rates are kept by an admin, and a faulty one is named beside its field', async () => {
  const page = await portal.newPage()
  const { email } = await newOperatorPerson(service, 'admin', { name: 'Ada Admin' })
  await page.context().request.post('/office/v1/session', { data: { email, password: testPassword } })
  const before = (await forwarder.ops('getBillingSettings', undefined)).body.settings
  try {
    await page.goto('/office/billing/settings')
    await page.getByLabel('Accounting currency').selectOption('EUR')
    await page.getByRole('button', { name: 'Add rate' }).click()
    const row = page.getByRole('group', { name: /^Rate of/ }).last()
    await row.getByLabel('Currency').selectOption('CHF')
    await page.getByLabel('Rate of CHF', { exact: true }).last().fill('1,06')
    await page.getByLabel('IBAN').fill('DE00 1')
    portal.expectFailures('/ops/v1/billing')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('must be an IBAN: its check digits are wrong').first().waitFor()
    await page.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved').first().waitFor()
    const { body } = await forwarder.ops('getBillingSettings', undefined)
    expect(body.settings).toMatchObject({ accounting_currency: 'EUR', rates: [{ currency: 'CHF', rate: 1.06 }] })
  } finally {
    // Those of all accounts of the test database.
    await forwarder.ops('setBillingSettings', undefined, { body: before })
  }
})

test('who may not change the settings of billing cannot choose in them either', async () => {
  const page = await portal.newPage()
  const { email } = await newOperatorPerson(service, 'viewer')
  await page.context().request.post('/office/v1/session', { data: { email, password: testPassword } })
  await page.goto('/office/billing/settings')
  await page.getByText('Only administrators change these settings.').waitFor()
  expect(await page.locator('form select:enabled, form input[type=checkbox]:enabled').count()).toBe(0)
  expect(await page.getByLabel('Language of invoices').isDisabled()).toBe(true)
})

test('a shipment is billed from a template, paid by a pasted bank list, and nothing is left outstanding', async () => {
  const page = await portal.newPage()
  const { email } = await newOperatorPerson(service, 'finance', { name: 'Fanny Finance' })
  await page.context().request.post('/office/v1/session', { data: { email, password: testPassword } })
  const template = `Port to port ${demo.slug}`
  const charges = [{ description: 'Documents', unit_rate: { amount: 45, currency: 'EUR' as const }, vatRate: 20 }]
  await forwarder.ops('setChargeTemplate', undefined, { params: { name: template }, body: { charges } })
  await forwarder.ops('createShipment', demo.slug, { body: { svc_shipment_id: 'BILL-1', status: 'in_progress' } })
  await forwarder.ops('findShipments', undefined, { query: { account: demo.slug, take: 1 } })

  await page.goto(`/office/billing?view=unbilled&account=${demo.slug}`)
  const unbilled = page.getByRole('button', { name: /^Draft from template: / })
  await unbilled.nth(1).waitFor()
  await page.getByRole('searchbox').fill('bill-1')
  await expect.poll(() => unbilled.count()).toBe(1)
  await page.getByRole('button', { name: 'Draft from template: BILL-1' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Template').selectOption(template)
  await dialog.getByRole('button', { name: 'Draft from template' }).click()
  await page.getByText('Nothing blocks issuing.').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('i')
  const heading = page.getByRole('heading', { level: 1, name: /^INV-\d{4}-\d{6}$/ })
  await heading.waitFor()
  const number = await heading.innerText()

  await page.goto('/office/billing/bank-list')
  await page.getByLabel('Rows of the bank list').fill(`14.04.2026;54,00;EUR;Invoice ${number}\n15.04.2026;1,00;EUR;?`)
  await page.getByRole('button', { name: 'Match' }).click()
  await page.getByText('Number and amount agree').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Record 1 payment' }).click()
  await page.getByText('1 payment recorded').first().waitFor()
  const { body } = await forwarder.ops('getInvoice', demo.slug, { params: { reference: number } })
  expect(body).toMatchObject({ record: { status: 'paid' }, outstanding: [{ amount: 0, currency: 'EUR' }] })

  for (const path of ['', '/ageing', '/settings']) {
    await page.goto(`/office/billing${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('[aria-busy="false"]').first().waitFor()
    await expectAccessible(page)
  }
})
