import type { TrackingDate, TrackingDateStatus } from '../contract/shared-types.js'
import type { MainTrackingDates } from '../contract/shipment.js'
import { type StepType, Tracking, type TrackingEvent, type TrackingRecord } from '../contract/tracking.js'
import { renderLocation } from './location.js'
import { inInterfaceOrder } from './rendering.js'

export function renderTracking(record: TrackingRecord): Tracking {
  const { tracking_steps, ...rest } = record
  return inInterfaceOrder(Tracking, {
    ...rest,
    ...(tracking_steps && {
      tracking_steps: tracking_steps.map(({ location, ...step }) => ({
        ...step,
        ...(location && { location: renderLocation(location) }),
      })),
    }),
  })
}

type Milestone = keyof MainTrackingDates

// A step holds more than its milestone: containers enter the port before the vessel leaves it. Where an event
// of the step speaks of the milestone, only such events count; where none does, all of them.
const milestones: Record<Milestone, { step: StepType; words: RegExp }> = {
  pickup_date: { step: 'pickup', words: /pick|collect/i },
  departure_date: { step: 'origin_port', words: /depart|sail|take-?off|took off/i },
  arrival_date: { step: 'destination_port', words: /arriv|berth|land/i },
  delivery_date: { step: 'delivery', words: /\bdelivered\b|\bdelivery (?:done|made|completed)|proof of delivery/i },
}

// Decision: per milestone, actual beats estimated beats planned; a missed or held one shows its problem.
const precedence: TrackingDateStatus[] = ['actual', 'problem', 'estimated', 'planned']

/** The dates that a shipment shows, as far as its tracking tells them. */
export function mainTrackingDates(tracking: TrackingRecord): MainTrackingDates {
  const dates: MainTrackingDates = {}
  for (const [milestone, { step, words }] of Object.entries(milestones)) {
    const events = (tracking.tracking_steps ?? [])
      .filter(({ type }) => type === step)
      .flatMap((found) => found.events ?? [])
    const spoken = events.filter(({ description }) => description !== undefined && words.test(description))
    const date = milestoneDate(spoken.length > 0 ? spoken : events)
    if (date) dates[milestone as Milestone] = date
  }
  return dates
}

function milestoneDate(events: TrackingEvent[]): TrackingDate | undefined {
  for (const status of precedence) {
    const dates = newestStatements(events.filter((event) => event.status === status))
    const latest = dates.toSorted((one, other) => Date.parse(one) - Date.parse(other)).at(-1)
    if (latest) return { date: latest, status }
  }
  return undefined
}

// The last word on a container replaces what was said of it before; a shipment is there when its last container is.
function newestStatements(events: TrackingEvent[]): string[] {
  const byContainer = new Map<string | undefined, string>()
  for (const { container_number, date } of events) if (date) byContainer.set(container_number, date)
  return [...byContainer.values()]
}
