import { expect, test } from 'vitest'
import { line } from '../../support/account.js'
import { containerNumber } from '../../support/containers.js'
import { startForwarding } from '../../support/forwarder.js'
import { newOperator } from '../../support/operator.js'
import { binaryFiles } from '../../support/sample-files.js'
import { startService } from '../../support/service.js'
import { doorToDoor, on } from '../../support/tracking.js'

const service = await startService()

test('a version has its time, author, reason and changes', async () => {
  const { slug, work, shipment, operator_id, lastChange } = await startForwarding(service)
  const colleague = await newOperator(service, 'operations')
  const id = await shipment({ name: 'A', route: { origin_port_unlocode: 'CN/NGB' } })
  const times = [await lastChange()]
  const params = { svc_shipment_id: id }
  await colleague.ops('updateShipment', slug, {
    params,
    body: { name: null, incoterm: 'fob', route: { origin_port_unlocode: 'CN/SHA' } },
  })
  times.unshift(await lastChange())
  await work('moveShipment', { params, body: { status: 'booked', reason: 'confirmed' } })
  times.unshift(await lastChange())

  const history = (await work('getHistory', { params: { kind: 'shipment', id } })).body
  expect(history.map(({ recorded_at }) => recorded_at)).toEqual(times)
  expect(history.map(({ recorded_by }) => recorded_by)).toEqual(
    [operator_id, colleague.operator_id, operator_id].map((author) => `operator:${author}`),
  )
  expect(history.map(({ what, reason }) => [what, reason])).toEqual([
    ['updated', 'confirmed'],
    ['updated', undefined],
    ['created', undefined],
  ])
  expect(history[0]?.changes).toEqual([{ pointer: '/status', before: 'booking_request', after: 'booked' }])
  expect(history[1]?.changes).toEqual([
    { pointer: '/name', before: 'A' },
    { pointer: '/route/origin_port_unlocode', before: 'CN/NGB', after: 'CN/SHA' },
    { pointer: '/incoterm', after: 'fob' },
  ])
  expect(history[2]?.changes).toEqual([{ pointer: '', after: history[2]?.record }])
  expect((await work('getShipment', { params })).body).toMatchObject({
    revision: history[0]?.revision,
    record: history[0]?.record,
    reason: 'confirmed',
  })
})

test('large versions are listed 4 MiB at a time, each with what it changed', async () => {
  const { work, forwarder, lastChange } = await startForwarding(service)
  const description = 'x'.repeat(2500)
  const order = (reference: string, ordered_quantity: number) => {
    const product_lines = Array.from({ length: 1000 }, (_, at) => ({
      reference: String(at),
      ordered_quantity,
      product: { sku: 'S', description },
    }))
    return forwarder.imports({ kind: 'purchase_order', data: { reference, product_lines } })
  }
  for (const quantity of [1, 2, 3]) await order('P', quantity)
  await order('Q', 1)
  await forwarder.imports({ kind: 'purchase_order', data: { reference: 'R', product_lines: [line()] } })

  const params = { kind: 'purchase_order', id: 'P' } as const
  const found = []
  for (let before: number | undefined; ; ) {
    const query = { take: 10, ...(before !== undefined && { before }) }
    const { status, body } = await work('getHistory', { params, query })
    expect(status).toBe(200)
    if (body.length === 0) break
    expect(body).toHaveLength(1)
    found.push(...body)
    before = body.at(-1)?.revision
  }
  expect(found.map(({ what, changes }) => [what, changes.length])).toEqual([
    ['updated', 1000],
    ['updated', 1000],
    ['created', 1],
  ])

  for (const as_of of [undefined, await lastChange()]) {
    const pages = []
    for (let skip = 0; ; ) {
      const query = { skip, take: 10, ...(as_of !== undefined && { as_of }) }
      const { body } = await work('listPurchaseOrders', { query })
      if (body.length === 0) break
      pages.push(body.map(({ id }) => id))
      skip += body.length
    }
    expect(pages).toEqual([['R', 'Q'], ['P']])
  }
})

