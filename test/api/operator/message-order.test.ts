import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AnyEvent, anyEvent, inItsForm } from '../../support/any-dcsa.js'
import { startCarrier } from '../../support/messages.js'
import { startService } from '../../support/service.js'

/** What messages have in common: it does not matter in which order they come, or how often. */

const service = await startService()

async function startShipment() {
  const carrier = await startCarrier(service)
  const { booking, containers, sender } = carrier
  const id = await carrier.ship()

  async function report(events: AnyEvent[]): Promise<void> {
    const { outcome, events: results } = await carrier.send(events.map((each) => inItsForm(each, carrier)))
    expect(outcome, JSON.stringify(results)).not.toBe('unreadable')
    for (const each of results ?? []) expect(each, JSON.stringify(each)).not.toMatchObject({ outcome: 'invalid' })
  }

  /** All that anybody sees, without the names that differ from run to run. */
  async function shown() {
    const params = { svc_shipment_id: id }
    const { status, main_tracking_dates } = await carrier.seen(id)
    const tracking = (await carrier.call('getTracking', { params })).body
    const { milestones } = (await carrier.call('explainTracking', { params })).body
    const text = JSON.stringify({ status, main_tracking_dates, tracking, milestones })
    const plain = [id, booking, sender, ...containers].reduce(
      (known, name, place) => known.replaceAll(name, `name ${place}`),
      text,
    )
    return JSON.parse(plain, inOrder) as unknown
  }
  return { report, shown, tracked: () => carrier.tracked(id), seen: () => carrier.seen(id) }
}

// Events are listed in the order in which they came.
function inOrder(name: string, value: unknown): unknown {
  if (name !== 'events' && name !== 'other_events') return value
  return (value as unknown[]).map((each) => JSON.stringify(each)).toSorted()
}

test('events of every form, their versions and retractions show the same in any order, in any messages and repeated', async () => {
  const orders = fc.array(anyEvent, { minLength: 4, maxLength: 14 }).chain((all) =>
    fc.record({
      all: fc.constant(all),
      order: fc.shuffledSubarray(all, { minLength: all.length }),
      again: fc.subarray(all),
      most: fc.integer({ min: 1, max: 6 }),
    }),
  )
  await fc.assert(
    fc.asyncProperty(orders, async ({ all, order, again, most }) => {
      const together = await startShipment()
      await together.report(all)
      const shuffled = await startShipment()
      const reports = [...order, ...again]
      for (let from = 0; from < reports.length; from += most) await shuffled.report(reports.slice(from, from + most))
      expect(await shuffled.shown()).toEqual(await together.shown())
    }),
    { numRuns: 12, seed: 2218, endOnFailure: true },
  )
})

test('a shipment is booked while all that has moved it cannot be true beside the first dates, whichever came last', async () => {
  const arrival: AnyEvent = {
    form: '2.2',
    id: 1,
    isRetracted: false,
    on: 15,
    issued: 12,
    status: 'ACT',
    code: 'ARRI',
    at: 'NLRTM',
    container: 0,
    isEmpty: false,
    isOfVessel: true,
    vessel: undefined,
    mode: 'TRUCK',
  }
  // The arrival is a newer version of it, which takes its date away.
  const delivery: AnyEvent = { ...arrival, code: 'DROP', at: 'DEDUI', status: 'PLN', on: 24, issued: 5, mode: 'VESSEL' }
  const emptyOut: AnyEvent = { ...delivery, id: 2, code: 'GTOT', at: 'DEHAM', on: 23, issued: 8, isEmpty: true }
  const expected = { status: 'EST', on: 33, issued: 10, mode: 'VESSEL' } as const
  const departure: AnyEvent = { ...arrival, ...expected, id: 3, code: 'DEPA', at: 'CNSHA', isOfVessel: false }
  const reports = [arrival, departure, emptyOut, delivery]
  for (const order of [reports, reports.toReversed()]) {
    const { report, tracked, seen } = await startShipment()
    for (const each of order) await report([each])
    expect([(await seen()).status, (await tracked()).status]).toEqual(['booked', 'pending'])
  }
})
