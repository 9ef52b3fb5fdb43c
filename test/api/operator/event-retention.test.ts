import { expect, test } from 'vitest'
import { removeOldIdentities } from '../../../src/store/event-identities.js'
import { removeOldMessages } from '../../../src/store/messages.js'
import { startCarrier, vesselEvent } from '../../support/messages.js'
import { serviceOnNewDatabase } from '../../support/round-trip.js'

const service = await serviceOnNewDatabase('event_retention')

test('versions of events are forgotten once their messages are no longer kept and their shipment is over', async () => {
  const [over, underWay] = [await startCarrier(service), await startCarrier(service)]
  const shipments = new Map<typeof over, string>()
  for (const carrier of [over, underWay]) {
    shipments.set(carrier, await carrier.ship())
    const { outcome } = await carrier.send(eta(carrier, 22, 3))
    expect(outcome).toBe('applied')
  }
  const params = { svc_shipment_id: shipments.get(over) as string }
  await over.work('moveShipment', { params, body: { status: 'cancelled', reason: 'over' } })
  const known = async () => {
    const rows = await service.db<{ sender: string }[]>`select sender from event_identities`
    return rows.map(({ sender }) => sender).toSorted()
  }
  const both = [over.sender, underWay.sender].toSorted()

  // The events were issued in March 2026; their messages are kept.
  expect(await removeOldIdentities(service.db, 1, 100)).toBe(0)
  await service.db`update messages set received_at = received_at - interval '400 days'`
  expect(await removeOldMessages(service.db, 365, 100)).toBe(2)
  expect(await removeOldIdentities(service.db, 36_500, 100)).toBe(0)
  expect(await known()).toEqual(both)

  expect(await removeOldIdentities(service.db, 1, 100)).toBe(1)
  expect(await known()).toEqual([underWay.sender])
  const { outcome } = await underWay.send([eta(underWay, 20, 1)])
  expect(outcome).toBe('duplicate')
})

function eta({ booking }: { booking: string }, day: number, issued: number) {
  return vesselEvent(booking, { at: 'DEHAM', code: 'ARRI', status: 'EST', day, issued, id: 'eta' })
}
