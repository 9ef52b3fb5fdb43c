import type { TrackingDate, TrackingDateStatus } from '../../contract/public/shared-types.js'
import type { MainTrackingDates } from '../../contract/public/shipment.js'
import type { StepType, TrackingEvent, TrackingRecord } from '../../contract/public/tracking.js'
import { type MilestoneEvidence, milestoneEvidence, milestones } from './milestones.js'
import { trackedContainers } from './tracking-containers.js'

/** A date and the index of its event: a later event overrides an earlier one. */
type EventDate = { date: string; index: number }
type Dates = Partial<Record<TrackingDateStatus, EventDate>>

/** The latest dates of a container, or of events that refer to no container. */
type Evidence = Record<MilestoneEvidence, Dates> & { isExplicit: boolean }
const noEvidence: Evidence = { isExplicit: false, explicit: {}, implied: {} }

/** The milestone dates of a shipment with these containers. */
export function mainTrackingDates(tracking: TrackingRecord, ofShipment: string[]): MainTrackingDates {
  const containers = trackedContainers(tracking, ofShipment)
  const dates: MainTrackingDates = {}
  for (const { milestone, step } of milestones) {
    const steps = (tracking.tracking_steps ?? []).filter(({ type }) => type === step)
    const evidence = evidenceOf(
      step,
      steps.flatMap(({ events = [] }) => events),
    )
    // Events without a container count for all containers.
    const known = containers.map((container) => datesOf(evidence.get(container), evidence.get(undefined)))
    const date = milestoneDate(known)
    if (date) dates[milestone] = date
  }
  return dates
}

function evidenceOf(step: StepType, events: TrackingEvent[]): Map<string | undefined, Evidence> {
  const byContainer = new Map<string | undefined, Evidence>()
  for (const [index, event] of events.entries()) {
    const kind = milestoneEvidence(step, event)
    if (!kind) continue
    const { container_number, date, status } = event
    const evidence = byContainer.get(container_number) ?? { isExplicit: false, explicit: {}, implied: {} }
    byContainer.set(container_number, evidence)
    if (kind === 'explicit') evidence.isExplicit = true
    if (date && status) evidence[kind][status] = { date, index }
  }
  return byContainer
}

// Implied dates count only for a container without an explicit event.
function datesOf(own: Evidence = noEvidence, ofAll: Evidence = noEvidence): Dates {
  const kind = own.isExplicit || ofAll.isExplicit ? 'explicit' : 'implied'
  const dates: Dates = { ...ofAll[kind] }
  for (const [status, date] of Object.entries(own[kind]) as [TrackingDateStatus, EventDate][]) {
    if (date.index > (dates[status]?.index ?? -1)) dates[status] = date
  }
  return dates
}

/**
 * Decision: actual takes precedence over estimated, and estimated over planned; a missed or held milestone shows its problem.
 * It is actual once it is for the last container. Until then the dates of the remaining containers count, or, if they have
 * none, the expected dates of the others.
 */
function milestoneDate(known: Dates[]): TrackingDate | undefined {
  const remaining = known.filter(({ actual }) => !actual)
  if (remaining.length === 0) return latest(known, ['actual'])
  return latest(remaining, ['problem', 'estimated', 'planned']) ?? latest(known, ['estimated', 'planned'])
}

function latest(known: Dates[], statuses: TrackingDateStatus[]): TrackingDate | undefined {
  for (const status of statuses) {
    const dates = known.flatMap((each) => each[status]?.date ?? [])
    const date = dates.toSorted((one, other) => Date.parse(one) - Date.parse(other)).at(-1)
    if (date) return { date, status }
  }
  return undefined
}
