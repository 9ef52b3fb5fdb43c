import type { EventCode } from '../../contract/public/event-codes.js'
import type { ShipmentRecord } from '../../contract/public/shipment.js'
import type { StepType, TrackingRecord } from '../../contract/public/tracking.js'
import { isOffMainLeg } from '../tracking/event-phrases.js'
import { isProposedCall } from '../tracking/proposed-calls.js'
import { namedSteps } from '../tracking/tracking.js'
import { endsOf, type NamedStep } from './call-order.js'
import type { IncomingEvent } from './incoming-event.js'
import { normalReference } from './references.js'

/**
 * At which step of the plan an event happened. It depends on the event and the plan alone, not on other events, so that
 * events may come in any order. A place that the plan does not have becomes a proposed call.
 */

type Placed = { step: string; code: EventCode; proposed?: NamedStep }

/** The first plan of a shipment that has none: its route. */
export function stepsOfRoute({ route = {} }: ShipmentRecord): NamedStep[] {
  const { pickup_location_id, origin_port_unlocode, destination_port_unlocode, delivery_location_id } = route
  const steps: NamedStep[] = []
  if (isId(pickup_location_id)) steps.push({ id: '1', type: 'pickup', location: { id: Number(pickup_location_id) } })
  if (origin_port_unlocode) steps.push({ id: '2', type: 'origin_port', port: { unlocode: origin_port_unlocode } })
  if (destination_port_unlocode)
    steps.push({ id: '3', type: 'destination_port', port: { unlocode: destination_port_unlocode } })
  if (isId(delivery_location_id))
    steps.push({ id: '4', type: 'delivery', location: { id: Number(delivery_location_id) } })
  return steps
}

function isId(text: string | undefined): boolean {
  return /^\d{1,9}$/.test(text ?? '')
}

const atPickup = new Set<EventCode>(['EMPTY_OUT', 'STUFFED', 'PICKED_UP'])
const atDelivery = new Set<EventCode>([
  'DELIVERED',
  'STRIPPED',
  'EMPTY_IN',
  'OUT_FOR_DELIVERY',
  'DELIVERY_FAILED',
  'APPOINTMENT',
])
const beforeLoading = new Set<EventCode>([
  'STUFFED',
  'GATE_IN',
  'VGM',
  'CUSTOMS_CLEARED_EXPORT',
  'LOADED',
  'DEPARTED',
  'ROLLED',
])
const early = new Set<StepType | undefined>(['pickup', 'origin_port'])
const sea = new Set<StepType | undefined>(['origin_port', 'transshipment_port', 'destination_port'])

/** What is known of places by their codes and names. Codes are UN/LOCODEs without a slash. */
export type Gazetteer = {
  nameOfCode(unlocode: string): string | undefined
  isSamePlace(one: string, other: string): boolean
  /** Whether one is a port of the area that the other stands for. */
  isSamePortArea(one: string, other: string): boolean
  /** Undefined if one of them is not known. */
  kmBetweenCodes(one: string, other: string): number | undefined
  /** All places of a name, and of the country that follows it. */
  codesOfPlace(name: string): string[]
  /** The name alone, as names are compared. */
  headOfPlace(name: string): string
}

/** The step and the code there, or why there is none. */
export function placeEvent(
  event: IncomingEvent,
  tracking: TrackingRecord,
  mode: ShipmentRecord['freight_mode'],
  gazetteer: Gazetteer,
): Placed | string {
  const steps = namedSteps(tracking)
  if (event.step !== undefined) {
    const named = steps.find(({ id }) => id === event.step)
    const isOff = named && sea.has(named.type) && isOffMainLeg(event, mode)
    return named
      ? { step: named.id, code: isOff ? 'OTHER' : event.code }
      : `the plan has no step ${JSON.stringify(event.step)}`
  }
  const codes = codesOf(event.place, gazetteer)
  // Proposed calls do not count: they depend on which events came before.
  const here = stepsAt(
    steps.filter(({ id }) => !isProposedCall(id)),
    event.place,
    { codes, ...gazetteer },
  )
  const { code } = event
  // Who picks a container up at its destination leaves the port; who drops one at its origin brings it there.
  const isLate = here.length > 0 && !here.some(({ type }) => early.has(type))
  const isEarly = here.length > 0 && here.every(({ type }) => early.has(type))
  if (code === 'PICKED_UP' && isLate) return at(here, 'GATE_OUT')
  // Nothing is delivered, and no container returned, on the side of the origin.
  if (code === 'DELIVERED' || code === 'EMPTY_IN') {
    const meant = code === 'DELIVERED' ? 'GATE_IN' : code
    if (isEarly) return at(here, meant)
    if (here.length === 0 && isOfOrigin(steps, codes)) return proposedCall({ ...event, code: meant }, steps, codes)
  }
  // Containers are used again: one that goes out, or comes back, empty that far away is on another trip.
  const [first, last] = endsOf(steps)
  const ends = code === 'EMPTY_OUT' ? [first, last] : code === 'EMPTY_IN' ? [last, first] : []
  if (here.length === 0 && isBeyond(ends, codes, gazetteer)) return proposedCall(event, steps, codes)
  const door = atPickup.has(code) ? 'pickup' : atDelivery.has(code) ? 'delivery' : undefined
  // Shared containers are packed and unpacked at warehouses of the ports, others at the ends of the journey.
  const isAtPort = (code === 'STUFFED' || code === 'STRIPPED') && here.length > 0 && !event.isInland
  const atDoor = door && !isAtPort && steps.find(({ type }) => type === door)
  if (atDoor) return { step: atDoor.id, code }
  // What moves by rail or road near a port does not leave or reach it by sea.
  const isMain = !isOffMainLeg(event, mode)
  const isByMain = isMain && seaMoves.has(code)
  const possible = here.filter(({ type }) => isMain || !sea.has(type))
  // At a place with a port and a terminal behind it, the vessel is at the port.
  const ports = isByMain ? possible.filter(({ type }) => sea.has(type)) : []
  if (possible.length > 0) return at(ports.length > 0 ? ports : possible, code)
  const end = atPickup.has(code) ? steps[0] : atDelivery.has(code) ? steps.at(-1) : undefined
  if (end) return { step: end.id, code: end.type === 'destination_port' && code === 'DELIVERED' ? 'GATE_OUT' : code }
  return proposedCall(event, steps, codes)
}

