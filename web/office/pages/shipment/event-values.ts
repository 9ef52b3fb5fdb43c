import type { OperatorBody } from '../../../../src/contract/operator/operations.js'
import type { EventCode } from '../../../../src/contract/public/event-codes.js'
import type { TrackingDateStatus } from '../../../../src/contract/public/shared-types.js'
import type { Shipment } from '../../../../src/contract/public/shipment.js'
import { textOfCode } from './event-codes.js'
import { localNow, localOf, offsetOf, withOffset } from './local-time.js'
import type { StatedEvent, Step } from './place-of.js'

/** An event as its form holds it. */

export const eventFields = [
  'step',
  'code',
  'status',
  'date',
  'container',
  'source',
  'vessel',
  'voyage',
  'description',
] as const
export type EventField = (typeof eventFields)[number]

export type EventValues = Record<Exclude<EventField, 'code' | 'status'>, string> & {
  code: EventCode | ''
  status: TrackingDateStatus
}

export function newEvent(steps: Step[]): EventValues {
  return {
    step: openStep(steps)?.id ?? '',
    code: '',
    status: 'actual',
    date: localNow(),
    container: '',
    source: '',
    vessel: '',
    voyage: '',
    description: '',
  }
}

export function valuesOfEvent(step: Step, event: StatedEvent): EventValues {
  return {
    step: step.id,
    code: event.code ?? '',
    status: event.status ?? 'actual',
    date: event.date ? localOf(event.date) : '',
    container: event.container_number ?? '',
    source: event.source ?? '',
    vessel: event.vessel?.name ?? '',
    voyage: event.vessel?.voyage ?? '',
    description: event.description ?? '',
  }
}

/** The first place where something has not happened yet. */
function openStep(steps: Step[]): Step | undefined {
  return steps.find(({ events }) => !events.some(({ status }) => status === 'actual')) ?? steps.at(-1)
}

export function eventBodyOf(
  values: EventValues,
  steps: Step[],
  mode: Shipment['freight_mode'],
  issued_at: string,
): OperatorBody<'addEvent'> {
  const { step, code, status, date } = values
  const [container_number, source] = [values.container, values.source.trim()]
  const [name, voyage] = [values.vessel.trim(), values.voyage.trim()]
  const at = steps.find(({ id }) => id === step)
  return {
    step,
    ...(code !== '' && { code }),
    description: values.description.trim() || textOfCode(code || 'OTHER', mode),
    status,
    date: withOffset(date, offsetOf(at, date)),
    issued_at,
    ...(container_number !== '' && { container_number }),
    ...(source !== '' && { source }),
    ...((name !== '' || voyage !== '') && {
      vessel: { ...(name !== '' && { name }), ...(voyage !== '' && { voyage }) },
    }),
  }
}