test('versions by customers, imports and the command line have their authors', async () => {
  const { slug, work, call, key_id, forwarder } = await startForwarding(service)
  await call('createPurchaseOrder', { body: { reference: 'P', product_lines: [line()] } })
  await call('updatePurchaseOrder', { body: { reference: 'P', supplier_id: 'S' } })
  await forwarder.imports({ kind: 'location', data: { id: 1, name: 'L' } })
  const authors = async (kind: 'purchase_order' | 'location' | 'account' | 'key', id: string) =>
    (await work('getHistory', { params: { kind, id } })).body.map(({ recorded_by }) => recorded_by)
  expect(await authors('purchase_order', 'P')).toEqual([`key:${key_id}`, `key:${key_id}`])
  expect(await authors('location', '1')).toEqual(['test'])
  expect(await authors('account', slug)).toEqual(['command-line'])
  expect(await authors('key', key_id)).toEqual(['command-line'])
})

test('a change of derived fields only is not a version', async () => {
  const { work, shipment, call } = await startForwarding(service)
  const id = await shipment()
  await call('createPurchaseOrder', { body: { reference: 'P', product_lines: [line({ reference: '1' })] } })
  const params = { reference: 'P', line: '1', svc_shipment_id: id }
  await work('assign', { params, body: { assigned_quantity: 1 } })
  expect((await work('getHistory', { params: { kind: 'shipment', id } })).body).toHaveLength(1)
  expect((await work('getHistory', { params: { kind: 'purchase_order', id: 'P' } })).body).toHaveLength(1)
})

test('the history of a key contains everything but the key', async () => {
  const { work } = await startForwarding(service)
  const { key, key_id } = (await work('createKey', { body: { name: 'ERP' } })).body
  await work('revokeKey', { params: { key_id } })
  const history = await work('getHistory', { params: { kind: 'key', id: key_id } })
  expect(history.body.map(({ what }) => what)).toEqual(['removed', 'created'])
  expect(history.body[1]?.record).toEqual({ key_id, name: 'ERP', scopes: ['read', 'write'] })
  expect(history.text).not.toContain(key)
})

test('the history is paged, each entry with the changes against the previous version', async () => {
  const { work } = await startForwarding(service)
  await work('createLocation', { body: { id: 1, name: 'N0' } })
  for (let index = 1; index < 8; index += 1) {
    await work('replaceLocation', { params: { id: '1' }, body: { name: `N${index}` } })
  }
  const params = { kind: 'location' as const, id: '1' }
  const all = (await work('getHistory', { params })).body
  expect(all).toHaveLength(8)
  const pages = []
  let before: number | undefined
  for (;;) {
    const query = { take: 3, ...(before !== undefined && { before }) }
    const page = (await work('getHistory', { params, query })).body
    if (page.length === 0) break
    pages.push(...page)
    before = page.at(-1)?.revision
  }
  expect(pages).toEqual(all)
  expect(all[0]?.changes).toEqual([{ pointer: '/name', before: 'N6', after: 'N7' }])
})

test('a resource that never existed in the account has no history, on any page', async () => {
  const { work } = await startForwarding(service)
  const stranger = await startForwarding(service)
  const id = await stranger.shipment()
  const params = { kind: 'shipment' as const, id }
  expect(await work('getHistory', { params })).toBeRefused('history_not_found')
  expect(await work('getHistory', { params, query: { before: 5, take: 5 } })).toBeRefused('history_not_found')
  const account = { kind: 'account' as const, id: stranger.slug }
  expect(await work('getHistory', { params: account })).toBeRefused('history_not_found')
})

test.each([
  ['0001-01-01T00:00:00Z', 'nothing'],
  ['9999-12-31T23:59:59.999999999Z', 'all'],
  ['2999-01-01T00:00:00+23:59', 'all'],
  ['2999-01-01T00:00:00-23:59', 'all'],
])('as of %s, in any offset, there was %s', async (as_of, expected) => {
  const { work, shipment } = await startForwarding(service)
  const svc_shipment_id = await shipment()
  const one = await work('getShipment', { params: { svc_shipment_id }, query: { as_of } })
  const list = await work('listShipments', { query: { skip: 0, take: 20, as_of } })
  if (expected === 'all') expect([one.status, list.body.length]).toEqual([200, 1])
  else {
    expect(one).toBeRefused('version_not_found')
    expect(list.body).toEqual([])
  }
})

