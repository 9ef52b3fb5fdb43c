import { expect, test } from 'vitest'
import { binaryFiles } from '../../support/sample-files.js'
import { expectAccessible, expectNoSidewaysScroll, phone, startPortal } from './support.js'

/** A supplier uploads a document by a link, on a phone and without an account. */

const portal = await startPortal()
test('a supplier who was invited on the page of a shipment uploads a document, which waits for the forwarder', async () => {
  const page = await portal.signedIn('/documents')
  const answer = await page.request.get('/portal/v1/documents?take=1')
  const { documents } = (await answer.json()) as { documents: { svc_shipment_id: string }[] }
  const shipment = documents[0]?.svc_shipment_id ?? ''
  await page.goto(`/documents?svc_shipment_id=${encodeURIComponent(shipment)}`)
  await page.getByRole('button', { name: 'Invite supplier' }).click()
  await page.getByRole('textbox', { name: 'Supplier' }).fill('Ningbo Lantern Works')
  await page.reload()
  await expect.poll(() => page.getByRole('textbox', { name: 'Supplier' }).inputValue()).toBe('Ningbo Lantern Works')
  await page.getByRole('button', { name: 'Create link' }).click()
  const url = await page.getByText(/\/supply#[\w-]{32}/).innerText()
  await expectAccessible(page)

  const supplier = await portal.newPage({ size: phone })
  await supplier.goto(url)
  await supplier.getByText('Ningbo Lantern Works').waitFor()
  await expectAccessible(supplier)
  await expectNoSidewaysScroll(supplier)
  await supplier.getByLabel('Document type').selectOption('packing_list')
  const file = { name: 'list.pdf', mimeType: 'application/pdf', buffer: binaryFiles.pdf as Buffer }
  await supplier.locator('input[type=file]').first().setInputFiles(file)
  await supplier.getByText('list.pdf was uploaded').waitFor()
  await supplier.getByText('With your forwarder').waitFor()
  expect(await supplier.context().cookies()).toEqual([])

  await page.reload()
  await page.getByText('Ningbo Lantern Works').waitFor()
  await page.getByText('With your forwarder').first().waitFor()
})
