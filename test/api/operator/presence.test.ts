import { expect, test } from 'vitest'
import { systemTime } from '../../../src/clock/clock.js'
import { removeEndedPresence } from '../../../src/store/presence.js'
import { newAccount } from '../../support/account.js'
import { newOperator } from '../../support/operator.js'
import { startService } from '../../support/service.js'

const [service, other] = [await startService(), await startService()]

async function aShipment() {
  const forwarder = await newOperator(service)
  const { slug, id: account } = await newAccount(service)
  const { body } = await forwarder.ops('createShipment', slug, { body: { status: 'booked' } })
  return { forwarder, slug, account, params: { svc_shipment_id: body.id } }
}

test('20 people who have a shipment open see each other on every process, and what each is changing', async () => {
  const { slug, params } = await aShipment()
  const people = await Promise.all(
    Array.from({ length: 20 }, (_, index) => newOperator(index % 2 === 0 ? service : other, 'operations')),
  )
  const look = (index: number, editing?: 'units') =>
    people[index]!.ops('getPresence', slug, { params, query: { tab: `tab-${index}`, ...(editing && { editing }) } })
  await Promise.all(people.map((_, index) => look(index)))
  await look(7, 'units')
  const seen = await Promise.all(people.map((_, index) => look(index, index === 7 ? 'units' : undefined)))
  for (const [index, { body }] of seen.entries()) {
    expect(body.people).toHaveLength(19)
    const changing = body.people.filter(({ editing }) => editing.length > 0)
    expect(changing.map(({ editing }) => editing)).toEqual(index === 7 ? [] : [['units']])
  }
  // Two pages of one person are one person; the second one stays when the first is closed.
  await people[3]!.ops('getPresence', slug, { params, query: { tab: 'second' } })
  await people[3]!.ops('getPresence', slug, { params, query: { tab: 'tab-3', leaving: 'true' } })
  expect((await look(4)).body.people).toHaveLength(19)
  await people[3]!.ops('getPresence', slug, { params, query: { tab: 'second', leaving: 'true' } })
  expect((await look(4)).body.people).toHaveLength(18)
})

test('an operator without a request for 12 seconds is gone, and nobody is seen in other shipments or accounts', async () => {
  const { slug, params, account } = await aShipment()
  const [one, two] = [await newOperator(service), await newOperator(service)]
  await one.ops('getPresence', slug, { params, query: { tab: 'one' } })
  expect((await two.ops('getPresence', slug, { params })).body.people).toHaveLength(1)
  // Only asking is not being here.
  expect((await one.ops('getPresence', slug, { params, query: { tab: 'one' } })).body.people).toEqual([])
  const elsewhere = await aShipment()
  expect((await two.ops('getPresence', elsewhere.slug, { params: elsewhere.params })).body.people).toEqual([])

  const past = new Date(systemTime() - 13_000).toISOString()
  await service.db`update presence set seen_at = ${past}::text::timestamptz where account_id = ${account}`
  expect((await two.ops('getPresence', slug, { params })).body.people).toEqual([])
  expect(await two.ops('getPresence', slug, { params: { svc_shipment_id: 'NONE' } })).toBeRefused('shipment_not_found')
})

test('the revision rises with every change of what is shown of the shipment', async () => {
  const { forwarder, slug, params } = await aShipment()
  const revision = async () => (await forwarder.ops('getPresence', slug, { params })).body.revision
  const first = await revision()
  await forwarder.ops('updateShipment', slug, { params, body: { name: 'Lamps' } })
  const second = await revision()
  expect(second).toBeGreaterThan(first)
  const steps = [{ id: 'origin', type: 'origin_port' as const, port: { unlocode: 'CN/NGB' } }]
  await forwarder.ops('planTracking', slug, { params, body: { steps } })
  const date = '2026-03-09T08:00:00+08:00'
  const event = { step: 'origin', description: 'Vessel departed', status: 'planned' as const, date }
  await forwarder.ops('addEvent', slug, { params, body: event })
  expect(await revision()).toBeGreaterThan(second)
})

test('an operator is present with 50 pages of an account at most, and takes over no page of another', async () => {
  const { slug, params, account } = await aShipment()
  const [one, two, three] = [await newOperator(service), await newOperator(service), await newOperator(service)]
  const open = (operator: typeof one, tab: string) => operator.ops('getPresence', slug, { params, query: { tab } })
  const tabsOf = async ({ operator_id }: typeof one) => {
    const rows = await service.db<{ tab: string }[]>`
      select tab from presence where account_id = ${account} and operator_id = ${operator_id} order by seen_at`
    return rows.map(({ tab }) => tab)
  }
  for (let index = 0; index < 53; index += 1) expect((await open(one, `tab-${index}`)).status).toBe(200)
  expect(await tabsOf(one)).toHaveLength(50)
  await open(one, 'tab-0')
  expect((await tabsOf(one)).at(-1)).toBe('tab-0')

  await open(two, 'tab-1')
  expect(await tabsOf(two)).toEqual([])
  expect((await open(three, 'of three')).body.people.map(({ operator_id }) => operator_id)).toEqual([one.operator_id])

  // What ended is removed with the next request for any shipment of the account, and without one, too.
  const past = new Date(systemTime() - 61_000).toISOString()
  const end = () => service.db`update presence set seen_at = ${past}::text::timestamptz where account_id = ${account}`
  await end()
  await open(two, 'of two')
  expect(await tabsOf(one)).toEqual([])
  await end()
  while ((await removeEndedPresence(service.db, 10)) > 0);
  expect(await tabsOf(two)).toEqual([])
})
