import type { TrackingRecord, TrackingStepRecord } from '../../contract/public/tracking.js'
import { namedSteps } from './tracking.js'

/** Events that came with the whole tracking: they are identified by their step and index. */

type StoredEvent = NonNullable<TrackingStepRecord['events']>[number]
type NamedEvent = StoredEvent & { id: string }
export type NamedStep = Omit<ReturnType<typeof namedSteps>[number], 'events'> & { events?: NamedEvent[] }

/** The steps with an identifier for every event: its own, or else one made of its step and index. */
export function stepsWithNamedEvents(record: TrackingRecord): NamedStep[] {
  return namedSteps(record).map(({ events, ...step }) => ({
    ...step,
    ...(events && { events: events.map((event, index) => ({ id: `${step.id}.${index + 1}`, ...event })) }),
  }))
}

export function inlineEvents(record: TrackingRecord): NamedEvent[] {
  return stepsWithNamedEvents(record).flatMap(({ events = [] }) => events)
}

export function inlineEvent(record: TrackingRecord, id: string): NamedEvent | undefined {
  return inlineEvents(record).find((event) => event.id === id)
}

/** The tracking with each of its events as changed. */
export function withInlineEvents(record: TrackingRecord, change: (event: NamedEvent) => NamedEvent): TrackingRecord {
  return {
    ...record,
    tracking_steps: stepsWithNamedEvents(record).map((step) => ({
      ...step,
      ...(step.events && { events: step.events.map(change) }),
    })),
  }
}

/** The step of an event. */
export function stepOfEvent(record: TrackingRecord, id: string): string | undefined {
  return stepsWithNamedEvents(record).find(({ events = [] }) => events.some((event) => event.id === id))?.id
}

export function withoutEvent(record: TrackingRecord, id: string): TrackingRecord {
  return {
    ...record,
    tracking_steps: stepsWithNamedEvents(record).map((step) => ({
      ...step,
      ...(step.events && { events: step.events.filter((event) => event.id !== id) }),
    })),
  }
}

/** Replaces an event in place, or appends it to another step. */
export function withCorrectedEvent(
  record: TrackingRecord,
  id: string,
  step: string,
  event: Omit<StoredEvent, 'id'>,
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
