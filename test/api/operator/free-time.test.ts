import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { FreeTimeTermFields } from '../../../src/contract/operator/free-time.js'
import type { TrackingRecord } from '../../../src/contract/public/tracking.js'
import { newAccount } from '../../support/account.js'
import { newOperator } from '../../support/operator.js'
import { ownDatabase } from '../../support/own-database.js'
import { startService } from '../../support/service.js'

/** Rules, calendars, what is given for a shipment, and the clocks that follow. */

const service = await startService({ db: await ownDatabase('free_time') })

const params = { svc_shipment_id: 'S' }
const number = 'MSKU1234565'
const rule: FreeTimeTermFields = {
  direction: 'import',
  clock: 'demurrage',
  free: 3,
  unit: 'working_days',
  start_event: 'DISCHARGED',
  start_rule: 'next_day',
  stop_event: 'GATE_OUT',
  after_free: 'calendar',
  tiers: [{ from_day: 1, amount: 55.5, currency: 'EUR' }],
}

/** A container that was discharged on Friday 6 March 2026, and picked up on Monday 16 March. */
async function discharged() {
  const account = await newAccount(service)
  const operator = await newOperator(service)
  const events: NonNullable<NonNullable<TrackingRecord['tracking_steps']>[number]['events']> = [
    { id: 'd', code: 'DISCHARGED', date: '2026-03-06T10:00:00+01:00', status: 'actual', container_number: number },
    { id: 'g', code: 'GATE_OUT', date: '2026-03-16T10:00:00+01:00', status: 'actual', container_number: number },
  ]
  await account.forwarder.imports(
    {
      kind: 'shipment',
      data: { ...params, freight_mode: 'ocean', cargo: { containers: [{ container_number: number }] } },
    },
    {
      kind: 'tracking',
      data: { ...params, tracking_steps: [{ type: 'destination_port', port: { unlocode: 'NL/RTM' }, events }] },
    },
  )
  const term_id = `rule ${account.slug}`
  const set = (changes: Partial<FreeTimeTermFields> = {}) =>
    operator.ops('setFreeTimeTerm', undefined, {
      params: { term_id },
      body: { ...rule, account: account.slug, ...changes },
    })
  const clock = async (query: { as_of?: string } = {}) => {
    const { body } = await operator.ops('getFreeTime', account.slug, { params, query })
    const own = (await account.call('getFreeTime', { params, query })).body
    // What was given beyond the rules is the forwarder's.
    const { given: _given, ...shown } = body
    expect(own).toEqual(shown)
    return body.clocks[0]
  }
  return { ...account, ...operator, set, clock, term_id, now: () => new Date().toISOString() }
}

test('a clock follows its rule, calendar, events and what is given, each with its past', async () => {
  const { ops, slug, set, clock, term_id, now } = await discharged()
  expect((await ops('getFreeTime', slug, { params })).body.clocks).toEqual([])
  const beginning = now()
  const { body: stored } = await set()
  expect(stored).toMatchObject({ ...rule, id: term_id })
  // Free: Mon 9, Tue 10, Wed 11. Charged: Thu 12 to Mon 16.
  expect(await clock()).toMatchObject({ last_free_day: '2026-03-11', days_over: 5, cost: { amount: 277.5 } })
  const ruled = now()

  const given = { direction: 'import', clock: 'demurrage' } as const
  const day = { ...given, last_free_day: '2026-03-13', source: 'carrier', reason: 'Arrival notice' } as const
  const { body } = await ops('giveFreeTime', slug, { params: { ...params, fact_id: 'lfd' }, body: day })
  expect(body.given).toMatchObject([{ id: 'lfd', ...day }])
  expect(body.clocks[0]).toMatchObject({
    last_free_day: '2026-03-13',
    last_free_day_source: 'carrier',
    computed_last_free_day: '2026-03-11',
    difference_days: 2,
    days_over: 3,
  })
  const extra = {
    ...given,
    extra_days: 1,
    source: 'person',
    reason: 'Agreed by phone',
    container_number: number,
  } as const
  await ops('giveFreeTime', slug, { params: { ...params, fact_id: 'grant' }, body: extra })
  // A working day after Friday 13 is Monday 16.
  expect(await clock()).toMatchObject({
    last_free_day: '2026-03-16',
    computed_last_free_day: '2026-03-12',
    extra_days: 1,
  })
  const given2 = now()

  const retract = (fact_id: string) =>
    ops('retractFreeTime', slug, { params: { ...params, fact_id }, query: { reason: 'Withdrawn' } })
  await retract('lfd')
  expect(await clock()).toMatchObject({ last_free_day: '2026-03-12', last_free_day_source: 'computed', given: [] })
  await retract('grant')
  expect(await retract('grant')).toBeRefused('free_time_fact_not_found')
  expect(await clock()).toMatchObject({ last_free_day: '2026-03-11' })

  await ops('retractEvent', slug, { params: { ...params, event_id: 'g' }, query: { reason: 'Wrong' } })
  expect(await clock()).toMatchObject({ state: 'expired', each_further_day: { amount: 55.5, currency: 'EUR' } })
  await set({ free: 4 })
  expect(await clock()).toMatchObject({ last_free_day: '2026-03-12' })
  expect((await ops('removeFreeTimeTerm', undefined, { params: { term_id } })).body).toEqual({ removed: term_id })
  expect(await ops('removeFreeTimeTerm', undefined, { params: { term_id } })).toBeRefused('free_time_term_not_found')

  expect((await ops('getFreeTime', slug, { params, query: { as_of: beginning } })).body.clocks).toEqual([])
  expect(await clock({ as_of: ruled })).toMatchObject({ last_free_day: '2026-03-11', state: 'stopped', days_over: 5 })
  expect(await clock({ as_of: given2 })).toMatchObject({
    last_free_day: '2026-03-16',
    given: [{ reason: 'Arrival notice' }],
  })
  expect(await ops('getFreeTime', slug, { params, query: { as_of: '2020-01-01T00:00:00Z' } })).toBeRefused(
    'version_not_found',
  )
  const { body: history } = await ops('getTrackingHistory', slug, { params })
  expect(history.map(({ reason }) => reason)).toEqual([
    undefined,
    'Arrival notice',
    'Agreed by phone',
    'Withdrawn',
    'Withdrawn',
    'Wrong',
  ])
})

