import { expect, test } from 'vitest'
import { printPdf } from '../../../src/pdf/pdf.js'
import { newOperatorPerson } from '../../support/office.js'
import { testPassword } from '../../support/person.js'
import { expectAccessible, expectNoSidewaysScroll, phone, startPortal } from './support.js'

/** The documents desk of the office. */

const portal = await startPortal()
const { service, demo, forwarder } = portal

test('dropped files are suggested a type and a shipment, survive another page, and are filed; one that fails can be retried', async () => {
  const page = await portal.newPage()
  const { email } = await newOperatorPerson(service, 'operations', { name: 'Doris Desk' })
  await page.context().request.post('/office/v1/session', { data: { email, password: testPassword } })
  const svc_shipment_id = 'DESK-20260001'
  await forwarder.ops('createShipment', demo.slug, { body: { svc_shipment_id, status: 'booked' } })
  const pdf = await printPdf({ defaultStyle: { font: 'Helvetica' }, content: ['Packing list', svc_shipment_id] })

  await page.goto('/office/documents')
  await page.getByLabel('Drop files here, or choose them').setInputFiles([
    { name: 'scan0001.pdf', mimeType: 'application/pdf', buffer: pdf },
    // Its content is not what its name says: the service refuses it.
    { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from('no picture') },
  ])
  const desk = page.getByRole('list', { name: 'On the desk' })
  await desk.getByText('“Packing list” in its text').waitFor()
  expect(await desk.getByLabel('Type: scan0001.pdf').inputValue()).toBe('packing_list')
  await desk.getByLabel('Container, bill, booking, order or shipment number: photo.png').fill(svc_shipment_id)
  await desk.getByRole('button', { name: 'Find' }).click()
  await desk.getByLabel('Shipment: photo.png').waitFor()
  await page.getByRole('region', { name: 'Missing documents' }).waitFor()
  await expectAccessible(page)

  await page.getByRole('navigation').getByRole('link', { name: 'Shipments' }).click()
  await page.getByRole('heading', { level: 1, name: 'Shipments' }).waitFor()
  await page.goBack()
  portal.expectFailures(`/ops/v1/accounts/${demo.slug}/documents`)
  await desk.getByText('photo.png').first().waitFor()
  await page.keyboard.press('f')
  await page.getByText('1 filed, 1 failed').first().waitFor()
  await desk.getByRole('button', { name: 'Retry: photo.png' }).waitFor()
  await expectAccessible(page)
  const filed = async () =>
    (await forwarder.ops('listDocuments', demo.slug, { query: { svc_shipment_id } })).body.map(({ record }) => record)
  expect(await filed()).toMatchObject([{ name: 'scan0001.pdf', type: 'packing_list' }])
  await page.keyboard.press('z')
  await page.getByText('Undone').first().waitFor()
  expect(await filed()).toEqual([])

  await page.setViewportSize(phone)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNoSidewaysScroll(page)
  await expectAccessible(page, 'colours')
})
