import { afterAll, expect, inject, test } from 'vitest'
import type { AccountId } from '../../src/database/account-id.js'
import { openDatabase, type TransactionSql } from '../../src/database/database.js'
import { inTurn } from '../../src/ledger/write-queue.js'

const url = inject('databaseUrl')
const db = openDatabase({ url }, { connections: 3 })
await db.unsafe('create table if not exists queued_words (account bigint, word text unique)')
afterAll(async () => {
  await db.unsafe('drop table queued_words')
  await db.end({ timeout: 1 })
})

let accounts = 900_000_000

function newQueue() {
  const account = (accounts += 1)
  return {
    /** Stores words, without waiting, and returns the identifier of the transaction. */
    write: (...words: string[]) => inTurn(db, account, (sql) => store(sql, account, words)),
    run: <Result>(work: (sql: TransactionSql) => Promise<Result>) => inTurn(db, account, work),
    async words(): Promise<string[]> {
      const rows = await db<{ word: string }[]>`
        select word from queued_words where account = ${account} order by word`
      return rows.map(({ word }) => word)
    },
  }
}

async function store(sql: TransactionSql, account: AccountId, words: string[]): Promise<string> {
  for (const word of words) sql.send(sql`insert into queued_words values (${account}, ${word})`)
  return transactionOf(sql)
}

async function transactionOf(sql: TransactionSql): Promise<string> {
  const [row] = await sql<{ id: string }[]>`select pg_current_xact_id()::text as id`
  return row?.id ?? ''
}

test('writes that arrive while a transaction is open share the next one', async () => {
  const { write, words } = newQueue()
  const [first, ...others] = await Promise.all(['s1', 's2', 's3', 's4'].map((word) => write(word)))
  expect(new Set(others).size).toBe(1)
  expect(others).not.toContain(first)
  expect(await words()).toEqual(['s1', 's2', 's3', 's4'])
})

test('a write that fails takes nothing of the others with it, whether it throws or one of its statements fails', async () => {
  const { write, run, words } = newQueue()
  const results = await Promise.allSettled([
    write('f1'),
    write('f2'),
    run(async (sql) => {
      sql.send(sql`insert into queued_words values (1, 'f-thrown')`)
      throw new Error('refused')
    }),
    write('f3', 'f2'),
    write('f4'),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled'])
  expect(results[2]).toMatchObject({ reason: { message: 'refused' } })
  // Of the statement that failed, not of those after it.
  expect(results[3]).toMatchObject({ reason: { code: '23505' } })
  expect(await words()).toEqual(['f1', 'f2', 'f4'])
})

test('when the shared transaction fails, so do all of its writes, and the queue goes on', async () => {
  const { write, run, words } = newQueue()
  const cut = async (sql: TransactionSql) => {
    const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
    await db`select pg_terminate_backend(${row?.pid}, 5000)`
    await sql`select 1`
  }
  const results = await Promise.allSettled([write('c1'), write('c2'), run(cut)])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(await write('c4')).toMatch(/^\d+$/)
  expect(await words()).toEqual(['c1', 'c4'])
})

test('a long queue is several transactions', async () => {
  const { write, words } = newQueue()
  const ids = await Promise.all(Array.from({ length: 40 }, (_, index) => write(`l${index}`)))
  // The first one alone, then 16, 16 and 7.
  expect(new Set(ids).size).toBe(4)
  expect(await words()).toHaveLength(40)
})

test('a lock that is not granted in time refuses all writes of the transaction', async () => {
  const { run, write, words } = newQueue()
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const lock = (sql: TransactionSql) => sql`select pg_advisory_xact_lock(71, 1)::text`
  const locking = db.begin(async (sql) => {
    await lock(sql)
    await released
  })
  const results = await Promise.allSettled([write('w1'), run(lock), write('w2')])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(results[2]).toMatchObject({ reason: { code: '55P03' } })
  release()
  await locking
  expect(await words()).toEqual(['w1'])
})

test('a database that cannot be reached refuses every write once', async () => {
  const nowhere = openDatabase({ url: 'postgres://waybill@127.0.0.1:1/waybill' }, { connections: 1 })
  const account = (accounts += 1)
  const attempts = await Promise.allSettled([1, 2, 3].map(() => inTurn(nowhere, account, transactionOf)))
  expect(attempts.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  await nowhere.end()
})
