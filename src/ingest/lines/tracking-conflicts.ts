import type { TrackingEventRecord, TrackingRecord } from '../../contract/public/tracking.js'
import { namedSteps } from '../../domain/tracking/tracking.js'
import type { AccountImport } from './account-import.js'
import type { MergedRecord } from './merged-record.js'

/** Rejects lines of the tracking of a shipment and of its events that contradict each other. */
export async function rejectTrackingConflicts(
  work: AccountImport,
  tracking: MergedRecord<TrackingRecord>,
  events: MergedRecord<TrackingEventRecord>[],
): Promise<void> {
  for (let settled = false; !settled; ) {
    await rejectPlans(work, tracking, events)
    await rejectEvents(work, tracking, events)
    // A rejected event leaves the stored one in place, whose step the new tracking may not have.
    settled = !tracking.staged || leftOut(tracking, events).length === 0
  }
}

// Events refer to steps by identifier: without their step they would be lost.
async function rejectPlans(
  work: AccountImport,
  tracking: MergedRecord<TrackingRecord>,
  events: MergedRecord<TrackingEventRecord>[],
): Promise<void> {
  while (tracking.staged) {
    const [step] = leftOut(tracking, events)
    if (step === undefined) return
    const detail = `leaves out step ${step}, which has events`
    await tracking.reject(work, { pointer: '/data/tracking_steps', detail })
  }
}

// Stored steps that have events, stored or in the file, and that the tracking of the file leaves out.
function leftOut(tracking: MergedRecord<TrackingRecord>, events: MergedRecord<TrackingEventRecord>[]): string[] {
  if (!tracking.stored) return []
  const kept = stepsOf(tracking.data)
  const lost = new Set([...stepsOf(tracking.stored)].filter((step) => !kept.has(step)))
  return events.flatMap(({ data }) => (data && lost.has(data.step) ? data.step : []))
}

async function rejectEvents(
  work: AccountImport,
  tracking: MergedRecord<TrackingRecord>,
  events: MergedRecord<TrackingEventRecord>[],
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
