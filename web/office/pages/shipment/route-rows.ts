import type { OperatorBody } from '../../../../src/contract/operator/operations.js'
import type { Route } from '../../../../src/contract/public/shipment.js'
import type { StepType } from '../../../../src/contract/public/tracking.js'
import type { Step } from './place-of.js'

/** The places of a shipment as their form holds them, and what becomes of them when two people edit them at once. */

export type RouteRow = {
  /** Of the stored step. Undefined: it was added. */
  id?: string | undefined
  type: StepType
  /** A UN/LOCODE; of pick-up and delivery the number of a location. */
  place: string
}

export const isDoor = (type: StepType) => type === 'pickup' || type === 'delivery'

export function rowsOfSteps(steps: Step[]): RouteRow[] {
  return steps.map(({ id, type = 'transshipment_port', port, location }) => ({
    id,
    type,
    place: isDoor(type) ? String(location?.id ?? '') : (port?.unlocode ?? ''),
  }))
}

/** The first plan of a shipment, as far as its route says. */
export function rowsOfRoute(route: Route = {}): RouteRow[] {
  const rows: RouteRow[] = [
    { type: 'origin_port', place: route.origin_port_unlocode ?? '' },
    { type: 'destination_port', place: route.destination_port_unlocode ?? '' },
  ]
  if (route.pickup_location_id !== undefined) rows.unshift({ type: 'pickup', place: route.pickup_location_id })
  if (route.delivery_location_id !== undefined) rows.push({ type: 'delivery', place: route.delivery_location_id })
  return rows
}

export function planOf(rows: RouteRow[]): OperatorBody<'planTracking'> {
  return {
    steps: rows.map(({ id, type, place: given }) => {
      const place = given.trim()
      return {
        ...(id !== undefined && { id }),
        type,
        ...(isDoor(type)
          ? place !== '' && { location_id: Number(place) }
          : { port: { unlocode: place.toUpperCase() } }),
      }
    }),
  }
}

export function moved(rows: RouteRow[], index: number, by: -1 | 1): RouteRow[] {
  const [row, other] = [rows[index], rows[index + by]]
  if (!row || !other) return rows
  return rows.with(index, other).with(index + by, row)
}

export type RouteDifference = {
  name: string
  /** Of which step; without one the order of all of them. */
  row?: RouteRow
  field: 'type' | 'place' | 'step' | 'order'
  mine: string
  theirs: string
  isMine: boolean
}

const idsOf = (rows: RouteRow[]) => rows.flatMap(({ id }) => id ?? [])

function orderOf(rows: RouteRow[], common: Set<string>): string {
  return idsOf(rows)
    .filter((id) => common.has(id))
    .join(' ')
}

/** Where this person's steps and those that were stored meanwhile differ. Added ones of both are kept. */
export function routeDifferences(base: RouteRow[], mine: RouteRow[], theirs: RouteRow[]): RouteDifference[] {
  const found = (rows: RouteRow[], id: string) => rows.find((row) => row.id === id)
  const ofSteps = base.flatMap((before): RouteDifference[] => {
    const id = before.id ?? ''
    const [own, other] = [found(mine, id), found(theirs, id)]
    if (own && other) {
      return (['type', 'place'] as const).flatMap((field) => {
        const value = own[field].trim()
        if (value === other[field]) return []
        const isMine = value !== before[field] && other[field] === before[field]
        return { name: `${id} ${field}`, row: before, field, mine: value, theirs: other[field], isMine }
      })
    }
    if (!own && !other) return []
    const isMine = other !== undefined && other.type === before.type && other.place === before.place
    const [kept, removed] = ['kept', 'removed']
    const name = `${id} step`
    return [{ name, row: before, field: 'step', mine: own ? kept : removed, theirs: other ? kept : removed, isMine }]
  })
  const common = new Set(idsOf(base).filter((id) => found(mine, id) && found(theirs, id)))
  const [before, own, other] = [base, mine, theirs].map((rows) => orderOf(rows, common)) as [string, string, string]
  if (own === other) return ofSteps
  return [...ofSteps, { name: 'order', field: 'order', mine: own, theirs: other, isMine: other === before }]
}

/** What is stored now, with the own values of the named differences. */
export function withOwnRoute(
  base: RouteRow[],
  mine: RouteRow[],
  theirs: RouteRow[],
  own: ReadonlySet<string>,
): RouteRow[] {
  const known = new Set(idsOf(base))
  const [leading, other] = own.has('order') ? [mine, theirs] : [theirs, mine]
  const rows = leading.slice()
  for (const [index, row] of other.entries()) {
    if (row.id !== undefined && rows.some(({ id }) => id === row.id)) continue
    const previous = other.slice(0, index).findLast(({ id }) => id !== undefined && rows.some((each) => each.id === id))
    rows.splice(previous ? rows.findIndex(({ id }) => id === previous.id) + 1 : 0, 0, row)
  }
  return rows.flatMap((row): RouteRow[] => {
    if (row.id === undefined || !known.has(row.id)) return [row]
    const { id } = row
    const [ownRow, otherRow] = [mine.find((each) => each.id === id), theirs.find((each) => each.id === id)]
    const isKept = own.has(`${id} step`) ? ownRow !== undefined : otherRow !== undefined
    if (!isKept) return []
    const stored = otherRow ?? row
    return [
      {
        id,
        type: (own.has(`${id} type`) ? ownRow?.type : undefined) ?? stored.type,
        place: (own.has(`${id} place`) ? ownRow?.place : undefined) ?? stored.place,
      },
    ]
  })
}
