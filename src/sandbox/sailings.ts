import { day, hour, minute } from '../domain/dates/local-time.js'
import { greatCircleKm, longitudeDifference, type Point } from '../geography/point.js'
import { seaPort } from '../geography/ports.js'
import { seaRoute } from '../geography/sea-route.js'
import { type OceanCarrier, oceanCarriers } from './carriers.js'
import { coastCount, coastOf, portsOf } from './coasts.js'
import { createRandom, type Random } from './random.js'
import { shipName } from './vessel-names.js'

/**
 * The schedule of all ships. It depends neither on the seed nor on the account, so that shipments on the same voyage agree,
 * and no ship is in two places at a time.
 */

/** One ship from one port to another. Planned and actual times. */
export type Sailing = {
  carrier: OceanCarrier
  vessel: string
  voyage: string
  departs: Times
  arrives: Times
}
type Times = { planned: number; happens: number; problem?: string }

/** Weekly departures from the ports of one coast to those of another, in one direction. */
type Service = {
  number: number
  carrier: OceanCarrier
  direction: Direction
  /** The first departure, and then hours until each port. */
  start: number
  hoursTo: Map<string, number>
  /** Hours at sea between the coasts. */
  crossing: number
}

// Enough ships that each is back in time, empty, for its next voyage.
const shipsOfService = 13
const servicesOfLane = 2
const week = 7 * day
const firstWeek = Date.UTC(2018, 0, 1)
const hoursInPort = 22
const kmPerHour = 30

/** The first sailing of the lane's service that departs then or later: as planned, or in reality. */
export function sailingFrom(lane: SeaLane, ready: number, clock: 'planned' | 'happens' = 'planned'): Sailing {
  const service = serviceOf(lane)
  const departure = service.start + service.hoursTo.get(lane.from)! * hour + hoursInPort * hour
  // A ship that is late may still be reached.
  let number = Math.ceil((ready - departure) / week) - (clock === 'happens' ? 1 : 0)
  for (; ; number++) {
    const sailing = sailingOf(service, lane, number)
    if (sailing.departs[clock] >= ready) return sailing
  }
}

/** The first planned sailing of any service. */
export function soonestFrom(from: string, to: string, ready: number): { sea: SeaLane; sailing: Sailing } {
  const all = Array.from({ length: servicesOfLane }, (_, choice) => {
    const sea = { from, to, choice }
    return { sea, sailing: sailingFrom(sea, ready) }
  })
  return all.reduce((one, other) => (other.sailing.departs.planned < one.sailing.departs.planned ? other : one))
}

/** A pair of ports, and which of the services between their coasts. */
export type SeaLane = { from: string; to: string; choice: number }

/** The direction of the voyages between two ports. */
export function directionBetween(from: string, to: string): Direction {
  return serviceOf({ from, to, choice: 0 }).direction
}

export function drawSeaLane(from: string, to: string, random: Random): SeaLane {
  return { from, to, choice: random.integer(0, servicesOfLane - 1) }
}

function sailingOf(service: Service, { from, to }: SeaLane, number: number): Sailing {
  const delays = delaysOf(service, number)
  const leaves = service.start + number * week
  const departs = leaves + (service.hoursTo.get(from)! + hoursInPort) * hour
  const arrives = leaves + service.hoursTo.get(to)! * hour
  const turn = Math.floor(number / shipsOfService)
  const ship = number - turn * shipsOfService
  const ofCarrier = Math.floor(service.number / oceanCarriers.length) * shipsOfService + ship
  return {
    carrier: service.carrier,
    vessel: shipName(service.carrier, ofCarrier),
    voyage: `${String((turn + ofCarrier * 7) % 1000).padStart(3, '0')}${service.direction}`,
    departs: times(departs, delays.departure),
    arrives: times(arrives, delays.arrival),
  }
}

type Delay = { hours: number; problem?: string }

function times(planned: number, { hours, problem }: Delay): Times {
  const happens = Math.round((planned + hours * hour) / (5 * minute)) * 5 * minute
  return { planned, happens, ...(problem !== undefined && { problem }) }
}

