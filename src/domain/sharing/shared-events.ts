import type { EventCode } from '../../contract/public/event-codes.js'
import type { Shipment } from '../../contract/public/shipment.js'
import type { StepType, TrackingRecord, TrackingStepRecord } from '../../contract/public/tracking.js'
import { codeOf, isQuarantined } from '../tracking/coded-events.js'

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
export function sharedSteps({ tracking_steps = [] }: TrackingRecord, mode: Mode = 'ocean'): TrackingStepRecord[] {
  return tracking_steps.map(({ type, port, location, events = [] }) => {
    const { city, country } = location ?? {}
    const place = port ?? { ...(city !== undefined && { city }), ...(country !== undefined && { country }) }
    return {
      ...(type !== undefined && { type }),
      ...(Object.keys(place).length > 0 && { port: place }),
      events: events.flatMap((event) => {
        if (type === undefined || isQuarantined(event)) return []
        const code = codeOf(event, type)
        const description = textOf(code, type, mode)
        const { container_number, date, status } = event
        if (description === undefined) return []
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
