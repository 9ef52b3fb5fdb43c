import { expect, test } from 'vitest'
import { newAccount } from '../support/account.js'
import { startService } from '../support/service.js'
import { importCsv } from '../support/tables.js'

const service = await startService()

const full = `svc_shipment_id,name,status,cargo.total_weight.value,cargo.total_weight.unit,containers.container_number,containers.container_type,containers.seal_number,loads.count,loads.type
S-1,Lamps,booked,8200,kg,CSQU3054383,forty_foot_standard,A1,20,pallet
S-1,,,,,TEMU1234565,twenty_foot_standard,B2,3,package
`

async function withShipment() {
  const account = await newAccount(service)
  const options = { table: 'shipments', account: account.slug } as const
  const { faults } = await importCsv(service, full, options)
  expect(faults).toEqual([])
  const shown = async () => (await account.call('getShipment', { params: { svc_shipment_id: 'S-1' } })).body
  const merge = (text: string, more = {}) => importCsv(service, text, { ...options, ...more })
  return { ...account, shown, merge }
}

test('a table with few columns changes those, and leaves the rest of the record', async () => {
  const { shown, merge } = await withShipment()
  const before = await shown()
  const { faults, changes } = await merge('svc_shipment_id,status,name\nS-1,in_progress,\n')
  expect(faults).toEqual([])
  expect(changes).toEqual(['S-1 status: "booked" -> "in_progress"'])
  expect(await shown()).toEqual({ ...before, status: 'in_progress' })
})

test('entries of a list are matched by their number; stored ones without a row stay, and new ones are added', async () => {
  const { shown, merge } = await withShipment()
  const { faults } = await merge(
    'svc_shipment_id,containers.container_number,containers.seal_number\nS-1,TEMU1234565,B9\nS-1,MSKU7031415,C3\n',
  )
  expect(faults).toEqual([])
  expect((await shown()).cargo?.containers).toEqual([
    { container_type: 'forty_foot_standard', container_number: 'CSQU3054383', seal_number: 'A1' },
    { container_type: 'twenty_foot_standard', container_number: 'TEMU1234565', seal_number: 'B9' },
    { container_number: 'MSKU7031415', seal_number: 'C3' },
  ])
})

test('a container that has got its number takes the place of one of its type without a number', async () => {
  const { slug, call } = await newAccount(service)
  const options = { table: 'shipments', account: slug } as const
  const header = 'svc_shipment_id,containers.container_type,containers.container_number\n'
  await importCsv(service, `${header}S-1,twenty_foot_standard,\nS-1,forty_foot_standard,\n`, options)
  await importCsv(
    service,
    `${header}S-1,forty_foot_standard,CSQU3054383\nS-1,forty_foot_standard,TEMU1234565\n`,
    options,
  )
  const { body } = await call('getShipment', { params: { svc_shipment_id: 'S-1' } })
  expect(body.cargo?.containers).toEqual([
    { container_type: 'twenty_foot_standard' },
    { container_type: 'forty_foot_standard', container_number: 'CSQU3054383' },
    { container_type: 'forty_foot_standard', container_number: 'TEMU1234565' },
  ])
})

test.each(['(clear)', '(Effacer)'])('a cell with %s clears the stored value, and only that', async (mark) => {
  const { shown, merge } = await withShipment()
  const { faults, changes } = await merge(
    `svc_shipment_id,name,cargo.total_weight.value,containers.container_number,containers.seal_number\nS-1,${mark},${mark},CSQU3054383,${mark}\n`,
  )
  expect(faults).toEqual([])
  expect(changes).toEqual([
    'S-1 name: "Lamps" -> undefined',
    'S-1 cargo.total_weight: {"value":8200,"unit":"kg"} -> undefined',
    'S-1 cargo.containers.0.seal_number: "A1" -> undefined',
  ])
  const after = await shown()
  expect(after).not.toHaveProperty('name')
  expect(after.cargo).not.toHaveProperty('total_weight')
  expect(after.cargo?.containers?.[0]).toEqual({
    container_type: 'forty_foot_standard',
    container_number: 'CSQU3054383',
  })
  expect(after.cargo?.containers?.[1]?.seal_number).toBe('B2')
})

test('the mark as the number of an entry clears the stored list; other rows then add to it', async () => {
  const { shown, merge } = await withShipment()
  expect((await merge('svc_shipment_id,containers.container_number\nS-1,(clear)\nS-1,MSKU7031415\n')).faults).toEqual(
    [],
  )
  expect((await shown()).cargo?.containers).toEqual([{ container_number: 'MSKU7031415' }])
  expect(
    (await merge('svc_shipment_id,containers.container_number,loads.count\nS-1,(clear),(clear)\n')).faults,
  ).toEqual([])
  const { cargo } = await shown()
  expect(cargo).not.toHaveProperty('containers')
  expect(cargo).not.toHaveProperty('loads')
})

test('what cannot be cleared is a fault of its cell', async () => {
  const { slug, call } = await newAccount(service)
  const options = { table: 'purchase_orders', account: slug } as const
  const header = 'reference,product_lines.reference,product_lines.product.sku,product_lines.ordered_quantity\n'
  await importCsv(service, `${header}P-1,10,A,5\n`, options)
  const { faults } = await importCsv(service, `${header}P-1,10,,(clear)\nP-2,(clear),B,1\n(clear),1,C,1\n`, options)
  expect(faults).toEqual([
    'row 2, column D (product_lines.ordered_quantity): is required: it cannot be cleared',
    'row 3, column B (product_lines.reference): clears product_lines: its row must have no other values of product_lines',
    'row 4, column A (reference): is required: it cannot be cleared',
  ])
  const shipments = await withShipment()
  const { faults: more } = await shipments.merge(
    'svc_shipment_id,cargo.total_weight.value,cargo.total_weight.unit,loads.count\nS-1,(clear),lbs,7\n',
  )
  expect(more).toEqual([
    'row 2, column B (cargo.total_weight.value): cannot be cleared without the rest of total_weight',
  ])
  expect((await call('getPurchaseOrder', { params: { reference: 'P-1' } })).body.purchase_order_lines).toHaveLength(1)
})

