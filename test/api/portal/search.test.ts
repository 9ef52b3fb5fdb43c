import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Shipment } from '../../../src/contract/public/shipment.js'
import { shipmentStatuses } from '../../../src/contract/public/shipment.js'
import { lateDays } from '../../../src/domain/shipments/lateness.js'
import { updateSearchIndex } from '../../../src/store/search/search-state.js'
import { searchShipments } from '../../../src/store/search/shipment-search.js'
import { type Line, line, newAccount } from '../../support/account.js'
import { startForwarding } from '../../support/forwarder.js'
import { newOperator } from '../../support/operator.js'
import { newPerson } from '../../support/portal.js'
import { actionSequences } from '../../support/random-actions.js'
import { startService } from '../../support/service.js'

const service = await startService()
const { db } = service

async function start() {
  const forwarding = await startForwarding(service)
  const person = await newPerson(service, forwarding, 'viewer')
  const find = async (q: string) => (await person.ask('findShipments', { query: { q } })).body.shipments
  const search = async (q: string, take?: number) =>
    (await person.ask('search', { query: { q, ...(take && { take }) } })).body.hits
  const idsOf = async (q: string) => (await find(q)).map(({ svc_shipment_id }) => svc_shipment_id)
  return { ...forwarding, request: person.ask, find, search, idsOf }
}

test('records with names of punctuation only are listed like any other', async () => {
  const { request, shipment, call, work } = await start()
  await shipment({ svc_shipment_id: '-/-' })
  await call('createPurchaseOrder', { body: { reference: '***', product_lines: [line()] } })
  await work('draftInvoice', {
    body: { reference: '…', lines: [{ description: '§', price: { amount: 1, currency: 'EUR' } }] },
  })
  await work('issueInvoice', { params: { reference: '…' }, body: {} })
  expect((await request('findShipments')).body.shipments.map((each) => each.svc_shipment_id)).toEqual(['-/-'])
  expect((await request('findPurchaseOrders')).body.purchase_orders.map((each) => each.po_number)).toEqual(['***'])
  expect((await request('findInvoices')).body.invoices.map((each) => each.reference)).toEqual(['…'])
  expect((await request('getOverview')).status).toBe(200)
})

test('a shipment is found by every identifier that people know', async () => {
  const { forwarder, idsOf } = await start()
  const booking_information = {
    carrier: 'Compagnie Générale',
    master_bill: 'CGMU-0042',
    house_bill: 'HB 99/17',
    ocean_booking: { booking_number: 'BK4711', voyage: '12E', vessel: 'Étoile du Nord' },
    air_booking: { flight_number: 'AF 1234' },
  }
  await forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'OTHER' } },
    {
      kind: 'shipment',
      data: {
        svc_shipment_id: 'SHP-000815',
        name: 'Lampes de bureau, été',
        route: { origin_port_unlocode: 'CN/SHA', destination_port_unlocode: 'FR/LEH' },
        cargo: { containers: [{ container_number: 'MSKU1234565', seal_number: 'FX-778899' }] },
        booking_information,
      },
    },
    { kind: 'purchase_order', data: { reference: 'PO/2026/17', product_lines: [line({ reference: '1' })] } },
    {
      kind: 'assignment',
      data: { reference: 'PO/2026/17', line: '1', svc_shipment_id: 'SHP-000815', assigned_quantity: 1 },
    },
    { kind: 'invoice', data: { reference: 'i-1', number: 'INV-2026-000321', svc_shipment_id: 'SHP-000815' } },
  )
  const typed = [
    'SHP-000815',
    'shp000815',
    'shp 815',
    '815',
    'lamp',
    'BUREAU ETE',
    'été lampes',
    'compagnie gen',
    'MSKU1234565',
    'msku 123456-5',
    'MSKU 123456 5',
    '123456',
    'fx778',
    'fx-778899',
    'PO/2026/17',
    'po 2026',
    'po202617',
    'cgmu0042',
    'cgmu-0042',
    'hb 99',
    'hb9917',
    'bk47',
    '12e',
    'etoile',
    'Étoile du nord',
    'af1234',
    'AF 12',
    'inv-2026-000321',
    'INV 321',
    'cn/sha',
    'fr leh',
    'cnsha',
  ]
  for (const q of typed) expect(await idsOf(q), q).toEqual(['SHP-000815'])
  for (const q of ['lampes xyz', '8151', 'u1234', 'eau', 'ampes', 'shp000816']) expect(await idsOf(q), q).toEqual([])
  expect(await idsOf('  - ')).toHaveLength(2)
})

