import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { newAccount } from '../../support/account.js'
import { newOperatorPerson } from '../../support/office.js'
import { testPassword } from '../../support/person.js'
import { expectAccessible, startPortal } from './support.js'

/** Order lines of a shipment: assigned, split, packed and moved, by keyboard and by drag. */

const portal = await startPortal()
const { service, forwarder } = portal

const [first, second] = ['TGHU7599330', 'CSQU3054383'] as const

async function aShipment(ordered: number) {
  const { slug, call } = await newAccount(service)
  const reference = `PO-${randomBytes(3).toString('hex').toUpperCase()}`
  const lines = ['10', '20'].map((line) => ({
    reference: line,
    ordered_quantity: ordered,
    product: { sku: `S-${line}` },
  }))
  await call('createPurchaseOrder', { body: { reference, product_lines: lines } })
  const containers = [first, second].map((container_number) => ({ container_number }))
  const { body } = await forwarder.ops('createShipment', slug, { body: { status: 'booked', cargo: { containers } } })
  const params = { svc_shipment_id: body.id }
  portal.expectFailures(`/ops/v1/accounts/${slug}/shipments/${body.id}/tracking`)
  /** What the shipment has of each line: the assigned quantity, and what is packed in each container. */
  const stored = async () => {
    const { body: assigned } = await forwarder.ops('listOrderLines', slug, { params })
    return assigned.map(({ record: { line, assigned_quantity, shipped_order_lines = [] } }) => [
      line,
      assigned_quantity,
      Object.fromEntries(shipped_order_lines.map((each) => [each.container_number, each.shipped_quantity])),
    ])
  }
  const page = await portal.newPage()
  const { email } = await newOperatorPerson(service, 'operations', { name: 'Lia Lines' })
  await page.context().request.post('/office/v1/session', { data: { email, password: testPassword } })
  await page.goto(`/office/shipments/${slug}/${body.id}`)
  await page.getByRole('link', { name: 'Assign and pack o' }).waitFor()
  await page.keyboard.press('o')
  await page.getByRole('table', { name: `Open lines of ${reference}` }).waitFor()
  return { slug, reference, params, page, stored }
}

test('order lines are assigned, split, packed, moved and taken off by keyboard and by drag, and each can be undone', async () => {
  const { page, stored, reference } = await aShipment(40)
  await page.keyboard.press('x')
  await page.keyboard.press('J')
  await page.getByText('2 lines', { exact: true }).waitFor()
  await page.keyboard.press('0')
  await expect.poll(stored).toEqual([
    ['10', 40, {}],
    ['20', 40, {}],
  ])
  await page.getByRole('button', { name: 'Undo z' }).waitFor()
  await page.keyboard.press('z')
  await expect.poll(stored).toEqual([])
  // The active line is the one that Shift J went to.
  await page
    .getByRole('table', { name: `Open lines of ${reference}` })
    .getByText('S-20')
    .waitFor()
  await page.keyboard.press('k')
  await page.keyboard.press('1')
  await expect.poll(stored).toEqual([['10', 40, { [first]: 40 }]])

  // A part of it, of which the quantity survives a reload.
  await page.getByRole('table', { name: first }).getByText(reference).click()
  await page.keyboard.press('m')
  const dialog = page.getByRole('dialog', { name: `Move: ${reference}, line 10` })
  await dialog.getByLabel('To').selectOption(second)
  await dialog.getByLabel('Quantity').fill('15')
  await page.reload()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Move 15' }).click()
  await expect.poll(stored).toEqual([['10', 40, { [first]: 25, [second]: 15 }]])

  const row = page.getByRole('table', { name: second }).getByRole('row', { name: reference })
  await row.dragTo(page.getByRole('region', { name: 'Not packed' }))
  await expect.poll(stored).toEqual([['10', 40, { [first]: 25 }]])
  await page.getByRole('table', { name: 'Not packed' }).waitFor()
  const open = page.getByRole('table', { name: `Open lines of ${reference}` }).getByRole('row', { name: 'S-20' })
  await open.dragTo(page.getByRole('region', { name: second }))
  await expect.poll(stored).toEqual([
    ['10', 40, { [first]: 25 }],
    ['20', 40, { [second]: 40 }],
  ])
  await page.getByRole('table', { name: second }).getByText('S-20').waitFor()
  await page.getByRole('table', { name: first }).getByText(reference).click()
  await page.keyboard.press('u')
  await expect.poll(stored).toEqual([
    ['10', 15, {}],
    ['20', 40, { [second]: 40 }],
  ])
})

test('what somebody else packed meanwhile is shown beside the own change, and not overwritten', async () => {
  const { slug, page, stored, reference, params } = await aShipment(40)
  await page.keyboard.press('0')
  await expect.poll(stored).toEqual([['10', 40, {}]])
  await page.getByRole('table', { name: 'Not packed' }).getByText(reference).click()
  const shipped_order_lines = [{ container_number: second, shipped_quantity: 30 }]
  const named = { ...params, reference, line: '10' }
  await forwarder.ops('pack', slug, { params: named, body: { shipped_order_lines } })
  await page.keyboard.press('1')
  const dialog = page.getByRole('dialog', { name: `Somebody else changed ${reference}, line 10` })
  await dialog.getByRole('row', { name: second }).waitFor()
  expect(await stored()).toEqual([['10', 40, { [second]: 30 }]])
  await expectAccessible(page)
  await dialog.getByRole('row', { name: first }).getByRole('radio').nth(1).check()
  await dialog.getByRole('button', { name: 'Save the chosen values' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await stored()).toEqual([['10', 40, { [second]: 30 }]])
  portal.expectFailures(`/ops/v1/accounts/${slug}/`)
})
