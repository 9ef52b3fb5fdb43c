import type { EquipmentClass, FreeTimeTerm, WorkingDays } from '../../contract/operator/free-time.js'
import type { ContainerType } from '../../contract/public/shipment.js'
import { plainName } from '../tracking/vessels.js'

/** Which rule of the forwarder applies. */

/** The forwarder's rules and calendars, arranged for looking up. Make it once for many shipments. */
export type FreeTimeRules = {
  /** By place: a port, a country, or '' for those of all places. */
  terms: ReadonlyMap<string, FreeTimeTerm[]>
  hasTerms: boolean
  calendars: ReadonlyMap<string, WorkingDays>
  /** The time zone of a port by its UN/LOCODE. */
  zoneOf(port: string): string | undefined
}

export function freeTimeRules(
  terms: FreeTimeTerm[],
  calendars: WorkingDays[],
  zoneOf: FreeTimeRules['zoneOf'],
): FreeTimeRules {
  const byPlace = new Map<string, FreeTimeTerm[]>()
  for (const term of terms) {
    const known = byPlace.get(term.port ?? '')
    if (known) known.push(term)
    else byPlace.set(term.port ?? '', [term])
  }
  const byCalendar = new Map(calendars.map((calendar) => [calendar.place, calendar]))
  return { terms: byPlace, hasTerms: terms.length > 0, calendars: byCalendar, zoneOf }
}

/** What is the same for all containers of a shipment at one end of it. */
export type Consignment = {
  account: string
  svc_shipment_id: string
  contract: string | undefined
  carrier: string | undefined
  port: string | undefined
}

/** The rules that may apply to containers of the shipment: those that name nothing else. */
export function termsFor({ terms }: FreeTimeRules, consignment: Consignment): FreeTimeTerm[] {
  const { port } = consignment
  const places = port === undefined ? [''] : [port, port.slice(0, 2), '']
  return places.flatMap((place) => terms.get(place) ?? []).filter((term) => isOf(term, consignment))
}

function isOf(term: FreeTimeTerm, { account, svc_shipment_id, contract, carrier }: Consignment): boolean {
  if (term.account !== undefined && term.account !== account) return false
  if (term.svc_shipment_id !== undefined && term.svc_shipment_id !== svc_shipment_id) return false
  if (term.contract !== undefined && term.contract !== contract) return false
  return term.carrier === undefined || plainName(term.carrier) === plainName(carrier)
}

/** What differs from container to container. */
export type Unit = { equipment: EquipmentClass | undefined; terminal: string | undefined }

export function isForUnit({ equipment, terminal }: FreeTimeTerm, unit: Unit): boolean {
  if (equipment && !(unit.equipment && equipment.includes(unit.equipment))) return false
  return terminal === undefined || (unit.terminal !== undefined && plainName(terminal) === plainName(unit.terminal))
}

export function isInForce({ valid_from, valid_to }: FreeTimeTerm, date: string): boolean {
  return (valid_from === undefined || valid_from <= date) && (valid_to === undefined || date <= valid_to)
}

/**
 * The total order of rules, the most specific first: one for the shipment, the account, the contract, the carrier, the terminal,
 * the port before its country, the equipment; then the one that came into force last; then by identifier.
 */
export function bySpecificity(one: FreeTimeTerm, other: FreeTimeTerm): number {
  return (
    compareSpecificity(one, other) ||
    compareText(other.valid_from ?? '', one.valid_from ?? '') ||
    compareText(one.id, other.id)
  )
}

/** Without what only separates equals. */
export function compareSpecificity(one: FreeTimeTerm, other: FreeTimeTerm): number {
  const [ranks, others] = [ranksOf(one), ranksOf(other)]
  for (const [index, rank] of ranks.entries()) if (rank !== others[index]) return (others[index] as number) - rank
  return 0
}

function ranksOf({ svc_shipment_id, account, contract, carrier, terminal, port, equipment }: FreeTimeTerm): number[] {
  const given = [svc_shipment_id, account, contract, carrier, terminal].map((each) => (each === undefined ? 0 : 1))
  return [...given, port === undefined ? 0 : port.length > 2 ? 2 : 1, equipment ? 1 : 0]
}

function compareText(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1
}

const classes: [name: string, equipment: EquipmentClass][] = [
  ['reefer', 'reefer'],
  ['flat_rack', 'flat_rack'],
  ['open_top', 'open_top'],
  ['standard', 'dry'],
]

export function equipmentOfType(type: ContainerType | undefined): EquipmentClass | undefined {
  return type && classes.find(([name]) => type.endsWith(name))?.[1]
}
