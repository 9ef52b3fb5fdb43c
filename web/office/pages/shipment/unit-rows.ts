import type { Container, ContainerType } from '../../../../src/contract/public/shipment.js'

/** The units of a shipment as their form holds them, and what becomes of them when two people edit them at once. */

const fields = ['type', 'number', 'seal'] as const
export type UnitField = (typeof fields)[number]
type UnitValues = Record<UnitField, string>

export type UnitRow = UnitValues & {
  /** Its place among the stored units. Undefined: it was added. */
  from?: number | undefined
}

export function rowsOf(units: Container[]): UnitRow[] {
  return units.map((unit, from) => ({ ...valuesOf(unit), from }))
}

function valuesOf({ container_type, container_number, seal_number }: Container): UnitValues {
  return { type: container_type ?? '', number: container_number ?? '', seal: seal_number ?? '' }
}

/** What is stored of the rows. Whatever else is known of a unit stays with it. */
export function unitsOf(rows: UnitRow[], base: Container[]): Container[] {
  return rows.map(({ from, type, number, seal }) => {
    const { container_type: _type, container_number: _number, seal_number: _seal, ...rest } = base[from ?? -1] ?? {}
    return {
      ...rest,
      ...(type !== '' && { container_type: type as ContainerType }),
      ...(number.trim() !== '' && { container_number: number.trim() }),
      ...(seal.trim() !== '' && { seal_number: seal.trim() }),
    }
  })
}

/** Rows whose stored number was changed to another: the goods may have to move along. */
export function renamedUnits(rows: UnitRow[], base: Container[]): { from: string; to: string }[] {
  return rows.flatMap(({ from, number }) => {
    const before = base[from ?? -1]?.container_number
    const to = number.trim()
    return before !== undefined && to !== '' && to !== before ? [{ from: before, to }] : []
  })
}

export type UnitDifference = {
  name: string
  /** As people know the unit: its number, or its place. */
  unit: { number: string; place: number }
  field: UnitField | 'unit'
  mine: string
  theirs: string
  isMine: boolean
}

type Match = {
  place: number
  before: UnitValues
  mine: UnitRow | undefined
  theirs: UnitValues | undefined
  at: number
}

/** Which of the units that are stored now was which one of the base: by its number, or else by its place. */
function matchesOf(base: Container[], mine: UnitRow[], theirs: Container[]): Match[] {
  const byNumber = base.map(({ container_number: number }) =>
    number === undefined ? -1 : theirs.findIndex((unit) => unit.container_number === number),
  )
  return base.map((unit, place) => {
    const known = byNumber[place] ?? -1
    const isFree = place < theirs.length && !byNumber.includes(place)
    const at = known >= 0 ? known : isFree ? place : -1
    const other = theirs[at]
    return {
      place,
      before: valuesOf(unit),
      mine: mine.find(({ from }) => from === place),
      theirs: other && valuesOf(other),
      at,
    }
  })
}

const isSame = (one: UnitValues, other: UnitValues) => fields.every((field) => one[field].trim() === other[field])

/** Where this person's units and those that were stored meanwhile differ. Added ones of both are kept. */
export function unitDifferences(base: Container[], mine: UnitRow[], theirs: Container[]): UnitDifference[] {
  return matchesOf(base, mine, theirs).flatMap(({ place, before, mine: own, theirs: other }): UnitDifference[] => {
    const unit = { number: before.number, place: place + 1 }
    if (own && other) {
      return fields.flatMap((field) => {
        const value = own[field].trim()
        if (value === other[field]) return []
        const isMine = value !== before[field] && other[field] === before[field]
        return { name: `${place} ${field}`, unit, field, mine: value, theirs: other[field], isMine }
      })
    }
    if (!own && !other) return []
    const isMine = other !== undefined && isSame(before, other)
    const name = `${place} unit`
    return [{ name, unit, field: 'unit', mine: own ? 'kept' : 'removed', theirs: other ? 'kept' : 'removed', isMine }]
  })
}

/** Whether somebody else changed any unit, not only other fields of the shipment. */
export function haveUnitsChanged(base: Container[], theirs: Container[]): boolean {
  return JSON.stringify(base.map(valuesOf)) !== JSON.stringify(theirs.map(valuesOf))
}

/** What is stored now, with the own values of the named differences. */
export function withOwnUnits(
  base: Container[],
  mine: UnitRow[],
  theirs: Container[],
  own: ReadonlySet<string>,
): UnitRow[] {
  const matches = matchesOf(base, mine, theirs)
  const stored = theirs.flatMap((unit, from): UnitRow[] => {
    const match = matches.find(({ at }) => at === from)
    if (!match) return [{ ...valuesOf(unit), from }]
    if (!match.mine) return own.has(`${match.place} unit`) ? [] : [{ ...valuesOf(unit), from }]
    const values = valuesOf(unit)
    for (const field of fields) if (own.has(`${match.place} ${field}`)) values[field] = match.mine[field]
    return [{ ...values, from }]
  })
  const kept = matches.flatMap(({ place, mine: row, theirs: other }): UnitRow[] =>
    row && !other && own.has(`${place} unit`) ? [{ ...row, from: undefined }] : [],
  )
  const numbers = new Set(stored.map(({ number }) => number).filter(Boolean))
  const added = mine.filter(({ from, number }) => from === undefined && !numbers.has(number.trim()))
  return [...stored, ...kept, ...added]
}
