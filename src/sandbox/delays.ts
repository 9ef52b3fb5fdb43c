import type { Trouble } from './itinerary.js'
import type { FreightMode } from './lane.js'
import type { Random } from './random.js'

/** How late each part of a journey is, and why. Delays of ships belong to their sailings. */

export const troublePlaces = ['pickup', 'departure', 'arrival', 'customs', 'release', 'delivery'] as const
export type TroublePlace = (typeof troublePlaces)[number]

export type PlaceDelay = { late: number; problem?: Trouble }
export type Delays = Record<TroublePlace, PlaceDelay>

type Reasons = readonly (readonly [code: Trouble['code'], words: string, hasNewDate?: boolean])[]

const pickup: Reasons = [
  ['DELAYED', 'Pick-up delayed: cargo not ready'],
  ['DELAYED', 'Pick-up delayed: truck broke down on the way to the supplier', true],
]
const customs: Reasons = [
  ['CUSTOMS_INSPECTION', 'Held for inspection by customs'],
  ['CUSTOMS_HOLD', 'Held by customs: commercial invoice missing'],
  ['CUSTOMS_HOLD', 'Held by customs: HS code under review'],
]
const delivery: Reasons = [
  ['DELIVERY_FAILED', 'Delivery failed: consignee closed, new appointment needed'],
  ['DELIVERY_FAILED', 'Delivery failed: refused for damaged packaging, under survey'],
]
const land = {
  departure: [
    ['ROLLED', 'No space, moved to the next departure', true],
    ['DELAYED', 'Departure delayed: terminal closed by a strike'],
  ],
  arrival: [
    ['DELAYED', 'Arrival delayed: terminal congestion, waiting for a slot'],
    ['DELAYED', 'Arrival delayed: rerouted because of a closed line', true],
  ],
} satisfies Partial<Record<TroublePlace, Reasons>>

const reasons: Record<FreightMode, Partial<Record<TroublePlace, Reasons>>> = {
  ocean: {
    pickup,
    customs,
    delivery,
    departure: [
      ['ROLLED', 'Rolled to the next sailing: vessel overbooked', true],
      ['ROLLED', 'Rolled to the next sailing: documents late'],
    ],
    release: [
      ['CARRIER_HOLD', 'Held by carrier: freight charges unpaid'],
      ['CARRIER_HOLD', 'Held by carrier: original bill of lading missing'],
    ],
  },
  air: {
    pickup,
    customs,
    delivery,
    departure: [
      ['OFFLOADED', 'Offloaded: aircraft full, moved to the next flight', true],
      ['OFFLOADED', 'Offloaded: packages to be screened again'],
    ],
    arrival: [['DELAYED', 'Arrival delayed: rerouted around a storm', true]],
  },
  rail: { pickup, customs, delivery, ...land },
  truck: { pickup, customs, delivery, ...land },
}

/** `trouble`: whether there is any, or where. */
export function drawDelays(mode: FreightMode, trouble: boolean | TroublePlace | undefined, random: Random): Delays {
  const unit = mode === 'ocean' ? 24 : 8
  const possible = reasons[mode]
  const anywhere = troublePlaces.filter((place) => possible[place])
  const isTroubled = trouble === undefined ? random.chance(0.16) : trouble !== false
  const drawn = random.pick(anywhere)
  const troubled = isTroubled ? (typeof trouble === 'string' ? trouble : drawn) : undefined
  const delays = {} as Delays
  for (const place of troublePlaces) {
    const usual = random.chance(0.3) ? random.decimal(0.1, 0.9) * unit : random.decimal(0, 0.2) * unit
    const found = place === troubled ? possible[place] : undefined
    delays[place] = found ? troubleOf(random.pick(found), 24 + random.integer(1, 4) * unit) : { late: usual }
  }
  return delays
}

function troubleOf([code, words, hasNewDate = false]: Reasons[number], late: number): PlaceDelay {
  return { late, problem: { code, words, hasNewDate } }
}
