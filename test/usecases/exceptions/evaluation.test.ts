import { expect, test } from 'vitest'
import { commit } from '../../../src/ledger/commit.js'
import { readRecords } from '../../../src/ledger/records.js'
import { createRandom } from '../../../src/sandbox/random.js'
import { type Line, line, newAccount } from '../../support/account.js'
import { evaluate } from '../../support/exceptions.js'
import { newOperator } from '../../support/operator.js'
import { startService } from '../../support/service.js'

const service = await startService()
const { ops } = await newOperator(service)
const hour = 60 * 60 * 1000
const start = Date.parse('2026-03-01T00:00:00Z')

const steps = [
  { id: 'origin', type: 'origin_port' as const },
  { id: 'hub', type: 'transshipment_port' as const },
  { id: 'destination', type: 'destination_port' as const },
  { id: 'door', type: 'delivery' as const },
]
const codes = [
  'GATE_IN',
  'LOADED',
  'DEPARTED',
  'ARRIVED',
  'DISCHARGED',
  'CUSTOMS_HOLD',
  'CUSTOMS_RELEASED',
  'ROLLED',
  'DELIVERED',
] as const

test('after random changes and steps of the clock, evaluating everything again changes nothing', async () => {
  const account = await newAccount(service)
  const random = createRandom('exceptions')
  const pick = <Value>(values: readonly Value[]) => values[random.integer(0, values.length - 1)] as Value
  const shipments = ['S1', 'S2', 'S3']
  await account.forwarder.imports(
    ...shipments.flatMap((svc_shipment_id): Line[] => [
      {
        kind: 'shipment',
        data: {
          svc_shipment_id,
          status: 'in_progress',
          freight_mode: pick(['ocean', 'air', 'truck', 'rail']),
          desired_delivery_date: '2026-03-20',
          cargo: { containers: [{ container_number: 'TGHU7599330' }] },
        },
      },
      { kind: 'tracking', data: { svc_shipment_id, tracking_steps: steps } },
      {
        kind: 'purchase_order',
        data: {
          reference: `PO-${svc_shipment_id}`,
          desired_delivery_date: '2026-03-18',
          desired_ex_factory_date: '2026-03-02',
          product_lines: [line({ reference: '1', ordered_quantity: 10 })],
        },
      },
    ]),
  )
  let now = start
  let sequence = 0
  const change = (): Line => {
    const svc_shipment_id = pick(shipments)
    const date = (from: number, to: number) => new Date(now + random.integer(from, to) * hour).toISOString()
    const issued_at = new Date(now).toISOString()
    sequence += 1
    const event = { svc_shipment_id, event_id: `e${sequence}`, sequence, step: pick(steps).id, issued_at }
    switch (random.integer(0, 7)) {
      case 0:
        return {
          kind: 'assignment',
          data: { reference: `PO-${pick(shipments)}`, line: '1', svc_shipment_id, assigned_quantity: pick([2, 3]) },
        }
      case 1:
        return {
          kind: 'invoice',
          data: {
            reference: `I-${svc_shipment_id}`,
            svc_shipment_id,
            due_date: date(-90, 90).slice(0, 10),
            status: 'due',
            lines: [{ price: { amount: 5, currency: 'EUR' } }],
          },
        }
      case 2:
        return {
          kind: 'shipment',
          data: {
            svc_shipment_id,
            status: pick(['in_progress', 'in_progress', 'finished', 'cancelled']),
            freight_mode: 'ocean',
            desired_delivery_date: date(-200, 400).slice(0, 10),
          },
        }
      case 3:
      case 4:
        return {
          kind: 'tracking_event',
          data: {
            ...event,
            code: pick(['ARRIVED', 'DEPARTED', 'DELIVERED']),
            status: 'estimated',
            date: date(-100, 300),
          },
        }
      default:
        return {
          kind: 'tracking_event',
          data: {
            ...event,
            code: pick(codes),
            status: 'actual',
            date: date(-80, 0),
            ...(random.integer(0, 1) ? { container_number: 'TGHU7599330' } : {}),
          },
        }
    }
  }
  const closeOne = async () => {
    const { body } = await account.call('listExceptions', { query: { state: 'open' } })
    if (body.length > 0) await closeAsPerson(account.id, pick(body).exception_id, now)
  }
  const seen = new Set<string>()
  for (let round = 0; round < 40; round += 1) {
    if (random.integer(0, 2) === 0) await closeOne()
    now += random.integer(0, 60) * hour
    if (random.integer(0, 2) > 0) await account.forwarder.triesToImport(change(), change())
    await evaluate(service, account.id, new Date(now).toISOString())
    const [before] = await service.db<
      { revision: number }[]
    >`select revision from accounts where account_id = ${account.id}`
    await service.db`update exception_watches set check_at = '-infinity' where account_id = ${account.id}`
    await evaluate(service, account.id, new Date(now).toISOString())
    const [after] = await service.db<
      { revision: number }[]
    >`select revision from accounts where account_id = ${account.id}`
    expect(after, `round ${round}`).toEqual(before)
    for (const { kind } of (await account.call('listExceptions')).body) seen.add(kind)
  }
  expect(seen.size).toBeGreaterThan(6)
})

