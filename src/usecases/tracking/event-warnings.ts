import type { Warning } from '../../contract/operator/version.js'
import type { EventCode } from '../../contract/public/event-codes.js'
import type { TrackingRecord } from '../../contract/public/tracking.js'
import { codeOf } from '../../domain/tracking/coded-events.js'
import { namedSteps } from '../../domain/tracking/tracking.js'

type StatedEvent = { step: string; code?: EventCode; description: string; quarantine?: string }

/** What is odd about an event that was accepted. A warning never refuses. */
export function warningsAbout(event: StatedEvent, record: TrackingRecord): Warning[] {
  const warnings: Warning[] = []
  const type = namedSteps(record).find(({ id }) => id === event.step)?.type
  if (event.code === undefined && type !== undefined && codeOf(event, type) === 'OTHER') {
    const detail = 'The text was not recognised: the event is shown, and moves no date. Send a `code` with it.'
    warnings.push({ pointer: '/description', detail })
  }
  if (event.quarantine !== undefined) {
    const detail = `The event is kept back, since ${event.quarantine}. Correct it or retract it.`
    warnings.push({ pointer: '/date', detail })
  }
  return warnings
}
