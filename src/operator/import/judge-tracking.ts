import type { TrackingEventRecord, TrackingRecord } from '../../contract/tracking.js'
import { namedSteps } from '../../domain/tracking.js'
import type { AccountImport } from './account-import.js'
import type { Candidate } from './candidate.js'

/** Rejects the lines of the file that do not hold of the tracking of one shipment and of its events. */
export async function judgeTracking(
  work: AccountImport,
  tracking: Candidate<TrackingRecord>,
  events: Candidate<TrackingEventRecord>[],
): Promise<void> {
  for (let settled = false; !settled; ) {
    await judgePlan(work, tracking, events)
    await judgeEvents(work, tracking, events)
    // A bad event leaves in place what it was to replace, which the new plan may have no step for.
    settled = !tracking.staged || leftOut(tracking, events).length === 0
  }
}

// A step is known by its name: events that a new plan has no place for would be lost.
async function judgePlan(
  work: AccountImport,
  tracking: Candidate<TrackingRecord>,
  events: Candidate<TrackingEventRecord>[],
): Promise<void> {
  while (tracking.staged) {
    const [step] = leftOut(tracking, events)
    if (step === undefined) return
    const detail = `leaves out step ${step}, which has events`
    await tracking.reject(work, { pointer: '/data/tracking_steps', detail })
  }
}

// Steps that what is stored has, the plan of the file has not, and an event, stored or of the file, stands at.
function leftOut(tracking: Candidate<TrackingRecord>, events: Candidate<TrackingEventRecord>[]): string[] {
  if (!tracking.stored) return []
  const kept = stepsOf(tracking.data)
  const lost = new Set([...stepsOf(tracking.stored)].filter((step) => !kept.has(step)))
  return events.flatMap(({ data }) => (data && lost.has(data.step) ? data.step : []))
}

async function judgeEvents(
  work: AccountImport,
  tracking: Candidate<TrackingRecord>,
  events: Candidate<TrackingEventRecord>[],
): Promise<void> {
  const steps = stepsOf(tracking.data)
  const detail = `the tracking has no such step; it has: ${[...steps].join(', ') || 'none'}`
  for (const event of events) {
    while (event.staged && event.data && !steps.has(event.data.step)) {
      await event.reject(work, { pointer: '/data/step', detail })
    }
  }
}

function stepsOf(tracking: TrackingRecord | undefined): Set<string> {
  return new Set(tracking ? namedSteps(tracking).map(({ id }) => id) : [])
}
