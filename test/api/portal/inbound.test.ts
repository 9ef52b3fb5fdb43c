import { expect, test } from 'vitest'
import { openCsv } from '../../../src/spreadsheet/csv-reader.js'
import { generatedAccount } from '../../support/generated-account.js'
import { newPerson } from '../../support/portal.js'
import { startService } from '../../support/service.js'

const service = await startService()

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

test('people see the same lines as systems, with sums by week; the export has all of them', async () => {
  const account = await generatedAccount(service, 60, 'portal inbound')
  const { ask } = await newPerson(service, account, 'viewer')
  const { body: all } = await account.call('listInbound', { query: { delivered: 'any', take: 1000 } })
  expect(all.length).toBeGreaterThan(30)
  const page = (await ask('findInbound', { query: { delivered: 'any', take: 20 } })).body
  expect(page.lines).toEqual(all.slice(0, 20))
  const rest = (await ask('findInbound', { query: { delivered: 'any', skip: 20, take: 200 } })).body
  expect(rest.lines).toEqual(all.slice(20, 220))
  expect(page).toMatchObject({
    count: all.length,
    late: all.filter(({ days_late = 0 }) => days_late > 0).length,
    unassigned: all.filter(({ svc_shipment_id }) => svc_shipment_id === undefined).length,
  })
  const quantity = (lines: { quantity: number }[]) => lines.reduce((sum, each) => sum + each.quantity, 0)
  expect(quantity(page.weeks)).toBeCloseTo(quantity(all), 3)
  for (const { week } of page.weeks) if (week !== undefined) expect(new Date(week).getUTCDay()).toBe(1)

  const { bytes } = await ask('exportInbound', { query: { format: 'csv', delivered: 'any' } })
  const [table] = await openCsv(once(bytes))
  const rows: unknown[][] = []
  for await (const { cells } of table?.rows ?? []) rows.push(cells)
  expect(table?.header.slice(0, 3)).toEqual(['SKU', 'Product', 'Quantity'])
  expect(rows.map((row) => [row[0], Number(row[2]), row[4]])).toEqual(
    all.map((line) => [line.sku, line.quantity, line.reference]),
  )

  const { body: orders } = await ask('findPurchaseOrders', { query: { take: 20 } })
  expect(orders.arrivals.length).toBe(orders.purchase_orders.length)
  for (const { reference, ...shown } of orders.arrivals) {
    const { body } = await account.call('getOrderArrivals', { params: { reference } })
    const { expected_date, date_status, days_late } = body
    expect(shown, reference).toEqual({
      date_status,
      ...(expected_date !== undefined && { expected_date }),
      ...(days_late !== undefined && { days_late }),
    })
  }
})

test('sums by product and place equal their lines, on the page and in the export', async () => {
  const account = await generatedAccount(service, 60, 'inbound groups')
  const { ask } = await newPerson(service, account, 'viewer')
  const { body: all } = await account.call('listInbound', { query: { delivered: 'any', take: 1000 } })
  for (const group of ['sku', 'location'] as const) {
    const { groups = [] } = (await ask('findInbound', { query: { delivered: 'any', group, sort: 'sku' } })).body
    const keyOf = (each: (typeof all)[number]) => each[group] ?? ''
    expect(groups.map(({ key = '' }) => key).toSorted()).toEqual([...new Set(all.map(keyOf))].toSorted())
    for (const { key = '', quantity, late_quantity, lines, weeks } of groups) {
      const own = all.filter((each) => keyOf(each) === key)
      const late = own.filter(({ days_late = 0 }) => days_late > 0)
      const sum = (of: { quantity: number }[]) => of.reduce((total, each) => total + each.quantity, 0)
      expect(lines, key).toBe(own.length)
      expect(quantity, key).toBeCloseTo(sum(own), 3)
      expect(late_quantity, key).toBeCloseTo(sum(late), 3)
      expect(sum(weeks), key).toBeCloseTo(sum(own), 3)
    }
    const { bytes } = await ask('exportInbound', { query: { format: 'csv', delivered: 'any', group, sort: 'sku' } })
    const [table] = await openCsv(once(bytes))
    const column = table?.header.indexOf('Quantity') ?? -1
    let exported = 0
    for await (const { cells } of table?.rows ?? []) exported += Number(cells[column])
    expect(exported).toBeCloseTo(
      all.reduce((total, each) => total + each.quantity, 0),
      3,
    )
  }
})

test('late orders are those whose arrivals are late; the number of the overview and the export are of the same list', async () => {
  const account = await generatedAccount(service, 60, 'late orders')
  const { ask } = await newPerson(service, account, 'viewer')
  const { body: all } = await account.call('listInbound', { query: { delivered: 'any', take: 1000 } })
  const ordersOf = (lines: typeof all) => [...new Set(lines.map(({ reference }) => reference))].toSorted()
  const late = all.filter(({ days_late = 0 }) => days_late > 0)
  const lateNow = late.filter(({ is_delivered }) => !is_delivered)
  expect(ordersOf(lateNow).length).toBeGreaterThan(0)
  expect(ordersOf(late).length).toBeGreaterThan(ordersOf(lateNow).length)

  for (const [filter, lines] of [
    ['now', lateNow],
    ['true', late],
  ] as const) {
    const { body } = await ask('findPurchaseOrders', { query: { late: filter, take: 100 } })
    expect(body.purchase_orders.map(({ po_number }) => po_number).toSorted()).toEqual(ordersOf(lines))
    expect(body.count).toEqual({ value: ordersOf(lines).length, exact: true })
    for (const { reference, days_late } of body.arrivals) expect(days_late, reference).toBeGreaterThan(0)
    const { bytes } = await ask('exportPurchaseOrders', { query: { format: 'csv', late: filter } })
    const [table] = await openCsv(once(bytes))
    const exported = new Set<string>()
    for await (const { cells } of table?.rows ?? []) exported.add(cells[0] as string)
    expect([...exported].toSorted()).toEqual(ordersOf(lines))
  }
  const page = await ask('findPurchaseOrders', { query: { late: 'now', state: 'open', sort: 'delivery', take: 2 } })
  for (const { po_number } of page.body.purchase_orders) expect(ordersOf(lateNow)).toContain(po_number)
  const { body: overview } = await ask('getOverview')
  expect(overview.to_do.late_orders).toEqual({ value: ordersOf(lateNow).length, exact: true })
})
