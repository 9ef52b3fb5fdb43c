import type { EventCode } from '../../contract/public/event-codes.js'
import type { ShipmentRecord } from '../../contract/public/shipment.js'
import type { StepType, TrackingRecord, TrackingStepRecord } from '../../contract/public/tracking.js'
import { isProposedCall } from '../tracking/proposed-calls.js'
import { namedSteps } from '../tracking/tracking.js'
import type { IncomingEvent } from './incoming-event.js'
import { normalReference } from './references.js'

/**
 * At which step of the plan an event happened. It depends on the event and the plan alone, not on other events, so that
 * events may come in any order. A place that the plan does not have becomes a proposed call.
 */

type NamedStep = TrackingStepRecord & { id: string }
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

/** The step and the code there, or why there is none. `nameOf`: the name of a port by its code, where the plan has none. */
export function placeEvent(
  event: IncomingEvent,
  tracking: TrackingRecord,
  mode: ShipmentRecord['freight_mode'],
  nameOf: (unlocode: string) => string | undefined = () => undefined,
): Placed | string {
  const steps = namedSteps(tracking)
  if (event.step !== undefined) {
    const named = steps.find(({ id }) => id === event.step)
    return named ? { step: named.id, code: event.code } : `the plan has no step ${JSON.stringify(event.step)}`
  }
  const here = steps.filter((step) => isAt(step, event.place, nameOf))
  const { code } = event
  // Who picks a container up at its destination leaves the port; who drops one at its origin brings it there.
  const isLate = here.length > 0 && !here.some(({ type }) => early.has(type))
  const isEarly = here.length > 0 && here.every(({ type }) => early.has(type))
  if (code === 'PICKED_UP' && isLate) return at(here, 'GATE_OUT')
  if (code === 'DELIVERED' && isEarly) return at(here, 'GATE_IN')
  const door = atPickup.has(code) ? 'pickup' : atDelivery.has(code) ? 'delivery' : undefined
  // Shared containers are packed and unpacked at warehouses of the ports, others at the ends of the journey.
  const isAtPort = (code === 'STUFFED' || code === 'STRIPPED') && here.length > 0 && !event.isInland
  const atDoor = door && !isAtPort && steps.find(({ type }) => type === door)
  if (atDoor) return { step: atDoor.id, code }
  // What moves by rail or road near a port does not leave or reach it by sea.
  const isMain = !event.isInland || !seaMoves.has(code) || mode === 'rail' || mode === 'truck'
  const possible = here.filter(({ type }) => isMain || !sea.has(type))
  if (possible.length > 0) return at(possible, code)
  const end = atPickup.has(code) ? steps[0] : atDelivery.has(code) ? steps.at(-1) : undefined
  if (end) return { step: end.id, code: end.type === 'destination_port' && code === 'DELIVERED' ? 'GATE_OUT' : code }
  return proposedCall(event, steps)
}

const seaMoves = new Set<EventCode>(['LOADED', 'DISCHARGED', 'DEPARTED', 'ARRIVED', 'BERTHED'])

/** Of several steps at one place, the first for what comes before loading, else the last. */
function at(steps: NamedStep[], code: EventCode): Placed {
  const step = (beforeLoading.has(code) ? steps[0] : steps.at(-1)) as NamedStep
  const isExport = code === 'CUSTOMS_RELEASED' && early.has(step.type)
  return { step: step.id, code: isExport ? 'CUSTOMS_CLEARED_EXPORT' : code }
}

function isAt(
  { port, location }: NamedStep,
  { unlocode, name }: IncomingEvent['place'],
  nameOf: (unlocode: string) => string | undefined,
): boolean {
  if (unlocode !== undefined && port?.unlocode !== undefined) return normalReference(port.unlocode) === unlocode
  if (unlocode !== undefined || name === undefined) return false
  const known = port?.unlocode === undefined ? undefined : nameOf(port.unlocode)
  return [port?.city, known, location?.name, location?.city].some((each) => each?.toLowerCase() === name.toLowerCase())
}

function proposedCall({ code, place, isInland }: IncomingEvent, steps: NamedStep[]): Placed | string {
  const { unlocode } = place
  if (unlocode === undefined) return 'the event names no place that the plan has'
  const isPort = !isInland && seaMoves.has(code)
  const id = `${isPort ? 'call' : 'inland'}-${unlocode}`
  const existing = steps.find((step) => step.id === id)
  const port = { unlocode: `${unlocode.slice(0, 2)}/${unlocode.slice(2)}` }
  const proposed: NamedStep = existing ?? { id, type: isPort ? 'transshipment_port' : 'inland_terminal', port }
  return { step: id, code, ...(!existing && { proposed }) }
}

/**
 * The steps with a proposed call: ports between the first and the last port; inland places before the first port or after the
 * last one, by their country. Among each other they are ordered by name, not by which came first.
 */
export function withCall(steps: NamedStep[], call: NamedStep): NamedStep[] {
  const planned = steps.filter(({ id }) => !isProposedCall(id))
  const proposed = [...steps.filter(({ id }) => isProposedCall(id)), call].toSorted((one, other) =>
    one.id < other.id ? -1 : 1,
  )
  const origin = planned.find(({ type }) => type === 'origin_port')
  const destination = planned.findLast(({ type }) => type === 'destination_port')
  const sideOf = ({ id, port }: NamedStep) => {
    const [country, from, to] = [port, origin?.port, destination?.port].map((each) => each?.unlocode?.slice(0, 2))
    if (id.startsWith('call-') || from === to) return 'between'
    return country === from ? 'before' : country === to ? 'after' : 'between'
  }
  const on = (side: string) => proposed.filter((step) => sideOf(step) === side)
  const result: NamedStep[] = []
  for (const step of planned) {
    if (step === origin) result.push(...on('before'))
    if (step === destination) result.push(...on('between'))
    result.push(step)
    if (step === destination) result.push(...on('after'))
  }
  const missing = proposed.filter((step) => !result.includes(step))
  return [...result, ...missing]
}

/** Without the proposed calls at which nothing is said to have happened any more. */
export function withoutUnusedCalls(tracking: TrackingRecord, used: Set<string>): TrackingRecord {
  const steps = namedSteps(tracking)
  const kept = steps.filter(({ id, events = [] }) => !isProposedCall(id) || used.has(id) || events.length > 0)
  return kept.length === steps.length ? tracking : { ...tracking, tracking_steps: kept }
}
