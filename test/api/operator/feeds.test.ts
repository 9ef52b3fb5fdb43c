import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readServiceSecrets, renewServiceSecrets } from '../../../src/database/service-secrets.js'
import { findFeedSecrets, reencryptFeedSecrets } from '../../../src/store/feed-secrets.js'
import { pointersOf } from '../../support/forwarder.js'
import { newOperator } from '../../support/operator.js'
import { startService } from '../../support/service.js'

/** Feeds as records of the operator interface. */

const service = await startService()
const { ops } = await newOperator(service)
const push = { sender: 'MAEU', format: 'dcsa-2.2', channel: 'push' } as const
const pull = { sender: 'MAEU', format: 'dcsa-2.2', channel: 'pull', url: 'https://carrier.example/v2/events' } as const

test('a feed that a carrier sends to has an address nobody can guess, and a secret that is shown once', async () => {
  const { body } = await ops('createFeed', undefined, { body: push })
  const { feed_id, secret = '' } = body
  expect(Buffer.from(secret, 'base64')).toHaveLength(32)
  expect(feed_id).toMatch(/^feed_[0-9a-f]{32}$/)
  expect(body.push?.callback_url).toBe(`${service.baseUrl}/feeds/v1/${feed_id}`)
  const { text } = await ops('getFeed', undefined, { params: { feed_id } })
  expect(text).not.toContain(secret)
  expect((await ops('listFeeds', undefined)).text).not.toContain(secret)
  expect((await ops('listForwarderAudit', undefined)).text).not.toContain(secret)
  const other = await ops('createFeed', undefined, { body: { ...push, format: 'dcsa-3.0' } })
  expect(other.body.push?.callback_url).toBe(`${service.baseUrl}/feeds/v1/${other.body.feed_id}/events`)
})

test('the key of a carrier is stored encrypted and never shown, and remains usable when the secret of the service is renewed', async () => {
  const key = `key-${randomBytes(12).toString('hex')}`
  const { body, text } = await ops('createFeed', undefined, { body: { ...pull, key, key_header: 'Consumer-Key' } })
  const { feed_id } = body
  expect(body.pull).toMatchObject({ url: pull.url, has_key: true, key_header: 'Consumer-Key', interval_seconds: 300 })
  expect(text).not.toContain(key)
  const params = { feed_id }
  const next = `key-${randomBytes(12).toString('hex')}`
  const changed = await ops('updateFeed', undefined, { params, body: { key: next, interval_seconds: 60 } })
  expect(changed.body.pull).toMatchObject({ has_key: true, interval_seconds: 60 })
  const audit = (await ops('listForwarderAudit', undefined)).text
  const rows = JSON.stringify(await service.db`select * from feed_secrets`)
  for (const secret of [key, next]) for (const place of [changed.text, audit, rows]) expect(place).not.toContain(secret)
  expect(await findFeedSecrets(service.db, feed_id)).toEqual([next])
  // Rolled back: other tests use the secret of the service.
  const renewal = service.db.begin(async (sql) => {
    const before = await readServiceSecrets(sql)
    await renewServiceSecrets(sql)
    expect(await findFeedSecrets(sql, feed_id)).toEqual([])
    await reencryptFeedSecrets(sql, before.link_secret, (await readServiceSecrets(sql)).link_secret)
    expect(await findFeedSecrets(sql, feed_id)).toEqual([next])
    throw new Error('done')
  })
  await expect(renewal).rejects.toThrow('done')
})

test('a secret is replaced with an overlap', async () => {
  const { body } = await ops('createFeed', undefined, { body: push })
  const params = { feed_id: body.feed_id }
  const rotated = (await ops('rotateFeedSecret', undefined, { params, body: {} })).body
  expect(rotated.secret).not.toBe(body.secret)
  expect(rotated.push?.secrets).toHaveLength(2)
  expect(await findFeedSecrets(service.db, body.feed_id)).toEqual([rotated.secret, body.secret])
  const last = (await ops('rotateFeedSecret', undefined, { params, body: { old_until: '2026-01-01T00:00:00Z' } })).body
  expect(await findFeedSecrets(service.db, body.feed_id)).toEqual([last.secret])
  const late = { old_until: new Date(Date.now() + 31 * 86_400_000).toISOString() }
  const refused = await ops('rotateFeedSecret', undefined, { params, body: late })
  expect(pointersOf(refused)).toEqual(['/old_until'])
  const fetched = (await ops('createFeed', undefined, { body: pull })).body
  const wrong = await ops('rotateFeedSecret', undefined, { params: { feed_id: fetched.feed_id }, body: {} })
  expect(wrong).toBeRefused('feed_not_push')
})

test('feeds are paused, resumed and removed', async () => {
  const { feed_id } = (await ops('createFeed', undefined, { body: pull })).body
  const params = { feed_id }
  const paused = (await ops('updateFeed', undefined, { params, body: { paused: true } })).body
  expect(paused.paused).toBe(true)
  expect(paused.pull?.next_attempt_at).toBeUndefined()
  expect((await ops('updateFeed', undefined, { params, body: { paused: false } })).body.paused).toBe(false)
  expect((await ops('removeFeed', undefined, { params })).body).toEqual({ removed: feed_id })
  for (const name of ['getFeed', 'removeFeed'] as const)
    expect(await ops(name, undefined, { params })).toBeRefused('feed_not_found')
  expect(await ops('updateFeed', undefined, { params, body: { paused: true } })).toBeRefused('feed_not_found')
})

test.each([
  [{ ...push, url: 'https://carrier.example' }, '/url'],
  [{ ...push, key: 'k' }, '/key'],
  [{ ...push, secret: 'c2hvcnQ='.repeat(6) }, '/secret'],
  [{ ...push, secret: 'short' }, '/secret'],
  [{ sender: 'MAEU', format: 'dcsa-2.2', channel: 'pull' }, '/url'],
  [{ ...pull, url: 'carrier.example' }, '/url'],
  [{ ...pull, url: 'file:///etc/passwd' }, '/url'],
  [{ ...pull, url: 'https://user:password@carrier.example/' }, '/url'],
  [{ ...pull, url: 'https://carrier.example/#x' }, '/url'],
  [{ ...pull, key: 'a\r\nb' }, '/key'],
  [{ ...pull, key_header: 'a: b' }, '/key_header'],
  [{ ...pull, secret: 'A'.repeat(44) }, '/secret'],
  [{ ...pull, interval_seconds: 1 }, '/interval_seconds'],
  [{ ...pull, format: 'edifact' }, '/format'],
] as const)('%j is refused', async (body, pointer) => {
  const refused = await ops('createFeed', undefined, { body: body as never })
  expect(refused).toBeRefused('invalid_request')
  expect(pointersOf(refused)).toEqual([pointer])
  expect(refused.text).not.toContain('password@')
})
