import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runSearchIndexer } from '../../src/feed/search-indexer.js'
import { updateSearchIndex } from '../../src/store/search/search-state.js'
import { newAccount } from '../support/account.js'
import { newPerson } from '../support/portal.js'
import { serviceOnNewDatabase } from '../support/round-trip.js'

/** The search index follows the change log: in the background, and with every search. */

// Without the response cache, which would hide the state of the index.
const service = await serviceOnNewDatabase('search_indexer', { cacheBytes: 0 })
const { db } = service

function startIndexer() {
  const stop = new AbortController()
  const errors: unknown[] = []
  const ended = runSearchIndexer(db, { signal: stop.signal, onError: (error) => errors.push(error) })
  onTestFinished(async () => {
    stop.abort()
    await ended
  })
  return { stop, ended, errors }
}

async function isCurrent(account: number): Promise<boolean> {
  const rows = await db`
    select from search_state state join accounts account using (account_id)
    where account_id = ${account} and state.revision = account.revision and state.kind is null`
  return rows.length > 0
}

async function anAccount(shipments: number) {
  const account = await newAccount(service)
  await account.forwarder.imports(...shipmentLines(shipments))
  return account
}

function shipmentLines(count: number, name = 'Lamps') {
  const one = (n: number) => ({ svc_shipment_id: `S-${n}`, name: `${name} ${n}`, status: 'booked' as const })
  return Array.from({ length: count }, (_, n) => ({ kind: 'shipment' as const, data: one(n) }))
}

async function countsOf(account: number) {
  const [row] = await db`
    select (select count(*) from shipment_search where account_id = ${account}) as rows,
      (select count(*) from search_texts where account_id = ${account}) as texts,
      (select count from search_counts where account_id = ${account} and kind = 'shipment' and facet = 'all') as counted`
  return row
}

test('the indexer updates accounts that have people, and no others', async () => {
  const [one, other] = [await anAccount(30), await anAccount(30)]
  await newPerson(service, one)
  const { errors } = startIndexer()
  await vi.waitUntil(() => isCurrent(one.id), { timeout: 60_000, interval: 100 })
  expect(await countsOf(one.id)).toEqual({ rows: 30, texts: 30, counted: 30 })
  await one.forwarder.imports(...shipmentLines(40, 'Chairs'))
  await vi.waitUntil(() => isCurrent(one.id), { timeout: 60_000, interval: 100 })
  expect(await countsOf(one.id)).toEqual({ rows: 40, texts: 40, counted: 40 })
  expect(await db`select from search_state where account_id = ${other.id}`).toHaveLength(0)
  expect(errors).toEqual([])
})

test('the indexer runs in one process at a time', async () => {
  const account = await anAccount(5)
  await newPerson(service, account)
  await db.begin(async (sql) => {
    // Like another process during a step.
    await sql`select pg_advisory_xact_lock(${0x7365_6172})`
    startIndexer()
    await sleep(1000)
    expect(await isCurrent(account.id)).toBe(false)
    // A search does not wait for the lock.
    await updateSearchIndex(db, account.id)
    expect(await isCurrent(account.id)).toBe(true)
    await account.forwarder.imports(...shipmentLines(6))
  })
  await vi.waitUntil(() => isCurrent(account.id), { timeout: 60_000, interval: 100 })
  expect(await countsOf(account.id)).toEqual({ rows: 6, texts: 6, counted: 6 })
})

test('the indexer stops at once when it is aborted, and its step is rolled back', async () => {
  const account = await anAccount(600)
  await newPerson(service, account)
  await updateSearchIndex(db, account.id)
  await account.forwarder.imports(...shipmentLines(2600, 'Tables'))
  const { stop, ended, errors } = startIndexer()
  // During its step, which takes several batches.
  const isAtIt = async () =>
    (await db`select from pg_locks where locktype = 'advisory' and granted and objid = ${0x7365_6172}`).length > 0
  await vi.waitUntil(isAtIt, { timeout: 60_000, interval: 1 })
  stop.abort()
  await ended
  expect(errors).toEqual([])
  const { counted } = (await countsOf(account.id)) as { counted: number }
  expect([600, 2600]).toContain(counted)
  await updateSearchIndex(db, account.id)
  expect(await countsOf(account.id)).toEqual({ rows: 2600, texts: 2600, counted: 2600 })
}, 60_000)

test('the indexer reports an error and continues', async () => {
  const account = await anAccount(1)
  await newPerson(service, account)
  await db`alter table search_texts rename to search_texts_away`
  const { errors } = startIndexer()
  await vi.waitUntil(() => errors.length > 0, { timeout: 60_000, interval: 50 })
  await db`alter table search_texts_away rename to search_texts`
  expect(String(errors[0])).toContain('search_texts')
  expect(await isCurrent(account.id)).toBe(false)
})

test('concurrent searches during writes and indexing find everything that was written before', async () => {
  const account = await anAccount(700)
  const { ask } = await newPerson(service, account)
  startIndexer()
  for (let round = 1; round <= 4; round += 1) {
    await account.forwarder.imports(...shipmentLines(700 + round, `Round${round}`))
    const counts = await Promise.all(
      Array.from({ length: 8 }, async () => (await ask('findShipments', { query: { q: `round${round}` } })).body.count),
    )
    for (const count of counts) expect(count).toEqual({ value: 700 + round, exact: true })
  }
  expect(await countsOf(account.id)).toEqual({ rows: 704, texts: 704, counted: 704 })
})

test('the search tables are rebuilt after a crash has truncated them', async () => {
  const account = await anAccount(3)
  const { ask } = await newPerson(service, account)
  expect((await ask('findShipments', { query: { q: 'lamps' } })).body.count.value).toBe(3)
  // PostgreSQL truncates unlogged tables when it starts after a crash.
  await db`
    truncate search_state, search_texts, search_counts, shipment_search, purchase_order_search, invoice_search,
      document_search`
  expect((await ask('findShipments', { query: { q: 'lamps' } })).body.count.value).toBe(3)
})

test('an index of an older version is rebuilt, once', async () => {
  const account = await anAccount(3)
  const { ask } = await newPerson(service, account)
  const find = async () => (await ask('findShipments', { query: { q: 'lamps' } })).body.count.value
  expect(await find()).toBe(3)
  // The older version did not index this word, and stored no version.
  await db`update shipment_search set words = '' where account_id = ${account.id}`
  await db`update search_texts set words = '' where account_id = ${account.id}`
  expect(await find()).toBe(0)
  await db`update search_state set id = null where account_id = ${account.id}`
  expect(await find()).toBe(3)
  expect(await countsOf(account.id)).toEqual({ rows: 3, texts: 3, counted: 3 })
  await db`update shipment_search set words = '' where account_id = ${account.id}`
  expect(await find()).toBe(0)
})
