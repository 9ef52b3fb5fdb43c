import type { EventCode } from '../contract/public/event-codes.js'
import type { StepType } from '../contract/public/tracking.js'
import { atLocalHour, day, hour, minute } from '../domain/dates/local-time.js'
import type { Place } from '../geography/ports.js'
import type { DoorSite } from './account.js'
import type { Random } from './random.js'
import type { Sailing } from './sailings.js'

/** The milestones of a shipment with their places and times: everything else is derived from them. */

export const milestoneEvents = {
  picked_up: 'PICKED_UP',
  gate_in: 'GATE_IN',
  loaded: 'LOADED',
  departed: 'DEPARTED',
  border: 'ARRIVED',
  border_left: 'DEPARTED',
  transit_arrived: 'ARRIVED',
  transit_discharged: 'DISCHARGED',
  transit_loaded: 'LOADED',
  transit_departed: 'DEPARTED',
  arrived: 'ARRIVED',
  discharged: 'DISCHARGED',
  cleared: 'CUSTOMS_RELEASED',
  released: 'CARRIER_RELEASED',
  gate_out: 'GATE_OUT',
  inland_arrived: 'ARRIVED',
  out_for_delivery: 'OUT_FOR_DELIVERY',
  delivered: 'DELIVERED',
  empty_returned: 'EMPTY_IN',
} as const satisfies Record<string, EventCode>
export type MilestoneCode = keyof typeof milestoneEvents

export type PlannedMilestone = {
  code: MilestoneCode
  words: string
  step: number
  planned: number
  /** The actual time; for a future milestone it is the estimate. */
  happens: number
  perContainer: boolean
  /** By how much the first half of the containers comes before the others. */
  splitBy: number
  problem?: TransportProblem
}

/** What holds up a milestone. */
export type TransportProblem = { code: EventCode; words: string; since: number; hasNewDate: boolean }

type Step = { type: StepType; timeZone: string; site?: DoorSite; place?: Place }

/** A leg by sea, with the codes of its ports and the times of the ship. */
export type Voyage = { from: string; to: string; departs: number; arrives: number }

/** The ship that a shipment is booked on from then on. */
type Booked = { sailing: Sailing; since: number }

export type Itinerary = { steps: Step[]; milestones: PlannedMilestone[]; voyages: Voyage[]; bookings: Booked[] }

/** Why something is late. */
export type Trouble = Omit<TransportProblem, 'since'>

type Details = { perContainer?: boolean; splitBy?: number; problem?: Trouble | undefined }
type Happening = Details & { after: number; late?: number; workingHours?: boolean }
type Fixed = Details & { planned: number; happens: number; since?: number }

/** Builds an itinerary with two clocks: planned and actual. */
export class ItineraryBuilder {
  readonly itinerary: Itinerary = { steps: [], milestones: [], voyages: [], bookings: [] }
  readonly #random: Random
  #planned: number
  #real: number

  constructor(start: number, random: Random) {
    this.#planned = start
    this.#real = start
    this.#random = random
  }

  get planned(): number {
    return this.#planned
  }

  get real(): number {
    return this.#real
  }

  atSite(type: StepType, site: DoorSite): this {
    this.itinerary.steps.push({ type, site, timeZone: site.timeZone })
    return this
  }

  atPlace(type: StepType, place: Place): this {
    this.itinerary.steps.push({ type, place, timeZone: place.timeZone })
    return this
  }

  /** Planned hours after the previous milestone; `late` hours more in reality. */
  reach(code: MilestoneCode, words: string, happening: Happening): this {
    const { after, late = 0, workingHours = false, ...details } = happening
    const { timeZone } = this.itinerary.steps.at(-1)!
    const earliest = this.#real + Math.max(1, after * (0.94 + this.#random.fraction() * 0.1)) * hour
    let planned = roundUp(this.#planned + after * hour, 30 * minute)
    let happens = roundUp(earliest + late * hour, 5 * minute)
    if (workingHours) {
      planned = inWorkingHours(planned, timeZone, 0)
      happens = inWorkingHours(happens, timeZone, this.#random.integer(0, 23) * 5)
    }
    return this.set(code, words, { ...details, planned, happens, since: roundUp(earliest, 5 * minute) })
  }

  /** At these times: the next milestone is measured from them. */
  set(code: MilestoneCode, words: string, fixed: Fixed): this {
    this.#planned = fixed.planned
    this.#real = fixed.happens
    return this.aside(code, words, fixed)
  }

  /** At these times: the next milestone is measured from the one before. */
  aside(code: MilestoneCode, words: string, fixed: Fixed): this {
    const { planned, happens, since = planned, perContainer = false, splitBy = 0, problem } = fixed
    const step = this.itinerary.steps.length - 1
    this.itinerary.milestones.push({
      code,
      words,
      step,
      planned,
      happens,
      perContainer,
      splitBy,
      ...(problem && { problem: { ...problem, since } }),
    })
    return this
  }

  /** Containers leave the destination port for the milestone that was added last, some hours before it. */
  leavePort(hours: number): this {
    const { steps, milestones } = this.itinerary
    const next = milestones.pop()!
    const { problem: _problem, ...rest } = next
    const step = steps.findIndex(({ type }) => type === 'destination_port')
    const [planned, happens] = [next.planned - hours * hour, next.happens - hours * hour]
    milestones.push({ ...rest, code: 'gate_out', words: 'Gate out', step, planned, happens }, next)
    return this
  }

  book(sailing: Sailing, since: number): this {
    this.itinerary.bookings.push({ sailing, since })
    return this
  }

  voyage(from: string, to: string): this {
    const { milestones } = this.itinerary
    const arrives = milestones[milestones.length - 1]!.happens
    const departs = milestones.findLast(({ code }) => code === 'departed' || code === 'transit_departed')!.happens
    this.itinerary.voyages.push({ from, to, departs, arrives })
    return this
  }
}

function roundUp(instant: number, step: number): number {
  return Math.ceil(instant / step) * step
}

// Never before the previous milestone.
function inWorkingHours(instant: number, timeZone: string, extraMinutes: number): number {
  const opens = atLocalHour(instant, timeZone, 8)
  const closes = opens + 10 * hour
  if (instant < opens) return opens + extraMinutes * minute
  return instant <= closes ? instant : atLocalHour(instant + day, timeZone, 8) + extraMinutes * minute
}
