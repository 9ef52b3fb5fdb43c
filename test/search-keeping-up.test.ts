import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { keepSearchUpToDate } from '../src/storage/search/keeping-up.js'
import { bringUpToDate } from '../src/storage/search/search-state.js'
import { newAccount } from './support/account.js'
import { newPerson } from './support/portal.js'
import { serviceOnNewDatabase } from './support/round-trip.js'

/** What is searched follows the account: beside the writes, and by whoever searches. */

// Everything is looked up: an answer from memory would hide what it is made of.
const service = await serviceOnNewDatabase('keeping_up', { answerMemory: 0 })
const { db } = service

function keepUp() {
  const stop = new AbortController()
  const errors: unknown[] = []
  const ended = keepSearchUpToDate(db, { signal: stop.signal, onError: (error) => errors.push(error) })
  onTestFinished(async () => {
    stop.abort()
    await ended
  })
  return { stop, ended, errors }
}

async function isReached(account: number): Promise<boolean> {
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

test('accounts that have people are kept up to date beside the writes, and no others', {
  timeout: 60_000,
}, async () => {
  const [one, other] = [await anAccount(30), await anAccount(30)]
  await newPerson(service, one)
  const { errors } = keepUp()
  await vi.waitUntil(() => isReached(one.id), { timeout: 30_000, interval: 100 })
  expect(await countsOf(one.id)).toEqual({ rows: 30, texts: 30, counted: 30 })
  await one.forwarder.imports(...shipmentLines(40, 'Chairs'))
  await vi.waitUntil(() => isReached(one.id), { timeout: 30_000, interval: 100 })
  expect(await countsOf(one.id)).toEqual({ rows: 40, texts: 40, counted: 40 })
  expect(await db`select from search_state where account_id = ${other.id}`).toHaveLength(0)
  expect(errors).toEqual([])
})

test('one process at a time is at it', { timeout: 60_000 }, async () => {
  const account = await anAccount(5)
  await newPerson(service, account)
  await db.begin(async (sql) => {
    // As another process that is in the middle of a step.
    await sql`select pg_advisory_xact_lock(${0x7365_6172})`
    keepUp()
    await sleep(1000)
    expect(await isReached(account.id)).toBe(false)
    // Whoever searches does not wait for it.
    await bringUpToDate(db, account.id)
    expect(await isReached(account.id)).toBe(true)
    await account.forwarder.imports(...shipmentLines(6))
  })
  await vi.waitUntil(() => isReached(account.id), { timeout: 30_000, interval: 100 })
  expect(await countsOf(account.id)).toEqual({ rows: 6, texts: 6, counted: 6 })
})

test('it stops at once when it is told to, and what it had begun has not happened', async () => {
  const account = await anAccount(600)
  await newPerson(service, account)
  await bringUpToDate(db, account.id)
  await account.forwarder.imports(...shipmentLines(2600, 'Tables'))
  const { stop, ended, errors } = keepUp()
  // In the middle of its step, which takes several batches.
  const isAtIt = async () => (await db`select from pg_locks where locktype = 'advisory' and granted`).length > 0
  await vi.waitUntil(isAtIt, { timeout: 30_000, interval: 1 })
  stop.abort()
  await ended
  expect(errors).toEqual([])
  const { counted } = (await countsOf(account.id)) as { counted: number }
  expect([600, 2600]).toContain(counted)
  await bringUpToDate(db, account.id)
  expect(await countsOf(account.id)).toEqual({ rows: 2600, texts: 2600, counted: 2600 })
}, 60_000)

test('an error is told, and is not the end', { timeout: 60_000 }, async () => {
  const account = await anAccount(1)
  await newPerson(service, account)
  await db`alter table search_texts rename to search_texts_away`
  const { errors } = keepUp()
  await vi.waitUntil(() => errors.length > 0, { timeout: 30_000, interval: 50 })
  await db`alter table search_texts_away rename to search_texts`
  expect(String(errors[0])).toContain('search_texts')
  expect(await isReached(account.id)).toBe(false)
})

test('many who search at once, while it is kept up to date and written to, each find what was written before', {
  timeout: 120_000,
}, async () => {
  const account = await anAccount(700)
  const { ask } = await newPerson(service, account)
  keepUp()
  for (let round = 1; round <= 4; round += 1) {
    await account.forwarder.imports(...shipmentLines(700 + round, `Round${round}`))
    const counts = await Promise.all(
      Array.from({ length: 8 }, async () => (await ask('findShipments', { query: { q: `round${round}` } })).body.count),
    )
    for (const count of counts) expect(count).toEqual({ value: 700 + round, exact: true })
  }
  expect(await countsOf(account.id)).toEqual({ rows: 704, texts: 704, counted: 704 })
})

test('what is unlogged is made again after a crash has emptied it', async () => {
  const account = await anAccount(3)
  const { ask } = await newPerson(service, account)
  expect((await ask('findShipments', { query: { q: 'lamps' } })).body.count.value).toBe(3)
  // As PostgreSQL does when it starts after a crash: all of them at once.
  await db`
    truncate search_state, search_texts, search_counts, shipment_search, purchase_order_search, invoice_search,
      document_search`
  expect((await ask('findShipments', { query: { q: 'lamps' } })).body.count.value).toBe(3)
})

test('what an older program has made is made again, once', async () => {
  const account = await anAccount(3)
  const { ask } = await newPerson(service, account)
  const find = async () => (await ask('findShipments', { query: { q: 'lamps' } })).body.count.value
  expect(await find()).toBe(3)
  // It knew nothing of this word, nor how to say which rows it makes.
  await db`update shipment_search set words = '' where account_id = ${account.id}`
  await db`update search_texts set words = '' where account_id = ${account.id}`
  expect(await find()).toBe(0)
  await db`update search_state set id = null where account_id = ${account.id}`
  expect(await find()).toBe(3)
  expect(await countsOf(account.id)).toEqual({ rows: 3, texts: 3, counted: 3 })
  await db`update shipment_search set words = '' where account_id = ${account.id}`
  expect(await find()).toBe(0)
})
