import { expect, test } from 'vitest'
import { newAccount } from '../../support/account.js'
import { newOperator } from '../../support/operator.js'
import { ownDatabase } from '../../support/own-database.js'
import { startService } from '../../support/service.js'

const service = await startService({ db: await ownDatabase('shipment_search') })
const { ops } = await newOperator(service)

type Query = NonNullable<Parameters<typeof ops<'findShipments'>>[2]>['query']

async function find(query: Query = {}) {
  const { body } = await ops('findShipments', undefined, { query })
  return { ...body, found: body.shipments.map(({ account, shipment }) => `${account} ${shipment.svc_shipment_id}`) }
}

test('shipments of all accounts are found as soon as they are stored, filtered, sorted and page by page', async () => {
  const [one, two] = [await newAccount(service), await newAccount(service)]
  const route = { origin_port_unlocode: 'CN/SHA', destination_port_unlocode: 'NL/RTM' }
  for (const [account, id, name, status] of [
    [one, 'A1', 'Chairs', 'booked'],
    [two, 'A1', 'Armchairs', 'in_progress'],
    [two, 'B2', 'Tables', 'booked'],
    [one, 'C3', undefined, 'draft'],
  ] as const) {
    const data = { svc_shipment_id: id, status, ...(name && { name, route }) }
    await account.forwarder.imports({ kind: 'shipment', data })
  }
  const all = [`${one.slug} A1`, `${two.slug} A1`, `${two.slug} B2`, `${one.slug} C3`]
  const { found, place_names, shipments } = await find()
  expect(found.toSorted()).toEqual(all.toSorted())
  expect(place_names).toEqual({ 'CN/SHA': 'Shanghai', 'NL/RTM': 'Rotterdam' })
  expect(shipments.find(({ account }) => account === two.slug)?.account_name).toBeTypeOf('string')

  expect((await find({ sort: 'name' })).found).toEqual([
    `${two.slug} A1`,
    `${one.slug} A1`,
    `${two.slug} B2`,
    `${one.slug} C3`,
  ])
  expect((await find({ sort: 'name', order: 'desc' })).found.at(-1)).toBe(`${one.slug} C3`)
  expect((await find({ account: two.slug, status: 'booked' })).found).toEqual([`${two.slug} B2`])
  expect((await find({ q: 'chair' })).found).toEqual([`${one.slug} A1`])
  expect((await find({ origin: 'CN/SHA', freight_mode: 'air' })).found).toEqual([])
  expect((await find({ late: 'now', sort: 'late' })).found).toEqual([])

  for (const sort of ['newest', 'name', 'arrival', 'departure', 'delivery', 'late'] as const) {
    for (const order of ['asc', 'desc'] as const) {
      const whole = (await find({ sort, order })).found
      const paged: string[] = []
      let after: string | undefined
      do {
        const page = await find({ sort, order, take: 1, ...(after !== undefined && { after }) })
        paged.push(...page.found)
        after = page.next
      } while (after !== undefined)
      expect(paged, `${sort} ${order}`).toEqual(whole)
      expect(whole).toHaveLength(4)
    }
  }
})

test('an unknown account and a cursor of another order are refused', async () => {
  expect(await ops('findShipments', undefined, { query: { account: 'nobody' } })).toBeRefused('account_not_found')
  const account = await newAccount(service)
  for (const id of ['X1', 'X2']) {
    await account.forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: id, status: 'booked', name: id } })
  }
  const { next } = await find({ account: account.slug, sort: 'name', take: 1 })
  for (const after of [next ?? '', 'x', Buffer.from('["2026-01-01","X1",99999999999]').toString('base64url')]) {
    expect(await ops('findShipments', undefined, { query: { sort: 'arrival', after } })).toBeRefused('invalid_request')
  }
})

test('late shipments of all accounts are found, those that are late now apart, the latest first', async () => {
  const [one, two] = [await newAccount(service), await newAccount(service)]
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const late = (id: string, desired: number, delivery: { days: number; status: 'estimated' | 'actual' }) => ({
    svc_shipment_id: id,
    status: delivery.status === 'actual' ? ('finished' as const) : ('in_progress' as const),
    freight_type: 'door_to_door' as const,
    desired_delivery_date: day(desired),
    main_tracking_dates: {
      delivery_date: { date: `${day(delivery.days)}T10:00:00Z`, status: delivery.status },
    },
  })
  for (const [account, data] of [
    [one, late('LATE-BY-DATES', 2, { days: 9, status: 'estimated' })],
    [two, late('LATE-BY-TODAY', -20, { days: -19, status: 'estimated' })],
    [two, late('WAS-LATE', -30, { days: -25, status: 'actual' })],
    [one, late('IN-TIME', 9, { days: 2, status: 'estimated' })],
  ] as const) {
    await account.forwarder.imports({ kind: 'shipment', data })
  }
  const lateOf = async (query: Query) =>
    (await find({ q: 'late', ...query })).found.map((each) => each.split(' ').at(-1))
  expect(await lateOf({ late: 'now', sort: 'late', order: 'desc' })).toEqual(['LATE-BY-TODAY', 'LATE-BY-DATES'])
  expect(await lateOf({ late: 'true', sort: 'late', order: 'desc' })).toEqual([
    'LATE-BY-TODAY',
    'LATE-BY-DATES',
    'WAS-LATE',
  ])
})
