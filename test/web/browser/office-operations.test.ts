import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { OperatorRole } from '../../../src/contract/operator/accounts.js'
import { line, newAccount } from '../../support/account.js'
import { containerNumber } from '../../support/containers.js'
import { newOperatorPerson } from '../../support/office.js'
import { testPassword } from '../../support/person.js'
import { expectAccessible, startPortal } from './support.js'

/** Operations of the office, each done by its screen, and undone where it can be. */

const portal = await startPortal()
const { service, forwarder } = portal

async function officePage(role: OperatorRole, path: string): Promise<Page> {
  const page = await portal.newPage()
  const { email } = await newOperatorPerson(service, role)
  await page.context().request.post('/office/v1/session', { data: { email, password: testPassword } })
  await page.goto(path)
  return page
}

const container = containerNumber(811)

/** A customer with a shipment, and the path of its file. */
async function newFile() {
  const { slug } = await portal.newAccount()
  const svc_shipment_id = 'FILE-1'
  const cargo = { containers: [{ container_number: container }] }
  const body = { svc_shipment_id, status: 'booked' as const, freight_mode: 'ocean' as const, cargo }
  await forwarder.ops('createShipment', slug, { body })
  // It has no tracking yet, which the page asks for.
  portal.expectFailures(`/ops/v1/accounts/${slug}/shipments/${svc_shipment_id}/tracking`)
  const params = { svc_shipment_id }
  const shipment = async () => (await forwarder.ops('getShipment', slug, { params })).body.record
  return { slug, params, shipment, path: `/office/shipments/${slug}/${svc_shipment_id}` }
}

async function issue(slug: string, amount: number) {
  const lines = [{ description: 'Freight', price: { amount, currency: 'EUR' as const } }]
  const { body } = await forwarder.ops('draftInvoice', slug, { body: { lines } })
  return (await forwarder.ops('issueInvoice', slug, { params: { reference: body.id }, body: {} })).body
}