test('entries without a key are matched by position, and refused where some are missing', async () => {
  const { shown, merge } = await withShipment()
  expect((await merge('svc_shipment_id,loads.count\nS-1,21\n')).faults).toEqual([
    'row 2, column B (loads.count): has 1 of 2 stored entries, which have no key to match them by: give all of them, or clear the list first',
  ])
  expect((await merge('svc_shipment_id,loads.count\nS-1,21\nS-1,4\nS-1,5\n')).faults).toEqual([])
  expect((await shown()).cargo?.loads).toEqual([
    { count: 21, type: 'pallet' },
    { count: 4, type: 'package' },
    { count: 5 },
  ])
})

test('lines of an order are matched by their reference or, without one, by their article', async () => {
  const { slug, call } = await newAccount(service)
  const options = { table: 'purchase_orders', account: slug } as const
  const first =
    'reference,supplier_id,product_lines.product.sku,product_lines.ordered_quantity\nP-1,Acme,A,5\nP-1,,B,7\n'
  expect((await importCsv(service, first, options)).faults).toEqual([])
  expect((await importCsv(service, first, options)).outcome.summary.kinds.purchase_order.unchanged).toBe(1)
  const second = 'reference,product_lines.product.sku,product_lines.ordered_quantity\nP-1,B,8\nP-1,C,1\n'
  expect((await importCsv(service, second, options)).faults).toEqual([])
  const third = 'reference,product_lines.reference,product_lines.product.name\nP-1,1,Lamp\n'
  expect((await importCsv(service, third, options)).faults).toEqual([])
  const { body } = await call('getPurchaseOrder', { params: { reference: 'P-1' } })
  expect(body.supplier_name).toBe('Acme')
  expect(
    body.purchase_order_lines.map(({ reference, product, ordered_quantity }) => [reference, product, ordered_quantity]),
  ).toEqual([
    ['1', { sku: 'A', name: 'Lamp' }, 5],
    ['2', { sku: 'B' }, 8],
    ['3', { sku: 'C' }, 1],
  ])
  const wanting = 'reference,product_lines.reference,product_lines.product.name\nP-1,2,Bulb\nP-1,9,Shade\n'
  expect((await importCsv(service, wanting, options)).faults).toEqual([
    'row 3 (product_lines.ordered_quantity): is required',
    'row 3 (product_lines.product.sku): is required',
  ])
})

test('with replace, what the table leaves out is removed, and a check lists what would be lost', async () => {
  const { shown, merge } = await withShipment()
  const before = await shown()
  const table = 'svc_shipment_id,status\nS-1,in_progress\n'
  const check = await merge(table, { replace: true, checkOnly: true })
  expect(check.changes).toEqual([
    'S-1 name: "Lamps" -> undefined',
    'S-1 status: "booked" -> "in_progress"',
    expect.stringMatching(/^S-1 cargo: \{.*\} -> undefined$/),
  ])
  expect(await shown()).toEqual(before)
  await merge(table, { replace: true })
  const after = await shown()
  expect(after).toMatchObject({ svc_shipment_id: 'S-1', status: 'in_progress' })
  expect(after).not.toHaveProperty('name')
  expect(after).not.toHaveProperty('cargo')
})

test('tables that change different columns of the same records at the same time lose nothing', async () => {
  const { slug, call } = await newAccount(service)
  const options = { table: 'locations', account: slug } as const
  const ids = Array.from({ length: 40 }, (_, index) => index + 1)
  const tableOf = (column: string) => `id,${column}\n${ids.map((id) => `${id},${column} ${id}\n`).join('')}`
  const columns = ['name', 'city', 'address', 'opening_hours']
  const results = await Promise.all(columns.map((column) => importCsv(service, tableOf(column), options)))
  expect(results.flatMap(({ faults }) => faults)).toEqual([])
  const { body } = await call('listLocations', { query: { take: 100 } })
  expect(body).toHaveLength(40)
  for (const location of body) {
    for (const column of columns) expect(location).toHaveProperty(column, `${column} ${location.id}`)
  }
})

test('a total that was computed from the loads follows those of a table, and one that the table gives stays', async () => {
  const { slug, call, forwarder } = await newAccount(service)
  const svc_shipment_id = 'S-1'
  await forwarder.imports({
    kind: 'shipment',
    data: {
      svc_shipment_id,
      cargo: {
        loads: [{ count: 2, type: 'pallet', weight: { value: 100, unit: 'kg' } }],
        total_weight: { value: 200, unit: 'kg' },
      },
      computed_totals: ['total_weight'],
    },
  })
  const shown = async () => (await call('getShipment', { params: { svc_shipment_id } })).body.cargo?.total_weight?.value
  expect(await shown()).toBe(200)
  const options = { table: 'shipments', account: slug } as const
  await importCsv(service, `svc_shipment_id,loads.count\n${svc_shipment_id},3\n`, options)
  expect(await shown()).toBe(300)
  await importCsv(service, `svc_shipment_id,cargo.total_weight.value\n${svc_shipment_id},310\n`, options)
  await importCsv(service, `svc_shipment_id,loads.count\n${svc_shipment_id},4\n`, options)
  expect(await shown()).toBe(310)
})