test('a change by the forwarder is found by the next search, and the old value no longer', async () => {
  const { work, call, shipment, find, idsOf, request, sendFile, slug } = await start()
  const id = await shipment({ name: 'Alpha', status: 'booked' })
  const params = { svc_shipment_id: id }
  expect(await idsOf('alpha')).toEqual([id])
  await work('updateShipment', { params, body: { name: 'Beta' } })
  expect(await idsOf('beta')).toEqual([id])
  expect(await idsOf('alpha')).toEqual([])

  await work('moveShipment', { params, body: { status: 'in_progress' } })
  const byStatus = async (status: string) => (await request('findShipments', { query: { status } })).body.count.value
  expect([await byStatus('booked'), await byStatus('in_progress')]).toEqual([0, 1])
  expect((await request('getShipmentFacets')).body.status).toEqual([{ value: 'in_progress', count: 1 }])

  // Derived data as well.
  await call('createPurchaseOrder', { body: { reference: 'PO-NEW', product_lines: [line({ reference: '1' })] } })
  const states = async () => (await request('findPurchaseOrders', { query: { state: 'open' } })).body.count.value
  expect(await states()).toBe(1)
  await work('assign', {
    params: { reference: 'PO-NEW', line: '1', svc_shipment_id: id },
    body: { assigned_quantity: 10 },
  })
  expect((await find('po-new')).map(({ svc_shipment_id }) => svc_shipment_id)).toEqual([id])
  expect(await states()).toBe(0)

  const file = { name: 'quittance.txt', bytes: Buffer.from('x') }
  const uploaded = await sendFile('uploadDocument', slug, params, file, { type: 'packing_list' })
  const documents = async (q: string) =>
    (await request('findDocuments', { query: { q } })).body.documents.map(({ id: each }) => each)
  expect(await documents('quittance')).toEqual([uploaded.body.id])
  expect(await documents('packing')).toEqual([uploaded.body.id])
  await work('withdrawDocument', { params: { id: uploaded.body.id } })
  expect(await documents('quittance')).toEqual([])
})

test('an invoice is found once it is issued, not as a draft', async () => {
  const { work, search, request } = await start()
  const price = { amount: 100, currency: 'EUR' as const }
  const { body } = await work('draftInvoice', { body: { reference: 'draft-77', lines: [{ description: 'x', price }] } })
  expect(await search('draft-77')).toEqual([])
  expect((await request('findInvoices')).body.count.value).toBe(0)
  await work('issueInvoice', { params: { reference: body.id }, body: { due_date: '2026-01-31' } })
  expect(await search('draft-77')).toMatchObject([{ kind: 'invoice', id: 'draft-77' }])
  expect((await request('findInvoices')).body.count.value).toBe(1)
})

test('words of one account find nothing in another with the same identifiers', async () => {
  const [one, other] = [await start(), await start()]
  const lines = (name: string): Line[] => [
    { kind: 'shipment', data: { svc_shipment_id: 'S-1', name } },
    { kind: 'invoice', data: { reference: 'S-1', number: name } },
    { kind: 'purchase_order', data: { reference: 'S-1', supplier_id: name, product_lines: [line()] } },
  ]
  await one.forwarder.imports(...lines('Harbour'))
  await other.forwarder.imports(...lines('Mountain'))
  for (const [{ find, search }, own, foreign] of [
    [one, 'harbour', 'mountain'],
    [other, 'mountain', 'harbour'],
  ] as const) {
    expect(await find(foreign)).toEqual([])
    expect(await search(foreign)).toEqual([])
    expect((await find('s-1')).map(({ name }) => name?.toLowerCase())).toEqual([own])
    expect(await search(own)).toHaveLength(3)
  }
})

test('the first hit is an exact match of the number, of any kind; then the newest', async () => {
  const { forwarder, search } = await start()
  const created = (n: number) => `2026-01-${String(n).padStart(2, '0')}T00:00:00Z`
  await forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'A-7', name: 'Older', created_at: created(1) } },
    { kind: 'shipment', data: { svc_shipment_id: 'A-70', name: 'Newer', created_at: created(2) } },
    { kind: 'shipment', data: { svc_shipment_id: 'A-71', name: 'Newest', created_at: created(3) } },
    {
      kind: 'shipment',
      data: { svc_shipment_id: 'B', name: 'Boxed', cargo: { containers: [{ container_number: 'A72' }] } },
    },
    { kind: 'purchase_order', data: { reference: 'A-72', supplier_id: 'Acme', product_lines: [line()] } },
    { kind: 'invoice', data: { reference: 'x', number: 'A-7', svc_shipment_id: 'A-70' } },
  )
  const hits = await search('a-7')
  // Then records that contain the number: A-70 is billed by it.
  expect(hits.slice(0, 3).map(({ kind, id }) => [kind, id])).toEqual([
    ['shipment', 'A-7'],
    ['invoice', 'x'],
    ['shipment', 'A-70'],
  ])
  expect(hits.slice(3).map(({ id }) => id)).toEqual(['B', 'A-71', 'A-72'])
  expect(hits[1]).toEqual({ kind: 'invoice', id: 'x', title: 'A-7', detail: 'A-70', svc_shipment_id: 'A-70' })
  expect(await search('a72')).toEqual([
    { kind: 'purchase_order', id: 'A-72', title: 'A-72', detail: 'Acme' },
    { kind: 'shipment', id: 'B', title: 'Boxed', detail: 'A72' },
  ])
  expect(await search('a', 1)).toHaveLength(3)
  expect(await search('   ')).toEqual([])
})

