import { Big } from 'big.js'
import type { Warning } from '../contract/ops/version.js'
import type { Fault } from '../contract/refusals.js'
import type { Size, Weight } from '../contract/shared-types.js'
import type { Cargo, Load, ShipmentRecord } from '../contract/shipment.js'
import { isContainerNumber } from './container-number.js'
import { totalTeus } from './shipment.js'

/** What operators say of cargo: what cannot be, what looks wrong, and what follows from the rest. */

type WithCargo = { cargo?: Cargo | undefined }

/** What the shipment has already stands, as it came with an import: only what is new is checked. */
export function cargoFaults(given: WithCargo, before: WithCargo = {}): Fault[] {
  return [...containerFaults(given, before), ...loadFaults(given, before)]
}

function loadFaults({ cargo }: WithCargo, before: WithCargo): Fault[] {
  const { loads = [] } = cargo ?? {}
  if (JSON.stringify(loads) === JSON.stringify(before.cargo?.loads)) return []
  return loads.flatMap(({ count, weight, length, width, height }, index) => {
    const pointer = `/cargo/loads/${index}`
    const sizes = Object.entries({ weight, length, width, height }).filter(([, size]) => size && size.value < 0)
    return [
      ...(count !== undefined && count <= 0 ? [{ pointer: `${pointer}/count`, detail: 'must be greater than 0' }] : []),
      ...sizes.map(([name]) => ({ pointer: `${pointer}/${name}/value`, detail: 'must be 0 or more' })),
    ]
  })
}

function containerFaults(given: WithCargo, before: WithCargo): Fault[] {
  const known = new Set(numbersOf(before))
  const seen = new Set<string>()
  return (given.cargo?.containers ?? []).flatMap(({ container_number: number }, index) => {
    if (number === undefined) return []
    const pointer = `/cargo/containers/${index}/container_number`
    if (!known.has(number) && !isContainerNumber(number)) return [{ pointer, detail: noContainerNumber }]
    if (seen.has(number)) return [{ pointer, detail: 'must differ from those of the other containers' }]
    seen.add(number)
    return []
  })
}

const noContainerNumber =
  'is no container number (ISO 6346): four letters, of which the last is U, J or Z, six digits and the check digit that fits them'

/** The numbers of its containers, as far as they are known. */
export function numbersOf({ cargo }: WithCargo): string[] {
  return (cargo?.containers ?? []).flatMap(({ container_number }) => container_number ?? [])
}

/** Fills in the totals that nobody gave, and marks them: they are computed anew whenever the loads change. */
export function withComputedTotals(record: ShipmentRecord): ShipmentRecord {
  const { computed_totals = [], ...shipment } = record
  const given: Cargo = { ...shipment.cargo }
  for (const name of computed_totals) delete given[name]
  const computed = totalsOf(given.loads ?? [])
  const missing = (['total_weight', 'total_volume'] as const).filter((name) => !given[name] && computed[name])
  if (missing.length === 0) return { ...shipment, ...(shipment.cargo && { cargo: given }) }
  return {
    ...shipment,
    cargo: { ...given, ...Object.fromEntries(missing.map((name) => [name, computed[name]])) },
    computed_totals: missing,
  }
}

// Weighing and measuring is never exact: what differs by less than this is the same.
const tolerance = 0.01

/** Totals that do not fit what they are the totals of, and numbers that no container can have. */
export function cargoWarnings({ cargo = {} }: WithCargo): Warning[] {
  const computed = totalsOf(cargo.loads ?? [])
  const warnings: Warning[] = cargoFaults({ cargo })
  if (cargo.total_weight && computed.total_weight) {
    const given = inKilograms(cargo.total_weight)
    const sum = inKilograms(computed.total_weight)
    if (differs(given, sum)) warnings.push(mismatch('total_weight', given, sum, 'kg', 'the loads'))
  }
  if (cargo.total_volume?.unit === 'cbm' && computed.total_volume) {
    const given = new Big(cargo.total_volume.value)
    const sum = new Big(computed.total_volume.value)
    if (differs(given, sum)) warnings.push(mismatch('total_volume', given, sum, 'cbm', 'the loads'))
  }
  const containers = cargo.containers ?? []
  const teus = totalTeus(containers)
  const areTyped = containers.length > 0 && containers.every(({ container_type }) => container_type !== undefined)
  if (cargo.total_teus !== undefined && areTyped && cargo.total_teus !== teus) {
    warnings.push(mismatch('total_teus', new Big(cargo.total_teus), new Big(teus), 'TEU', 'the containers'))
  }
  return warnings
}

function mismatch(name: string, given: Big, sum: Big, unit: string, parts: string): Warning {
  return {
    pointer: `/cargo/${name}`,
    detail: `is ${given.round(3).toString()} ${unit}, but ${parts} come to ${sum.round(3).toString()} ${unit}`,
  }
}

function differs(given: Big, sum: Big): boolean {
  return given.minus(sum).abs().gt(sum.abs().times(tolerance))
}

/** Weight and volume of all loads; only where every one of them tells its own. */
function totalsOf(loads: Load[]): Pick<Cargo, 'total_weight' | 'total_volume'> {
  if (loads.length === 0) return {}
  const weights = loads.map(weightOf)
  const volumes = loads.map(volumeOf)
  const unit = loads[0]?.weight?.unit ?? 'kg'
  return {
    ...(weights.every((weight) => weight !== undefined) && {
      total_weight: { value: inUnit(add(weights), unit).round(3).toNumber(), unit },
    }),
    ...(volumes.every((volume) => volume !== undefined) && {
      total_volume: { value: add(volumes).round(3).toNumber(), unit: 'cbm' },
    }),
  }
}

function add(values: Big[]): Big {
  return values.reduce((sum, value) => sum.plus(value), new Big(0))
}

// The interface does not say so: weight and size are taken for those of one piece.
function weightOf({ count, weight }: Load): Big | undefined {
  return count === undefined || !weight ? undefined : inKilograms(weight).times(count)
}

function volumeOf({ count, length, width, height }: Load): Big | undefined {
  if (count === undefined || !length || !width || !height) return undefined
  return inMetres(length).times(inMetres(width)).times(inMetres(height)).times(count)
}

const kilogramsPerPound = '0.45359237'

function inKilograms({ value, unit }: Weight): Big {
  return unit === 'kg' ? new Big(value) : new Big(value).times(kilogramsPerPound)
}

function inUnit(kilograms: Big, unit: Weight['unit']): Big {
  return unit === 'kg' ? kilograms : kilograms.div(kilogramsPerPound)
}

function inMetres({ value, unit }: Size): Big {
  return new Big(value).times(unit === 'cm' ? '0.01' : '0.0254')
}
