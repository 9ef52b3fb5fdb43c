import { expect, test } from 'vitest'
import { importLines } from '../../src/ingest/lines/import.js'
import type { LineFault } from '../../src/ingest/lines/report.js'
import { type Line, newAccount, type TestAccount } from '../support/account.js'
import { startService } from '../support/service.js'

/** Events and positions that operators brought one by one, and payments, as lines of an import. */

const service = await startService()

const shipment: Line = { kind: 'shipment', data: { svc_shipment_id: 'S-1' } }
const tracking = (...steps: string[]): Line => ({
  kind: 'tracking',
  data: {
    svc_shipment_id: 'S-1',
    tracking_steps: steps.map((id) => ({ id, type: id === 'port' ? 'origin_port' : 'pickup' })),
  },
})
const event = (event_id: string, step: string, description = 'Picked up', sequence = 1): Line => ({
  kind: 'tracking_event',
  data: {
    svc_shipment_id: 'S-1',
    event_id,
    sequence,
    step,
    description,
    date: '2026-03-04T10:00:00+08:00',
    status: 'actual',
  },
})
const position = (position_id: string, sequence: number): Line => ({
  kind: 'tracking_position',
  data: { svc_shipment_id: 'S-1', position_id, sequence, latitude: String(sequence), longitude: '0' },
})
const invoice: Line = { kind: 'invoice', data: { reference: 'I-1' } }
const payment = (payment_id: string, reference: string, amount = 10): Line => ({
  kind: 'payment',
  data: { payment_id, reference, amount, currency: 'EUR', paid_on: '2026-03-05' },
})

test('events and positions are shown with their tracking, in their order, and so are the dates that follow from them', async () => {
  const account = await newAccount(service)
  await account.forwarder.imports(
    position('P-2', 2),
    event('E-2', 'door', 'Second', 2),
    event('E-1', 'door', 'Picked up', 1),
    tracking('door'),
    position('P-1', 1),
    shipment,
  )
  const shown = await shownOf(account)
  expect(shown.tracking_steps?.[0]?.events?.map(({ description }) => description)).toEqual(['Picked up', 'Second'])
  expect(shown.ocean_coordinates?.map(({ latitude }) => latitude)).toEqual(['1', '2'])
  expect(shown.status).toBe('at_origin')
  expect((await account.call('getShipment', { params: { svc_shipment_id: 'S-1' } })).body.main_tracking_dates).toEqual({
    pickup_date: { date: '2026-03-04T10:00:00+08:00', status: 'actual' },
  })
})

test('an event alone renders the tracking and the shipment that the file does not contain', async () => {
  const account = await newAccount(service)
  await account.forwarder.imports(shipment, tracking('door'))
  const before = await account.call('getShipment', { params: { svc_shipment_id: 'S-1' } })
  const { summary } = await account.forwarder.imports(event('E-1', 'door'))
  expect(summary.kinds.tracking_event.created).toBe(1)
  expect((await shownOf(account)).tracking_steps?.[0]?.events).toHaveLength(1)
  const after = await account.call('getShipment', { params: { svc_shipment_id: 'S-1' } })
  expect(after.body.main_tracking_dates?.pickup_date?.status).toBe('actual')
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))

  await account.forwarder.imports({ ...tracking('door', 'port') })
  expect((await shownOf(account)).tracking_steps?.map(({ events = [] }) => events.length)).toEqual([1, 0])
})

