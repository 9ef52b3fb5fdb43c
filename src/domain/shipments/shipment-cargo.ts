import { Big } from 'big.js'
import type { Warning } from '../../contract/operator/version.js'
import type { Size, Weight } from '../../contract/public/shared-types.js'
import type { Cargo, Load, ShipmentRecord } from '../../contract/public/shipment.js'
import type { Fault } from '../../contract/refusals.js'
import { checkDigitDetail, hasContainerForm } from './container-number.js'
import { totalTeus } from './shipment.js'

/** Cargo as operators enter it: faults, warnings and computed totals. */

type WithCargo = { cargo?: Cargo | undefined; load_type?: ShipmentRecord['load_type'] }

/** Only changed values are checked: stored ones may come from an import and stay as they are. */
export function cargoFaults(given: WithCargo, before: WithCargo = {}): Fault[] {
  return [...totalFaults(given, before), ...containerFaults(given, before), ...loadFaults(given, before)]
}

function totalFaults({ cargo = {} }: WithCargo, before: WithCargo): Fault[] {
  return (['total_weight', 'total_volume'] as const).flatMap((name) => {
    const value = cargo[name]?.value
    return value === before.cargo?.[name]?.value ? [] : sizeFaults(`/cargo/${name}/value`, value)
  })
}

function loadFaults({ cargo }: WithCargo, before: WithCargo): Fault[] {
  const known = new Set(before.cargo?.loads?.map((load) => JSON.stringify(load)))
  return (cargo?.loads ?? []).flatMap((load, index) => {
    if (known.has(JSON.stringify(load))) return []
    const pointer = `/cargo/loads/${index}`
    const { count, weight, length, width, height } = load
    const sizes = Object.entries({ weight, length, width, height })
    return [
      ...(count !== undefined && count <= 0 ? [{ pointer: `${pointer}/count`, detail: 'must be greater than 0' }] : []),
      ...(count !== undefined && count > most ? [{ pointer: `${pointer}/count`, detail: tooMuch }] : []),
      ...sizes.flatMap(([name, size]) => sizeFaults(`${pointer}/${name}/value`, size?.value)),
    ]
  })
}

// An upper bound for counts, weights and sizes alike.
const most = 1_000_000_000
const tooMuch = `must be ${most} or less`

function sizeFaults(pointer: string, value = 0): Fault[] {
  if (value < 0) return [{ pointer, detail: 'must be 0 or more' }]
  return value > most ? [{ pointer, detail: tooMuch }] : []
}

function containerFaults(given: WithCargo, before: WithCargo): Fault[] {
  // A number that is stored twice may stay twice.
  const known = new Map<string, number>()
  for (const number of numbersOf(before)) known.set(number, (known.get(number) ?? 0) + 1)
  const seen = new Map<string, number>()
  return (given.cargo?.containers ?? []).flatMap(({ container_number: number }, index) => {
    if (number === undefined) return []
    const pointer = `/cargo/containers/${index}/container_number`
    const allowed = known.get(number) ?? 0
    if (allowed === 0 && !hasContainerForm(number)) return [{ pointer, detail: notContainerNumber }]
    const count = (seen.get(number) ?? 0) + 1
    seen.set(number, count)
    if (count > 1 && count > allowed) return [{ pointer, detail: 'must differ from those of the other containers' }]
    return []
  })
}

const notContainerNumber =
  'is not a container number (ISO 6346): four letters ending in U, J or Z, six digits and a check digit'

function checkDigitWarnings({ containers = [] }: Cargo): Warning[] {
  return containers.flatMap(({ container_number = '' }, index) => {
    const detail = checkDigitDetail(container_number)
    return detail === undefined ? [] : [{ pointer: `/cargo/containers/${index}/container_number`, detail }]
  })
}

/** The known container numbers of a shipment. */
export function numbersOf({ cargo }: WithCargo): string[] {
  return (cargo?.containers ?? []).flatMap(({ container_number }) => container_number ?? [])
}

/** Computes missing totals and marks them: marked totals are computed again whenever the loads change. */
export function withComputedTotals(record: ShipmentRecord): ShipmentRecord {
  const { computed_totals = [], ...shipment } = record
  const given: Cargo = { ...shipment.cargo }
  for (const name of computed_totals) delete given[name]
  const computed = computedTotals(given.loads ?? [])
  const missing = (['total_weight', 'total_volume'] as const).filter((name) => !given[name] && computed[name])
  if (missing.length === 0) return { ...shipment, ...(shipment.cargo && { cargo: given }) }
  return {
    ...shipment,
    cargo: { ...given, ...Object.fromEntries(missing.map((name) => [name, computed[name]])) },
    computed_totals: missing,
  }
}