test('an invoice is drafted from the file of a shipment, which links it', async () => {
  const { slug, params, path } = await newFile()
  const page = await officePage('admin', path)
  await page.getByRole('button', { name: 'Draft invoice' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Template').selectOption('None: start with one line')
  await dialog.getByLabel('First line').fill('Ocean freight')
  await dialog.getByLabel('Net').fill('1850,50')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Draft invoice' }).click()
  await page.getByRole('heading', { level: 1, name: /^INV-/ }).waitFor()
  const { body } = await forwarder.ops('findInvoices', undefined, { query: { account: slug, state: 'draft' } })
  expect(body.invoices).toMatchObject([{ ...params, totals: [{ amount: 1850.5 }] }])
  await page.goto(path)
  await page.getByRole('table', { name: 'Invoices' }).getByRole('link', { name: /^INV-/ }).click()
  await page.getByRole('button', { name: 'Issue' }).waitFor()
})

test('free time is given for a container, undone, given again and retracted with a reason', async () => {
  const { slug, params, path } = await newFile()
  const port = { unlocode: 'DE/HAM' }
  const steps = [{ id: 'destination', type: 'destination_port' as const, port }]
  await forwarder.ops('planTracking', slug, { params, body: { steps } })
  const given = async () => (await forwarder.ops('getFreeTime', slug, { params })).body.given
  const page = await officePage('operations', path)
  const give = async () => {
    await page.getByRole('button', { name: 'Give free time' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Container').selectOption(container)
    await dialog.getByLabel('Given').selectOption('Days in addition')
    await dialog.getByLabel('How many days').fill('3')
    await dialog.getByLabel('Reason').fill('Agreed by phone')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('table', { name: 'Given' }).getByText('3 days in addition').waitFor()
  }
  await give()
  expect(await given()).toMatchObject([{ container_number: container, extra_days: 3, source: 'carrier' }])
  await page.keyboard.press('z')
  await expect.poll(given).toEqual([])
  await give()
  await page.getByRole('button', { name: 'Retract free time' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('Withdrawn by the carrier')
  await page.getByRole('dialog').getByRole('button', { name: 'Retract free time' }).click()
  await expect.poll(given).toEqual([])
  await expectAccessible(page)
})

test('a shipment is cancelled with a reason, and the cancellation undone', async () => {
  const { shipment, path } = await newFile()
  const page = await officePage('operations', path)
  await page.getByRole('button', { name: 'Booked' }).click()
  await page.getByRole('menuitem', { name: 'Cancel shipment' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('Ordered twice')
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel shipment' }).click()
  await page.getByText('Shipment cancelled').first().waitFor()
  expect(await shipment()).toMatchObject({ status: 'cancelled' })
  await page.keyboard.press('z')
  await expect.poll(async () => (await shipment()).status).toBe('booked')
})

test('an order is cancelled after a question', async () => {
  const account = await newAccount(service)
  await account.call('createPurchaseOrder', { body: { reference: 'PO-1', product_lines: [line()] } })
  const page = await officePage('operations', `/office/orders/${account.slug}/PO-1`)
  await page.getByRole('button', { name: 'Cancel order' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('The supplier has closed')
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click()
  await page.getByText('Order cancelled').first().waitFor()
  const { body } = await forwarder.ops('getPurchaseOrder', account.slug, { params: { reference: 'PO-1' } })
  expect(body.record.cancellation).toMatchObject({ reason: 'The supplier has closed' })
})

test('a document is renamed, retyped and replaced, and one that is needed is waived and required again', async () => {
  const { slug, params, path } = await newFile()
  const note = { name: 'note.txt', bytes: Buffer.from('first') }
  const { body: document } = await forwarder.sendFile('uploadDocument', slug, {}, note, params)
  const stored = async () => (await forwarder.ops('getDocument', slug, { params: { id: document.id } })).body.record
  const waived = async () =>
    (await forwarder.ops('getChecklist', slug, { params })).body.documents.filter((each) => each.waived).length
  const page = await officePage('operations', path)
  await page.getByRole('button', { name: 'Edit: note.txt' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('packing.txt')
  await dialog.getByLabel('Type').selectOption('Packing list')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Edit: packing.txt' }).waitFor()
  expect(await stored()).toMatchObject({ name: 'packing.txt', type: 'packing_list' })
  await page.keyboard.press('z')
  await expect.poll(async () => (await stored()).name).toBe('note.txt')
  const { content_hash } = await stored()
  await page.getByRole('button', { name: 'Edit: note.txt' }).click()
  await dialog
    .getByLabel('New content')
    .setInputFiles({ name: 'second.txt', mimeType: 'text/plain', buffer: Buffer.from('second') })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Edit: second.txt' }).waitFor()
  expect((await stored()).content_hash).not.toBe(content_hash)

  await page
    .getByRole('button', { name: /^Do without/ })
    .first()
    .click()
  await dialog.getByLabel('Reason').fill('The customer has it')
  await dialog.getByRole('button', { name: 'Do without' }).click()
  await page.getByRole('button', { name: /^Require again/ }).waitFor()
  expect(await waived()).toBe(1)
  await page.getByRole('button', { name: /^Require again/ }).click()
  await expect.poll(waived).toBe(0)
  await expectAccessible(page)
})

test('staff are limited to customers, and the limit undone', async () => {
  const { slug } = await portal.newAccount('Limited Trading')
  const { person_id } = await newOperatorPerson(service, 'viewer', { name: 'Vera Viewer' })
  const accounts = async () =>
    (await forwarder.ops('listStaff', undefined)).body.find((each) => each.person_id === person_id)?.accounts
  const page = await officePage('admin', '/office/settings?show=staff')
  await page
    .getByRole('row', { name: /Vera Viewer/ })
    .getByRole('button')
    .click()
  await page.getByRole('menuitem', { name: 'Choose customers' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('These customers only').check()
  await dialog.getByRole('checkbox', { name: 'Limited Trading' }).check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(accounts).toEqual([slug])
  await page
    .getByRole('row', { name: /Vera Viewer/ })
    .getByText('1 customer')
    .waitFor()
  await page.keyboard.press('z')
  await expect.poll(accounts).toBeUndefined()
})

test('a payment keeps what was typed over a reload, is reversed with a reason, and recorded again by an undo', async () => {
  const { slug } = await portal.newAccount()
  const { id } = await issue(slug, 100)
  const stored = async () => (await forwarder.ops('getInvoice', slug, { params: { reference: id } })).body
  const page = await officePage('finance', `/office/billing/invoices/${slug}/${id}`)
  await page.getByLabel('Amount (EUR)').fill('40')
  await page.reload()
  await expect.poll(() => page.getByLabel('Amount (EUR)').inputValue()).toBe('40')
  await page.getByRole('button', { name: 'Record payment' }).click()
  await page.getByRole('button', { name: /^Reverse payment/ }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('Returned by the bank')
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Reverse payment' }).click()
  await page.getByText('Payment reversed').first().waitFor()
  expect(await stored()).toMatchObject({ payments: [], record: { status: 'due' } })
  await page.keyboard.press('z')
  await expect.poll(async () => (await stored()).payments).toMatchObject([{ amount: 40 }])
})

test('the discard of a credit note draft is undone as a credit note', async () => {
  const { slug } = await portal.newAccount()
  const invoice = await issue(slug, 100)
  const lines = [{ description: 'Rebate', price: { amount: 10, currency: 'EUR' as const } }]
  const params = { reference: invoice.id }
  const { body: note } = await forwarder.ops('draftCreditNote', slug, { params, body: { lines, usd_to_eur_rate: 0.9 } })
  const stored = async () => (await forwarder.ops('getInvoice', slug, { params: { reference: note.id } })).body?.record
  const before = await stored()
  const page = await officePage('finance', `/office/billing/invoices/${slug}/${note.id}`)
  portal.expectFailures(`/ops/v1/accounts/${slug}/invoices`)
  await page.getByRole('button', { name: 'Discard' }).click()
  // The list of drafts is next, and the draft can still be undone there.
  await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor()
  await page.getByRole('button', { name: /^Undo/ }).click()
  await expect.poll(stored).toEqual(before)
})

test('a pasted bank list never chooses a row by its amount alone, and shows what was refused beside the row', async () => {
  const { slug } = await portal.newAccount()
  const [named, alike, changed] = [await issue(slug, 312.47), await issue(slug, 518.93), await issue(slug, 7)]
  const page = await officePage('finance', '/office/billing/bank-list')
  const text = `14.04.2026;312,47;${named.record.number}\n15.04.2026;518,93;thank you\n16.04.2026;7,00;${changed.record.number}`
  await page.getByLabel('Rows of the bank list').fill(text)
  await page.getByRole('button', { name: 'Match' }).click()
  await page.getByText('Amount agrees').waitFor()
  const take = (row: number) => page.getByRole('checkbox', { name: `Record row ${row}` })
  expect([await take(1).isChecked(), await take(2).isChecked(), await take(3).isChecked()]).toEqual([true, false, true])
  // It changes after the look.
  await forwarder.ops('moveInvoice', slug, { params: { reference: changed.id }, body: { status: 'write_off' } })
  portal.expectFailures(`/ops/v1/accounts/${slug}/invoices`)
  await page.getByRole('button', { name: 'Record 2 payments' }).click()
  await page.getByText('1 payment recorded, 1 refused: see the rows').first().waitFor()
  await page.getByText('Recorded before', { exact: true }).waitFor()
  await expectAccessible(page)
  const { body } = await forwarder.ops('getInvoice', slug, { params: { reference: alike.id } })
  expect(body.payments).toEqual([])
})
