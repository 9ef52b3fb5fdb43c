import type { StepType } from '../contract/public/tracking.js'
import type { Place } from '../geography/ports.js'
import type { Site } from './account.js'
import { atLocalHour, day, hour, minute } from './local-time.js'
import type { Random } from './random.js'

/** The milestones of a shipment with their places and times: everything else is derived from them. */

export type MilestoneCode =
  | 'picked_up'
  | 'gate_in'
  | 'loaded'
  | 'departed'
  | 'border'
  | 'transit_arrived'
  | 'transit_discharged'
  | 'transit_loaded'
  | 'transit_departed'
  | 'arrived'
  | 'discharged'
  | 'cleared'
  | 'inland_arrived'
  | 'inland_departed'
  | 'out_for_delivery'
  | 'delivered'

export type Milestone = {
  code: MilestoneCode
  words: string
  step: number
  planned: number
  /** The actual time; for a future milestone it is the estimate. */
  happens: number
  perContainer: boolean
  problem?: { words: string; since: number }
}

type Step = { type: StepType; timeZone: string; site?: Site; place?: Place }

/** A leg by sea, with the codes of its ports and the times of the ship. */
export type Voyage = { from: string; to: string; departs: number; arrives: number }

export type Itinerary = { steps: Step[]; milestones: Milestone[]; voyages: Voyage[] }

type Happening = { after: number; late?: number; problem?: string; perContainer?: boolean; workingHours?: boolean }

/** Builds an itinerary with two clocks: planned and actual. */
export class ItineraryBuilder {
  readonly itinerary: Itinerary = { steps: [], milestones: [], voyages: [] }
  readonly #random: Random
  #planned: number
  #real: number

  constructor(start: number, random: Random) {
    this.#planned = start
    this.#real = start
    this.#random = random
  }

  atSite(type: StepType, site: Site): this {
    this.itinerary.steps.push({ type, site, timeZone: site.timeZone })
    return this
  }

  atPlace(type: StepType, place: Place): this {
    this.itinerary.steps.push({ type, place, timeZone: place.timeZone })
    return this
  }

  /** Planned hours after the previous milestone; `late` hours more in reality. */
  reach(code: MilestoneCode, words: string, happening: Happening): this {
    const { after, late = 0, problem, perContainer = false, workingHours = false } = happening
    const step = this.itinerary.steps.length - 1
    const { timeZone } = this.itinerary.steps[step]!
    const earliest = this.#real + Math.max(1, after * (0.94 + this.#random.fraction() * 0.1)) * hour
    this.#planned = roundUp(this.#planned + after * hour, 30 * minute)
    this.#real = roundUp(earliest + late * hour, 5 * minute)
    if (workingHours) {
      this.#planned = inWorkingHours(this.#planned, timeZone, 0)
      this.#real = inWorkingHours(this.#real, timeZone, this.#random.integer(0, 23) * 5)
    }
    this.itinerary.milestones.push({
      code,
      words,
      step,
      planned: this.#planned,
      happens: this.#real,
      perContainer,
      ...(problem && { problem: { words: `${words}: ${problem}`, since: roundUp(earliest, 5 * minute) } }),
    })
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
