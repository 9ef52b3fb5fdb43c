import type { MainTrackingDates } from '../contract/shipment.js'
import type { StepType, TrackingEvent } from '../contract/tracking.js'

/**
 * Which events tell that a milestone was, or is to be, reached. A step holds more than its milestone: containers enter a
 * port before the vessel leaves it. What comes before the milestone never stands for it; what comes after it, or with
 * it, does where there is nothing else to go by. What holds up the step holds up its milestone, whatever it is called.
 */
type Milestone = { milestone: keyof MainTrackingDates; step: StepType; own: RegExp; earlier: RegExp; beside: RegExp }

export const milestones: Milestone[] = [
  {
    milestone: 'pickup_date',
    step: 'pickup',
    own: /pick|collect/i,
    earlier: /\bempty\b|appointment/i,
    beside: /depart|gate/i,
  },
  {
    milestone: 'departure_date',
    step: 'origin_port',
    own: /depart|sail|take-?off|took off/i,
    earlier: /gate|receiv|customs|clear|stuff|arriv|\bempty\b/i,
    beside: /\bload/i,
  },
  {
    milestone: 'arrival_date',
    step: 'destination_port',
    own: /arriv|berth|landed|landing/i,
    earlier: /depart/i,
    beside: /discharg|unload|gate|customs|clear|releas/i,
  },
  {
    milestone: 'delivery_date',
    step: 'delivery',
    own: /\bdelivered\b|proof of delivery/i,
    earlier: /out for delivery|depart|dispatch|appointment/i,
    beside: /\bempty\b/i,
  },
]

/** Whether an event clearly tells of the milestone of its step, or only goes with it. */
export function bearingOn(step: StepType, event: TrackingEvent): 'told' | 'beside' | undefined {
  const found = milestones.find((each) => each.step === step)
  if (!found) return undefined
  const { own, earlier, beside } = found
  const { description = '', status } = event
  if (status === 'problem' || own.test(description)) return 'told'
  if (earlier.test(description)) return undefined
  return beside.test(description) ? 'beside' : 'told'
}

export function tellsMilestone(step: StepType, event: TrackingEvent): boolean {
  return bearingOn(step, event) === 'told'
}
