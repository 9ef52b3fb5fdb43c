import { expect, test } from 'vitest'
import { type Scenario, type ScenarioName, scenarioNames } from '../../src/contract/sandbox/world.js'
import { scheduleOf } from '../../src/sandbox/carrier-schedule.js'
import { printSpecimen } from '../../src/sandbox/document-pdf.js'
import { generateLines } from '../../src/sandbox/generate.js'
import { evaluateDue } from '../../src/usecases/exceptions/run-exceptions.js'
import type { Line, TestAccount } from '../support/account.js'
import { expectWholeInbound, inbound } from '../support/inbound.js'
import { listed, mirror } from '../support/listed.js'
import { wrongClocks, wrongDates } from './day-consistency.js'
import { startWorld } from './simulated-world.js'

/**
 * Days of simulated carriers, after each of which everything that is derived has to hold. `npm run soak:days` runs it with 300 shipments
 * over 90 days.
 */

const shipments = Number(process.env.WAYBILL_TEST_SHIPMENTS ?? 20)
const days = Number(process.env.WAYBILL_TEST_DAYS ?? 12)
const start = '2031-03-01'

test('over many days, everything that is derived stays consistent', { timeout: 7_200_000 }, async () => {
  const { db, account, world, failures, signal, end } = await startWorld('days', { start })
  await account.forwarder.imports(...(await linesUnderWay()))
  await evaluateDue(db, Date.parse(start), signal)

  const mirrored = await listed(account)
  for (const kind of ['shipment', 'tracking', 'purchase_order', 'location', 'invoice', 'document'] as const)
    expect(Object.keys(mirrored[kind]), kind).not.toEqual([])
  expect((await inbound(account)).some(({ svc_shipment_id }) => svc_shipment_id !== undefined)).toBe(true)
  const clocks = { running: 0, stopped: 0 }
  const raisedOn = new Set<number>()
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
      for (const event of body.events) {
        mirror(mirrored, event)
        if (event.type === 'exception.raised') raisedOn.add(day)
      }
      cursor = body.cursor
      isMore = body.has_more
    }
    const present = await listed(account)
    expect(mirrored, now).toEqual(present)

    expect(wrongDates(Object.values(present.shipment), Date.parse(now)), now).toEqual([])
    await expectWholeInbound(account, await inbound(account))
    for (const svc_shipment_id of Object.keys(present.tracking)) {
      const { body } = await account.call('getFreeTime', { params: { svc_shipment_id } })
      expect(
        wrongClocks(body, present.tracking[svc_shipment_id]!, Date.parse(now)),
        `${now} ${svc_shipment_id}`,
      ).toEqual([])
      for (const { state } of body.clocks)
        if (state !== 'not_started') clocks[state === 'stopped' ? 'stopped' : 'running'] += 1
    }

    // A fresh evaluation of everything, as after a change of rules, finds nothing to change, and makes no history of it.
    const [before] = await db<{ revision: number }[]>`select revision from accounts where account_id = ${account.id}`
    await db`update exception_state set rules = 'others' where account_id = ${account.id}`
    await evaluateDue(db, Date.parse(now), signal)
    const [after] = await db<{ revision: number }[]>`select revision from accounts where account_id = ${account.id}`
    expect(after, now).toEqual(before)
  }
  const outcomes = await db`select distinct format, outcome from messages order by 1, 2`
  expect(outcomes).toEqual([
    { format: 'dcsa', outcome: 'applied' },
    { format: 'events', outcome: 'applied' },
  ])
  expect(Object.values(mirrored.shipment).some(({ status }) => status === 'finished')).toBe(true)
  expect(Object.keys(mirrored.exception)).not.toEqual([])
  // Also after everything was evaluated again: on the last days, as on the first.
  expect([...raisedOn].some((day) => day > days / 2)).toBe(true)
  expect(clocks.running).toBeGreaterThan(0)
  expect(clocks.stopped).toBeGreaterThan(0)
  await end()
})

test('the same data, seed and steps give the same messages, whichever scenarios are started', async () => {
  const lines = await linesUnderWay(8)
  const messages = []
  for (const run of ['first', 'second']) {
    const { db, account, world, end } = await startWorld(`days_${run}`, { start })
    await account.forwarder.imports(...lines)
    const concerned = []
    for (const name of scenarioNames) {
      concerned.push(await world.startScenario(name))
      expect(concerned.at(-1)?.shipments, name).not.toEqual([])
      await world.moveClock({ advance: 'P2D' })
    }
    await end()
    const sent = await db<{ content: string }[]>`
      select sender, format, outcome, received_at, convert_from(content, 'UTF8') as content from messages order by message_id`
    for (const words of ['Rolled to the next sailing', 'Held by customs', 'closed by a strike'])
      expect(
        sent.some(({ content }) => content.includes(words)),
        words,
      ).toBe(true)
    messages.push({ sent, concerned })
  }
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

/** Shipments that are booked or under way, with everything that belongs to them. */
async function linesUnderWay(count = shipments): Promise<Line[]> {
  const specimen = await printSpecimen()
  const lines = [
    ...generateLines({
      accounts: 1,
      shipments: Math.max(count * 5, 125),
      seed: 'ninety days 18',
      today: start,
      specimen,
    }),
  ]
  const moving = lines.flatMap((line) =>
    line.kind === 'shipment' && (line.data.status === 'booked' || line.data.status === 'in_progress')
      ? [line.data.svc_shipment_id]
      : [],
  )
  // Those first that pass soon where the scenarios are.
  const passing = (unlocode: string) =>
    lines
      .flatMap((line) => (line.kind === 'tracking' && moving.includes(line.data.svc_shipment_id) ? [line.data] : []))
      .flatMap((tracking) => {
        const due = scheduleOf(tracking, 'test', []).find((each) => each.unlocode === unlocode)
        return due ? [{ id: tracking.svc_shipment_id, happens: due.happens }] : []
      })
      .toSorted((one, other) => one.happens - other.happens)
      .slice(0, count / 4)
      .map(({ id }) => id)
  const chosen = new Set([...passing('SGSIN'), ...passing('NLRTM'), ...moving].slice(0, count))
  const isChosen = (id: string | undefined) => id !== undefined && chosen.has(id)
  const orders = new Set<string>()
  const invoices = new Set<string>()
  for (const { kind, data } of lines) {
    if (kind === 'assignment' && isChosen(data.svc_shipment_id)) orders.add(data.reference)
    if (kind === 'invoice' && isChosen(data.svc_shipment_id)) invoices.add(data.reference)
  }
  return lines.flatMap((line): Line[] => {
    const { kind, data } = line
    switch (kind) {
      case 'location':
        return [{ kind, data }]
      case 'shipment':
        return isChosen(data.svc_shipment_id) ? [{ kind, data }] : []
      case 'tracking':
        return isChosen(data.svc_shipment_id) ? [{ kind, data }] : []
      case 'assignment':
        return isChosen(data.svc_shipment_id) ? [{ kind, data }] : []
      case 'document':
        return isChosen(data.svc_shipment_id) ? [{ kind, data }] : []
      case 'purchase_order':
        return orders.has(data.reference) ? [{ kind, data }] : []
      case 'invoice':
        return invoices.has(data.reference) ? [{ kind, data }] : []
      case 'payment':
        return invoices.has(data.reference) ? [{ kind, data }] : []
      default:
        return []
    }
  })
}