function delaysOf(service: Service, number: number): { departure: Delay; arrival: Delay } {
  const random = createRandom(`service ${service.number} sailing ${number}`)
  const departure = drawDelay(random, ['held back by bad weather', 'terminal closed by a strike'], [26, 60])
  const late = drawDelay(
    random,
    ['port congestion, waiting for a berth', 'rerouted around a storm', 'engine trouble on the way'],
    [30, 80],
  )
  // A ship makes up for some of its delay at sea.
  const arrival = { ...late, hours: late.hours + Math.max(0, departure.hours - 0.15 * service.crossing) }
  return { departure, arrival }
}

function drawDelay(random: Random, problems: readonly string[], [least, most]: readonly [number, number]): Delay {
  const luck = random.fraction()
  if (luck < 0.65) return { hours: random.decimal(0, 8) }
  if (luck < 0.92) return { hours: random.decimal(8, 24) }
  return { hours: random.decimal(least, most), problem: random.pick(problems) }
}

const services = new Map<number, Service>()

function serviceOf({ from, to, choice }: SeaLane): Service {
  const [coast, otherCoast] = [coastOf(from), coastOf(to)]
  const ports = coast === otherCoast ? portsOf(coast) : []
  // Along one coast, the ships of one service go up and those of the other down.
  const variant = coast === otherCoast ? Number(ports.indexOf(from) > ports.indexOf(to)) : choice
  const number = (coast * coastCount + otherCoast) * servicesOfLane + variant
  let service = services.get(number)
  if (!service) services.set(number, (service = planService(number, coast, otherCoast)))
  return service
}

function planService(number: number, coast: number, otherCoast: number): Service {
  const [near, far] = coastwise(number, coast, otherCoast)
  const ports = [...near, ...far]
  const hoursTo = new Map<string, number>()
  let crossing = 0
  let hours = -hoursInPort
  ports.forEach((port, index) => {
    const before = ports[index - 1]
    if (before !== undefined) {
      const isCrossing = port === far[0]
      const km = isCrossing ? seaRoute(before, port).lengthKm : 1.3 * greatCircleKm(at(before), at(port))
      const underWay = Math.ceil(8 + km / kmPerHour)
      if (isCrossing) crossing = underWay
      hours += hoursInPort + underWay
    }
    hoursTo.set(port, hours)
  })
  const random = createRandom(`service ${number}`)
  return {
    number,
    carrier: oceanCarriers[number % oceanCarriers.length]!,
    direction: far.length > 0 ? directionOf(seaRoute(near.at(-1)!, far[0]!).points) : directionOf(ports.map(at)),
    start: firstWeek + random.integer(0, 7 * 48 - 1) * 30 * minute,
    hoursTo,
    crossing,
  }
}

// The ports of each coast in the order in which the ship passes them.
function coastwise(number: number, coast: number, otherCoast: number): [near: string[], far: string[]] {
  if (coast === otherCoast) {
    const ports = [...portsOf(coast)]
    return [number % servicesOfLane === 0 ? ports : ports.toReversed(), []]
  }
  const byDistance = (ports: readonly string[], from: string) =>
    ports.toSorted((one, other) => greatCircleKm(at(one), at(from)) - greatCircleKm(at(other), at(from)))
  return [
    byDistance(portsOf(coast), portsOf(otherCoast)[0]!).toReversed(),
    byDistance(portsOf(otherCoast), portsOf(coast)[0]!),
  ]
}

function at(port: string): Point {
  return seaPort(port).coordinates
}

type Direction = 'N' | 'E' | 'S' | 'W'

/** Where a line leads as a whole. */
function directionOf(line: readonly Point[]): Direction {
  let east = 0
  let north = 0
  for (let index = 1; index < line.length; index++) {
    const [from, to] = [line[index - 1]!, line[index]!]
    north += to[1] - from[1]
    east += longitudeDifference(from[0], to[0]) * Math.cos((((from[1] + to[1]) / 2) * Math.PI) / 180)
  }
  if (Math.abs(east) >= Math.abs(north)) return east > 0 ? 'E' : 'W'
  return north > 0 ? 'N' : 'S'
}
