import { expect, test } from 'vitest'
import type { Shipment } from '../../src/contract/public/shipment.js'
import { type Line, line, newAccount, type TestAccount } from '../support/account.js'
import { startService } from '../support/service.js'

const service = await startService()

const order = (reference: string): Line => ({
  kind: 'purchase_order',
  data: { reference, product_lines: [line({ reference: '1', ordered_quantity: 10 })] },
})

test('an imported derived field is shown until its sources exist', async () => {
  const { call, forwarder } = await newAccount(service)
  const explicit: Partial<Shipment> = {
    purchase_order_references: ['PO-GIVEN'],
    invoice_status: 'paid',
    invoice_references: ['F-GIVEN'],
    main_tracking_dates: { arrival_date: { date: '2026-05-05T05:05:05Z', status: 'planned' } },
  }
  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S-1', ...explicit } })
  const read = async () => (await call('getShipment', { params: { svc_shipment_id: 'S-1' } })).body
  expect(await read()).toMatchObject(explicit)

  await forwarder.imports({
    kind: 'invoice',
    data: { reference: 'I-1', number: 'F-1', svc_shipment_id: 'S-1', type: 'invoice', status: 'due' },
  })
  expect(await read()).toMatchObject({ ...explicit, invoice_status: 'due', invoice_references: ['F-1'] })

  await forwarder.imports(order('PO-1'), {
    kind: 'assignment',
    data: { reference: 'PO-1', line: '1', svc_shipment_id: 'S-1', assigned_quantity: 1 },
  })
  expect((await read()).purchase_order_references).toEqual(['PO-1'])

  const arrived = { date: '2026-06-06T06:06:06+02:00', status: 'actual' } as const
  await forwarder.imports({
    kind: 'tracking',
    data: {
      svc_shipment_id: 'S-1',
      tracking_steps: [{ type: 'destination_port', events: [{ description: 'Vessel arrived', ...arrived }] }],
    },
  })
  expect((await read()).main_tracking_dates).toEqual({ arrival_date: arrived })

  // Imported again: the derived value still takes precedence.
  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S-1', name: 'again', ...explicit } })
  expect(await read()).toMatchObject({
    name: 'again',
    invoice_status: 'due',
    invoice_references: ['F-1'],
    purchase_order_references: ['PO-1'],
    main_tracking_dates: { arrival_date: arrived },
  })
})

test('an unchanged shipment that is imported again shows the other lines of the file', async () => {
  const account = await newAccount(service)
  const shipment: Line = { kind: 'shipment', data: { svc_shipment_id: 'S-1' } }
  await account.forwarder.imports(shipment)
  await account.forwarder.imports(shipment, {
    kind: 'invoice',
    data: { reference: 'I-1', number: 'F-1', svc_shipment_id: 'S-1', type: 'invoice', status: 'paid' },
  })
  expect(await invoicesOf(account, 'S-1')).toEqual({ invoice_status: 'paid', invoice_references: ['F-1'] })
})

test('an invoice that moves to another shipment changes both', async () => {
  const account = await newAccount(service)
  const invoice = (svc_shipment_id?: string): Line => ({
    kind: 'invoice',
    data: {
      reference: 'I-1',
      number: 'F-1',
      type: 'invoice',
      status: 'due',
      ...(svc_shipment_id && { svc_shipment_id }),
    },
  })
  await account.forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'S-1' } },
    { kind: 'shipment', data: { svc_shipment_id: 'S-2' } },
    invoice('S-1'),
  )
  const states = () => Promise.all(['S-1', 'S-2'].map((id) => invoicesOf(account, id)))
  const none = { invoice_status: 'awaiting_invoice', invoice_references: [] }
  const one = { invoice_status: 'due', invoice_references: ['F-1'] }
  expect(await states()).toEqual([one, none])
  await account.forwarder.imports(invoice('S-2'))
  expect(await states()).toEqual([none, one])
  await account.forwarder.imports(invoice())
  expect(await states()).toEqual([none, none])
})

test('orders show the status of their shipment, also if only the shipment is imported', async () => {
  const { call, forwarder } = await newAccount(service)
  const { reference, svc_shipment_id } = await forwarder.anAssignedOrder()
  const assigned = async () =>
    (await call('getPurchaseOrder', { params: { reference } })).body.purchase_order_lines[0]?.assigned_order_lines
  expect(await assigned()).toMatchObject([{ svc_shipment_id, shipment_status: 'booked' }])
  const before = await call('listPurchaseOrders')

  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id, status: 'in_progress' } })
  expect(await assigned()).toMatchObject([{ svc_shipment_id, shipment_status: 'in_progress' }])
  const ifNoneMatch = before.headers.get('etag') as string
  expect((await call('listPurchaseOrders', { ifNoneMatch })).status).toBe(200)

  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id } })
  expect(await assigned()).toEqual([{ svc_shipment_id, assigned_quantity: 4, shipped_order_lines: [] }])
})

test('a container shows the orders whose lines are packed into it', async () => {
  const { call, forwarder } = await newAccount(service)
  const numbers = ['MSKU0000001', 'MSKU0000002', 'MSKU0000003']
  const assign = (reference: string, ...in_containers: string[]): Line => ({
    kind: 'assignment',
    data: {
      reference,
      line: '1',
      svc_shipment_id: 'S-1',
      assigned_quantity: 5,
      shipped_order_lines: in_containers.map((container_number) => ({ container_number, shipped_quantity: 1 })),
    },
  })
  const containers = numbers.map((container_number) => ({ container_number, purchase_order_references: ['PO-GIVEN'] }))
  const references = async () => {
    const { body } = await call('getShipment', { params: { svc_shipment_id: 'S-1' } })
    return body.cargo?.containers?.map((container) => container.purchase_order_references)
  }
  await forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'S-1', cargo: { containers } } },
    order('PO-1'),
    order('PO-2'),
    assign('PO-1', 'MSKU0000001', 'MSKU0000002'),
    assign('PO-2', 'MSKU0000002'),
  )
  expect(await references()).toEqual([['PO-1'], ['PO-1', 'PO-2'], ['PO-GIVEN']])

  await forwarder.imports(assign('PO-1', 'MSKU0000003'))
  expect(await references()).toEqual([['PO-GIVEN'], ['PO-2'], ['PO-1']])
})

test('total_teus is computed from the containers if it is missing', async () => {
  const { call, forwarder } = await newAccount(service)
  const cargo = {
    containers: [{ container_type: 'twenty_foot_reefer' }, { container_type: 'forty_foot_highcube_standard' }],
  } as const
  await forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'S-1', cargo: { containers: [...cargo.containers] } } },
    { kind: 'shipment', data: { svc_shipment_id: 'S-2', cargo: { containers: [...cargo.containers], total_teus: 7 } } },
  )
  const teus = async (svc_shipment_id: string) =>
    (await call('getShipment', { params: { svc_shipment_id } })).body.cargo?.total_teus
  expect([await teus('S-1'), await teus('S-2')]).toEqual([3, 7])
})

async function invoicesOf({ call }: TestAccount, svc_shipment_id: string) {
  const { invoice_status, invoice_references } = (await call('getShipment', { params: { svc_shipment_id } })).body
  return { invoice_status, invoice_references }
}
