import { createReadStream } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportTo } from '../../src/cli/commands/export.js'
import type { OperatorBody } from '../../src/contract/operator/operations.js'
import { line } from '../support/account.js'
import { type Forwarding, startForwarding } from '../support/forwarder.js'
import { newOperator } from '../support/operator.js'
import { accountOf, bytesOf, importInto, startRoundTrip } from '../support/round-trip.js'
import type { RunningService } from '../support/service.js'

/** What operators brought, bit by bit, leaves with the account and arrives with it. */

const { before, after, folder, expectSameResponses } = await startRoundTrip()

const container_number = 'MSCU1234566'

test('an account that operators worked on comes back the same, with all that only they see', async () => {
  const forwarding = await startSuccessfully()
  const shipments = await forward(forwarding)
  await bill(forwarding, shipments[0] as string)
  await file(forwarding, shipments[0] as string)
  const { slug } = forwarding
  await expectSameResponses([slug], 10)

  const known = await knownToOperators(before, slug, shipments)
  expect(JSON.stringify(known)).toContain('Carrier')
  expect(await knownToOperators(after, slug, shipments)).toEqual(known)

  // Back to where it came from, and once more to where it went.
  for (const service of [before, after]) {
    const again = await mkdtemp(join(folder, 'again-'))
    await exportTo(again, after.db, after.files, await accountOf(after, slug))
    const { summary } = await importInto(service, createReadStream(join(again, 'lines.ndjson')), again)
    const { payment, tracking_event, tracking_position } = summary.kinds
    expect([payment, tracking_event, tracking_position].map(({ unchanged }) => unchanged)).toEqual([2, 3, 2])
    for (const tally of Object.values(summary.kinds)) expect(tally).toMatchObject({ created: 0, updated: 0 })
  }
})

test('a suspended account arrives suspended, and stays so until an import or an operator ends it', async () => {
  const { slug, work } = await startForwarding(before)
  await work('updateAccount', { body: { suspended: true, reason: 'unpaid' } })
  const target = await mkdtemp(join(folder, 'suspended-'))
  await exportTo(target, before.db, before.files, await accountOf(before, slug))
  await importInto(after, createReadStream(join(target, 'lines.ndjson')), target)
  const { ops } = await newOperator(after)
  const suspended = async () => (await ops('getAccount', slug)).body.suspended
  expect(await suspended()).toBe(true)
  const history = (await ops('getHistory', slug, { params: { kind: 'account', id: slug } })).body
  expect(history.map(({ what, record }) => [what, (record as { suspended: boolean }).suspended])).toEqual([
    ['created', true],
  ])

  const { name } = await accountOf(after, slug)
  const imports = async (data: { name: string; suspended?: boolean }) => {
    const { summary } = await importInto(after, bytesOf([{ kind: 'account', account: slug, data }]), folder)
    return summary.kinds.account
  }
  expect(await imports({ name })).toMatchObject({ unchanged: 1 })
  expect(await imports({ name: 'New name' })).toMatchObject({ updated: 1 })
  expect(await suspended()).toBe(true)
  expect(await imports({ name: 'New name', suspended: false })).toMatchObject({ updated: 1 })
  expect(await suspended()).toBe(false)
  expect(await imports({ name: 'New name', suspended: false })).toMatchObject({ unchanged: 1 })
})

/** An operator all of whose work is accepted. */
async function startSuccessfully(): Promise<Forwarding> {
  const forwarding = await startForwarding(before)
  return {
    ...forwarding,
    async work(name, input) {
      const answer = await forwarding.work(name, input)
      expect(answer.status, `${name}: ${answer.text}`).toBeLessThan(300)
      return answer
    },
  }
}

/** Locations, shipments with computed totals, assignments and tracking; answers the shipments. */
async function forward({ work, call, shipment }: Forwarding): Promise<string[]> {
  await work('createLocation', { body: { name: 'Factory', country: 'CN' } })
  await work('createLocation', { body: { name: 'Warehouse', country: 'FR', zip_code: '01000' } })
  const first = await shipment({
    name: 'Lamps',
    route: { pickup_location_id: '1', delivery_location_id: '2' },
    cargo: {
      containers: [{ container_type: 'forty_foot_highcube_standard', container_number }],
      loads: [{ count: 10, type: 'pallet', weight: { value: 120.5, unit: 'kg' } }],
    },
  })
  const second = await shipment({ name: 'Shades' })
  const third = await shipment({ name: 'Bulbs' })
  await work('updateLocation', { params: { id: '1' }, body: { retired: true } })
  for (const reference of ['PO/1', 'PO/2']) {
    const product_lines = [line({ reference: '1', ordered_quantity: 10 })]
    expect((await call('createPurchaseOrder', { body: { reference, product_lines } })).status).toBe(201)
    for (const svc_shipment_id of [first, second]) {
      const params = { reference, line: '1', svc_shipment_id }
      await work('assign', { params, body: { assigned_quantity: 2.5 } })
    }
  }
  const packed = { shipped_order_lines: [{ container_number, shipped_quantity: 2 }] }
  await work('pack', { params: { reference: 'PO/1', line: '1', svc_shipment_id: first }, body: packed })
  await work('unassign', {
    params: { reference: 'PO/2', line: '1', svc_shipment_id: second },
    query: { reason: 'sold' },
  })
  await track(work, first)
  await work('addPosition', { params: { svc_shipment_id: second }, body: { latitude: 1.25, longitude: 103.8 } })
  await work('moveShipment', { params: { svc_shipment_id: third }, body: { status: 'cancelled', reason: 'sold' } })
  return [first, second, third]
}