async function closeAsPerson(account: number, id: string, now: number): Promise<void> {
  const [before] = (await readRecords(service.db, account, 'exception', [id])).values()
  const closed = { at: new Date(now).toISOString(), how: 'closed', by: 'operator:test' } as const
  await commit(service.db, account, 'operator:test', async (tx) => {
    tx.put('exception', [{ record: { ...before!, state: 'closed', closed }, before }])
  })
}

test('what is late is evaluated again by the clock only if somebody has closed it, when it may have grown', async () => {
  const account = await newAccount(service)
  const late = { status: 'in_progress' as const, desired_delivery_date: '2026-03-01' }
  await account.forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'S1', ...late } },
    {
      kind: 'purchase_order',
      data: {
        reference: 'PO',
        desired_delivery_date: '2026-03-01',
        product_lines: [line({ reference: '1', ordered_quantity: 10 })],
      },
    },
    { kind: 'assignment', data: { reference: 'PO', line: '1', svc_shipment_id: 'S1', assigned_quantity: 10 } },
  )
  const checks = async () =>
    service.db<{ kind: string; check_at: Date | null }[]>`
      select kind, check_at from exception_watches where account_id = ${account.id} order by kind desc`
  const now = start + 20 * 24 * hour
  await evaluate(service, account.id, new Date(now).toISOString())
  expect(await checks()).toEqual([
    { kind: 'shipment', check_at: null },
    { kind: 'purchase_order', check_at: null },
  ])
  const { body } = await account.call('listExceptions', { query: { state: 'open' } })
  expect(body.map(({ kind }) => kind).toSorted()).toEqual(['late', 'order_at_risk'])
  for (const { exception_id } of body) await closeAsPerson(account.id, exception_id, now)
  await evaluate(service, account.id, new Date(now).toISOString())
  const [shipment, order] = await checks()
  expect(shipment?.check_at?.getTime()).toBeGreaterThan(now)
  expect(order?.check_at).toEqual(shipment?.check_at)
})

test('by the clock, an order keeps the events of its shipments as they were read last; a change reads them again', async () => {
  const account = await newAccount(service)
  const arriving = (event_id: string, sequence: number, date: string): Line => ({
    kind: 'tracking_event',
    data: {
      svc_shipment_id: 'S1',
      event_id,
      sequence,
      step: 'destination',
      code: 'ARRIVED',
      status: 'estimated',
      date,
    },
  })
  await account.forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'S1', status: 'in_progress', freight_mode: 'ocean' } },
    { kind: 'tracking', data: { svc_shipment_id: 'S1', tracking_steps: steps } },
    arriving('first', 1, '2026-03-20T00:00:00Z'),
    {
      kind: 'purchase_order',
      data: {
        reference: 'PO',
        desired_delivery_date: '2026-03-18',
        product_lines: [line({ reference: '1', ordered_quantity: 10 })],
      },
    },
    { kind: 'assignment', data: { reference: 'PO', line: '1', svc_shipment_id: 'S1', assigned_quantity: 10 } },
  )
  const found = async (at: string) => {
    await evaluate(service, account.id, at)
    const { body } = await account.call('listExceptions', { query: { kind: 'order_at_risk' } })
    return body.map(({ severity, evidence }) => [severity, evidence.map(({ event_id }) => event_id)])
  }
  expect(await found('2026-03-01T00:00:00Z')).toEqual([['warning', ['first']]])
  await service.db`
    update exception_watches set memory = replace(memory, 'first', 'as read before')
    where account_id = ${account.id} and kind = 'purchase_order'`
  // By then it is critical, since the day has passed.
  expect(await found('2026-03-23T00:00:00Z')).toEqual([['critical', ['as read before']]])
  await account.forwarder.imports(arriving('second', 2, '2026-03-25T00:00:00Z'))
  expect(await found('2026-03-23T00:00:00Z')).toEqual([['critical', ['second']]])
})

