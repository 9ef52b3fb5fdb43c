import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { send } from '../../src/client/client.js'
import { openDatabase } from '../../src/database/database.js'
import { recordPurchaseOrder } from '../../src/domain/purchase-orders/purchase-order.js'
import { commit } from '../../src/ledger/commit.js'
import { readRecords } from '../../src/ledger/records.js'
import { Transaction } from '../../src/ledger/transaction.js'
import { line, newAccount, type TestAccount } from '../support/account.js'
import { startServing, temporaryFolder } from '../support/program.js'
import { startService } from '../support/service.js'

/** Writes that wait for one account share a transaction, and nothing else. */

const service = await startService()
const order = (reference: string) => ({ reference, product_lines: [line()] })

/** Runs the work while the account is locked, so that writes wait for it. */
async function whileLocked<Result>({ id }: TestAccount, work: () => Promise<Result>): Promise<Result> {
  const db = openDatabase({ url: inject('databaseUrl') }, { connections: 1 })
  const sent: Promise<Result>[] = []
  await db.begin(async (sql) => {
    await sql`select from accounts where account_id = ${id} for no key update`
    sent.push(work())
    // They arrive meanwhile.
    await sleep(2000)
  })
  await db.end()
  return sent[0]!
}

/** The versions of orders that were stored, in order; `xmin` shows which writes shared a transaction. */
async function versionsOf({ id }: TestAccount) {
  return service.db<{ revision: number; id: string; what: string; transaction: string; at: string; bytes: number }[]>`
    select revision, id, what, xmin::text as transaction, at::text, octet_length(record) as bytes from changes
    where account_id = ${id} and kind = 'purchase_order' order by revision`
}

async function accountOf({ id }: TestAccount) {
  const [row] = await service.db<{ revision: number; stored_bytes: number; purchase_order_revision: number }[]>`
    select revision, stored_bytes, purchase_order_revision from accounts where account_id = ${id}`
  return row!
}

test('writes that wait for one account share a transaction, each with a revision and a time of its own', async () => {
  const account = await newAccount(service)
  const before = await accountOf(account)
  const references = Array.from({ length: 12 }, (_, index) => `P${index}`)
  const answers = await whileLocked(account, () =>
    Promise.all(
      references.map((reference) =>
        account.call('createPurchaseOrder', { body: order(reference), idempotencyKey: `key ${reference}` }),
      ),
    ),
  )
  expect(answers.map(({ body }) => body)).toEqual(references.map((reference) => ({ reference })))
  const versions = await versionsOf(account)
  // The first one had begun when the others came; on a busy machine some come later.
  expect(new Set(versions.map(({ transaction }) => transaction)).size).toBeLessThan(references.length)
  expect(versions.map(({ revision }) => revision)).toEqual(references.map((_, index) => before.revision + 1 + index))
  expect(versions.map(({ id }) => id).toSorted()).toEqual(references.toSorted())
  const times = versions.map(({ at }) => at)
  expect(times).toEqual([...new Set(times)].toSorted())
  const bytes = versions.reduce((sum, version) => sum + version.bytes, 0)
  const revision = before.revision + references.length
  const after = { revision, purchase_order_revision: revision, stored_bytes: before.stored_bytes + bytes }
  expect(await accountOf(account)).toEqual(after)
})

test('a write that is refused undoes nothing of those that share its transaction', async () => {
  const account = await newAccount(service)
  await account.call('createPurchaseOrder', { body: order('taken') })
  const create = (reference: string, key: string) =>
    account.call('createPurchaseOrder', { body: order(reference), idempotencyKey: key })
  const answers = await whileLocked(account, () =>
    Promise.all([
      create('A', 'a'),
      create('B', 'b'),
      create('taken', 'c'),
      account.call('updatePurchaseOrder', { body: { reference: 'unknown', supplier_id: 'S' } }),
      create('C', 'd'),
      create('C', 'e'),
    ]),
  )
  expect(answers.map(({ status }) => status).slice(0, 4)).toEqual([201, 201, 409, 404])
  expect(answers[2]).toBeRefused('purchase_order_exists')
  expect(answers[3]).toBeRefused('purchase_order_not_found')
  expect(new Set(answers.slice(4).map(({ status }) => status))).toEqual(new Set([201, 409]))
  const versions = await versionsOf(account)
  expect(versions.map(({ id }) => id).toSorted()).toEqual(['A', 'B', 'C', 'taken'])
  const first = versions[0]!.revision
  expect(versions.map(({ revision }) => revision)).toEqual([first, first + 1, first + 2, first + 3])
  // A retry gets the same response as the first request, also if that was refused.
  expect((await create('taken', 'c')).headers.get('idempotent-replayed')).toBe('true')
  expect((await create('A', 'a')).headers.get('idempotent-replayed')).toBe('true')
  expect(await versionsOf(account)).toHaveLength(4)
})