test('calendars are by port, above those of the country', async () => {
  const { ops, set, clock } = await discharged()
  // No other test has a calendar of this country.
  const place = 'NL'
  await set()
  const calendar = { weekend: [5, 6, 7], days: [{ date: '2026-03-10', kind: 'holiday', name: 'A day' } as const] }
  expect((await ops('setWorkingDays', undefined, { params: { place }, body: calendar })).body).toMatchObject(calendar)
  // Mon 9, Wed 11, Thu 12.
  expect(await clock()).toMatchObject({ last_free_day: '2026-03-12', days_over: 4 })
  const closed = {
    days: [{ date: '2026-03-14', kind: 'closure' } as const, { date: '2026-03-10', kind: 'working' } as const],
  }
  await ops('setWorkingDays', undefined, { params: { place: 'NL/RTM' }, body: closed })
  // Mon 9, Tue 10, Wed 11; charged 12, 13, 15, 16.
  expect(await clock()).toMatchObject({ last_free_day: '2026-03-11', days_over: 4 })
  const { body } = await ops('listWorkingDays', undefined, { query: { after: 'NK' } })
  expect(body.calendars.slice(0, 2)).toMatchObject([{ place: 'NL', weekend: [5, 6, 7] }, { place: 'NL/RTM' }])
  for (const each of [place, 'NL/RTM']) {
    expect((await ops('removeWorkingDays', undefined, { params: { place: each } })).status).toBe(200)
  }
  expect(await ops('removeWorkingDays', undefined, { params: { place } })).toBeRefused('working_days_not_found')
  expect(await clock()).toMatchObject({ last_free_day: '2026-03-11', days_over: 5 })
})

const tier = (from_day: number, to_day?: number, rest: object = {}) => ({
  from_day,
  ...(to_day !== undefined && { to_day }),
  amount: 50,
  currency: 'EUR' as const,
  ...rest,
})

test.each<[string, object, string]>([
  ['tiers that overlap', { tiers: [tier(1, 5), tier(5)] }, '/tiers/1/from_day'],
  ['tiers with a gap', { tiers: [tier(1, 5), tier(7)] }, '/tiers/1/from_day'],
  ['tiers that begin late', { tiers: [tier(2)] }, '/tiers/0/from_day'],
  ['a tier after one without an end', { tiers: [tier(1), tier(2)] }, '/tiers/1/from_day'],
  ['a tier that ends before it begins', { tiers: [tier(1, 5), tier(6, 3)] }, '/tiers/1/to_day'],
  ['tiers in two currencies', { tiers: [tier(1, 5), tier(6, undefined, { currency: 'USD' })] }, '/tiers/1/currency'],
  ['an amount with too many decimals', { tiers: [tier(1, 5, { amount: 1.234 })] }, '/tiers/0/amount'],
  ['an end before the beginning', { valid_from: '2026-02-01', valid_to: '2026-01-31' }, '/valid_to'],
  ['hours by the day', { unit: 'hours' }, '/start_rule'],
  ['days by the hour', { start_rule: 'at_time' }, '/start_rule'],
  ['an event of exports', { start_event: 'GATE_IN' }, '/start_event'],
  ['the same event twice', { start_event: 'GATE_OUT' }, '/stop_event'],
  ['a shipment without its account', { account: undefined, svc_shipment_id: 'S' }, '/account'],
  ['an account that is not there', { account: 'nobody-knows-it' }, '/account'],
  ['a place that is none', { port: 'Rotterdam' }, '/port'],
  ['a number below zero', { free: -1 }, '/free'],
  ['a field that is unknown', { free_days: 3 }, '/free_days'],
])('a rule with %s is refused by its field', async (_name, wrong, pointer) => {
  const { ops } = await newOperator(service, 'operations')
  const body = { ...rule, ...wrong }
  const refused = await ops('setFreeTimeTerm', undefined, { params: { term_id: randomUUID() }, body })
  expect(refused).toBeRefused('invalid_request')
  expect(refused.problem.errors?.map((each) => each.pointer)).toContain(pointer)
})

