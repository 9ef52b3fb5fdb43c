import fc from 'fast-check'
import { arrive, C1, C2, C3, depart, discharge, gateIn, gateOut, load } from './carrier-history.js'

/**
 * Random journeys of one to three containers from Shanghai to Hamburg, on one vessel or by way of Singapore, some of them rolled at
 * the first port or at the hub, and what is true of them.
 */

/** What a carrier says, and when; days are counted from the first of January. */
export type Reported = { at: number; report: object }

/** When a container departed and arrived, and when that can be known from its reports. */
type Fact = { departed: number; arrived: number; shown: number; knownAt: { departure: number; arrival: number } }

export type CarrierJourney = { containers: string[]; reported: Reported[]; facts: Fact[] }

const numbers = [C1, C2, C3]
const day = 24 * 60 * 60 * 1000
const start = Date.UTC(2021, 0, 1)

function date(at: number): string {
  return new Date(start + at * day).toISOString().slice(5, 13)
}

type Vessel = { name: string; from: string; departs: number; calls: [port: string, at: number][] }

// The first two go on to Hamburg, with or without the containers that change at Singapore.
const a: Vessel = {
  name: 'A',
  from: 'CNSHA',
  departs: 70,
  calls: [
    ['SGSIN', 76],
    ['DEHAM', 98],
  ],
}
const b: Vessel = {
  name: 'B',
  from: 'CNSHA',
  departs: 77,
  calls: [
    ['SGSIN', 83],
    ['DEHAM', 105],
  ],
}
const x: Vessel = { name: 'X', from: 'SGSIN', departs: 86, calls: [['DEHAM', 108]] }
const y: Vessel = { name: 'Y', from: 'SGSIN', departs: 93, calls: [['DEHAM', 115]] }

const choice = fc.record({
  rolled: fc.boolean(),
  changes: fc.boolean(),
  rolledAtHub: fc.boolean(),
  delays: fc.array(fc.double({ min: 0, max: 2, noNaN: true }), { minLength: 12, maxLength: 12 }),
})
const trips = { none: undefined, back: ['DEHAM', 'CNSHA'], away: ['DEHAM', 'USNYC'], here: ['USNYC', 'CNSHA'] } as const

