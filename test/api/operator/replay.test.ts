import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startCarrier } from '../../support/messages.js'
import { startService } from '../../support/service.js'
import { asDcsa, type Statement, timeOf, truth, type Voyage, voyage } from '../../support/voyages.js'

/** Journeys as carriers report them: in time, in any order, and repeated. */

const service = await startService()

type Replay = Awaited<ReturnType<typeof startReplay>>

async function startReplay({ containers: count }: Voyage) {
  const carrier = await startCarrier(service)
  const containers = carrier.containers.slice(0, count)
  const id = await carrier.shipment({
    status: 'booked',
    freight_mode: 'ocean',
    cargo_ready_date: '2026-03-01',
    cargo: { containers: containers.map((container_number) => ({ container_number })) },
    booking_information: { ocean_booking: { booking_number: carrier.booking } },
  })
  const steps = [
    { id: 'pickup', type: 'pickup', location_id: 1 },
    { id: 'origin', type: 'origin_port', port: { unlocode: 'CN/NGB' } },
    { id: 'hub', type: 'transshipment_port', port: { unlocode: 'SG/SIN' } },
    { id: 'destination', type: 'destination_port', port: { unlocode: 'DE/HAM' } },
    { id: 'delivery', type: 'delivery', location_id: 2 },
  ] as const
  await carrier.work('planTracking', { params: { svc_shipment_id: id }, body: { steps: [...steps] } })
  const report = (statements: Statement[]) =>
    carrier.send(statements.map((each) => asDcsa(each, { booking: carrier.booking, containers })))
  const dates = () => carrier.dates(id)

  /** All that anybody sees, without the names that differ from run to run. */
  async function shown() {
    const params = { svc_shipment_id: id }
    const tracking = (await carrier.call('getTracking', { params })).body
    const { status, main_tracking_dates } = await carrier.seen(id)
    const { body } = await carrier.call('explainTracking', { params })
    const text = JSON.stringify({
      status,
      main_tracking_dates,
      initial: tracking.initial_dates,
      tracked: tracking.status,
      steps: tracking.tracking_steps,
      explained: body.milestones,
    })
    const named = containers.reduce((names, number, index) => names.replaceAll(number, `container ${index}`), text)
    return JSON.parse(named.replaceAll(carrier.sender, 'CARRIER'), inOrder) as unknown
  }
  return { report, dates, shown }
}

// Events are listed in the order in which they came.
function inOrder(name: string, value: unknown): unknown {
  if (name !== 'events' && name !== 'other_events') return value
  return (value as unknown[]).map((each) => JSON.stringify(each)).toSorted()
}

async function expectTruth({ dates }: Replay, journey: Voyage, statements: Statement[]): Promise<void> {
  const { departure_date, arrival_date } = await dates()
  for (const [milestone, shown] of [
    ['departure', departure_date],
    ['arrival', arrival_date],
  ] as const) {
    const happened = truth(journey, statements, milestone)
    const actual = shown?.status === 'actual' ? shown.date : undefined
    const context = `${milestone} after ${JSON.stringify(statements.at(-1))}`
    expect(actual, context).toBe(happened === undefined ? undefined : timeOf(happened))
  }
}

test('of events reported in time, what is shown as actual is the first actual event of the carrier, at every moment', async () => {
  await fc.assert(
    fc.asyncProperty(voyage, async (journey) => {
      const replay = await startReplay(journey)
      for (const [index, statement] of journey.statements.entries()) {
        await replay.report([statement])
        await expectTruth(replay, journey, journey.statements.slice(0, index + 1))
      }
    }),
    { numRuns: 4, seed: 1918, endOnFailure: true },
  )
})

test('events in any order, in any messages and repeated show the same in the end as events in time', async () => {
  const orders = voyage.chain((journey) => {
    const all = journey.statements
    return fc.record({
      journey: fc.constant(journey),
      order: fc.shuffledSubarray(all, { minLength: all.length }),
      again: fc.subarray(all, { maxLength: 6 }),
      most: fc.integer({ min: 1, max: 7 }),
    })
  })
  await fc.assert(
    fc.asyncProperty(orders, async ({ journey, order, again, most }) => {
      const inTime = await startReplay(journey)
      await inTime.report(journey.statements)
      await expectTruth(inTime, journey, journey.statements)
      const shuffled = await startReplay(journey)
      const statements = [...order, ...again]
      for (let from = 0; from < statements.length; from += most)
        await shuffled.report(statements.slice(from, from + most))
      expect(await shuffled.shown()).toEqual(await inTime.shown())
    }),
    { numRuns: 6, seed: 2026, endOnFailure: true },
  )
})
