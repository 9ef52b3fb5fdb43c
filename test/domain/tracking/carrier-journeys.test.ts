import fc from 'fast-check'
import { expect, test } from 'vitest'
import { follow } from '../../support/carrier-history.js'
import { actualOn, type CarrierJourney, carrierJourney } from '../../support/carrier-journeys.js'

/** Journeys with rollovers, transshipments and containers that are used again: what is shown is true at every moment. */

const runs = { numRuns: 25, seed: 1718 }

/** What may be shown as actual now, and what must be: once everything that it follows from was reported. */
function truthAt({ facts }: CarrierJourney, now: number, milestone: 'departure' | 'arrival') {
  const isDeparture = milestone === 'departure'
  const on = Math.max(...facts.map(({ departed, arrived }) => (isDeparture ? departed : arrived)))
  const last = Math.max(...facts.map(({ departed, shown }) => (isDeparture ? departed : shown)))
  const known = Math.max(...facts.map(({ knownAt }) => knownAt[milestone]))
  return { hasHappened: on <= now, isKnown: known < now, shown: actualOn(last) }
}

function expectTruth(journey: CarrierJourney, shown: ReturnType<ReturnType<typeof follow>['shown']>, now: number) {
  for (const milestone of ['departure', 'arrival'] as const) {
    const { hasHappened, isKnown, shown: expected } = truthAt(journey, now, milestone)
    const context = `${milestone} on day ${now}: ${JSON.stringify(shown)}`
    if (isKnown) expect(shown[milestone], context).toBe(expected)
    else if (!hasHappened) expect(shown[milestone], context).not.toContain('actual')
  }
  const hasArrived = truthAt(journey, now, 'arrival').hasHappened
  if (!hasArrived) expect(['arrived', 'out_for_delivery', 'delivered']).not.toContain(shown.status)
}

test('of events reported in time, the dates that are shown are true at every moment', () => {
  fc.assert(
    fc.property(carrierJourney, (journey) => {
      const shipment = follow('CNSHA', 'DEHAM', { containers: journey.containers })
      for (const { at, report } of journey.reported) {
        shipment.report(report)
        expectTruth(journey, shipment.shown(), at)
      }
    }),
    runs,
  )
})

test('events in any order and repeated show the same as events in time', () => {
  const orders = carrierJourney.chain((journey) =>
    fc.record({
      journey: fc.constant(journey),
      order: fc.shuffledSubarray(journey.reported, { minLength: journey.reported.length }),
      again: fc.subarray(journey.reported, { maxLength: 6 }),
    }),
  )
  fc.assert(
    fc.property(orders, ({ journey, order, again }) => {
      const inTime = follow('CNSHA', 'DEHAM', { containers: journey.containers })
      inTime.report(...journey.reported.map(({ report }) => report))
      const shuffled = follow('CNSHA', 'DEHAM', { containers: journey.containers })
      shuffled.report(...[...order, ...again].map(({ report }) => report))
      expect(shuffled.shown()).toEqual(inTime.shown())
    }),
    runs,
  )
})
