import { expect, test } from 'vitest'
import { startForwarding } from '../../support/forwarder.js'
import { startService } from '../../support/service.js'

/** Documents that shipments will need soon, over all accounts. */

const service = await startService()
const day = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString()

/** A shipment by sea that departs and arrives in so many days. */
async function start(departs: number, arrives: number) {
  const forwarding = await startForwarding(service)
  const { ops, work, shipment, slug } = forwarding
  const svc_shipment_id = await shipment({ status: 'booked', freight_mode: 'ocean' })
  const params = { svc_shipment_id }
  const steps = [
    { id: 'origin', type: 'origin_port', port: { unlocode: 'CN/NGB' } },
    { id: 'destination', type: 'destination_port', port: { unlocode: 'DE/HAM' } },
  ] as const
  await work('planTracking', { params, body: { steps: [...steps] } })
  const event = { status: 'planned' as const }
  await work('addEvent', {
    params,
    body: { ...event, step: 'origin', code: 'DEPARTED', description: 'Departed', date: inDays(departs) },
  })
  await work('addEvent', {
    params,
    body: { ...event, step: 'destination', code: 'ARRIVED', description: 'Arrived', date: inDays(arrives) },
  })
  const needed = async (query: object = {}) =>
    (await ops('findNeededDocuments', undefined, { query: { account: slug, ...query } })).body.shipments
  const types = async (query: object = {}) =>
    (await needed(query)).flatMap(({ documents }) => documents.map(({ type }) => type))
  return { ...forwarding, params, svc_shipment_id, needed, types }
}

test('documents are listed before they are needed, those that are needed first first, until they are there or waived', async () => {
  const { work, sendFile, slug, types, needed, svc_shipment_id, params } = await start(2, 9)
  expect(await types()).toEqual(['commercial_invoice', 'packing_list', 'bill_of_lading', 'arrival_notice'])
  expect(await types({ days: 1 })).toEqual([])
  expect(await types({ days: 3 })).toEqual(['commercial_invoice', 'packing_list'])
  expect((await needed())[0]).toMatchObject({ account: slug, svc_shipment_id })
  const file = { name: 'list.pdf', bytes: Buffer.from('%PDF-1.4') }
  await sendFile('uploadDocument', slug, {}, file, { type: 'packing_list', svc_shipment_id })
  await work('waiveDocument', { params, body: { type: 'arrival_notice', reason: 'None on this route' } })
  expect(await types()).toEqual(['commercial_invoice', 'bill_of_lading'])
  await work('moveShipment', { params, body: { status: 'cancelled', reason: 'Strike' } })
  expect(await types()).toEqual([])
})

test('what will be needed has an owner and is put aside, and is read page by page', async () => {
  const { ops, slug, needed, svc_shipment_id, shipment, work } = await start(2, 30)
  const items = [{ account: slug, kind: 'needed_documents' as const, item: svc_shipment_id }]
  const act = async (acting: object) =>
    (await ops('actOnWorkItems', undefined, { body: { ...acting, items } as never })).body.outcomes
  expect(await act({ action: 'assign', owner: 'Ines' })).toMatchObject([{ outcome: 'changed' }])
  expect(await needed({ owner: 'Ines' })).toHaveLength(1)
  expect(await needed({ owner: '' })).toEqual([])
  await act({ action: 'snooze', until: inDays(1) })
  expect(await needed({ snoozed: 'false' })).toEqual([])
  expect(await needed({ snoozed: 'true' })).toHaveLength(1)

  const second = await shipment({ status: 'booked', freight_mode: 'truck' })
  const params = { svc_shipment_id: second }
  await work('planTracking', { params, body: { steps: [{ id: 'pickup', type: 'pickup' }] } })
  const event = { step: 'pickup', code: 'PICKED_UP', description: 'Picked up', status: 'planned', date: inDays(5) }
  await work('addEvent', { params, body: event as never })
  const seen: string[] = []
  let after: string | undefined
  do {
    const { body } = await ops('findNeededDocuments', undefined, {
      query: { account: slug, take: 1, ...(after !== undefined && { after }) },
    })
    seen.push(...body.shipments.map((each) => each.svc_shipment_id))
    after = body.next
  } while (after !== undefined)
  expect(seen[0]).toBe(svc_shipment_id)
  expect(new Set(seen).size).toBe(seen.length)
})

test('a cursor of another list is refused', async () => {
  const { tries } = await startForwarding(service)
  const after = Buffer.from(JSON.stringify([null, 'x', 1])).toString('base64url')
  expect(await tries('findNeededDocuments', { query: { after } })).toBeRefused('invalid_request')
})
