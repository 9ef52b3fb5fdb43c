import { expect, test } from 'vitest'
import type { ImportLine } from '../../src/contract/import-line.js'
import { documentTypes } from '../../src/contract/public/document-types.js'
import { invoiceStatuses, invoiceTypes } from '../../src/contract/public/invoice.js'
import { trackingDateStatuses } from '../../src/contract/public/shared-types.js'
import {
  containerTypes,
  freightModes,
  freightTypes,
  incoterms,
  loadTypes,
  shipmentStatuses,
} from '../../src/contract/public/shipment.js'
import { stepTypes, trackingStatuses } from '../../src/contract/public/tracking.js'
import { demoLines } from '../../src/sandbox/demo.js'
import { textOf } from '../support/pdf-text.js'
import {
  expectReferencesToResolve,
  expectSoundBooking,
  expectSoundCargo,
  expectSoundInvoice,
  expectSoundOrders,
  expectValid,
  linesOf,
} from './consistency.js'
import { expectSoundTracking } from './tracking-consistency.js'

const today = '2026-03-10'
const lines = await collect(today)
const shipments = linesOf(lines, 'shipment', 'demo').map(({ data }) => data)
const trackings = linesOf(lines, 'tracking', 'demo').map(({ data }) => data)
const invoices = linesOf(lines, 'invoice', 'demo').map(({ data }) => data)
const documents = linesOf(lines, 'document', 'demo').map(({ data }) => data)

async function collect(date: string): Promise<ImportLine[]> {
  const collected: ImportLine[] = []
  for await (const line of demoLines(date)) collected.push(line)
  return collected
}

test('the demo has three accounts: a full one, a second one and an empty one', () => {
  expect(linesOf(lines, 'account').map(({ account }) => account)).toEqual(['demo', 'demo-second', 'demo-empty'])
  expect(shipments.length).toBeGreaterThanOrEqual(75)
  expect(linesOf(lines, 'shipment', 'demo-second')).toHaveLength(12)
  expect(lines.filter(({ account }) => account === 'demo-empty')).toHaveLength(1)
})

test('orders of the demo are as old as the shipment that they were placed with, and none is from the future', () => {
  const orders = linesOf(lines, 'purchase_order', 'demo')
  const placed = new Set(shipments.map(({ created_at }) => created_at))
  for (const { stored_at } of orders) {
    expect(placed).toContain(stored_at)
    expect(Date.parse(stored_at ?? '')).toBeLessThanOrEqual(Date.parse(`${today}T23:59:59Z`))
  }
  expect(new Set(orders.map(({ stored_at }) => stored_at)).size).toBeGreaterThan(orders.length / 3)
})

const containers = shipments.flatMap(({ cargo }) => cargo!.containers ?? [])
const goods = shipments.map(({ transported_goods }) => transported_goods!)
const steps = trackings.flatMap(({ tracking_steps }) => tracking_steps!)
test.each([
  ['freight mode', freightModes, shipments.map(({ freight_mode }) => freight_mode)],
  ['shipment status', shipmentStatuses, shipments.map(({ status }) => status)],
  ['load type', loadTypes, shipments.map(({ load_type }) => load_type)],
  ['freight type', freightTypes, shipments.map(({ freight_type }) => freight_type)],
  ['incoterm', incoterms, shipments.map(({ incoterm }) => incoterm)],
  ['container type', containerTypes, containers.map(({ container_type }) => container_type)],
  ['tracking status', trackingStatuses, trackings.map(({ status }) => status)],
  ['step type', stepTypes, steps.map(({ type }) => type)],
  ['event status', trackingDateStatuses, steps.flatMap(({ events }) => events!).map(({ status }) => status)],
  ['invoice status', invoiceStatuses, invoices.map(({ status }) => status)],
  ['invoice type', invoiceTypes, invoices.map(({ type }) => type)],
  ['document type', [...documentTypes, null], documents.map(({ type }) => type)],
  ['lithium packaging', ['alone', 'contained', 'packed'], goods.map((each) => each.lithium_packaging_type)],
])('the demo has every %s', (_, values, shown) => {
  expect([...values].filter((value) => !shown.includes(value as never))).toEqual([])
})

test('the demo has hazardous goods, magnets and cold chains', () => {
  const hazardous = goods.filter(({ is_hazardous }) => is_hazardous)
  expect(hazardous.length).toBeGreaterThan(0)
  for (const { hazardous_description } of hazardous) expect(hazardous_description).toMatch(/^UN\d{4}, Class \d/)
  expect(goods.some(({ contains_magnets }) => contains_magnets)).toBe(true)
  const cold = goods.filter(({ needs_controlled_temperature }) => needs_controlled_temperature)
  expect(cold.length).toBeGreaterThan(0)
  for (const { temperature_range_description } of cold) expect(temperature_range_description).toContain('°C')
})

test.each(['2026-01-01', today, '2026-03-29', '2026-07-31', '2026-11-01', '2028-02-29'])(
  'the demo of %s is valid and consistent',
  async (date) => {
    const all = date === today ? lines : await collect(date)
    expectValid(all)
    expectReferencesToResolve(all)
    for (const { data } of linesOf(all, 'shipment')) {
      expectSoundCargo(data)
      expectSoundBooking(data)
    }
    for (const line of linesOf(all, 'invoice')) expectSoundInvoice(line, date)
    expectSoundOrders(all)
    expectSoundTracking(all, Date.parse(`${date}T00:00:00Z`))
  },
  30_000,
)

test('the second account uses the same identifiers as the first for other resources', () => {
  const identifiers = (account: string) => [
    ...linesOf(lines, 'location', account).map(({ data }) => `location ${data.id}`),
    ...linesOf(lines, 'purchase_order', account).map(({ data }) => `order ${data.reference}`),
  ]
  const shared = identifiers('demo-second').filter((each) => identifiers('demo').includes(each))
  expect(shared.some((each) => each.startsWith('location'))).toBe(true)
  expect(shared.some((each) => each.startsWith('order'))).toBe(true)
})

test('documents are PDFs that name their shipment, its containers and its goods', () => {
  expect(documents.length).toBeGreaterThanOrEqual(110)
  expect(documents.length).toBeLessThanOrEqual(220)
  for (const { content_base64, size, svc_shipment_id, name } of documents) {
    const bytes = Buffer.from(content_base64!, 'base64')
    expect(bytes).toHaveLength(size!)
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    const text = textOf(bytes)
    const { cargo } = shipments.find((shipment) => shipment.svc_shipment_id === svc_shipment_id)!
    expect(text, name).toContain(svc_shipment_id)
    expect(text, name).toContain(`${cargo!.total_weight!.value} ${cargo!.total_weight!.unit}`)
    for (const { container_number } of cargo!.containers ?? []) expect(text).toContain(container_number ?? '-')
    // Characters that Helvetica does not have would be printed as others.
    expect(text).not.toMatch(/[^\x20-\xff]/)
  }
})

test('the demo of a date is reproducible byte for byte, and differs on another date', async () => {
  expect(JSON.stringify(await collect(today))).toBe(JSON.stringify(lines))
  expect(JSON.stringify(await collect('2026-03-11'))).not.toBe(JSON.stringify(lines))
})
