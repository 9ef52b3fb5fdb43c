import { expect, test } from 'vitest'
import { line, newAccount, type TestAccount } from '../../support/account.js'
import { newOperator } from '../../support/operator.js'
import { startService } from '../../support/service.js'

const service = await startService()
const { ops } = await newOperator(service, 'operations')
const admin = await newOperator(service)

async function shipmentOf(account: TestAccount, svc_shipment_id: string) {
  return (await ops('getShipment', account.slug, { params: { svc_shipment_id } })).body
}

async function anAccount(...ids: string[]): Promise<TestAccount> {
  const account = await newAccount(service)
  for (const svc_shipment_id of ids) {
    await ops('createShipment', account.slug, { body: { svc_shipment_id, name: svc_shipment_id } })
  }
  return account
}

async function changeOf(account: TestAccount, svc_shipment_id: string, patch: Record<string, unknown>) {
  const { revision } = await shipmentOf(account, svc_shipment_id)
  return { account: account.slug, svc_shipment_id, revision, patch }
}

const vessel = (name: string | null) => ({ booking_information: { ocean_booking: { vessel: name } } })

test('shipments of several accounts are changed by one request, each with an outcome of its own', async () => {
  const [one, other] = [await anAccount('A', 'B', 'C'), await anAccount('A')]
  const changes = [
    await changeOf(one, 'A', { ...vessel('Ever Ace'), route: { origin_port_unlocode: 'CNSHA' } }),
    await changeOf(one, 'B', { name: 'B' }),
    await changeOf(one, 'C', { cargo_ready_date: '16/11/2026' }),
    await changeOf(other, 'A', vessel('Ever Ace')),
    { account: one.slug, svc_shipment_id: 'none', revision: 1, patch: {} },
    { account: 'none', svc_shipment_id: 'A', revision: 1, patch: {} },
  ]
  const { body: checked } = await ops('changeShipments', undefined, { query: { check: 'true' }, body: { changes } })
  expect((await shipmentOf(one, 'A')).record.booking_information).toBeUndefined()

  const { body } = await ops('changeShipments', undefined, { body: { changes, reason: 'New schedule' } })
  expect(body.outcomes.map(({ outcome, code }) => [outcome, code])).toEqual([
    ['changed', undefined],
    ['unchanged', undefined],
    ['refused', 'invalid_request'],
    ['changed', undefined],
    ['refused', 'shipment_not_found'],
    ['refused', 'account_not_found'],
  ])
  expect(checked.outcomes.map(({ outcome }) => outcome)).toEqual(body.outcomes.map(({ outcome }) => outcome))
  expect(body.outcomes[2]?.errors?.map(({ pointer }) => pointer)).toEqual(['/cargo_ready_date'])
  expect(body.outcomes[0]?.warnings?.map(({ pointer }) => pointer)).toContain('/route/origin_port_unlocode')

  const stored = await shipmentOf(one, 'A')
  expect(stored).toMatchObject({ revision: body.outcomes[0]?.revision, reason: 'New schedule' })
  expect(stored.shown?.booking_information?.ocean_booking?.vessel).toBe('Ever Ace')
  expect(stored.shown?.route?.origin_port_unlocode).toBe('CN/SHA')
  expect((await one.call('getShipment', { params: { svc_shipment_id: 'A' } })).body).toEqual(stored.shown)
  expect((await shipmentOf(other, 'A')).shown?.booking_information?.ocean_booking?.vessel).toBe('Ever Ace')
})

test('a shipment that somebody else has changed is not overwritten, and their version is shown', async () => {
  const account = await anAccount('A', 'B')
  const changes = [await changeOf(account, 'A', { name: 'Mine' }), await changeOf(account, 'B', { name: 'Mine' })]
  await ops('updateShipment', account.slug, { params: { svc_shipment_id: 'A' }, body: { name: 'Theirs' } })
  const { body } = await ops('changeShipments', undefined, { body: { changes } })
  const { revision } = await shipmentOf(account, 'A')
  expect(body.outcomes).toMatchObject([
    { outcome: 'refused', code: 'shipment_changed', revision, record: { name: 'Theirs' } },
    { outcome: 'changed' },
  ])

  // Repeated, as after a lost response.
  const { body: again } = await ops('changeShipments', undefined, { body: { changes } })
  expect(again.outcomes.map(({ outcome }) => outcome)).toEqual(['refused', 'unchanged'])
  expect(again.outcomes[1]?.revision).toBe(body.outcomes[1]?.revision)
})

test('a container with packed lines is kept, a shipment named twice is refused, and the account’s audit log names the shipments', async () => {
  const account = await anAccount('A', 'B')
  const container_number = 'MSKU7031415'
  await ops('updateShipment', account.slug, {
    params: { svc_shipment_id: 'A' },
    body: { cargo: { containers: [{ container_number }] } },
  })
  await account.call('createPurchaseOrder', { body: { reference: 'P', product_lines: [line({ reference: '1' })] } })
  await ops('assign', account.slug, {
    params: { reference: 'P', line: '1', svc_shipment_id: 'A' },
    body: { assigned_quantity: 2, shipped_order_lines: [{ container_number, shipped_quantity: 2 }] },
  })
  const changes = [
    await changeOf(account, 'A', { cargo: { containers: [] } }),
    await changeOf(account, 'B', vessel('Ever Ace')),
  ]
  const { body } = await ops('changeShipments', undefined, { body: { changes } })
  expect(body.outcomes.map(({ code }) => code)).toEqual(['container_packed', undefined])
  const twice = [...changes, ...changes.slice(1)]
  const response = await ops('changeShipments', undefined, { body: { changes: twice } })
  expect(response).toBeRefused('invalid_request')
  expect(response.problem.errors?.map(({ pointer }) => pointer)).toEqual(['/changes/2'])
  const { body: audit } = await admin.ops('listAccountAudit', account.slug)
  const details = audit.entries.map((entry) => entry.details)
  expect(details).toContainEqual({ operation: 'changeShipments', shipments: ['B'] })
})

test('a search shows the revision that a change of the shipment names', async () => {
  const account = await anAccount('A')
  await ops('updateShipment', account.slug, { params: { svc_shipment_id: 'A' }, body: { name: 'New' } })
  const { body } = await ops('findShipments', undefined, { query: { account: account.slug } })
  expect(body.shipments[0]?.revision).toBe((await shipmentOf(account, 'A')).revision)
})