test.each(['yesterday', '2026-01-01', '2026-02-30T00:00:00Z', '2026-01-01T00:00:00', ''])(
  'the time %j is refused',
  async (as_of) => {
    const { tries, shipment } = await startForwarding(service)
    const params = { svc_shipment_id: await shipment() }
    const refused = await tries('getShipment', { params, query: { as_of } })
    expect(refused.problem.errors?.map(({ pointer }) => pointer)).toEqual(['/as_of'])
  },
)

test('a time between two versions returns the earlier one, to the microsecond', async () => {
  const { work, shipment, lastChange } = await startForwarding(service)
  const params = { svc_shipment_id: await shipment({ name: 'A' }) }
  await work('updateShipment', { params, body: { name: 'B' } })
  const at = await lastChange()
  const micro = Number(at.slice(20, 26))
  const nameAsOf = async (as_of: string) => (await work('getShipment', { params, query: { as_of } })).body.record.name
  expect(await nameAsOf(at)).toBe('B')
  if (micro > 0) {
    const just = `${at.slice(0, 20)}${String(micro - 1).padStart(6, '0')}Z`
    expect(await nameAsOf(just)).toBe('A')
    expect(await nameAsOf(just.replace('Z', '999Z'))).toBe('A')
  }
})

test('every as-of read returns what was returned then, after each of many steps', async () => {
  const { slug, work, call, shipment, forwarder, lastChange, sendFile } = await startForwarding(service)
  const query = { skip: 0, take: 100 }
  const reads = async (as_of?: string) => {
    const then = as_of === undefined ? {} : { as_of }
    const [shipments, orders, locations, invoices, documents] = await Promise.all([
      work('listShipments', { query: { ...query, ...then } }),
      work('listPurchaseOrders', { query: { ...query, ...then } }),
      work('listLocations', { query: { ...query, ...then } }),
      work('listInvoices', { query: { ...query, ...then } }),
      work('listDocuments', { query: { ...query, ...then } }),
    ])
    const singles = await Promise.all([
      ...shipments.body.map(({ id }) => work('getShipment', { params: { svc_shipment_id: id }, query: then })),
      ...orders.body.map(({ id }) => work('getPurchaseOrder', { params: { reference: id }, query: then })),
      ...locations.body.map(({ id }) => work('getLocation', { params: { id }, query: then })),
      ...invoices.body.map(({ id }) => work('getInvoice', { params: { reference: id }, query: then })),
      ...documents.body.map(({ id }) => work('getDocument', { params: { id }, query: then })),
    ])
    const responses = [shipments, orders, locations, invoices, documents, ...singles]
    // Links are signed again over time.
    return responses.map(({ text }) => JSON.parse(text.replaceAll(/"link":"[^"]*"/g, '"link":""')) as unknown)
  }
  const steps: { as_of: string; responses: unknown[] }[] = []
  const step = async (done: Promise<{ status: number; text: string } | object>) => {
    const response = await done
    if ('status' in response) expect(response.status, JSON.stringify(response)).toBeLessThan(300)
    steps.push({ as_of: await lastChange(), responses: await reads() })
  }

  await step(work('createLocation', { body: { id: 9, name: 'Factory' } }))
  await step(work('createLocation', { body: { id: 10, name: 'Shop' } }))
  await step(work('createShipment', { body: { svc_shipment_id: 'Z', route: { pickup_location_id: '9' } } }))
  await step(work('createShipment', { body: { svc_shipment_id: 'A', created_at: '2026-01-01T00:00:00+15:00' } }))
  await step(work('createShipment', { body: { svc_shipment_id: 'B', created_at: '2025-12-31T10:00:00Z' } }))
  await step(forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'I', status: 'booked' } }))
  await step(call('createPurchaseOrder', { body: { reference: 'P1', product_lines: [line({ reference: '1' })] } }))
  await step(call('createPurchaseOrder', { body: { reference: 'P0', product_lines: [line({ reference: '1' })] } }))
  await step(call('updatePurchaseOrder', { body: { reference: 'P1', supplier_id: 'S' } }))
  const of = (reference: string, svc_shipment_id: string) => ({ reference, line: '1', svc_shipment_id })
  await step(work('assign', { params: of('P1', 'Z'), body: { assigned_quantity: 2 } }))
  await step(work('assign', { params: of('P1', 'A'), body: { assigned_quantity: 3 } }))
  await step(work('assign', { params: of('P0', 'Z'), body: { assigned_quantity: 1 } }))
  const number = containerNumber(5)
  const containers = [{ container_number: number }]
  await step(work('updateShipment', { params: { svc_shipment_id: 'Z' }, body: { cargo: { containers } } }))
  const packed = [{ container_number: number, shipped_quantity: 2 }]
  await step(work('pack', { params: of('P1', 'Z'), body: { shipped_order_lines: packed } }))
  await step(work('moveShipment', { params: { svc_shipment_id: 'Z' }, body: { status: 'in_progress' } }))
  const plan = { steps: doorToDoor.steps.map(({ location_id: _none, ...each }) => each) }
  await step(work('planTracking', { params: { svc_shipment_id: 'Z' }, body: plan }))
  const event = { step: 'origin', description: 'Departure', date: on(5), status: 'planned' as const, event_id: 'e' }
  await step(work('addEvent', { params: { svc_shipment_id: 'Z' }, body: event }))
  const { event_id, ...words } = event
  const corrected = { ...words, status: 'actual' as const, reason: 'seen' }
  await step(work('correctEvent', { params: { svc_shipment_id: 'Z', event_id }, body: corrected }))
  await step(work('retractEvent', { params: { svc_shipment_id: 'Z', event_id }, query: { reason: 'no' } }))
  await step(work('updateLocation', { params: { id: '9' }, body: { retired: true } }))
  await step(work('unassign', { params: of('P1', 'A') }))
  await step(
    forwarder.imports({
      kind: 'invoice',
      data: { reference: 'I1', number: 'N1', svc_shipment_id: 'Z', status: 'due' },
    }),
  )
  await step(
    forwarder.imports({
      kind: 'invoice',
      data: { reference: 'I1', number: 'N1', svc_shipment_id: 'A', status: 'paid' },
    }),
  )
  const pdf = { name: 'list.pdf', bytes: binaryFiles.pdf as Buffer }
  const document = '0f8c1b7e-5a52-4c0e-9a55-6d0f5b7c2e11'
  await step(sendFile('uploadDocument', slug, {}, pdf, { uploaded_at: '2026-01-02', svc_shipment_id: 'A' }))
  await step(sendFile('uploadDocument', slug, {}, pdf, { id: document, uploaded_at: '2026-01-01' }))
  await step(work('updateDocument', { params: { id: document }, body: { type: 'cmr', svc_shipment_id: 'Z' } }))
  await step(work('withdrawDocument', { params: { id: document }, query: { reason: 'r' } }))
  const lines = [{ description: 'Freight', price: { amount: 100, currency: 'EUR' as const }, vatRate: 0 }]
  const reference = 'I2'
  await step(work('draftInvoice', { body: { reference, svc_shipment_id: 'Z', lines } }))
  await step(work('issueInvoice', { params: { reference }, body: { sent_date: '1976-01-05T10:00:00+01:00' } }))
  const payment = { payment_id: 'pay', amount: 40, currency: 'EUR' as const, paid_on: '2026-02-01' }
  await step(work('recordPayment', { params: { reference }, body: payment }))
  const credit = [{ description: 'Rebate', price: { amount: 10, currency: 'EUR' as const }, vatRate: 0 }]
  await step(work('draftCreditNote', { params: { reference }, body: { reference: 'C1', lines: credit } }))
  await step(work('issueInvoice', { params: { reference: 'C1' }, body: {} }))
  await step(work('draftCreditNote', { params: { reference }, body: { reference: 'C2', lines: credit } }))
  await step(work('discardDraft', { params: { reference: 'C2' } }))
  await step(work('moveInvoice', { params: { reference }, body: { status: 'in_modification', reason: 'r' } }))
  await step(work('removePayment', { params: { reference, payment_id: 'pay' }, query: { reason: 'r' } }))
  await step(work('updateShipment', { params: { svc_shipment_id: 'B' }, body: { created_at: '2027-01-01T00:00:00Z' } }))
  await step(work('moveShipment', { params: { svc_shipment_id: 'Z' }, body: { status: 'cancelled', reason: 'r' } }))
  await step(shipment({ name: 'last' }).then(() => work('getAccount')))
  await step(work('updateAccount', { body: { name: `${slug} again` } }))

  for (const [index, { as_of, responses }] of steps.entries()) {
    expect(await reads(as_of), `step ${index}`).toEqual(responses)
  }
})
