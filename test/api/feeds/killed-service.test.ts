import { expect, test } from 'vitest'
import type { FeedWithSecret } from '../../../src/contract/operator/feeds.js'
import { lockSender } from '../../../src/store/messages.js'
import { startCarrierServer } from '../../support/carrier-server.js'
import { notify } from '../../support/feeds.js'
import { importInto, newInstallationOnServer, waybill } from '../../support/installation.js'
import { containerEvent } from '../../support/messages.js'
import { startServing, until } from '../../support/program.js'

test('a message that was acknowledged and not processed when the service was killed is applied once after the next start', async () => {
  const installation = await newInstallationOnServer()
  const { db } = installation
  const container_number = 'MSKU7031415'
  await importInto(installation, [
    { kind: 'account', account: 'acme', data: { name: 'Acme' } },
    {
      kind: 'shipment',
      account: 'acme',
      data: {
        svc_shipment_id: 'S-1',
        status: 'booked',
        freight_mode: 'ocean',
        cargo_ready_date: '2026-03-01',
        route: { origin_port_unlocode: 'CN/NGB', destination_port_unlocode: 'DE/HAM' },
        cargo: { containers: [{ container_number }] },
      },
    },
  ] as never)
  const key = await waybill(installation, 'key', 'create', '--account', 'acme')
  const added = await waybill(
    installation,
    'feed',
    'add',
    '--push',
    '--carrier',
    'MAEU',
    '--format',
    'dcsa-2.2',
    '--json',
  )
  const feed = JSON.parse(added) as FeedWithSecret
  const at = ({ baseUrl }: { baseUrl: string }) =>
    ({ ...feed, push: { ...feed.push, callback_url: `${baseUrl}/feeds/v1/${feed.feed_id}` } }) as FeedWithSecret
  const outcomes = async () =>
    (await db<{ outcome: string }[]>`select outcome from messages order by message_id`).map(({ outcome }) => outcome)
  const applied = async () =>
    (await db`select from changes where kind = 'tracking_event' and author = 'sender:MAEU'`).length

  const first = await startServing(installation)
  const content = JSON.stringify([containerEvent(container_number, { at: 'CNNGB', code: 'LOAD', day: 8, id: 'load' })])
  // Held, so that the message is stored and its processing waits.
  await db.begin(async (sql) => {
    await lockSender(sql, 'MAEU')
    expect((await notify(at(first), content)).status).toBe(204)
    expect(await outcomes()).toEqual(['received'])
    first.kill('SIGKILL')
    await first.ended
  })
  expect([await outcomes(), await applied()]).toEqual([['received'], 0])

  const second = await startServing(installation)
  await until(async () => (await outcomes())[0] === 'applied')
  // The carrier got no response, or lost it, and sends again.
  expect((await notify(at(second), content)).status).toBe(204)
  await until(async () => (await outcomes()).length === 2 && !(await outcomes()).includes('received'))
  expect([await outcomes(), await applied()]).toEqual([['applied', 'duplicate'], 1])
  const headers = { authorization: `Bearer ${key}` }
  const tracking = await (await fetch(`${second.baseUrl}/v1/tracking/S-1`, { headers })).text()
  expect(tracking.match(/Loaded/g)).toHaveLength(1)
  second.kill('SIGTERM')
  await second.ended
})

test('a service that is killed while it fetches goes on from the page that was stored last, and loses and repeats nothing', async () => {
  const installation = await newInstallationOnServer()
  const { db } = installation
  const server = await startCarrierServer()
  server.events = Array.from({ length: 8 }, (_, index) =>
    containerEvent('MSKU7031415', { at: 'CNNGB', code: 'GTIN', day: 5 + index, id: `gate ${index}` }),
  )
  server.interfere = (request) => request.url?.includes('cursor=4') === true
  const env = { ...installation.env, WAYBILL_FEED_PRIVATE_ADDRESSES: 'on', WAYBILL_WORKERS: '2' }
  await waybill(installation, 'feed', 'add', '--carrier', 'MAEU', '--format', 'dcsa-2.2', '--url', server.url)
  const stored = async () => (await db`select from messages`).length

  const first = await startServing({ ...installation, env })
  await until(() => server.requests.some(({ path }) => path.includes('cursor=4')))
  first.kill('SIGKILL')
  await first.ended
  expect(await stored()).toBe(2)
  expect(server.requests).toHaveLength(3)
  server.interfere = undefined
  // Half a minute later.
  await db`update feeds set leased_until = now()`

  const second = await startServing({ ...installation, env })
  await until(async () => (await db`select from feeds where caught_up_at is not null`).length === 1)
  expect(server.requests.slice(3).map(({ path }) => /cursor=(\d)/.exec(path)?.[1])).toEqual(['4', '6'])
  expect(server.mostUnderWay).toBe(1)
  expect(await stored()).toBe(4)
  second.kill('SIGTERM')
  await second.ended
})
