import { expect, test } from 'vitest'
import { newAccount } from '../support/account.js'
import { startForwarding } from '../support/forwarder.js'
import { checkedOperatorResponse } from '../support/operator.js'
import { startService } from '../support/service.js'
import { importCsv } from '../support/tables.js'

const service = await startService()

test('a table with codes, decimals and dates as people write them is stored in the form of the interface, with warnings', async () => {
  const { slug, call } = await newAccount(service)
  const { faults, warnings } = await importCsv(
    service,
    `svc_shipment_id;route.origin_port_unlocode;route.destination_port_unlocode;containers.container_number;containers.container_type;cargo.total_weight.value;cargo.total_weight.unit;cargo_ready_date;desired_delivery_date
S-1;CNSHA;NL RTM;MSKU 703141-5;40HC;8200,5;kg;05/11/2026;16/11/2026
S-2;CN/SHA;NL/RTM;CSQU3054383;Forty foot standard;1.234,5;kg;2026-11-05;2026-12-24
`,
    { table: 'shipments', account: slug },
  )
  expect(faults).toEqual([])
  expect(warnings).toEqual([
    'row 2, column B (route.origin_port_unlocode): CNSHA was read as CN/SHA',
    'row 2, column C (route.destination_port_unlocode): NL RTM was read as NL/RTM',
    'row 2, column I (desired_delivery_date): 16/11/2026 was read as 2026-11-16',
    'row 2, column F (cargo.total_weight.value): 8200,5 was read as 8200.5',
    'row 2, column E (containers.container_type): 40HC was read as forty_foot_highcube_standard',
    'row 2, column D (containers.container_number): MSKU 703141-5 was read as MSKU7031415',
    'row 3, column F (cargo.total_weight.value): 1.234,5 was read as 1234.5',
    'row 2, column H (cargo_ready_date): 05/11/2026 was read as 2026-11-05',
  ])
  const { body } = await call('getShipment', { params: { svc_shipment_id: 'S-1' } })
  expect(body).toMatchObject({
    route: { origin_port_unlocode: 'CN/SHA', destination_port_unlocode: 'NL/RTM' },
    cargo_ready_date: '2026-11-05',
    desired_delivery_date: '2026-11-16',
    cargo: {
      total_weight: { value: 8200.5, unit: 'kg' },
      containers: [{ container_number: 'MSKU7031415', container_type: 'forty_foot_highcube_standard' }],
    },
  })
})

test('dates that could have the day or the month first are refused by their cell, unless the order is stated', async () => {
  const { slug, call } = await newAccount(service)
  const options = { table: 'invoices', account: slug } as const
  const table = 'reference,due_date\nI-1,05/11/2026\nI-2,06/12/2026\n'
  const refused = await importCsv(service, table, options)
  const detail =
    'could have the day or the month first: state the order of the dates (day-month or month-day), or write 2026-11-30'
  expect(refused.faults).toEqual([`row 2, column B (due_date): ${detail}`, `row 3, column B (due_date): ${detail}`])
  expect(refused.outcome.kept).toBe(false)
  const contradicting = await importCsv(service, `${table}I-3,16/11/2026\nI-4,11/16/2026\n`, options)
  expect(contradicting.faults).toHaveLength(2)
  const due = async () =>
    (await call('listInvoices')).body
      .map((invoice) => invoice.due_date ?? '')
      .toSorted((one, other) => (one < other ? -1 : 1))
  await importCsv(service, table, { ...options, dates: 'month-day' })
  expect(await due()).toEqual(['2026-05-11', '2026-06-12'])
  await importCsv(service, table, { ...options, dates: 'day-month' })
  expect(await due()).toEqual(['2026-11-05', '2026-12-06'])
  const wrong = await importCsv(service, 'reference,due_date\nI-1,16/11/2026\n', { ...options, dates: 'month-day' })
  expect(wrong.faults).toEqual(['row 2, column B (due_date): is no date with the month first'])
})