test('of the orders of a SKU, those with something under way come first', async () => {
  const { forwarder, search } = await start()
  const order = (reference: string) => ({
    kind: 'purchase_order' as const,
    data: { reference, product_lines: [line({ reference: '1', sku: 'LAMP-9' })] },
  })
  await forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'S-1', status: 'in_progress' } },
    { kind: 'shipment', data: { svc_shipment_id: 'S-2', status: 'finished' } },
    ...['P-1', 'P-2', 'P-3'].map(order),
    { kind: 'assignment', data: { reference: 'P-2', line: '1', svc_shipment_id: 'S-1', assigned_quantity: 4 } },
    ...['P-1', 'P-3'].map((reference) => ({
      kind: 'assignment' as const,
      data: { reference, line: '1', svc_shipment_id: 'S-2', assigned_quantity: 4 },
    })),
  )
  expect((await search('lamp-9')).map(({ id }) => id)[0]).toBe('P-2')
  expect((await search('lamp-9', 1)).map(({ id }) => id)).toEqual(['P-2'])
})

test('the incrementally updated search index equals one built from scratch', async () => {
  await fc.assert(
    fc.asyncProperty(actionSequences, async (actions) => {
      const actors = { account: await newAccount(service), operator: await newOperator(service) }
      for (const [index, action] of actions.entries()) {
        await action.run(actors)
        if (index % 7 === 0) await updateSearchIndex(db, actors.account.id)
      }
      await updateSearchIndex(db, actors.account.id)
      const followed = await searchIndexOf(actors.account.id)
      await resetSearchIndex(actors.account.id)
      await updateSearchIndex(db, actors.account.id)
      expect(followed).toEqual(await searchIndexOf(actors.account.id))
    }),
    { numRuns: 6 },
  )
})

const searchTables = [
  'shipment_search',
  'purchase_order_search',
  'invoice_search',
  'document_search',
  'search_texts',
  'search_counts',
  'search_state',
]

async function searchIndexOf(account: number): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const table of searchTables) {
    const rows = await db<{ row: string }[]>`
      select one::text as row from ${db(table)} one where account_id = ${account} order by one::text collate "C"`
    found[table] = rows.map(({ row }) => row)
  }
  return found
}

async function resetSearchIndex(account: number): Promise<void> {
  for (const table of searchTables) await db`delete from ${db(table)} where account_id = ${account}`
}

const days = fc.integer({ min: 0, max: 30 }).map((day) => `2026-05-${String(day + 1).padStart(2, '0')}`)
const trackingDate = fc.option(
  fc.record({
    date: fc
      .tuple(days, fc.constantFrom('T23:30:00-11:00', 'T00:30:00+14:00', 'T12:00:00Z'))
      .map((parts) => parts.join('')),
    status: fc.constantFrom('estimated', 'actual', 'planned', 'problem'),
  }),
  { nil: undefined },
)
const lateShipment = fc.record(
  {
    status: fc.constantFrom(...shipmentStatuses),
    freight_type: fc.constantFrom('port_to_door', 'door_to_port', 'door_to_door', 'port_to_port'),
    desired_delivery_date: days,
    main_tracking_dates: fc.record({ arrival_date: trackingDate, delivery_date: trackingDate }),
  },
  { requiredKeys: [] },
)

test('the database computes lateness like the domain rule, for any date', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(lateShipment, { minLength: 20, maxLength: 40 }),
      fc.array(days, { maxLength: 4 }),
      async (newSecret, dates) => {
        const { id, forwarder } = await newAccount(service)
        const shipments = newSecret.map(
          (each, index) => JSON.parse(JSON.stringify({ svc_shipment_id: `S-${index}`, ...each })) as Shipment,
        )
        await forwarder.imports(...shipments.map((data) => ({ kind: 'shipment' as const, data })))
        for (const today of dates) {
          const late = new Map(shipments.map((each) => [each.svc_shipment_id, lateDays(each, today)]))
          const found = await everyId(id, { late: 'true' }, today)
          expect(found.toSorted()).toEqual([...late].flatMap(([each, by]) => ((by ?? 0) > 0 ? [each] : [])).toSorted())
          const order = await everyId(id, { sort: 'late' }, today)
          expect(order).toHaveLength(shipments.length)
          const lateness = order.map((each) => late.get(each) ?? Number.NEGATIVE_INFINITY)
          expect(lateness).toEqual(lateness.toSorted((one, other) => other - one))
        }
      },
    ),
    { numRuns: 12 },
  )
})

async function everyId(
  account: number,
  search: Parameters<typeof searchShipments>[2],
  today: string,
): Promise<string[]> {
  const ids: string[] = []
  for (let after: string | undefined; ; ) {
    const page = await searchShipments(db, account, { ...search, take: 7, ...(after && { after }) }, today)
    ids.push(...page.ids)
    if (page.next === undefined) return ids
    after = page.next
  }
}
