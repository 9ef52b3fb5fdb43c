import { expect, test } from 'vitest'
import { send } from '../../../src/client/client.js'
import type { OperationName } from '../../../src/contract/public/operations.js'
import { line } from '../../support/account.js'
import { newOperator } from '../../support/operator.js'
import { expectSameAfterRederivation } from '../../support/rederivation.js'
import { startService } from '../../support/service.js'

const service = await startService()

const container_number = 'MSCU1234566'

test('every response is right after each step of a whole life cycle, from the account to the credit note', async () => {
  const admin = await newOperator(service, 'admin')
  const people = await newOperator(service, 'operations')
  const finance = await newOperator(service, 'finance')
  const slug = `life-${Date.now().toString(36)}`

  // The account and the key of its system.
  const created = await admin.ops('createAccount', undefined, { body: { slug, name: 'Northwind Trading' } })
  expect(created.body).toMatchObject({ slug, name: 'Northwind Trading', suspended: false })
  const { key } = (await admin.ops('createKey', slug, { body: { name: 'ERP' } })).body
  const [row] = await service.db<{ id: number }[]>`select account_id as id from accounts where slug = ${slug}`
  const account = { id: row?.id as number, slug, key }
  const read = async (name: OperationName, params?: Record<string, string>) => {
    const response = await send({ baseUrl: service.baseUrl, key }, name, (params ? { params } : {}) as never)
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  expect((await read('listShipments')).status).toBe(404)
  await expectSameAfterRederivation(service, account)

  // Locations.
  const factory = (await people.ops('createLocation', slug, { body: { name: 'Factory', country: 'CN' } })).body
  const warehouse = (
    await people.ops('createLocation', slug, { body: { name: 'Warehouse', country: 'FR', zip_code: 69007 } })
  ).body
  expect((await read('listLocations')).body).toEqual([
    { id: 1, name: 'Factory', country: 'CN' },
    { id: 2, name: 'Warehouse', zip_code: 69007, country: 'FR' },
  ])

  // The customer's order.
  const ordered = await send({ baseUrl: service.baseUrl, key }, 'createPurchaseOrder', {
    body: { reference: 'PO/1', product_lines: [line({ reference: '1', ordered_quantity: 100 })] },
  })
  expect(ordered.status).toBe(201)

  // The shipment, from the booking request on.
  const booked = (
    await people.ops('createShipment', slug, {
      body: {
        name: 'Lamps for spring',
        freight_mode: 'ocean',
        load_type: 'fcl',
        route: {
          pickup_location_id: factory.id,
          origin_port_unlocode: 'CN/SHA',
          destination_port_unlocode: 'FR/LEH',
          delivery_location_id: warehouse.id,
        },
        cargo: {
          containers: [{ container_type: 'forty_foot_highcube_standard', container_number, seal_number: 'S1' }],
          loads: [
            {
              count: 10,
              type: 'pallet',
              weight: { value: 120.5, unit: 'kg' },
              length: { value: 120, unit: 'cm' },
              width: { value: 80, unit: 'cm' },
              height: { value: 100, unit: 'cm' },
            },
          ],
        },
      },
    })
  ).body
  const { id } = booked
  const shipment = async () => (await read('getShipment', { svc_shipment_id: id })).body
  expect(await shipment()).toMatchObject({
    status: 'booking_request',
    cargo: {
      total_weight: { value: 1205, unit: 'kg' },
      total_volume: { value: 9.6, unit: 'cbm' },
      total_teus: 2,
    },
    purchase_order_references: [],
    invoice_status: 'awaiting_invoice',
  })
  for (const status of ['awaiting_booking', 'booked'] as const) {
    await people.ops('moveShipment', slug, { params: { svc_shipment_id: id }, body: { status } })
    expect(await shipment()).toMatchObject({ status })
  }

  // Assignments and packing of the order.
  const assignment = { reference: 'PO/1', line: '1', svc_shipment_id: id }
  const order = async () => (await read('getPurchaseOrder', { reference: 'PO/1' })).body
  expect(await people.ops('assign', slug, { params: assignment, body: { assigned_quantity: 100.5 } })).toBeRefused(
    'quantity_exceeded',
  )
  await people.ops('assign', slug, { params: assignment, body: { assigned_quantity: 60 } })
  expect(await shipment()).toMatchObject({ purchase_order_references: ['PO/1'] })
  expect(await order()).toMatchObject({
    purchase_order_lines: [
      { assigned_order_lines: [{ svc_shipment_id: id, assigned_quantity: 60, shipment_status: 'booked' }] },
    ],
  })
  const update = await send({ baseUrl: service.baseUrl, key }, 'updatePurchaseOrder', {
    body: { reference: 'PO/1', supplier_id: 'Fabrika' },
  })
  expect(update.status).toBe(409)
  await people.ops('pack', slug, {
    params: assignment,
    body: { shipped_order_lines: [{ container_number, shipped_quantity: 60, packaging_type: 'pallet' }] },
  })
  expect(await shipment()).toMatchObject({ cargo: { containers: [{ purchase_order_references: ['PO/1'] }] } })
  await expectSameAfterRederivation(service, account)

  // Tracking from pick-up to delivery.
  const params = { svc_shipment_id: id }
  await people.ops('planTracking', slug, {
    params,
    body: {
      steps: [
        { id: 'pickup', type: 'pickup', location_id: 1 },
        { id: 'pol', type: 'origin_port', port: { unlocode: 'CN/SHA', city: 'Shanghai', country: 'CN' } },
        { id: 'pod', type: 'destination_port', port: { unlocode: 'FR/LEH', city: 'Le Havre', country: 'FR' } },
        { id: 'door', type: 'delivery', location_id: 2 },
      ],
    },
  })
  const tracking = async () => (await read('getTracking', { svc_shipment_id: id })).body
  expect(await tracking()).toMatchObject({ status: 'pending' })
  const say = (step: string, description: string, date: string, status: 'planned' | 'estimated' | 'actual') =>
    people.ops('addEvent', slug, { params, body: { step, description, date, status, source: 'Carrier' } })
  await say('pod', 'Vessel arrival', '2026-04-10T08:00:00+02:00', 'planned')
  await say('pod', 'Vessel arrival', '2026-04-12T08:00:00+02:00', 'estimated')
  expect(await tracking()).toMatchObject({ initial_dates: { eta: '2026-04-10T08:00:00+02:00' } })
  expect(await shipment()).toMatchObject({
    main_tracking_dates: { arrival_date: { date: '2026-04-12T08:00:00+02:00', status: 'estimated' } },
  })
  await people.ops('moveShipment', slug, { params, body: { status: 'in_progress' } })
  const way = [
    ['pickup', 'Picked up', '2026-03-01T09:00:00+08:00', 'at_origin'],
    ['pol', 'Gate in at terminal', '2026-03-03T09:00:00+08:00', 'at_origin'],
    ['pol', 'Vessel departed', '2026-03-05T22:00:00+08:00', 'in_transit'],
    ['pod', 'Vessel arrived', '2026-04-11T06:30:00+02:00', 'arrived'],
    ['door', 'Out for delivery', '2026-04-14T07:00:00+02:00', 'out_for_delivery'],
    ['door', 'Delivered', '2026-04-14T11:00:00+02:00', 'delivered'],
  ] as const
  for (const [step, description, date, status] of way) {
    await say(step, description, date, 'actual')
    expect(await tracking(), description).toMatchObject({ status })
  }
  await people.ops('addPosition', slug, { params, body: { latitude: 30.5, longitude: 122.25 } })
  expect(await tracking()).toMatchObject({
    initial_dates: { eta: '2026-04-10T08:00:00+02:00' },
    ocean_coordinates: [{ latitude: '30.5', longitude: '122.25' }],
  })
  expect(await shipment()).toMatchObject({
    main_tracking_dates: {
      pickup_date: { date: '2026-03-01T09:00:00+08:00', status: 'actual' },
      departure_date: { date: '2026-03-05T22:00:00+08:00', status: 'actual' },
      arrival_date: { date: '2026-04-11T06:30:00+02:00', status: 'actual' },
      delivery_date: { date: '2026-04-14T11:00:00+02:00', status: 'actual' },
    },
  })
  await people.ops('moveShipment', slug, { params, body: { status: 'finished' } })
  expect(await order()).toMatchObject({
    purchase_order_lines: [{ assigned_order_lines: [{ shipment_status: 'finished' }] }],
  })
  await expectSameAfterRederivation(service, account)

  // A document.
  const proof = await people.sendFile(
    'uploadDocument',
    slug,
    {},
    { name: 'proof.txt', bytes: Buffer.from('Received in good order.') },
    { svc_shipment_id: id, type: 'proof_of_delivery' },
  )
  expect(proof.status).toBe(201)
  const documents = (await read('listDocuments')).body as unknown as { link: string; name: string }[]
  expect(documents).toMatchObject([{ name: 'proof.txt', type: 'proof_of_delivery', svc_shipment_id: id, size: 23 }])
  expect(await (await fetch(documents[0]?.link as string)).text()).toBe('Received in good order.')

  // The invoice: hidden as a draft, visible with its number, partly paid.
  const draft = await finance.ops('draftInvoice', slug, {
    body: {
      svc_shipment_id: id,
      lines: [
        {
          description: 'Ocean freight',
          quantity: { value: 2, unit: 'TEU' },
          unit_rate: { amount: 1000.25, currency: 'EUR' },
          vatRate: 20,
        },
      ],
    },
  })
  const invoice = { reference: draft.body.id }
  expect(draft.body.totals).toEqual([
    { currency: 'EUR', net: 2000.5, vat: [{ rate: 20, net: 2000.5, amount: 400.1 }], gross: 2400.6 },
  ])
  expect((await read('listInvoices')).body).toEqual([])
  const issued = await finance.ops('issueInvoice', slug, { params: invoice, body: { status: 'due' } })
  const number = issued.body.record.number as string
  expect(number).toMatch(/^INV-\d{4}-\d{6}$/)
  expect((await read('getInvoice', { reference: number })).body).toMatchObject({ status: 'due', number })
  expect(await shipment()).toMatchObject({ invoice_status: 'due', invoice_references: [number] })
  await expectSameAfterRederivation(service, account)

  const paid = await finance.ops('recordPayment', slug, {
    params: invoice,
    body: { amount: 2000, currency: 'EUR', paid_on: '2026-05-02' },
  })
  expect(paid.body.outstanding).toEqual([{ amount: 400.6, currency: 'EUR' }])
  expect(await shipment()).toMatchObject({ invoice_status: 'partially_paid' })

  // The credit note that settles it.
  const credit = {
    lines: [{ description: 'Goodwill', price: { amount: 333.83, currency: 'EUR' as const }, vatRate: 20 }],
  }
  const note = await finance.ops('draftCreditNote', slug, { params: invoice, body: credit })
  await finance.ops('issueInvoice', slug, { params: { reference: note.body.id }, body: {} })
  expect(await shipment()).toMatchObject({ invoice_status: 'paid' })
  expect((await read('getInvoice', { reference: invoice.reference })).body).toMatchObject({ status: 'paid' })
  expect((await shipment()).invoice_references).toHaveLength(2)
  await expectSameAfterRederivation(service, account)
})
