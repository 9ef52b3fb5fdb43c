import { expect, inject, test } from 'vitest'
import type { Feed } from '../../src/contract/operator/feeds.js'
import { openDatabase } from '../../src/database/database.js'
import { findFeedSecrets } from '../../src/store/feed-secrets.js'
import { runProgram, temporaryFolder } from '../support/program.js'

/** `waybill feed`. */

const env = {
  DATABASE_URL: inject('databaseUrl'),
  WAYBILL_DATA_DIR: await temporaryFolder(),
  WAYBILL_PUBLIC_URL: 'https://waybill.example',
}
const feed = (args: string[], input?: string) =>
  runProgram(['feed', ...args], { env, ...(input !== undefined && { input }) })

test('feeds are added, listed, changed, paused, resumed and removed', async () => {
  const push = ['add', '--push', '--carrier', 'MAEU', '--format', 'dcsa-2.2', '--json']
  const created = JSON.parse((await feed(push)).stdout) as Feed & { secret: string }
  expect(created.push?.callback_url).toBe(`https://waybill.example/feeds/v1/${created.feed_id}`)
  const rotated = await feed(['rotate', created.feed_id])
  const db = openDatabase({ url: env.DATABASE_URL }, { connections: 1 })
  expect(await findFeedSecrets(db, created.feed_id)).toEqual([rotated.stdout.trim(), created.secret])

  const url = 'https://carrier.example/v2/events'
  const added = await feed(['add', '--carrier', 'HLCU', '--format', 'dcsa-2.2', '--url', url, '--key', '-'], ' k-1\n')
  const feed_id = added.stdout.trim()
  expect(await findFeedSecrets(db, feed_id)).toEqual(['k-1'])
  await db.end({ timeout: 1 })
  expect((await feed(['pause', feed_id])).stdout).toBe(`Paused the feed ${feed_id}.\n`)
  const list = await feed(['list'])
  expect(list.stdout).toMatch(new RegExp(`${feed_id} +HLCU +dcsa-2\\.2 +pull +paused`))
  expect(list.stdout).not.toContain(created.secret)
  expect((await feed(['change', feed_id, '--interval', '60'])).code).toBe(0)
  const resumed = JSON.parse((await feed(['resume', feed_id, '--json'])).stdout) as Feed
  expect(resumed).toMatchObject({ paused: false, pull: { interval_seconds: 60, has_key: true } })
  for (const id of [feed_id, created.feed_id]) expect((await feed(['remove', id])).code).toBe(0)
  expect(await feed(['remove', feed_id])).toMatchObject({ code: 1 })
})

test('wrong settings are named by their flag', async () => {
  const add = (...rest: string[]) => feed(['add', '--carrier', 'MAEU', '--format', 'dcsa-2.2', ...rest])
  expect(await add()).toMatchObject({ code: 2, stderr: 'waybill: --url: is required\n' })
  expect((await add('--push', '--key', 'k')).stderr).toMatch(/^waybill: --key: is for feeds that are fetched/)
  expect((await add('--url', 'x')).stderr).toMatch(/^waybill: --url: must be an address/)
  expect((await add('--url', 'https://c.example', '--interval', 'often')).stderr).toMatch(/^waybill: --interval: /)
  expect((await feed(['add', '--carrier', 'é', '--format', 'dcsa-2.2', '--push'])).stderr).toMatch(
    /^waybill: --carrier: /,
  )
})
