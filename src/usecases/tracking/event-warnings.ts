import type { TrackingState } from '../../contract/operator/tracking.js'
import type { Warning } from '../../contract/operator/version.js'
import type { ShipmentRecord } from '../../contract/public/shipment.js'
import { codeOf } from '../../domain/tracking/coded-events.js'

type Mode = ShipmentRecord['freight_mode'] | undefined

/** The tracking with what is odd about an event that was accepted. A warning never refuses. */
export function withWarnings(state: TrackingState, eventId: string, mode: Mode): TrackingState {
  const warnings: Warning[] = []
  for (const { type, events } of state.steps) {
    const event = events.find(({ event_id }) => event_id === eventId)
    if (!event) continue
    if (event.code === undefined && type !== undefined && codeOf(event, type, mode) === 'OTHER') {
      const detail = 'The text was not recognised: the event is shown, and moves no date. Send a `code` with it.'
      warnings.push({ pointer: '/description', detail })
    }
    if (event.quarantine !== undefined && event.released !== true) {
      const detail = `The event is kept back, since ${event.quarantine}. Correct it, retract it or release it.`
      warnings.push({ pointer: '/date', detail })
    }
  }
  return warnings.length > 0 ? { ...state, warnings } : state
}