test('an order that is delivered is not evaluated any more, whatever else is evaluated with it', async () => {
  const account = await newAccount(service)
  await account.forwarder.imports(
    ...(['finished', 'in_progress'] as const).flatMap((status, index): Line[] => [
      { kind: 'shipment', data: { svc_shipment_id: `S${index}`, status } },
      {
        kind: 'purchase_order',
        data: { reference: `PO${index}`, product_lines: [line({ reference: '1', ordered_quantity: 10 })] },
      },
      {
        kind: 'assignment',
        data: { reference: `PO${index}`, line: '1', svc_shipment_id: `S${index}`, assigned_quantity: 10 },
      },
    ]),
  )
  await evaluate(service, account.id, new Date(start).toISOString())
  const watched = await service.db<{ id: string }[]>`
    select id from exception_watches where account_id = ${account.id} and kind = 'purchase_order'`
  expect(watched).toEqual([{ id: 'PO1' }])
})

test('what somebody does with an exception while it is evaluated is kept', async () => {
  const account = await newAccount(service)
  const shipment = { svc_shipment_id: 'S1', status: 'in_progress' as const, desired_delivery_date: '2026-03-01' }
  await account.forwarder.imports({ kind: 'shipment', data: shipment })
  const at = (day: number) => new Date(start + day * 24 * hour).toISOString()
  await evaluate(service, account.id, at(2))
  const exceptions = async () => (await account.call('listExceptions', { query: { kind: 'late' } })).body
  const [warning] = await exceptions()
  expect(warning).toMatchObject({ severity: 'warning', state: 'open' })
  const [before] = (await readRecords(service.db, account.id, 'exception', [warning!.exception_id])).values()
  const acknowledged = { at: at(2), by: 'operator:test' }
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let writing: Promise<void> = Promise.resolve()
  const writer = await new Promise<number>((resolve) => {
    writing = commit(service.db, account.id, 'operator:test', async (tx) => {
      tx.put('exception', [{ record: { ...before!, state: 'acknowledged', acknowledged }, before }])
      const [row] = await tx.sql<{ pid: number }[]>`select pg_backend_pid() as pid`
      resolve(row!.pid)
      await released
    })
  })
  // By then it is critical: the evaluation reads the old record, and waits for the account.
  const evaluating = evaluate(service, account.id, at(9))
  await expect
    .poll(() => service.db`select from pg_stat_activity where ${writer} = any(pg_blocking_pids(pid))`)
    .toHaveLength(1)
  release()
  await Promise.all([writing, evaluating])
  // It got worse after somebody acknowledged it: it is open again, and says who did.
  expect(await exceptions()).toMatchObject([{ severity: 'critical', state: 'open', acknowledged: { at: at(2) } }])
})

test('an estimate that somebody enters is news, although it does not say when it was issued', async () => {
  const account = await newAccount(service)
  const svc_shipment_id = 'S1'
  const departed = { code: 'DEPARTED', status: 'actual', date: '2026-03-01T00:00:00Z' } as const
  await account.forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id, status: 'in_progress', freight_mode: 'ocean' } },
    {
      kind: 'tracking',
      data: {
        svc_shipment_id,
        tracking_steps: [
          { id: 'origin', type: 'origin_port', events: [departed] },
          { id: 'destination', type: 'destination_port' },
        ],
      },
    },
  )
  const open = async () =>
    (await account.call('listExceptions', { query: { kind: 'no_news', state: 'open' } })).body.length
  await ops('setAccountExceptionRules', account.slug, { body: { kinds: { no_news: { shown_to_customers: true } } } })
  await evaluate(service, account.id)
  expect(await open()).toBe(1)
  await ops('addEvent', account.slug, {
    params: { svc_shipment_id },
    body: {
      step: 'destination',
      description: 'Expected',
      code: 'ARRIVED',
      status: 'estimated',
      date: '2026-04-01T00:00:00Z',
    },
  })
  await evaluate(service, account.id)
  expect(await open()).toBe(0)
})