// Measurements are not exact: smaller differences are ignored.
const tolerance = 0.01

/** Warns of totals that do not match the loads or containers, and of invalid container numbers. */
export function cargoWarnings({ cargo = {}, load_type }: WithCargo): Warning[] {
  const sums = sumsOf(cargo.loads ?? [])
  const warnings: Warning[] = [...cargoFaults({ cargo }), ...checkDigitWarnings(cargo)]
  if (cargo.total_weight && sums.total_weight) {
    const given = inKilograms(cargo.total_weight)
    const sum = inKilograms(sums.total_weight)
    if (differs(given, sum)) warnings.push(mismatch('total_weight', given, sum, 'kg', 'the loads'))
  }
  if (cargo.total_volume?.unit === 'cbm' && sums.total_volume) {
    const given = new Big(cargo.total_volume.value)
    if (differs(given, sums.total_volume)) {
      warnings.push(mismatch('total_volume', given, sums.total_volume, 'cbm', 'the loads'))
    }
  }
  const containers = cargo.containers ?? []
  const teus = totalTeus(containers)
  const areTyped = containers.length > 0 && containers.every(({ container_type }) => container_type !== undefined)
  if (load_type !== 'lcl' && cargo.total_teus !== undefined && areTyped && cargo.total_teus !== teus) {
    warnings.push(mismatch('total_teus', new Big(cargo.total_teus), new Big(teus), 'TEU', 'the containers'))
  }
  return warnings
}

function mismatch(name: string, given: Big, sum: Big, unit: string, parts: string): Warning {
  return {
    pointer: `/cargo/${name}`,
    detail: `is ${given.round(3).toString()} ${unit}, but ${parts} add up to ${sum.round(3).toString()} ${unit}`,
  }
}

function differs(given: Big, sum: Big): boolean {
  return given.minus(sum).abs().gt(sum.abs().times(tolerance))
}

/** The totals as fields of a cargo, without those that exceed the range of numbers. */
function computedTotals(loads: Load[]): Pick<Cargo, 'total_weight' | 'total_volume'> {
  const { total_weight: weight, total_volume: volume } = sumsOf(loads)
  return {
    ...(weight && isInRange(weight.value) && { total_weight: { ...weight, value: weight.value.toNumber() } }),
    ...(volume && isInRange(volume) && { total_volume: { value: volume.toNumber(), unit: 'cbm' } }),
  }
}

function isInRange(value: Big): boolean {
  return Number.isFinite(value.toNumber())
}

/** The weight of all loads, in the unit of the first, and their volume (m³); each only if every load has it. */
function sumsOf(loads: Load[]): { total_weight?: { value: Big; unit: Weight['unit'] }; total_volume?: Big } {
  if (loads.length === 0) return {}
  const weights = loads.map(weightOf)
  const volumes = loads.map(volumeOf)
  const unit = loads[0]?.weight?.unit ?? 'kg'
  return {
    ...(weights.every((weight) => weight !== undefined) && {
      total_weight: { value: inUnit(add(weights), unit).round(3), unit },
    }),
    ...(volumes.every((volume) => volume !== undefined) && { total_volume: add(volumes).round(3) }),
  }
}

function add(values: Big[]): Big {
  return values.reduce((sum, value) => sum.plus(value), new Big(0))
}

// The interface leaves it open: weight and size are those of one piece.
function weightOf({ count, weight }: Load): Big | undefined {
  return count === undefined || !weight ? undefined : inKilograms(weight).times(count)
}

function volumeOf({ count, length, width, height }: Load): Big | undefined {
  if (count === undefined || !length || !width || !height) return undefined
  return inMetres(length).times(inMetres(width)).times(inMetres(height)).times(count)
}

const kilogramsPerPound = '0.45359237'

export function inKilograms({ value, unit }: { value: number | Big; unit: Weight['unit'] }): Big {
  return unit === 'kg' ? new Big(value) : new Big(value).times(kilogramsPerPound)
}

function inUnit(kilograms: Big, unit: Weight['unit']): Big {
  return unit === 'kg' ? kilograms : kilograms.div(kilogramsPerPound)
}

function inMetres({ value, unit }: Size): Big {
  return new Big(value).times(unit === 'cm' ? '0.01' : '0.0254')
}
