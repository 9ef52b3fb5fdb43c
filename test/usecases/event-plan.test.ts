import { expect, test } from 'vitest'
import type { IncomingEvent } from '../../src/domain/messages/incoming-event.js'
import type { EventIdentity } from '../../src/store/event-identities.js'
import { changesOf, type PlannedEvent, planned } from '../../src/usecases/messages/event-plan.js'

const target = { account_id: 1, account: 'demo', svc_shipment_id: 'S' } as never
const event = (issuedAt: string | undefined) =>
  ({
    isKept: false,
    sourceId: 'a',
    issuedAt,
    isRetracted: false,
    sourceCode: '',
    code: 'ARRIVED',
    status: 'actual',
    date: '2026-03-10T10:00:00Z',
    description: 'Arrived',
    containers: [],
    place: {},
    isOfTransport: false,
    isInland: false,
    documents: [],
  }) as IncomingEvent

test.each([undefined, '2026-03-09T08:00:00Z'])(
  'what was reported before it happened counts when it is reported again, issued at %s',
  (issuedAt) => {
    const versions = new Map<string, EventIdentity>()
    const report = (received_at: string) => {
      const plan: PlannedEvent[] = [planned({ event: event(issuedAt) }, new Map(), target)]
      const { changes } = changesOf(plan, versions, { message_id: 1, sender: 'X', received_at } as never)
      for (const { version } of changes) versions.set(version.identity, { ...version, message_id: 1 })
      return changes.length
    }
    expect(report('2026-03-09T09:00:00Z')).toBe(1)
    expect(report('2026-03-10T09:00:00Z')).toBe(0)
    expect(report('2026-03-10T11:00:00Z')).toBe(1)
    expect(report('2026-03-11T11:00:00Z')).toBe(0)
  },
)