export const carrierJourney: fc.Arbitrary<CarrierJourney> = fc
  .record({
    choices: fc.array(choice, { minLength: 1, maxLength: 3 }),
    /** Transport events name the containers, or the vessels, or both. */
    names: fc.constantFrom('containers' as const, 'vessels' as const, 'both' as const),
    /** Some carriers report no vessels, others nothing but those. */
    reports: fc.constantFrom('all' as const, 'all' as const, 'containers' as const, 'transport' as const),
    before: fc.constantFrom(...(Object.keys(trips) as (keyof typeof trips)[])),
    after: fc.constantFrom(...(Object.keys(trips) as (keyof typeof trips)[])),
    isPlanned: fc.boolean(),
    slips: fc.array(fc.integer({ min: -4, max: 6 }), { minLength: 1, maxLength: 3 }),
  })
  .map(({ choices, names: given, reports, before, after, isPlanned, slips }) => {
    // Without their loadings events must name which containers are on a vessel.
    const names = reports === 'transport' && given === 'vessels' ? 'both' : given
    const reported: Reported[] = []
    const say = (at: number, report: object) => void reported.push({ at, report })
    const used = new Map<Vessel, string[]>()
    const take = (vessel: Vessel, container: string) => used.set(vessel, [...(used.get(vessel) ?? []), container])
    const named = ({ name }: Vessel) => (names === 'containers' ? {} : { vessel: name })
    const facts: Fact[] = []
    const lateness = new Map<Vessel, number>()
    for (const [index, { rolled, changes, rolledAtHub, delays }] of choices.entries()) {
      const of = numbers[index] as string
      const late = (place: number) => delays[place] as number
      const first = rolled ? b : a
      const last = changes ? (rolledAtHub ? y : x) : first
      take(first, of)
      if (last !== first) take(last, of)
      sayTrip(trips[before], of, -60, say)
      say(64, gateOut('CNSHA', date(64), { of, empty: true, facility: 'DEPO' }))
      say(66, gateIn('CNSHA', date(66), { of }))
      const on = first.departs - 0.5
      if (reports !== 'transport') say(on, load('CNSHA', date(on), { of, ...named(first) }))
      if (changes && reports !== 'transport') {
        const off = (first.calls[0] as [string, number])[1] + 1
        say(off + late(0), discharge('SGSIN', date(off), { of, ...named(first), issued: date(off + late(0)) }))
        say(last.departs - 0.5, load('SGSIN', date(last.departs - 0.5), { of, ...named(last) }))
      }
      const arrived = arrivalOf(last)
      const off = arrived + 1
      if (reports !== 'transport')
        say(off + late(1), discharge('DEHAM', date(off), { of, ...named(last), issued: date(off + late(1)) }))
      say(off + 2, gateOut('DEHAM', date(off + 2), { of, mode: 'TRUCK' }))
      say(off + 6, gateIn('DEHAM', date(off + 6), { of, empty: true, facility: 'DEPO' }))
      sayTrip(trips[after], of, 130, say)
      for (const each of [first, last]) lateness.set(each, Math.max(lateness.get(each) ?? 0, late(2)))
      const knownAt =
        reports === 'containers'
          ? { departure: Number.POSITIVE_INFINITY, arrival: off + late(1) }
          : { departure: 0, arrival: 0 }
      // Where no arrival is reported, the discharge stands for it.
      facts.push({ departed: first.departs, arrived, shown: reports === 'containers' ? off : arrived, knownAt })
    }
    for (const [vessel, on] of reports === 'containers' ? [] : used) {
      const delay = lateness.get(vessel) as number
      for (const of of names === 'vessels' ? [undefined] : on) {
        const how = (at: number) => ({ ...named(vessel), ...(of !== undefined && { of }), issued: date(at) })
        const { from, departs, calls } = vessel
        if (isPlanned) say(40, depart(from, date(departs - 1), { ...how(40), status: 'PLN' }))
        say(departs + delay, depart(from, date(departs), how(departs + delay)))
        for (const [port, at] of calls) {
          // Of a container, the carrier does not say that it is where it is not.
          const isAboard = of === undefined || port !== 'DEHAM' || arrivesBy(vessel, choices[numbers.indexOf(of)])
          if (isAboard) say(at + delay, arrive(port, date(at), how(at + delay)))
          for (const [place, slip] of slips.entries())
            if (isAboard) say(60 + place, arrive(port, date(at + slip), { ...how(60 + place), status: 'EST' }))
        }
      }
      for (const of of on) {
        const fact = facts[numbers.indexOf(of)] as Fact
        if (vessel.departs === fact.departed) fact.knownAt.departure = fact.departed + delay
        if (arrivalOf(vessel) === fact.arrived) fact.knownAt.arrival = fact.arrived + delay
      }
    }
    reported.sort((one, other) => one.at - other.at)
    return { containers: numbers.slice(0, choices.length), reported, facts }
  })

function arrivesBy(vessel: Vessel, given: { rolled: boolean; changes: boolean } | undefined): boolean {
  return vessel.from === 'SGSIN' || given?.changes !== true
}

function arrivalOf({ calls }: Vessel): number {
  return (calls.at(-1) as [string, number])[1]
}

/** Another trip of a container. */
function sayTrip(
  route: readonly [string, string] | undefined,
  of: string,
  from: number,
  say: (at: number, report: object) => void,
): void {
  if (!route) return
  const [here, there] = route
  const begin = from < 0 ? from + 65 : from
  for (const [at, report] of [
    [0, gateOut(here, date(begin), { of, empty: true, facility: 'DEPO' })],
    [1, gateIn(here, date(begin + 1), { of })],
    [3, load(here, date(begin + 3), { of })],
    [4, depart(here, date(begin + 4), { of })],
    [34, arrive(there, date(begin + 34), { of })],
    [35, discharge(there, date(begin + 35), { of })],
    [38, gateOut(there, date(begin + 38), { of, mode: 'TRUCK' })],
    [45, gateIn(there, date(begin + 45), { of, empty: true, facility: 'DEPO' })],
  ] as const)
    say(begin + at, report)
}

/** What is shown of a day, such as `actual 03-12`. */
export function actualOn(at: number): string {
  return `actual ${date(at).slice(0, 5)}`
}