test('a calendar and what is given are refused by their field', async () => {
  const { ops, slug } = await discharged()
  const days = [{ date: '2026-03-10', kind: 'holiday' } as const]
  for (const [place, body, pointer] of [
    ['NL/RTM', { days: [...days, ...days] }, '/days/1/date'],
    ['NL/RTM', { days, time_zone: 'Europe/Rotterdam' }, '/time_zone'],
    ['NL', { days, time_zone: 'Europe/Amsterdam' }, '/time_zone'],
    ['NL', { days, weekend: [0] }, '/weekend/0'],
    ['Nowhere', { days }, '/place'],
  ] as const) {
    const refused = await ops('setWorkingDays', undefined, { params: { place }, body: body as never })
    expect(refused.problem.errors?.[0]?.pointer).toBe(pointer)
  }
  const given = { direction: 'import', clock: 'demurrage', source: 'carrier', reason: 'Mail' } as const
  for (const [body, pointer] of [
    [given, '/last_free_day'],
    [{ ...given, last_free_day: '2026-03-13', extra_days: 1 }, '/extra_days'],
    [{ ...given, last_free_day: '2026-02-30' }, '/last_free_day'],
    [{ ...given, extra_days: 1, container_number: 'TGHU7599330' }, '/container_number'],
  ] as const) {
    const refused = await ops('giveFreeTime', slug, { params: { ...params, fact_id: 'f' }, body })
    expect(refused.problem.errors?.[0]?.pointer).toBe(pointer)
  }
  const nowhere = { params: { svc_shipment_id: 'X', fact_id: 'f' }, body: { ...given, extra_days: 1 } }
  expect(await ops('giveFreeTime', slug, nowhere)).toBeRefused('tracking_not_found')
})

test('rules are listed by pages, and as of a time', async () => {
  const { ops } = await newOperator(service)
  const mark = randomUUID()
  const ids = ['a', 'b', 'c'].map((each) => `${mark} ${each}`)
  for (const term_id of ids)
    await ops('setFreeTimeTerm', undefined, { params: { term_id }, body: { ...rule, contract: mark } })
  const page = await ops('listFreeTimeTerms', undefined, { query: { after: mark, take: 2 } })
  expect(page.body).toMatchObject({ terms: [{ id: ids[0] }, { id: ids[1] }], next: ids[1] })
  const [, second] = page.body.terms
  await ops('setFreeTimeTerm', undefined, {
    params: { term_id: ids[1] as string },
    body: { ...rule, contract: mark, free: 9 },
  })
  const query = { after: ids[0] as string, take: 1, as_of: second?.recorded_at as string }
  expect((await ops('listFreeTimeTerms', undefined, { query })).body.terms).toEqual([second])
})

test('the rule of one account is nothing to another, and customers see a change of rules at once', async () => {
  const [one, other] = [await discharged(), await discharged()]
  await one.set()
  const first = await one.call('getFreeTime', { params })
  expect(first.body.clocks).toHaveLength(1)
  expect(
    (await other.call('getFreeTime', { params })).body.clocks.filter(({ rule: own }) => own?.id === one.term_id),
  ).toEqual([])
  const etag = first.headers.get('etag') ?? ''
  expect((await one.call('getFreeTime', { params, ifNoneMatch: etag })).status).toBe(304)
  await one.set({ free: 5 })
  const second = await one.call('getFreeTime', { params, ifNoneMatch: etag })
  expect(second.body.clocks[0]).toMatchObject({ last_free_day: '2026-03-13' })
  expect(await one.call('getFreeTime', { params: { svc_shipment_id: 'X' } })).toBeRefused('tracking_not_found')
})
