import { Big } from 'big.js'
import type { ShippedLine } from '../../contract/public/purchase-order.js'
import { sumOf } from './assignment.js'

/** What of an order line a shipment brings, and what of that is in which container. */

export type Assigned = {
  assigned_quantity: number
  shipped_order_lines: ShippedLine[]
  over_shipment_reason?: string | undefined
}

/** Where a quantity of an order line is: on no shipment, on this one but in no container, or in a container. */
export type PackingPlace = 'open' | 'loose' | `unit ${string}`

/** A container that the packing does not name has the number ''. */
export const unitOf = (number: string): PackingPlace => `unit ${number}`
export const numberOf = (place: PackingPlace) => (place.startsWith('unit ') ? place.slice('unit '.length) : undefined)

const nothing: Assigned = { assigned_quantity: 0, shipped_order_lines: [] }
const quantityOf = ({ shipped_quantity = 0 }: ShippedLine) => shipped_quantity
const isIn = (number: string | undefined) => (line: ShippedLine) => (line.container_number ?? '') === number

/** How much of the line is there. */
export function quantityAt({ assigned_quantity, shipped_order_lines }: Assigned, place: PackingPlace): number {
  if (place === 'loose') return sumOf([assigned_quantity, ...shipped_order_lines.map((line) => -quantityOf(line))])
  return sumOf(shipped_order_lines.filter(isIn(numberOf(place))).map(quantityOf))
}

/** The numbers of the containers that the line is packed in. */
export function packedNumbers({ shipped_order_lines }: Assigned): string[] {
  return [...new Set(shipped_order_lines.map(({ container_number = '' }) => container_number))]
}

/** After a quantity went from one place to another. Undefined if nothing of the line is on the shipment any more. */
export function withMoved(
  before: Assigned | undefined,
  from: PackingPlace,
  to: PackingPlace,
  quantity: number,
): Assigned | undefined {
  const { assigned_quantity, shipped_order_lines, ...rest } = before ?? nothing
  const { left, taken } = taking(shipped_order_lines, from, quantity)
  const assigned = sumOf([assigned_quantity, from === 'open' ? quantity : 0, to === 'open' ? -quantity : 0])
  if (assigned <= 0) return undefined
  return { ...rest, assigned_quantity: assigned, shipped_order_lines: adding(left, to, taken) }
}

type Taken = { left: ShippedLine[]; taken: ShippedLine[] }

/** Takes a quantity out of a container: whole entries first, and a part of the next. */
function taking(lines: ShippedLine[], from: PackingPlace, quantity: number): Taken {
  const number = numberOf(from)
  if (number === undefined) return { left: lines, taken: [{ shipped_quantity: quantity }] }
  let wanted = quantity
  const left: ShippedLine[] = []
  const taken: ShippedLine[] = []
  for (const line of lines) {
    const here = quantityOf(line)
    if (!isIn(number)(line) || wanted <= 0) left.push(line)
    else if (here <= wanted) taken.push(line)
    else {
      taken.push(partOf(line, wanted, here))
      left.push(restOf(line, wanted, here))
    }
    if (isIn(number)(line)) wanted = sumOf([wanted, -Math.min(here, Math.max(wanted, 0))])
  }
  return { left, taken }
}

function adding(lines: ShippedLine[], to: PackingPlace, taken: ShippedLine[]): ShippedLine[] {
  const number = numberOf(to)
  if (number === undefined) return lines
  return taken.reduce((packed, { container_number: _from, ...line }) => {
    const added: ShippedLine = number === '' ? line : { ...line, container_number: number }
    // Entries that say more than a quantity stay apart: their weights and packages are their own.
    const same = packed.findIndex((other) => isIn(number)(other) && isPlain(other) && isPlain(added))
    if (same < 0) return [...packed, added]
    return packed.map((other, index) =>
      index === same ? { ...other, shipped_quantity: sumOf([quantityOf(other), quantityOf(added)]) } : other,
    )
  }, lines)
}

function isPlain(line: ShippedLine): boolean {
  return Object.keys(line).every((name) => name === 'container_number' || name === 'shipped_quantity')
}

const figures = ['net_weight', 'gross_weight', 'packaging_total_volume', 'number_of_packages'] as const

/** Weights, volume and packages are divided as the quantity is; packages into whole ones. */
function partOf(line: ShippedLine, part: number, whole: number): ShippedLine {
  const divided = figures.flatMap((name) => {
    const value = line[name]
    if (value === undefined) return []
    const digits = name === 'number_of_packages' ? 0 : 3
    return [[name, new Big(value).times(part).div(whole).round(digits).toNumber()]]
  })
  return { ...line, ...Object.fromEntries(divided), shipped_quantity: part }
}

/** What remains has the remainders: both parts add up to the whole. */
function restOf(line: ShippedLine, part: number, whole: number): ShippedLine {
  const taken = partOf(line, part, whole)
  const rest = figures.flatMap((name) => {
    const value = line[name]
    return value === undefined ? [] : [[name, sumOf([value, -(taken[name] ?? 0)])]]
  })
  return { ...line, ...Object.fromEntries(rest), shipped_quantity: sumOf([whole, -part]) }
}

export type LineDifference = { place: PackingPlace | 'assigned'; mine: number; theirs: number; isMine: boolean }

/** Where what this person wants and what somebody else has stored meanwhile differ. */
export function lineDifferences(
  base: Assigned | undefined,
  mine: Assigned | undefined,
  theirs: Assigned | undefined,
): LineDifference[] {
  const versions = [base, mine, theirs].map((each) => each ?? nothing)
  const numbers = [...new Set(versions.flatMap(packedNumbers))]
  return (['assigned', ...numbers.map(unitOf)] as const).flatMap((place) => {
    const [before = 0, own = 0, other = 0] = versions.map((each) =>
      place === 'assigned' ? each.assigned_quantity : quantityAt(each, place),
    )
    return own === other ? [] : [{ place, mine: own, theirs: other, isMine: own !== before && other === before }]
  })
}

/** What somebody else stored, with the quantities of this person in the chosen places. */
export function withChosen(
  mine: Assigned | undefined,
  theirs: Assigned | undefined,
  chosen: Set<LineDifference['place']>,
): Assigned | undefined {
  const own = mine ?? nothing
  const other = theirs ?? nothing
  const isOwn = ({ container_number = '' }: ShippedLine) => chosen.has(unitOf(container_number))
  const { assigned_quantity } = chosen.has('assigned') ? own : other
  if (assigned_quantity === 0) return undefined
  const over_shipment_reason = own.over_shipment_reason ?? other.over_shipment_reason
  return {
    assigned_quantity,
    shipped_order_lines: [
      ...other.shipped_order_lines.filter((line) => !isOwn(line)),
      ...own.shipped_order_lines.filter(isOwn),
    ],
    ...(over_shipment_reason !== undefined && { over_shipment_reason }),
  }
}
