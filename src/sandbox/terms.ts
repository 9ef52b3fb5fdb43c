import type { Shipment } from '../contract/public/shipment.js'
import type { LoadType } from './cargo.js'
import type { Goods } from './goods.js'
import type { FreightType } from './journey.js'
import type { FreightMode } from './lane.js'
import type { Random } from './random.js'

/** Incoterms, and the part of the journey that the forwarder handles. */

export type Incoterm = NonNullable<Shipment['incoterm']>

// FAS, FOB, CFR and CIF are for sea freight only.
const seaTerms: readonly (readonly [Incoterm, number])[] = [
  ['fob', 40],
  ['exw', 14],
  ['fca', 10],
  ['cif', 8],
  ['cfr', 6],
  ['dap', 8],
  ['ddp', 6],
  ['fas', 2],
  ['cpt', 2],
  ['cip', 2],
  ['dpu', 1],
  ['dat', 1],
]
const otherTerms: readonly (readonly [Incoterm, number])[] = [
  ['exw', 30],
  ['fca', 34],
  ['dap', 16],
  ['ddp', 8],
  ['cpt', 6],
  ['cip', 4],
  ['dpu', 2],
]

const freightTypes: Record<Incoterm, readonly FreightType[]> = {
  exw: ['door_to_door'],
  fca: ['door_to_door', 'port_to_door'],
  fas: ['port_to_port', 'port_to_door'],
  fob: ['port_to_door', 'port_to_door', 'port_to_port'],
  cpt: ['door_to_port'],
  cfr: ['door_to_port', 'port_to_port'],
  cif: ['door_to_port', 'port_to_port'],
  cip: ['door_to_port', 'door_to_door'],
  dap: ['door_to_door'],
  ddp: ['door_to_door'],
  dpu: ['door_to_door', 'door_to_port'],
  dat: ['door_to_port'],
}

export type Terms = { incoterm: Incoterm; freightType: FreightType; loadType: LoadType }

export function drawTerms(mode: FreightMode, goods: Goods, spec: Partial<Terms>, random: Random): Terms {
  const incoterm = spec.incoterm ?? random.weighted(mode === 'ocean' ? seaTerms : otherTerms)
  const usual = mode === 'truck' ? 'door_to_door' : random.pick(freightTypes[incoterm])
  return {
    incoterm,
    freightType: spec.freightType ?? usual,
    loadType: spec.loadType ?? drawLoadType(mode, goods, random),
  }
}

function drawLoadType(mode: FreightMode, goods: Goods, random: Random): LoadType {
  switch (mode) {
    case 'air':
      return 'lcl'
    case 'truck':
      return random.chance(0.5) ? 'fcl' : 'lcl'
    case 'rail':
      return random.chance(0.85) ? 'fcl' : 'lcl'
    case 'ocean':
      // Reefers and flat racks are not shared.
      if (goods.temperature || goods.oversize) return 'fcl'
      return random.weighted<LoadType>([
        ['fcl', 72],
        ['lcl', 23],
        ['both', 5],
      ])
  }
}