test('a shipment whose values look wrong is imported with a warning for each', async () => {
  const { slug, call, operatorKey } = await startForwarding(service)
  const shipment = {
    svc_shipment_id: 'S-1',
    freight_mode: 'air',
    route: { origin_port_unlocode: 'cnsha', destination_port_unlocode: 'XX/QQQ' },
    cargo: {
      total_weight: { value: 90_000, unit: 'kg' },
      containers: [{ container_type: '20GP', container_number: 'CSQU 305438-4' }],
      loads: [{ count: -2 }],
    },
    booking_information: {
      master_bill: '020-12345674',
      air_booking: { chargeable_weight: { value: 50, unit: 'kg' } },
    },
  }
  const order = { reference: 'P-1', product_lines: [{ reference: '1', ordered_quantity: 5, product: { sku: 'A' } }] }
  const packed = { shipped_quantity: 2, net_weight: 12, gross_weight: 10, number_of_packages: -1 }
  const assignment = { reference: 'P-1', line: '1', svc_shipment_id: 'S-1', assigned_quantity: 5 }
  const lines = [
    { kind: 'shipment', account: slug, data: shipment },
    { kind: 'purchase_order', account: slug, data: order },
    { kind: 'assignment', account: slug, data: { ...assignment, shipped_order_lines: [packed] } },
  ]
  const response = await fetch(`${service.baseUrl}/ops/v1/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/x-ndjson' },
    body: lines.map((each) => JSON.stringify(each)).join('\n'),
  })
  const { body } = await checkedOperatorResponse('import', response)
  expect(response.status).toBe(200)
  expect(body.warnings?.map(({ line, pointer }) => `${line} ${pointer}`)).toEqual([
    '1 /data/route/origin_port_unlocode',
    '1 /data/cargo/containers/0/container_number',
    '1 /data/cargo/containers/0/container_type',
    '1 /data/cargo/loads/0/count',
    '1 /data/cargo/containers/0/container_number',
    '1 /data/route/destination_port_unlocode',
    '1 /data/booking_information/master_bill',
    '1 /data/booking_information/air_booking/chargeable_weight',
    '1 /data/cargo/total_weight',
    '3 /data/shipped_order_lines/0/net_weight',
    '3 /data/shipped_order_lines/0/number_of_packages',
  ])
  const stored = (await call('getShipment', { params: { svc_shipment_id: 'S-1' } })).body
  expect(stored.route?.origin_port_unlocode).toBe('CN/SHA')
  expect(stored.cargo?.containers?.[0]).toEqual({
    container_type: 'twenty_foot_standard',
    container_number: 'CSQU3054384',
  })
})

test('operators may write codes in several ways, and a wrong check digit is a warning', async () => {
  const { tries, work, seen } = await startForwarding(service)
  const body = {
    route: { origin_port_unlocode: 'CN SHA' },
    cargo: { containers: [{ container_number: 'CSQU 305438-4', container_type: '40HQ' }] },
  }
  const created = await tries('createShipment', { body })
  expect(created.status).toBe(201)
  expect(created.body.warnings).toEqual([
    { pointer: '/route/origin_port_unlocode', detail: 'CN SHA was read as CN/SHA' },
    { pointer: '/cargo/containers/0/container_number', detail: 'CSQU 305438-4 was read as CSQU3054384' },
    { pointer: '/cargo/containers/0/container_type', detail: '40HQ was read as forty_foot_highcube_standard' },
    {
      pointer: '/cargo/containers/0/container_number',
      detail: 'CSQU3054384 does not have the check digit 3: check the number',
    },
  ])
  const params = { svc_shipment_id: created.body.id }
  const changed = await tries('updateShipment', { params, body: { route: { destination_port_unlocode: 'nlrtm' } } })
  expect(changed.body.warnings?.[0]?.detail).toBe('nlrtm was read as NL/RTM')
  expect((await seen(created.body.id)).route).toEqual({
    origin_port_unlocode: 'CN/SHA',
    destination_port_unlocode: 'NL/RTM',
  })
  const read = await work('getShipment', { params })
  expect(read.body.warnings).toHaveLength(1)
  const refused = await tries('createShipment', { body: { route: { origin_port_unlocode: 'Shanghai' } } })
  expect(refused.status).toBe(400)
})
