import type { Cargo, Container, ContainerType, Load } from '../contract/public/shipment.js'
import { containerCheckDigit } from '../domain/shipments/container-number.js'
import { leasedOwners } from './carriers.js'
import { containerCapacities } from './container-types.js'
import type { Goods } from './goods.js'
import type { FreightMode } from './lane.js'
import type { Random } from './random.js'

/** Loads that fit their containers, and totals that are their sums. */

export type LoadType = 'fcl' | 'lcl' | 'both'

type CargoSpec = {
  goods: Goods
  mode: FreightMode
  loadType: LoadType
  containerType?: ContainerType
  leastContainers?: number
  imperial: boolean
  /** Owner codes of the carrier's containers; without them the containers have no numbers yet. */
  owners?: readonly string[]
}

export type Packed = {
  cargo: Cargo
  containers: Container[]
  packages: number
  weight: number
  volume: number
  kg: number
}

const kgPerPound = 0.45359237
const cubicMetresPerCubicInch = 0.000016387064

export function packCargo(spec: CargoSpec, random: Random): Packed {
  const containers = drawContainers(spec, random)
  const room = roomFor(spec, containers, random)
  const loads = drawLoads(spec, room, random)
  const weight = tenths(loads.reduce((sum, load) => sum + load.count! * load.weight!.value, 0))
  const volume = thousandths(loads.reduce((sum, load) => sum + load.count! * loadVolume(load), 0))
  const teus = containers.reduce((sum, { container_type }) => sum + containerCapacities[container_type!].teus, 0)
  const cargo: Cargo = {
    total_weight: { value: weight, unit: spec.imperial ? 'lbs' : 'kg' },
    total_volume: { value: volume, unit: 'cbm' },
    // Sometimes left out: the service computes it from the containers.
    ...(teus > 0 && random.chance(0.7) && { total_teus: teus }),
    ...(containers.length > 0 && { containers }),
    loads,
  }
  const packages = loads.reduce((sum, load) => sum + load.count!, 0)
  return { cargo, containers, packages, weight, volume, kg: spec.imperial ? weight * kgPerPound : weight }
}

function loadVolume({ length, width, height }: Load): number {
  const cubed = length!.value * width!.value * height!.value
  return length!.unit === 'in' ? cubed * cubicMetresPerCubicInch : cubed / 1e6
}

const boxes: readonly (readonly [ContainerType, number])[] = [
  ['forty_foot_highcube_standard', 50],
  ['twenty_foot_standard', 28],
  ['forty_foot_standard', 18],
  ['forty_five_foot_highcube_standard', 4],
]
const reefers: readonly (readonly [ContainerType, number])[] = [
  ['forty_foot_highcube_reefer', 70],
  ['twenty_foot_reefer', 20],
  ['forty_foot_reefer', 10],
]
const openBoxes: readonly (readonly [ContainerType, number])[] = [
  ['forty_foot_flat_rack', 30],
  ['forty_foot_open_top', 25],
  ['twenty_foot_flat_rack', 10],
  ['twenty_foot_open_top', 15],
  ['forty_foot_highcube_flat_rack', 10],
  ['forty_foot_highcube_open_top', 10],
]
const counts = [
  [1, 42],
  [2, 30],
  [3, 16],
  [4, 8],
  [6, 4],
] as const

function drawContainers(spec: CargoSpec, random: Random): Container[] {
  const boxed = spec.mode === 'ocean' || spec.mode === 'rail'
  if (!boxed || spec.loadType === 'lcl') return []
  const kinds = spec.goods.temperature ? reefers : spec.goods.oversize ? openBoxes : boxes
  const container_type = spec.containerType ?? random.weighted(kinds)
  return Array.from({ length: Math.max(random.weighted<number>(counts), spec.leastContainers ?? 1) }, () => ({
    container_type,
    ...(spec.owners && {
      container_number: containerNumber(random.pick(random.chance(0.75) ? spec.owners : leasedOwners), random),
      seal_number: `${random.pick(['ML', 'CN', 'EU', 'HL'])}${random.digits(7)}`,
    }),
  }))
}