async function track(work: Forwarding['work'], svc_shipment_id: string): Promise<void> {
  const params = { svc_shipment_id }
  const steps: OperatorBody<'planTracking'>['steps'] = [
    { type: 'pickup', location_id: 2 },
    { id: 'pol', type: 'origin_port', port: { unlocode: 'CN/SHA' } },
    { id: 'pod', type: 'destination_port', port: { unlocode: 'FR/LEH' } },
  ]
  await work('planTracking', { params, body: { steps } })
  const planned = { date: '2026-04-10T08:00:00+02:00', status: 'planned', source: 'Carrier' } as const
  const say = (event_id: string, step: string, description: string) =>
    work('addEvent', { params, body: { ...planned, event_id, step, description } })
  await say('picked', '1', 'Picked up')
  await say('sailed', 'pol', 'Vessel departed')
  await say('wrong', 'pol', 'Vessel sank')
  await say('arrives', 'pod', 'Vessel arrives')
  await work('correctEvent', {
    params: { ...params, event_id: 'sailed' },
    body: { ...planned, step: 'pol', description: 'Vessel departed', status: 'actual', reason: 'reported again' },
  })
  await work('retractEvent', { params: { ...params, event_id: 'wrong' }, query: { reason: 'untrue' } })
  await work('addPosition', { params, body: { latitude: 31.2, longitude: -121.5, source: 'Carrier' } })
}

/** An invoice that is paid in part and credited in part, and drafts. */
async function bill({ work }: Forwarding, svc_shipment_id: string): Promise<void> {
  const lines = [{ description: 'Freight', price: { amount: 1000, currency: 'EUR' as const }, vatRate: 20 }]
  for (const reference of ['I-1', 'I-2', 'I-3']) {
    await work('draftInvoice', { body: { reference, svc_shipment_id, lines } })
  }
  const params = { reference: 'I-1' }
  await work('issueInvoice', { params, body: { sent_date: '1977-03-01T10:00:00+01:00', due_date: '2026-03-31' } })
  for (const payment_id of ['Z-1', 'Z-2', 'Z-3']) {
    const paid = { payment_id, amount: 100.5, currency: 'EUR' as const, paid_on: '2026-03-10', note: 'by wire' }
    await work('recordPayment', { params, body: paid })
  }
  await work('moveInvoice', { params, body: { status: 'in_modification', reason: 'a payment too many' } })
  await work('removePayment', { params: { ...params, payment_id: 'Z-2' }, query: { reason: 'came twice' } })
  const credited = [{ description: 'Rebate', price: { amount: 50, currency: 'EUR' as const }, vatRate: 20 }]
  await work('moveInvoice', { params, body: { status: 'due', reason: 'set right' } })
  for (const reference of ['C-1', 'C-2']) {
    await work('draftCreditNote', { params, body: { reference, lines: credited } })
  }
  await work('issueInvoice', { params: { reference: 'C-1' }, body: {} })
  await work('discardDraft', { params: { reference: 'I-3' }, query: { reason: 'not needed' } })
}

async function file({ slug, sendFile, work }: Forwarding, svc_shipment_id: string): Promise<void> {
  const bytes = Buffer.from('a note')
  const upload = (name: string) => sendFile('uploadDocument', slug, {}, { name, bytes }, { svc_shipment_id })
  expect((await upload('kept.txt')).status).toBe(201)
  const { id } = (await upload('gone.txt')).body
  await work('withdrawDocument', { params: { id }, query: { reason: 'wrong file' } })
}

/** All that operators can ask of the account, but for when it was recorded, and by whom. */
async function knownToOperators(service: RunningService, slug: string, shipments: string[]) {
  const { ops } = await newOperator(service)
  const tracking = await Promise.all(
    shipments.slice(0, 2).map((svc_shipment_id) => ops('getTracking', slug, { params: { svc_shipment_id } })),
  )
  const answers = await Promise.all([
    ops('listLocations', slug),
    ops('listShipments', slug),
    ops('listPurchaseOrders', slug),
    ops('listInvoices', slug),
    ops('listDocuments', slug),
  ])
  for (const { status } of [...tracking, ...answers]) expect(status).toBe(200)
  return [...tracking, ...answers].map(({ text }) => JSON.parse(text, withoutOrigin) as unknown)
}

const origin = new Set(['revision', 'recorded_at', 'recorded_by', 'reason', 'link'])

function withoutOrigin(name: string, value: unknown): unknown {
  return origin.has(name) ? undefined : value
}
