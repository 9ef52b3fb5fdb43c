import { hour } from '../domain/dates/local-time.js'
import type { Delays } from './delays.js'
import type { ItineraryBuilder, Trouble } from './itinerary.js'
import type { Lane } from './lane.js'
import type { Random } from './random.js'
import { drawSeaLane, type Sailing, type SeaLane, sailingFrom, soonestFrom } from './sailings.js'

/** From the origin port to the destination port, on ships of the schedule. */

export type OceanPlan = { sea: SeaLane; planned: Sailing; hoursToGate: number; start: number }

// Pick-up and gate in wait for working hours.
const hoursClosed = 30
const hoursToLoad = 20

/** The first ship that freight of this date reaches; the journey starts as late as that allows. */
export function planOcean({ origin, destination, transit }: Lane, earliest: number, random: Random): OceanPlan {
  const sea = drawSeaLane(origin.code, (transit ?? destination).code, random)
  const hoursToGate = random.integer(14, 50)
  const lead = (2 + hoursToGate + hoursClosed + hoursToLoad + random.integer(18, 60)) * hour
  const planned = sailingFrom(sea, earliest + lead)
  return { sea, planned, hoursToGate, start: planned.departs.planned - lead }
}

type OceanOptions = { perContainer: boolean; isClearedEarly: boolean }

export function carryByOcean(
  builder: ItineraryBuilder,
  { origin, destination, transit }: Lane,
  { sea, planned, hoursToGate }: OceanPlan,
  { perContainer, isClearedEarly }: OceanOptions,
  delays: Delays,
  random: Random,
): void {
  builder
    .atPlace('origin_port', origin)
    .reach('gate_in', 'Gate in', { after: hoursToGate, perContainer, workingHours: true })
  // Freight that was left behind, or came too late, takes the next ship.
  const missed = delays.departure.problem ? planned.departs.happens + hour : planned.departs.happens
  const sailing = sailingFrom(sea, Math.max(missed, builder.real + hoursToLoad * hour), 'happens')
  const rolled = sailing.vessel === planned.vessel ? undefined : (delays.departure.problem ?? late)
  const loading = random.integer(6, 14) * hour
  const since = planned.departs.planned - loading
  builder
    .book(planned, 0)
    .set('loaded', 'Loaded on vessel', {
      planned: planned.departs.planned - loading,
      happens: sailing.departs.happens - loading,
      perContainer,
      problem: rolled,
      since,
    })
    .set('departed', 'Vessel departed', { ...ofShip(sailing, 'departs'), planned: planned.departs.planned })
  if (rolled) builder.book(sailing, since)
  const last = transit
    ? tranship(builder, { origin, transit, destination }, [planned, sailing], perContainer, random)
    : [planned, sailing]
  arrive(builder, transit ?? origin, destination, last as [Sailing, Sailing], isClearedEarly, random)
  builder.reach('discharged', 'Discharged', { after: random.integer(8, 18), perContainer })
}

const late: Trouble = { code: 'ROLLED', words: 'Rolled to the next sailing: missed the cut-off', hasNewDate: true }

function tranship(
  builder: ItineraryBuilder,
  { origin, transit, destination }: Required<Pick<Lane, 'origin' | 'transit' | 'destination'>>,
  [planned, sailing]: [Sailing, Sailing],
  perContainer: boolean,
  random: Random,
): [Sailing, Sailing] {
  const { sea, sailing: onward } = soonestFrom(transit.code, destination.code, planned.arrives.planned + 40 * hour)
  const caught = sailingFrom(sea, Math.max(onward.departs.happens, sailing.arrives.happens + 30 * hour), 'happens')
  const loading = random.integer(5, 8) * hour
  builder
    .atPlace('transshipment_port', transit)
    .set('transit_arrived', 'Vessel arrived', { ...ofShip(sailing, 'arrives'), planned: planned.arrives.planned })
    .voyage(origin.code, transit.code)
    .reach('transit_discharged', 'Discharged', { after: random.integer(9, 20), perContainer })
    .set('transit_loaded', 'Loaded on vessel', {
      planned: onward.departs.planned - loading,
      happens: caught.departs.happens - loading,
      perContainer,
    })
    .set('transit_departed', 'Vessel departed', { ...ofShip(caught, 'departs'), planned: onward.departs.planned })
  return [onward, caught]
}

function arrive(
  builder: ItineraryBuilder,
  from: Lane['origin'],
  to: Lane['destination'],
  [planned, sailing]: [Sailing, Sailing],
  isClearedEarly: boolean,
  random: Random,
): void {
  builder.atPlace('destination_port', to)
  const ahead = random.integer(20, 60) * hour
  if (isClearedEarly) {
    builder.aside('cleared', 'Customs cleared before arrival', {
      planned: Math.max(builder.planned, planned.arrives.planned - ahead),
      happens: Math.max(builder.real + 2 * hour, sailing.arrives.planned - ahead),
    })
  }
  builder
    .set('arrived', 'Vessel arrived', { ...ofShip(sailing, 'arrives'), planned: planned.arrives.planned })
    .voyage(from.code, to.code)
}

/** A ship that is late says when it will come. */
function ofShip(sailing: Sailing, end: 'departs' | 'arrives') {
  const { planned, happens, problem } = sailing[end]
  const words = `${end === 'departs' ? 'Departure' : 'Arrival'} delayed: ${problem}`
  return {
    happens,
    since: planned - 6 * hour,
    ...(problem !== undefined && { problem: { code: 'DELAYED', words, hasNewDate: true } as const }),
  }
}
