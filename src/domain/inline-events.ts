import type { TrackingRecord, TrackingStepRecord } from '../contract/tracking.js'
import { namedSteps } from './tracking.js'

/** Events that came with the tracking as a whole: they are known by their step and their place in it. */

type KeptEvent = NonNullable<TrackingStepRecord['events']>[number]
type NamedEvent = KeptEvent & { id: string }
export type NamedStep = Omit<ReturnType<typeof namedSteps>[number], 'events'> & { events?: NamedEvent[] }

/** The steps with every event named: by what it was called, or else by its step and place. */
export function stepsWithNamedEvents(record: TrackingRecord): NamedStep[] {
  return namedSteps(record).map(({ events, ...step }) => ({
    ...step,
    ...(events && { events: events.map((event, index) => ({ id: `${step.id}.${index + 1}`, ...event })) }),
  }))
}

/** The name of the step that an event stands at. */
export function stepOfEvent(record: TrackingRecord, id: string): string | undefined {
  return stepsWithNamedEvents(record).find(({ events = [] }) => events.some((event) => event.id === id))?.id
}

/** The tracking without the event. */
export function withoutEvent(record: TrackingRecord, id: string): TrackingRecord {
  return {
    ...record,
    tracking_steps: stepsWithNamedEvents(record).map((step) => ({
      ...step,
      ...(step.events && { events: step.events.filter((event) => event.id !== id) }),
    })),
  }
}

/** The tracking with the event in other words: in its place, or last at another step. */
export function withCorrectedEvent(
  record: TrackingRecord,
  id: string,
  step: string,
  event: Omit<KeptEvent, 'id'>,
): TrackingRecord {
  const stays = stepOfEvent(record, id) === step
  const source = stays ? record : withoutEvent(record, id)
  return {
    ...record,
    tracking_steps: stepsWithNamedEvents(source).map((each) => {
      if (each.id !== step) return each
      const events = each.events ?? []
      if (!stays) return { ...each, events: [...events, { id, ...event }] }
      return { ...each, events: events.map((one) => (one.id === id ? { id, ...event } : one)) }
    }),
  }
}