const seaMoves = new Set<EventCode>(['LOADED', 'DISCHARGED', 'DEPARTED', 'ARRIVED', 'BERTHED'])

/** Whether places are in the country of the first port, and the journey ends in another one. */
function isOfOrigin(steps: NamedStep[], codes: string[]): boolean {
  const [from, to] = endsOf(steps).map((step) => step?.port?.unlocode?.slice(0, 2))
  const isThere = from !== undefined && to !== undefined && from !== to
  return isThere && codes.length > 0 && codes.every((code) => code.startsWith(from))
}

// Depots of a port may be inland, in another country.
const hinterland = 1500

/** Whether places are beyond the hinterland of one port, and nearer to another. */
function isBeyond(ports: (NamedStep | undefined)[], codes: string[], { kmBetweenCodes }: Gazetteer): boolean {
  const [near, far] = ports.map((step) => step?.port?.unlocode)
  if (near === undefined || far === undefined || codes.length === 0) return false
  return codes.every((code) => {
    const [km = 0, kmToOther = km] = [kmBetweenCodes(code, near), kmBetweenCodes(code, far)]
    return km > hinterland && kmToOther < km
  })
}

/** Of several steps at one place, the first for what comes before loading, else the last. */
function at(steps: NamedStep[], code: EventCode): Placed {
  const step = (beforeLoading.has(code) ? steps[0] : steps.at(-1)) as NamedStep
  const isExport = code === 'CUSTOMS_RELEASED' && early.has(step.type)
  return { step: step.id, code: isExport ? 'CUSTOMS_CLEARED_EXPORT' : code }
}

/** The codes of the place of an event: the one it gives, unless nobody knows it, or all of its name. */
function codesOf({ unlocode, name }: IncomingEvent['place'], { nameOfCode, codesOfPlace }: Gazetteer): string[] {
  if (unlocode !== undefined && (name === undefined || nameOfCode(unlocode) !== undefined)) return [unlocode]
  const named = name === undefined ? [] : codesOfPlace(name)
  return unlocode === undefined ? named : [unlocode, ...named]
}

/** The ports of the plan at a place; if there are none, the doors there. */
function stepsAt(
  steps: NamedStep[],
  { unlocode, name }: IncomingEvent['place'],
  { codes, isSamePlace, isSamePortArea, headOfPlace }: Gazetteer & { codes: string[] },
): NamedStep[] {
  const head = name === undefined ? undefined : headOfPlace(name)
  const isNamed = (given: string | undefined, country: string | undefined) =>
    head !== undefined &&
    head !== '' &&
    given !== undefined &&
    headOfPlace(given) === head &&
    (!/^[A-Z]{2}$/.test(country ?? '') || codes.length === 0 || codes.some((code) => code.startsWith(country ?? '')))
  const plannedAt = ({ port }: NamedStep) => (port?.unlocode === undefined ? undefined : normalReference(port.unlocode))
  const isAnyOf = (planned: string | undefined, isSame: Gazetteer['isSamePlace']) =>
    planned !== undefined && codes.some((code) => isSame(code, planned))
  const exact = steps.filter((step) => {
    const planned = plannedAt(step)
    if (isAnyOf(planned, isSamePlace)) return true
    return unlocode === undefined && isNamed(step.port?.city, planned?.slice(0, 2) ?? step.port?.country)
  })
  const ports = exact.length > 0 ? exact : steps.filter((step) => isAnyOf(plannedAt(step), isSamePortArea))
  if (ports.length > 0 || unlocode !== undefined) return ports
  return steps.filter(
    ({ location }) => isNamed(location?.name, undefined) || isNamed(location?.city, location?.country),
  )
}

/** Of a name that several countries have, no call is proposed. */
function proposedCall({ code, isInland }: IncomingEvent, steps: NamedStep[], codes: string[]): Placed | string {
  const [unlocode] = codes
  if (unlocode === undefined) return 'the event names no place that the plan has'
  if (codes.some((each) => each.slice(0, 2) !== unlocode.slice(0, 2)))
    return 'the event names a place that several countries have, and none of them is in the plan'
  const isPort = !isInland && seaMoves.has(code)
  const id = `${isPort ? 'call' : 'inland'}-${unlocode}`
  const existing = steps.find((step) => step.id === id)
  const port = { unlocode: `${unlocode.slice(0, 2)}/${unlocode.slice(2)}` }
  const proposed: NamedStep = existing ?? { id, type: isPort ? 'transshipment_port' : 'inland_terminal', port }
  return { step: id, code, ...(!existing && { proposed }) }
}