function containerNumber(owner: string, random: Random): string {
  const prefixAndSerial = `${owner}${random.digits(6)}`
  return `${prefixAndSerial}${containerCheckDigit(prefixAndSerial)}`
}

type Room = { volume: number; kg: number }

function roomFor({ mode, loadType, goods }: CargoSpec, containers: Container[], random: Random): Room {
  if (mode === 'air') return { volume: random.decimal(0.4, 8), kg: 3500 }
  if (mode === 'truck') {
    const full = loadType === 'fcl'
    return { volume: full ? random.decimal(40, 78) : random.decimal(2, 16), kg: full ? 23_500 : 9000 }
  }
  const fill = random.decimal(0.62, 0.93)
  const room = { volume: 0, kg: 0 }
  for (const { container_type } of containers) {
    room.volume += containerCapacities[container_type!].volume * fill
    room.kg += containerCapacities[container_type!].payloadKg * fill
  }
  if (loadType === 'fcl') return room
  const loose = goods.oversize ? 14 : random.decimal(1.6, 14)
  return { volume: room.volume + loose, kg: room.kg + loose * 700 }
}

function drawLoads(spec: CargoSpec, room: Room, random: Random): Load[] {
  const { goods, imperial, mode } = spec
  const density = random.decimal(goods.density[0], goods.density[1], 0)
  // Heavy goods reach the weight limit of a container before its volume.
  const volume = Math.min(room.volume, (room.kg * 0.97) / density)
  const kinds = mode === 'air' ? random.integer(2, 5) : random.integer(3, 7)
  // Deprecated in the interface, but still in use.
  const old = random.chance(0.3) ? { volume_unit: 'cbm' } : {}
  const loads: Load[] = []
  let left = volume
  for (let kind = 0; kind < kinds; kind++) {
    const load = drawLoad(goods, imperial, density, random)
    const each = loadVolume(load)
    const share = kind === kinds - 1 ? left : left * random.decimal(0.25, 0.6)
    const count = Math.floor(share / each)
    if (count > 0) {
      loads.push({ ...load, ...old, count })
      left -= count * each
    }
  }
  // If not even one fits, such as a pallet in a small air shipment: one that is lower.
  return loads.length > 0 ? loads : [smallLoad(volume, imperial, density)]
}

function drawLoad({ packaging, oversize }: Goods, imperial: boolean, density: number, random: Random): Load {
  const [length, width, height] = oversize
    ? [random.integer(180, 420), random.integer(120, 215), random.integer(110, 210)]
    : sizes[packaging](random)
  return loadOf(packaging, [length, width, height], imperial, density)
}

const sizes = {
  pallet: (random: Random) => [120, random.pick([80, 100]), random.integer(9, 20) * 10] as const,
  package: (random: Random) => [random.integer(35, 80), random.integer(28, 60), random.integer(20, 55)] as const,
  rigid_crate: (random: Random) => [random.integer(80, 150), random.integer(60, 110), random.integer(50, 110)] as const,
}

function smallLoad(volume: number, imperial: boolean, density: number): Load {
  const side = Math.max(10, Math.floor(Math.cbrt(volume * 1e6)) - 2)
  return { ...loadOf('package', [side, side, side], imperial, density), count: 1 }
}

function loadOf(
  type: Load['type'],
  centimetres: readonly [number, number, number],
  imperial: boolean,
  density: number,
): Load {
  const [length, width, height] = centimetres.map((value) =>
    imperial ? { value: Math.floor(value / 2.54), unit: 'in' as const } : { value, unit: 'cm' as const },
  )
  const load: Load = { count: 1, type, length, width, height }
  const kg = loadVolume(load) * density
  const weight: Load['weight'] = { value: tenths(imperial ? kg / kgPerPound : kg), unit: imperial ? 'lbs' : 'kg' }
  return { count: 1, type, weight, length, width, height }
}

export function tenths(value: number): number {
  return Math.round(value * 10) / 10
}

export function thousandths(value: number): number {
  return Math.round(value * 1000) / 1000
}
