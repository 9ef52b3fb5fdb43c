import { airport } from '../geography/airports.js'
import { greatCircleKm } from '../geography/point.js'
import { type Place, seaPort } from '../geography/ports.js'
import { seaRoute } from '../geography/sea-route.js'
import { railTerminal, roadPlace } from '../geography/terminals.js'
import type { DoorSite, SandboxAccount, Supplier } from './account.js'
import { type AirCarrier, airCarriers } from './carriers.js'
import type { Goods } from './goods.js'
import type { Random } from './random.js'
import { directionBetween } from './sailings.js'

/** The supplier, warehouse, mode and places of a shipment. */

export type FreightMode = 'air' | 'ocean' | 'rail' | 'truck'

export type Lane = {
  mode: FreightMode
  supplier: Supplier
  warehouse: DoorSite
  origin: Place
  destination: Place
  km: number
  transit?: Place
  /** A rail terminal between the port and the warehouse. */
  inland?: Place
  airline?: AirCarrier
}

type LaneSpec = {
  mode?: FreightMode
  transit?: boolean
  /** The port to be transshipped at, where it is on the way. */
  hub?: string
  goods?: Goods
}

export function chooseLane(account: SandboxAccount, spec: LaneSpec, random: Random): Lane {
  const mode = spec.mode ?? modeFor(random)
  const suppliers = spec.goods ? account.suppliers.filter(({ goods }) => goods === spec.goods) : account.suppliers
  const possible = suppliers.flatMap((supplier) =>
    account.warehouses
      .filter((warehouse) => serves(mode, supplier, warehouse))
      .map((warehouse) => ({ supplier, warehouse })),
  )
  // If the drawn mode is not available, the shipment goes by sea.
  if (possible.length === 0) return chooseLane(account, { ...spec, mode: mode === 'ocean' ? 'air' : 'ocean' }, random)
  const { supplier, warehouse } = random.pick(possible)
  const lane = { mode, supplier, warehouse }
  switch (mode) {
    case 'ocean':
      return oceanLane(lane, spec, random)
    case 'air':
      return airLane(lane, spec.transit, random)
    case 'rail':
      return landLane(lane, railTerminal(supplier.city.rail!), railTerminal(warehouse.city.rail!))
    case 'truck':
      return landLane(lane, roadPlace(supplier.city.road!), roadPlace(warehouse.city.road!))
  }
}

const modeWeights = [
  ['ocean', 68],
  ['air', 16],
  ['rail', 7],
  ['truck', 9],
] as const

function modeFor(random: Random): FreightMode {
  return random.weighted<FreightMode>(modeWeights)
}

function serves(mode: FreightMode, { city: from, ...supplier }: Supplier, { city: to }: DoorSite): boolean {
  switch (mode) {
    case 'ocean':
      return from.seaPort !== to.seaPort && from.country !== to.country
    case 'air':
      return from.airport !== to.airport && supplier.goods.airworthy === true
    case 'rail':
      return from.rail && to.rail ? from.rail !== to.rail && sameLand(from, to) : false
    case 'truck':
      return from.road && to.road ? from.road !== to.road && from.continent === to.continent : false
  }
}

const eurasia = new Set(['asia', 'europe'])

function sameLand(from: DoorSite['city'], to: DoorSite['city']): boolean {
  return from.continent === to.continent || (eurasia.has(from.continent) && eurasia.has(to.continent))
}

type Ends = Pick<Lane, 'mode' | 'supplier' | 'warehouse'>

function oceanLane(ends: Ends, { transit: wanted, hub }: LaneSpec, random: Random): Lane {
  const [from, to] = [ends.supplier.city.seaPort, ends.warehouse.city.seaPort]
  const km = seaRoute(from, to).lengthKm
  const hubs = (wanted ?? random.chance(km > 8000 ? 0.35 : 0.08)) ? hubsBetween(from, to) : []
  const chosen = hubs.length > 0 ? random.pick(hubs) : undefined
  const port = hub !== undefined && hubs.includes(hub) ? hub : chosen
  const transit = port === undefined ? undefined : seaPort(port)
  const destination = seaPort(to)
  const rail = ends.warehouse.city.rail ? railTerminal(ends.warehouse.city.rail) : undefined
  // A terminal this close belongs to the port.
  const distant = rail && greatCircleKm(rail.coordinates, destination.coordinates) > 150
  const inland = distant && random.chance(0.6) ? rail : undefined
  return { ...ends, origin: seaPort(from), destination, km, ...(transit && { transit }), ...(inland && { inland }) }
}

const hubs = [
  'SG/SIN',
  'MY/PKG',
  'LK/CMB',
  'AE/JEA',
  'OM/SLL',
  'EG/PSD',
  'GR/PIR',
  'MT/MAR',
  'ES/ALG',
  'MA/PTM',
  'PA/MIT',
  'PA/BLB',
  'KR/PUS',
  'HK/HKG',
  'TW/KHH',
  'NL/RTM',
  'IT/GIT',
  'CO/CTG',
]
const hubsFound = new Map<string, string[]>()

// Hubs with a small detour that are not close to either end, and on the way in the direction of the whole.
function hubsBetween(from: string, to: string): string[] {
  const key = `${from} ${to}`
  let found = hubsFound.get(key)
  if (!found) {
    const direct = seaRoute(from, to).lengthKm
    found = hubs.filter((hub) => {
      if (hub === from || hub === to) return false
      // Measured from the destination, whose search tree is cached: a search from every hub is slow.
      const [first, second] = [seaRoute(from, hub).lengthKm, seaRoute(to, hub).lengthKm]
      const isOnTheWay = first > 700 && second > 700 && first + second < 1.1 * direct
      return isOnTheWay && directionBetween(from, hub) === directionBetween(from, to)
    })
    hubsFound.set(key, found)
  }
  return found
}

function airLane(ends: Ends, wanted: boolean | undefined, random: Random): Lane {
  const [origin, destination] = [airport(ends.supplier.city.airport), airport(ends.warehouse.city.airport)]
  const direct = greatCircleKm(origin.coordinates, destination.coordinates)
  const over = (airline: AirCarrier) => {
    const hub = airport(airline.hub).coordinates
    return greatCircleKm(origin.coordinates, hub) + greatCircleKm(hub, destination.coordinates)
  }
  const own = airCarriers.filter(({ hub }) => airport(hub) === origin || airport(hub) === destination)
  const connecting = airCarriers.filter((airline) => !own.includes(airline) && over(airline) < 1.35 * direct)
  const connects = own.length === 0 || (connecting.length > 0 && (wanted ?? random.chance(0.3)))
  const airline = random.pick(connects && connecting.length > 0 ? connecting : own.length > 0 ? own : airCarriers)
  const hub = airport(airline.hub)
  const transit = hub === origin || hub === destination ? undefined : hub
  return { ...ends, origin, destination, airline, km: transit ? over(airline) : direct, ...(transit && { transit }) }
}

function landLane(ends: Ends, origin: Place, destination: Place): Lane {
  // Roads and railways are about a third longer than the great circle.
  return { ...ends, origin, destination, km: 1.3 * greatCircleKm(origin.coordinates, destination.coordinates) }
}
