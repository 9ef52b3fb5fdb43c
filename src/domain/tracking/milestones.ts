import type { MainTrackingDates } from '../../contract/public/shipment.js'
import type { StepType, TrackingEvent } from '../../contract/public/tracking.js'

/**
 * Which events are milestones. A step has other events too: containers enter a port before the vessel leaves it. Events
 * before the milestone never count; events with or after it imply it if there is no better one. A problem at the step
 * counts for its milestone, whatever its description.
 */
type Milestone = { milestone: keyof MainTrackingDates; step: StepType; own: RegExp; earlier: RegExp; implied: RegExp }

export const milestones: Milestone[] = [
  {
    milestone: 'pickup_date',
    step: 'pickup',
    own: /pick|collect/i,
    earlier: /\bempty\b|appointment/i,
    implied: /depart|gate/i,
  },
  {
    milestone: 'departure_date',
    step: 'origin_port',
    own: /depart|sail|take-?off|took off/i,
    earlier: /gate|receiv|customs|clear|stuff|arriv|\bempty\b/i,
    implied: /\bload/i,
  },
  {
    milestone: 'arrival_date',
    step: 'destination_port',
    own: /arriv|berth|landed|landing/i,
    earlier: /depart/i,
    implied: /discharg|unload|gate|customs|clear|releas/i,
  },
  {
    milestone: 'delivery_date',
    step: 'delivery',
    own: /\bdelivered\b|proof of delivery/i,
    earlier: /out for delivery|depart|dispatch|appointment/i,
    implied: /\bempty\b/i,
  },
]

/** How an event counts for the milestone of its step: it is the milestone, or only implies it. */
export type MilestoneEvidence = 'explicit' | 'implied'

export function milestoneEvidence(step: StepType, event: TrackingEvent): MilestoneEvidence | undefined {
  const found = milestones.find((each) => each.step === step)
  if (!found) return undefined
  const { own, earlier, implied } = found
  const { description = '', status } = event
  if (status === 'problem' || own.test(description)) return 'explicit'
  if (earlier.test(description)) return undefined
  return implied.test(description) ? 'implied' : 'explicit'
}

export function isMilestone(step: StepType, event: TrackingEvent): boolean {
  return milestoneEvidence(step, event) === 'explicit'
}