test('requests with one idempotency key that wait together store one order, and another body is refused', async () => {
  const account = await newAccount(service)
  const create = (reference: string) =>
    account.call('createPurchaseOrder', { body: order(reference), idempotencyKey: 'the key' })
  const answers = await whileLocked(account, () =>
    Promise.all([create('P'), create('P'), create('other'), create('P')]),
  )
  const [{ id } = { id: '' }, ...more] = await versionsOf(account)
  expect(more).toEqual([])
  for (const [index, answer] of answers.entries()) {
    if ((index === 2) === (id === 'other')) expect(answer.status).toBe(201)
    else expect(answer).toBeRefused('idempotency_key_reused')
  }
})

test('a write sees what the writes before it in the transaction stored', async () => {
  const account = await newAccount(service)
  const sharing = { bytes: 100, key: undefined }
  const transactions = new Set<string>()
  const run = (work: (tx: Transaction) => Promise<unknown>) =>
    commit(
      service.db,
      account.id,
      'test',
      async (tx) => {
        const result = await work(tx)
        const [row] = await tx.sql<{ id: string }[]>`select pg_current_xact_id()::text as id`
        transactions.add(row!.id)
        return result
      },
      { sharing },
    )
  const add = (text: string) => async (tx: Transaction) => {
    const record = (await readRecords(tx.sql, account.id, 'purchase_order', ['P'])).get('P')
    if (!record) throw new Error('the order is not there')
    tx.put('purchase_order', [{ record: { ...record, supplier_id: `${record.supplier_id}${text}` }, before: record }])
    return tx.revision
  }
  const results = await Promise.all([
    run(async () => {}),
    run(async (tx) => {
      tx.put('purchase_order', [
        { record: recordPurchaseOrder({ ...order('P'), supplier_id: 'a' }), before: undefined },
      ])
      return tx.revision
    }),
    run(add('b')),
    run(add('c')),
  ])
  expect(transactions.size).toBe(2)
  const first = results[1] as number
  expect(results).toEqual([undefined, first, first + 1, first + 2])
  const { body } = await account.call('getPurchaseOrder', { params: { reference: 'P' } })
  expect(body.supplier_name).toBe('abc')
  expect((await versionsOf(account)).map(({ revision, what }) => [revision, what])).toEqual([
    [first, 'created'],
    [first + 1, 'updated'],
    [first + 2, 'updated'],
  ])
})

test.each([1, 2, 3])(
  'a process that is killed has acknowledged nothing that is not stored (round %i)',
  async (round) => {
    const account = await newAccount(service)
    const WAYBILL_DATA_DIR = await temporaryFolder()
    const env = { DATABASE_URL: inject('databaseUrl'), WAYBILL_DATA_DIR, WAYBILL_RATE_LIMIT: '0' }
    const server = await startServing({ env })
    const acknowledged: string[] = []
    const isEnough = () => acknowledged.length >= 10 * round
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let number = 0; number < 1000; number++) {
        const reference = `P${writer}-${number}`
        const options = { baseUrl: server.baseUrl, key: account.key }
        const input = { body: order(reference), idempotencyKey: reference }
        const response = await send(options, 'createPurchaseOrder', input).catch(() => undefined)
        if (response?.status !== 201) return
        acknowledged.push(reference)
        if (isEnough()) server.kill('SIGKILL')
      }
    })
    await Promise.all(writers)
    await server.ended
    expect(isEnough()).toBe(true)
    // The database rolls back what the process had not committed; then the account is free.
    await service.db`select from accounts where account_id = ${account.id} for no key update`
    const versions = await versionsOf(account)
    const stored = versions.map(({ id }) => id)
    expect(stored).toEqual(expect.arrayContaining(acknowledged))
    expect(new Set(stored).size).toBe(stored.length)
    const first = versions[0]!.revision
    expect(versions.map(({ revision }) => revision)).toEqual(stored.map((_, index) => first + index))
    expect((await accountOf(account)).revision).toBe(versions.at(-1)!.revision)
    // At most one request of each writer was stored without an answer: its retry is answered, and stores nothing.
    expect(stored.length - acknowledged.length).toBeLessThanOrEqual(8)
    for (const reference of stored) {
      const again = await account.call('createPurchaseOrder', { body: order(reference), idempotencyKey: reference })
      expect(again.status).toBe(201)
    }
    expect(await versionsOf(account)).toHaveLength(stored.length)
  },
)
