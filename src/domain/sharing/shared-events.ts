import type { EventCode } from '../../contract/public/event-codes.js'
import type { Shipment } from '../../contract/public/shipment.js'
import type { StepType, TrackingRecord, TrackingStepRecord } from '../../contract/public/tracking.js'
import { groupedBy } from '../records/grouping.js'
import type { InParts } from '../records/in-parts.js'
import { codedEventsInParts } from '../tracking/coded-events.js'

type Mode = NonNullable<Shipment['freight_mode']>

const portSteps = new Set<StepType>(['origin_port', 'transshipment_port', 'destination_port'])
const vehicles: Record<Mode, string> = { ocean: 'Vessel', air: 'Flight', rail: 'Train', truck: 'Truck' }

const loaded: Partial<Record<Mode, string>> = { ocean: 'Loaded on vessel', rail: 'Loaded on train' }

/** Free texts may name parties or prices, so events are shown by these. What has none is not shown. */
const texts: Partial<Record<EventCode, string>> = {
  EMPTY_OUT: 'Empty picked up',
  PICKED_UP: 'Picked up',
  GATE_IN: 'Gate in',
  CUSTOMS_CLEARED_EXPORT: 'Customs cleared',
  BERTHED: 'Vessel berthed',
  DISCHARGED: 'Discharged',
  CUSTOMS_HOLD: 'Customs hold',
  CUSTOMS_INSPECTION: 'Customs inspection',
  CUSTOMS_RELEASED: 'Customs released',
  AVAILABLE: 'Available for pick-up',
  GATE_OUT: 'Gate out',
  APPOINTMENT: 'Delivery appointment',
  OUT_FOR_DELIVERY: 'Out for delivery',
  DELIVERY_FAILED: 'Delivery failed',
  DELIVERED: 'Delivered',
  EMPTY_IN: 'Empty returned',
  ROLLED: 'Rolled',
  DELAYED: 'Delayed',
}

function textOf(code: EventCode, type: StepType, mode: Mode): string | undefined {
  const vehicle = portSteps.has(type) ? vehicles[mode] : 'Truck'
  if (code === 'DEPARTED') return `${vehicle} departed`
  if (code === 'ARRIVED') return type === 'inland_terminal' ? 'Arrived at inland terminal' : `${vehicle} arrived`
  if (code === 'LOADED') return portSteps.has(type) ? loaded[mode] : undefined
  return texts[code]
}

/** The steps as strangers see them: places by city, and events by what happened. */
export function* sharedSteps(tracking: TrackingRecord, mode: Mode = 'ocean'): InParts<TrackingStepRecord[]> {
  const coded = groupedBy(yield* codedEventsInParts({ ...tracking, freight_mode: mode }), ({ step }) => step)
  return (tracking.tracking_steps ?? []).map(({ type, port, location, events = [] }, step) => {
    const { city, country } = location ?? {}
    const place = port ?? { ...(city !== undefined && { city }), ...(country !== undefined && { country }) }
    return {
      ...(type !== undefined && { type }),
      ...(Object.keys(place).length > 0 && { port: place }),
      events: (coded.get(step) ?? []).flatMap(({ code, type: at, index }) => {
        const description = textOf(code, at, mode)
        const event = events[index]
        if (description === undefined || !event) return []
        const { container_number, date, status } = event
        return {
          code,
          description,
          ...(container_number !== undefined && { container_number }),
          ...(date !== undefined && { date }),
          ...(status !== undefined && { status }),
        }
      }),
    }
  })
}
