import { expect, test } from 'vitest'
import { newOperatorPerson } from '../../support/office.js'
import { testPassword } from '../../support/person.js'
import { expectAccessible, startPortal } from './support.js'

/** A morning of a finance person at the office. */

const portal = await startPortal()
const { service, demo, forwarder } = portal

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
