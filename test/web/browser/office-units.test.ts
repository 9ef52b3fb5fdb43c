import { expect, test } from 'vitest'
import { newAccount } from '../../support/account.js'
import { newOperatorPerson } from '../../support/office.js'
import { testPassword } from '../../support/person.js'
import { expectAccessible, startPortal } from './support.js'

/** Containers and seals of a shipment, in its file. */

const portal = await startPortal()
const { service, forwarder } = portal

test('units are added, changed and removed, and what somebody else saved meanwhile is decided by field', async () => {
  const { slug, call } = await newAccount(service)
  const product_lines = [{ reference: '10', ordered_quantity: 40, product: { sku: 'LAMP' } }]
  await call('createPurchaseOrder', { body: { reference: 'PO-1', product_lines } })
  const shipped_order_lines = [{ container_number: 'TGHU7599330', shipped_quantity: 40 }]
  const { body } = await forwarder.ops('createShipment', slug, {
    body: {
      cargo: { containers: [{ container_number: 'TGHU7599330', seal_number: 'A1' }, { seal_number: 'B1' }] },
      order_lines: [{ reference: 'PO-1', line: '10', assigned_quantity: 40, shipped_order_lines }],
    },
  })
  const params = { svc_shipment_id: body.id }
  portal.expectFailures(`/ops/v1/accounts/${slug}/shipments/${body.id}`)
  const stored = async () =>
    (await forwarder.ops('getShipment', slug, { params })).body.record.cargo?.containers?.map(
      ({ container_number = '', seal_number = '' }) => `${container_number} ${seal_number}`,
    )
  const page = await portal.newPage()
  const { email } = await newOperatorPerson(service, 'operations', { name: 'Una Units' })
  await page.context().request.post('/office/v1/session', { data: { email, password: testPassword } })
  await page.goto(`/office/shipments/${slug}/${body.id}`)
  await page.getByRole('button', { name: 'Edit units u' }).waitFor()
  await page.keyboard.press('u')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Number, Unit 2').fill('csqu3054380')
  await dialog.getByText('its last digit should be 3').waitFor()
  await dialog.getByRole('button', { name: 'Add unit' }).click()
  await dialog.getByLabel('Seal, Unit 3').fill('C1')
  await page.reload()
  await expectAccessible(page)
  await dialog.getByLabel('Seal, Unit 2').fill('B2')

  // Another person changes the seals meanwhile.
  const containers = [{ container_number: 'TGHU7599330', seal_number: 'A2' }, { seal_number: 'B3' }]
  await forwarder.ops('updateShipment', slug, { params, body: { cargo: { containers } } })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('row', { name: 'Unit 2, Seal' }).getByRole('radio').first().check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save the chosen values' }).click()
  await expect.poll(stored).toEqual(['TGHU7599330 A2', 'CSQU3054380 B2', ' C1'])
  await page.getByRole('table', { name: 'Units' }).getByText('its last digit should be 3').waitFor()
  await page.keyboard.press('z')
  await expect.poll(stored).toEqual(['TGHU7599330 A2', ' B3'])
  await page.getByRole('table', { name: 'Units' }).getByText('B3').waitFor()

  // Order lines are packed into the first: another number takes them over.
  await page.keyboard.press('u')
  await dialog.getByLabel('Number, Unit 1').fill('MSKU7031415')
  await dialog.getByRole('button', { name: 'Remove: Unit 2' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('MSKU7031415 replaces TGHU7599330.').waitFor()
  await dialog.getByLabel('Reason').fill('The doors did not close')
  await dialog.getByRole('button', { name: 'Replace and save' }).click()
  await expect.poll(stored).toEqual(['MSKU7031415 A2'])
  const { body: lines } = await forwarder.ops('listOrderLines', slug, { params })
  expect(lines[0]?.record.shipped_order_lines?.[0]?.container_number).toBe('MSKU7031415')
})