test('the same lines again change nothing: no revision, no entry in the change log', async () => {
  const account = await newAccount(service)
  const lines = [shipment, tracking('door'), event('E-1', 'door'), position('P-1', 1), invoice, payment('Z-1', 'I-1')]
  await account.forwarder.imports(...lines)
  const before = await logOf(account)
  const { summary } = await account.forwarder.imports(...lines)
  expect(Object.values(summary.kinds).reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(lines.length)
  await account.forwarder.imports(event('E-1', 'door'), position('P-1', 1), payment('Z-1', 'I-1'))
  expect(await logOf(account)).toEqual(before)
})

test('of several lines for one event, position or payment the last one counts', async () => {
  const account = await newAccount(service)
  await account.forwarder.imports(
    shipment,
    tracking('door'),
    invoice,
    payment('Z-1', 'I-1', 1),
    payment('Z-1', 'I-1', 2),
    event('E-1', 'door', 'First'),
    position('P-1', 1),
    event('E-1', 'door', 'Last'),
    position('P-1', 7),
  )
  const { tracking_steps, ocean_coordinates } = await shownOf(account)
  expect(tracking_steps?.[0]?.events?.map(({ description }) => description)).toEqual(['Last'])
  expect(ocean_coordinates).toEqual([{ latitude: '7', longitude: '0' }])
  const [paid] = await service.db<{ record: string }[]>`select record from payments where account_id = ${account.id}`
  expect(JSON.parse(paid?.record ?? '')).toMatchObject({ amount: 2 })
})

test('what belongs to nothing is rejected, each line with its pointer', async () => {
  const { forwarder } = await newAccount(service)
  const { outcome, faults } = await forwarder.triesToImport(
    shipment,
    event('E-1', 'door'),
    position('P-1', 1),
    payment('Z-1', 'I-1'),
    { ...event('E-2', 'door'), data: { ...event('E-2', 'door').data, svc_shipment_id: 'S-9' } } as Line,
    { kind: 'invoice', data: { reference: 'C-1', type: 'credit_note', credited_invoice: 'I-9' } },
    { kind: 'invoice', data: { reference: 'C-2', type: 'credit_note', credited_invoice: 'C-1' } },
    payment('Z-2', 'C-2'),
  )
  expect(outcome.kept).toBe(false)
  const noTracking = { pointer: '/data/svc_shipment_id', detail: 'the shipment has no tracking' }
  const noInvoice = { detail: 'the account has no such invoice' }
  expect(faults.toSorted((one, other) => one.line - other.line)).toEqual([
    { line: 2, ...noTracking },
    { line: 3, ...noTracking },
    { line: 4, pointer: '/data/reference', ...noInvoice },
    { line: 5, pointer: '/data/svc_shipment_id', detail: 'the account has no such shipment' },
    { line: 6, pointer: '/data/credited_invoice', ...noInvoice },
    { line: 7, pointer: '/data/credited_invoice', ...noInvoice },
    { line: 8, pointer: '/data/reference', ...noInvoice },
  ])
})

test('an event must stand at a step of the plan as the file leaves it; steps without names are known by their places', async () => {
  const account = await newAccount(service)
  const { faults } = await account.forwarder.triesToImport(shipment, event('E-1', 'door'), tracking('port'))
  expect(faults).toEqual([{ line: 2, pointer: '/data/step', detail: 'the tracking has no such step; it has: port' }])
  await account.forwarder.imports(
    shipment,
    { kind: 'tracking', data: { svc_shipment_id: 'S-1', tracking_steps: [{ type: 'pickup' }, { type: 'delivery' }] } },
    event('E-1', '2'),
  )
  expect((await shownOf(account)).tracking_steps?.[1]?.events).toHaveLength(1)
})

test('tracking that leaves out a step with events is rejected, whether they are stored or in the file', async () => {
  const account = await newAccount(service)
  await account.forwarder.imports(shipment, tracking('door', 'port', 'yard'), event('E-1', 'door'))
  const leavesOut = (step: string) => ({
    pointer: '/data/tracking_steps',
    detail: `leaves out step ${step}, which has events`,
  })
  expect((await account.forwarder.triesToImport(tracking('port'))).faults).toEqual([{ line: 1, ...leavesOut('door') }])
  const both = await account.forwarder.triesToImport(event('E-2', 'yard'), tracking('door', 'port'))
  expect(both.faults).toEqual([{ line: 2, ...leavesOut('yard') }])
  // An event that moves away leaves its step free.
  await account.forwarder.imports(event('E-1', 'port'), tracking('port'))
  expect((await shownOf(account)).tracking_steps).toMatchObject([{ events: [{ description: 'Picked up' }] }])
})

test('with --skip-invalid the rest stands: a bad line falls back to the one before it, and then to what is stored', async () => {
  const account = await newAccount(service)
  const first = await importsGood(
    account,
    shipment,
    tracking('door'),
    event('E-1', 'door', 'Good'),
    event('E-1', 'nowhere', 'Bad'),
    event('E-2', 'sea'),
  )
  expect(first).toEqual([4, 5])
  expect(await descriptions(account)).toEqual([['Good']])
  const second = await importsGood(account, tracking('door', 'port'), tracking('port'), event('E-1', 'nowhere'))
  expect(second).toEqual([2, 3])
  expect(await descriptions(account)).toEqual([['Good'], []])
  // The event is to move to a step that does not exist: it stays, and so must its step.
  expect(await importsGood(account, tracking('port'), event('E-1', 'nowhere'))).toEqual([1, 2])
  expect(await descriptions(account)).toEqual([['Good'], []])
})

test('two steps of one name are a fault', async () => {
  const { forwarder } = await newAccount(service)
  const { faults } = await forwarder.triesToImport(shipment, tracking('door', 'port', 'door'))
  expect(faults).toEqual([
    { line: 2, pointer: '/data/tracking_steps/2/id', detail: 'must differ from those of the other steps' },
  ])
})

async function importsGood(account: TestAccount, ...lines: Line[]): Promise<number[]> {
  const faults: LineFault[] = []
  const text = lines.map((given) => `${JSON.stringify({ ...given, account: account.slug })}\n`).join('')
  const { kept, rejectedLines } = await importLines(service, only(Buffer.from(text)), {
    folder: undefined,
    skipInvalid: true,
    author: 'test',
    onFault: (fault) => faults.push(fault),
  })
  expect(kept).toBe(true)
  expect(faults).toHaveLength(rejectedLines.size)
  return [...rejectedLines].toSorted((one, other) => one - other)
}

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

async function shownOf({ call }: TestAccount) {
  return (await call('getTracking', { params: { svc_shipment_id: 'S-1' } })).body
}

async function descriptions(account: TestAccount): Promise<(string | undefined)[][]> {
  const { tracking_steps = [] } = await shownOf(account)
  return tracking_steps.map(({ events = [] }) => events.map(({ description }) => description))
}

async function logOf({ id }: TestAccount) {
  return service.db`select kind, id, revision, what from changes where account_id = ${id} order by revision, kind, id`
}
