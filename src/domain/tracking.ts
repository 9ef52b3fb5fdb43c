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

// A step holds more than its milestone: containers enter a port before the vessel leaves it. What comes before the
// milestone never stands for it; what comes after it, or with it, does where there is nothing else to go by. What
// holds up the step holds up its milestone, whatever it is called.
const milestones: Record<Milestone, { step: StepType; own: RegExp; earlier: RegExp; beside: RegExp }> = {
  pickup_date: {
    step: 'pickup',
    own: /pick|collect/i,
    earlier: /\bempty\b|appointment/i,
    beside: /depart|gate/i,
  },
  departure_date: {
    step: 'origin_port',
    own: /depart|sail|take-?off|took off/i,
    earlier: /gate|receiv|customs|clear|stuff|arriv|\bempty\b/i,
    beside: /\bload/i,
  },
  arrival_date: {
    step: 'destination_port',
    own: /arriv|berth|landed|landing/i,
    earlier: /depart/i,
    beside: /discharg|unload|gate|customs|clear|releas/i,
  },
  delivery_date: {
    step: 'delivery',
    own: /\bdelivered\b|proof of delivery/i,
    earlier: /out for delivery|depart|dispatch|appointment/i,
    beside: /\bempty\b/i,
  },
}

// Decision: per milestone, actual beats estimated beats planned; a missed or held one shows its problem.
const precedence: TrackingDateStatus[] = ['actual', 'problem', 'estimated', 'planned']

/** The dates that a shipment shows, as far as its tracking tells them. */
export function mainTrackingDates(tracking: TrackingRecord): MainTrackingDates {
  const dates: MainTrackingDates = {}
  for (const [milestone, { step, own, earlier, beside }] of Object.entries(milestones)) {
    const steps = (tracking.tracking_steps ?? []).filter(({ type }) => type === step)
    const events = steps
      .flatMap((found) => found.events ?? [])
      .filter(
        ({ description = '', status }) => status === 'problem' || own.test(description) || !earlier.test(description),
      )
    const clear = events.filter(
      ({ description = '', status }) => status === 'problem' || own.test(description) || !beside.test(description),
    )
    const date = milestoneDate(clear.length > 0 ? clear : events)
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
