import { expect, test } from 'vitest'
import type { IncomingEvent } from '../../../src/domain/messages/incoming-event.js'
import { type Candidate, matchEvent } from '../../../src/domain/messages/matching.js'

const candidate = (
  svc_shipment_id: string,
  kind: Candidate['kind'],
  reference: string,
  given: Partial<Candidate> = {},
): Candidate => ({
  reference,
  kind,
  account_id: 1,
  account: 'brix',
  svc_shipment_id,
  status: 'in_progress',
  begins_at: Date.parse('2026-01-01'),
  delivered_at: null,
  documents: [],
  has_containers: true,
  ...given,
})

function match(event: Partial<IncomingEvent>, candidates: Candidate[]): string | undefined {
  const known = new Map<string, Candidate[]>()
  for (const each of candidates) known.set(each.reference, [...(known.get(each.reference) ?? []), each])
  const whole = { date: '2026-03-10T00:00:00Z', documents: [], containers: [], isOfTransport: false, ...event }
  const found = matchEvent(whole as unknown as IncomingEvent, known)
  return 'target' in found ? found.target.svc_shipment_id : undefined
}

test('of two shipments with a container, the one that was delivered long before has it no longer', () => {
  const delivered = candidate('FIRST', 'container', 'MSKU1', { delivered_at: '2026-01-20T00:00:00Z' })
  const next = candidate('NEXT', 'container', 'MSKU1', { begins_at: Date.parse('2026-02-20') })
  expect(match({ containers: ['MSKU1'] }, [delivered, next])).toBe('NEXT')
  expect(match({ containers: ['MSKU1'], date: '2026-01-25T00:00:00Z' }, [delivered, next])).toBeUndefined()
  // Returned late, while no other shipment has the container.
  expect(match({ containers: ['MSKU1'] }, [delivered])).toBe('FIRST')
})

test('an order decides where no booking, bill or container is known, and is no evidence against those', () => {
  const order = { kind: 'order', reference: '4500' } as const
  const ofOther = candidate('OTHER', 'purchase_order', '4500', { account: 'acme', account_id: 2 })
  expect(match({ documents: [order] }, [ofOther])).toBe('OTHER')
  expect(
    match({ documents: [order, { kind: 'booking', reference: 'BKG1' }] }, [
      ofOther,
      candidate('OWN', 'booking', 'BKG1', { has_containers: false }),
    ]),
  ).toBe('OWN')
  expect(match({ documents: [order], containers: ['MSKU1'] }, [ofOther, candidate('OWN', 'container', 'MSKU1')])).toBe(
    'OWN',
  )
})

test('an order chooses between shipments with the same booking or container', () => {
  const order = { kind: 'order', reference: '4500' } as const
  const booked = (id: string) => candidate(id, 'booking', 'BKG1', { has_containers: false })
  expect(
    match({ documents: [order, { kind: 'booking', reference: 'BKG1' }] }, [
      booked('ONE'),
      booked('TWO'),
      candidate('TWO', 'purchase_order', '4500'),
    ]),
  ).toBe('TWO')
  expect(
    match({ documents: [order], containers: ['MSKU1'] }, [
      candidate('ONE', 'container', 'MSKU1'),
      candidate('TWO', 'container', 'MSKU1'),
      candidate('TWO', 'purchase_order', '4500'),
    ]),
  ).toBe('TWO')
})
