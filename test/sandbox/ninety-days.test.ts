import { expect, test } from 'vitest'
import { openWorld } from '../../src/cli/sandbox/world.js'
import { simulateTime } from '../../src/clock/clock.js'
import type { Shipment } from '../../src/contract/public/shipment.js'
import type { Scenario, ScenarioName } from '../../src/contract/sandbox/world.js'
import { generateLines } from '../../src/sandbox/generate.js'
import { evaluateDue } from '../../src/usecases/exceptions/run-exceptions.js'
import { type Line, newAccount, type TestAccount } from '../support/account.js'
import { everyShipment } from '../support/generated-account.js'
import { ownDatabase } from '../support/own-database.js'
import { startService } from '../support/service.js'

/**
 * Days of simulated carriers, after each of which everything that is derived has to hold. `npm run soak:days` runs it with 300 shipments
 * over 90 days.
 */

const shipments = Number(process.env.WAYBILL_TEST_SHIPMENTS ?? 25)
const days = Number(process.env.WAYBILL_TEST_DAYS ?? 20)
const start = '2031-03-01'

test('over many days, dates, exceptions and the feed stay consistent', { timeout: 3_600_000 }, async () => {
  simulateTime(Date.parse(start), 0)
  const db = await ownDatabase('days')
  const service = await startService({ db, eventDays: 400 })
  const account = await newAccount(service)
  await account.forwarder.imports(...linesUnderWay())

  const clock = { now: `${start}T00:00:00.000Z`, speed: 0 }
  const world = openWorld(db, { clock, seed: 'test', quotas: {}, scenarios: [], save: async () => {} })
  const stop = new AbortController()
  const failures: unknown[] = []
  const running = world.run({ signal: stop.signal, mail: undefined, onError: (error) => failures.push(error) })

  const { signal } = stop
  const mirror = new Map((await everyShipment(account)).map((each) => [each.svc_shipment_id, each]))
  let { cursor } = (await account.call('listEvents', { query: { after: 'now' } })).body
  for (let day = 1; day <= days; day++) {
    const named = startedOn[day]
    const scenario = named && (await world.startScenario(named))
    const { now } = await world.moveClock({ advance: 'P1D' })
    expect(failures).toEqual([])
    if (scenario) await expectConsequences(account, scenario)

    // The feed leads to the same state as the lists.
    for (let isMore = true; isMore; ) {
      const { body } = await account.call('listEvents', { query: { after: cursor, include: 'object', limit: 500 } })
      for (const { object, state } of body.events)
        if (object.kind === 'shipment') mirror.set(object.id, state as Shipment)
      cursor = body.cursor
      isMore = body.has_more
    }
    const present = await everyShipment(account)
    expect(Object.fromEntries(mirror)).toEqual(Object.fromEntries(present.map((each) => [each.svc_shipment_id, each])))

    // Nothing has happened in the future.
    for (const { main_tracking_dates = {} } of present) {
      for (const each of Object.values(main_tracking_dates))
        if (each.status === 'actual') expect(Date.parse(each.date ?? '')).toBeLessThanOrEqual(Date.parse(now))
    }

    // A fresh evaluation of everything finds nothing to change.
    const [before] = await db<{ revision: number }[]>`select revision from accounts where account_id = ${account.id}`
    await db`update exception_state set rules = '' where account_id = ${account.id}`
    await evaluateDue(db, Date.parse(now), signal)
    const [after] = await db<{ revision: number }[]>`select revision from accounts where account_id = ${account.id}`
    expect(after, now).toEqual(before)
  }
  const outcomes = await db`select distinct format, outcome from messages order by 1, 2`
  expect(outcomes).toEqual([
    { format: 'dcsa', outcome: 'applied' },
    { format: 'events', outcome: 'applied' },
  ])
  expect([...mirror.values()].filter(({ status }) => status === 'finished').length).toBeGreaterThan(0)
  stop.abort()
  await running
})

test('the same data, seed and steps give the same messages', async () => {
  const messages = []
  for (const run of ['first', 'second']) {
    simulateTime(Date.parse(start), 0)
    const db = await ownDatabase(`days_${run}`)
    const service = await startService({ db })
    const account = await newAccount(service)
    await account.forwarder.imports(...linesUnderWay(8))
    const clock = { now: `${start}T00:00:00.000Z`, speed: 0 }
    const world = openWorld(db, { clock, seed: 'test', quotas: {}, scenarios: [], save: async () => {} })
    const stop = new AbortController()
    const failures: unknown[] = []
    const running = world.run({ signal: stop.signal, mail: undefined, onError: (error) => failures.push(error) })
    await world.startScenario('customs hold')
    await world.moveClock({ advance: 'P4D' })
    stop.abort()
    await running
    expect(failures).toEqual([])
    messages.push(
      await db`
      select sender, format, outcome, received_at, convert_from(content, 'UTF8') as content from messages order by message_id`,
    )
  }
  expect(messages[0]?.length).toBeGreaterThan(3)
  expect(messages[1]).toEqual(messages[0])
})

const startedOn: Partial<Record<number, ScenarioName>> = {
  5: 'strike at Rotterdam for 5 days',
  6: 'rollover at Singapore',
  10: 'customs hold',
}

/** What the account sees of a scenario on the next day. */
async function expectConsequences({ call }: TestAccount, { name, shipments: concerned }: Scenario): Promise<void> {
  expect(concerned.length, name).toBeGreaterThan(0)
  const kind = { 'rollover at Singapore': 'rolled', 'customs hold': 'hold' } as const
  for (const svc_shipment_id of concerned) {
    const { body: tracking } = await call('getTracking', { params: { svc_shipment_id } })
    expect(JSON.stringify(tracking), name).toMatch(/closed by a strike|Rolled to the next sailing|Held by customs/)
    if (name === 'strike at Rotterdam for 5 days') continue
    const { body: open } = await call('listExceptions', { query: { svc_shipment_id, state: 'open', kind: kind[name] } })
    expect(open, name).toHaveLength(1)
  }
}

/** Shipments that are booked or under way, with their tracking and invoices. */
function linesUnderWay(count = shipments): Line[] {
  const lines = [...generateLines({ accounts: 1, shipments: count * 5, seed: 'ninety days 18', today: start })]
  const moving = lines.flatMap((line) =>
    line.kind === 'shipment' && (line.data.status === 'booked' || line.data.status === 'in_progress')
      ? [line.data.svc_shipment_id]
      : [],
  )
  // Some that the scenarios concern first.
  const byScenarios = new Set(
    lines.flatMap((line) =>
      line.kind === 'tracking' && /SG\/SIN|NL\/RTM/.test(JSON.stringify(line.data)) ? [line.data.svc_shipment_id] : [],
    ),
  )
  const concerned = moving.filter((id) => byScenarios.has(id)).slice(0, count / 2)
  const chosen = new Set([...concerned, ...moving].slice(0, count))
  return lines.flatMap((line): Line[] => {
    if (line.kind === 'location') return [{ kind: 'location', data: line.data }]
    if (line.kind === 'shipment' && chosen.has(line.data.svc_shipment_id))
      return [{ kind: 'shipment', data: line.data }]
    if (line.kind === 'tracking' && chosen.has(line.data.svc_shipment_id))
      return [{ kind: 'tracking', data: line.data }]
    if (line.kind === 'invoice' && chosen.has(line.data.svc_shipment_id ?? ''))
      return [{ kind: 'invoice', data: line.data }]
    return []
  })
}
