import { text } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { ExceptionPage } from '../../../src/contract/portal/exceptions.js'
import type { Overview } from '../../../src/contract/portal/overview.js'
import type { InboundLine } from '../../../src/contract/public/inbound.js'
import { en } from '../../../web/portal/i18n/en.js'
import { evaluate } from '../../support/exceptions.js'
import { binaryFiles } from '../../support/sample-files.js'
import { phone, startPortal } from './support.js'

/** A day of an import manager, from the numbers of the morning to the sheet for the warehouse. */

const portal = await startPortal()
const day = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString()

async function read<Body>(page: Page, path: string): Promise<Body> {
  return (await (await page.request.get(path)).json()) as Body
}

const exceptionsOf = async (page: Page, query: string) =>
  (await read<ExceptionPage>(page, `/portal/v1/exceptions?${query}`)).exceptions.map(({ exception }) => exception)

/** A demo shipment under way with order lines on it, which is then held by customs and expected ten days later. */
const troubled = { svc_shipment_id: '', lines: [] as InboundLine[] }
beforeAll(async () => {
  const { forwarder, demo, service } = portal
  await evaluate(service, demo.id)
  const { body: inbound } = await forwarder.ops('listInbound', demo.slug, { query: { take: 1000 } })
  for (const { svc_shipment_id, is_delivered, expected_date } of inbound) {
    if (svc_shipment_id === undefined || is_delivered || expected_date === undefined) continue
    const params = { svc_shipment_id }
    const { record: shipment } = (await forwarder.ops('getShipment', demo.slug, { params })).body
    if (shipment.freight_mode !== 'ocean' || Date.parse(expected_date) < Date.now() + 3 * day) continue
    const { body: tracking } = await forwarder.ops('getTracking', demo.slug, { params })
    const destination = tracking.steps.find(({ type }) => type === 'destination_port')
    if (destination === undefined || shipment.status !== 'in_progress') continue
    const report = async (body: { code: 'ARRIVED' | 'CUSTOMS_HOLD'; status: 'actual' | 'estimated'; date: string }) => {
      const event = { step: destination.id, issued_at: inDays(0), description: body.code, ...body }
      const { status, text: response } = await forwarder.ops('addEvent', demo.slug, { params, body: event })
      expect(status, response).toBe(201)
    }
    const days = Math.round((Date.parse(expected_date) - Date.now()) / day)
    await report({ code: 'ARRIVED', status: 'estimated', date: inDays(days + 10) })
    await report({ code: 'CUSTOMS_HOLD', status: 'actual', date: inDays(-1) })
    await evaluate(service, demo.id)
    troubled.svc_shipment_id = svc_shipment_id
    troubled.lines = inbound.filter((line) => line.svc_shipment_id === svc_shipment_id)
    return
  }
  throw new Error('the demo has no ocean shipment under way with order lines')
}, 120_000)

