import { expect, test } from 'vitest'
import { newOperatorPerson } from '../../support/office.js'
import { testPassword } from '../../support/person.js'
import { expectAccessible, startPortal } from './support.js'

const portal = await startPortal()
const { service, forwarder } = portal

test('an invoice is issued with a date, disputed with a reason, and what is paid twice is kept, also from a bank list', async () => {
  const page = await portal.newPage()
  const { email } = await newOperatorPerson(service, 'finance', { name: 'Fanny Finance' })
  await page.context().request.post('/office/v1/session', { data: { email, password: testPassword } })
  const { slug } = await portal.newAccount()
  const lines = [60, 40].map((amount) => ({
    description: `Part ${amount}`,
    price: { amount, currency: 'EUR' as const },
  }))
  const { body: draft } = await forwarder.ops('draftInvoice', slug, { body: { lines } })
  const params = { reference: draft.id }
  const stored = async () => (await forwarder.ops('getInvoice', slug, { params })).body

  await page.goto(`/office/billing/invoices/${slug}/${draft.id}`)
  const today = new Date().toISOString().slice(0, 10)
  await page.getByLabel('Date of the invoice').fill(today)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Issue' }).click()
  await page.getByRole('heading', { level: 1, name: /^INV-\d{4}-\d{6}$/ }).waitFor()
  expect((await stored()).record.sent_date).toBe(`${today}T12:00:00Z`)

  await page.getByLabel('Select line 2').check()
  await page.getByRole('button', { name: 'Dispute selected lines' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Charged twice')
  await dialog.getByRole('button', { name: 'Dispute', exact: true }).click()
  await page.getByText('Status changed').first().waitFor()
  expect(await stored()).toMatchObject({ record: { dispute: { lines: [1], reason: 'Charged twice' } } })
  // What is in dispute is not asked for.
  await expect.poll(() => page.getByLabel('Amount (EUR)').inputValue()).toBe('60')
  await page.keyboard.press('z')
  await expect.poll(async () => (await stored()).record.status).toBe('available')

  await expect.poll(() => page.getByLabel('Amount (EUR)').inputValue()).toBe('100')
  await page.getByRole('button', { name: 'Record payment' }).click()
  await page.getByText('Nothing can be paid on this invoice').waitFor()
  await page.getByLabel('Amount (EUR)').fill('100,00')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Record payment' }).click()
  await expect
    .poll(async () =>
      (await stored()).payments.map(({ unapplied = 0 }) => unapplied).toSorted((one, other) => one - other),
    )
    .toEqual([0, 100])

  await page.goto('/office/billing/bank-list')
  await page.getByLabel('Rows of the bank list').fill(`14.04.2026;33,07;EUR;thank you ${slug}`)
  await page.getByRole('button', { name: 'Match' }).click()
  const { number = '' } = (await stored()).record
  await page.getByLabel('Find an invoice, Invoice of row 1').fill(number)
  const choice = page.getByLabel('Invoice of row 1', { exact: true })
  await choice.selectOption({ index: 1 })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Record 1 payment' }).click()
  await page.getByText('1 payment recorded').first().waitFor()
  expect((await forwarder.ops('getAccountBilling', slug)).body.unapplied).toEqual([{ amount: 133.07, currency: 'EUR' }])
})