test('a morning: every number opens its list, a hold is acknowledged, and a delay leads to its orders and products', async () => {
  const page = await portal.signedIn('/')
  const { to_do } = await read<Overview>(page, '/portal/v1/overview')
  const numbers = [
    [en.overview.lateNow, en.shipments.title, to_do.late],
    [en.overview.held, en.exceptions.title, to_do.held],
    [en.overview.freeTime, en.exceptions.title, to_do.free_time],
    [en.overview.missingDocuments, en.exceptions.title, to_do.missing_documents],
    [en.overview.arriving, en.shipments.title, to_do.arriving],
    [en.overview.overdueInvoices, en.invoices.title, to_do.overdue_invoices],
    ['Unassigned orders', en.orders.title, to_do.unassigned_orders],
    [en.overview.lateOrders, en.orders.title, to_do.late_orders],
  ] as const
  for (const [name, title, { value }] of numbers) {
    expect(value, name).toBeGreaterThan(0)
    await page
      .getByRole('link', { name: `${value} ${name}`, exact: true })
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    const rows = page.locator('tbody tr[data-row], [data-exception]')
    await expect.poll(() => rows.count()).toBe(Math.min(value, 50))
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: en.overview.title }).waitFor()
  }

  const of = (kind: string) => `state=open&kind=${kind}&svc_shipment_id=${troubled.svc_shipment_id}`
  const [hold] = await exceptionsOf(page, of('hold'))
  await page.getByRole('link', { name: `${to_do.held.value} ${en.overview.held}` }).click()
  const row = page.locator(`[data-exception="${hold?.exception_id}"]`)
  await row.getByRole('button', { name: en.exceptions.acknowledge }).click()
  await expect
    .poll(async () => (await exceptionsOf(page, of('hold')))[0]?.acknowledged?.by)
    .toBe(`person:${portal.admin.person_id}`)

  // A hold is acknowledged, but not over: its number on the overview stays.
  await page.goto('/')
  await page.getByRole('link', { name: `${to_do.held.value} ${en.overview.held}` }).waitFor()

  // The hold stands beside the dates of the shipment.
  await page.goto(`/shipments?q=${encodeURIComponent(troubled.svc_shipment_id)}`)
  const held = page.getByRole('row').filter({ hasText: troubled.svc_shipment_id })
  await held.getByText(en.shipments.held).first().waitFor()

  const [slip] = await exceptionsOf(page, of('eta_slip'))
  const threatened = slip?.threatens ?? []
  expect(
    new Set(threatened.map(({ po_number, line, sku, quantity }) => `${po_number} ${line} ${sku} ${quantity}`)),
  ).toEqual(
    new Set(troubled.lines.map(({ reference, line, sku, quantity }) => `${reference} ${line} ${sku} ${quantity}`)),
  )
  await page.goto(`/shipments/${encodeURIComponent(troubled.svc_shipment_id)}`)
  const open = page.getByRole('region', { name: en.exceptions.open })
  const order = threatened[0]?.po_number ?? ''
  await open.locator(`[data-exception="${slip?.exception_id}"]`).getByRole('link', { name: order }).click()
  await page.getByRole('heading', { level: 1, name: order }).waitFor()
  const { sku = '', expected_date } = threatened[0]!
  await page.getByRole('table', { name: en.order.lines }).getByText(sku).first().waitFor()
  await page.goto(`/inbound?sku=${encodeURIComponent(sku)}`)
  await page.getByRole('link', { name: sku }).first().waitFor()
  const lines = await read<InboundLine[]>(page, `/v1/inbound?take=1000&sku=${encodeURIComponent(sku)}`)
  expect(lines.find((line) => line.svc_shipment_id === troubled.svc_shipment_id)?.expected_date).toBe(
    expected_date?.slice(0, 10),
  )
})

test('a supplier uploads a document by a link, and the inbound sheet has exactly what the records say', async () => {
  const page = await portal.signedIn(`/documents?svc_shipment_id=${encodeURIComponent(troubled.svc_shipment_id)}`)
  await page.getByRole('button', { name: 'Invite supplier' }).click()
  await page.getByRole('textbox', { name: 'Supplier' }).fill('Ningbo Lantern Works')
  await page.getByRole('button', { name: 'Create link' }).click()
  const url = await page.getByText(/\/supply#[\w-]{32}/).innerText()
  const supplier = await portal.newPage({ size: phone })
  await supplier.goto(url)
  await supplier.getByLabel('Document type').selectOption('packing_list')
  const file = { name: 'packing.pdf', mimeType: 'application/pdf', buffer: binaryFiles.pdf as Buffer }
  await supplier.locator('input[type=file]').first().setInputFiles(file)
  await supplier.getByText('packing.pdf was uploaded').waitFor()
  const { body: proposed } = await portal.forwarder.ops('listDocumentProposals', undefined, {
    query: { account: portal.demo.slug },
  })
  expect(
    proposed.proposals.filter(({ proposal: { svc_shipment_id } }) => svc_shipment_id === troubled.svc_shipment_id),
  ).toHaveLength(1)

  await page.goto('/inbound')
  await page.getByRole('button', { name: en.shipments.export }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: en.shipments.exportCsv }).click(),
  ])
  const rows = parse(await text(await download.createReadStream()), { bom: true, columns: true }) as Row[]
  const records = await read<InboundLine[]>(page, '/v1/inbound?take=1000')
  expect(rows.map((row) => [row.Order, row.Line, row.Shipment, row.SKU, Number(row.Quantity), row.Expected])).toEqual(
    records.map(({ reference, line, svc_shipment_id = '', sku, quantity, expected_date = '' }) => [
      reference,
      line,
      svc_shipment_id,
      sku,
      quantity,
      expected_date,
    ]),
  )
})

type Row = Record<'Order' | 'Line' | 'Shipment' | 'SKU' | 'Quantity' | 'Expected', string>
