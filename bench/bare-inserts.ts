import { createRandom } from '../src/sandbox/random.js'
import { openDatabase } from '../src/storage/database.js'
import { sentWork } from './apart.js'
import type { BareInserts } from './bare-inserts-process.js'
import { median, zipf } from './draws.js'
import type { LoadResult } from './load/load.js'
import { uniqueMarker } from './orders.js'

/**
 * What the database alone needs for an order: the two rows that creating it stores, ready-made, in one statement and one
 * commit, over the driver and the pool that Waybill uses. Nobody is asked for a key, no revision is raised.
 */

const { url, accounts, loops, seconds, firstNumber, orders } = await sentWork<BareInserts>()
const random = createRandom('bare inserts')
const account = zipf(accounts.length, random)
const db = openDatabase({ url }, { connections: 10 })
await Promise.all(Array.from({ length: 10 }, () => db`select pg_sleep(0.05)`))

const latencies: number[] = []
let number = firstNumber
const started = performance.now()
const end = started + seconds * 1000
await Promise.all(Array.from({ length: loops }, insertUntilEnd))
const result: LoadResult = {
  requests: latencies.length,
  seconds: (performance.now() - started) / 1000,
  p50: median(latencies),
  p99: latencies.toSorted((one, other) => one - other)[Math.floor(latencies.length * 0.99)] ?? 0,
  failures: 0,
}
process.send?.(result)
await db.end()

async function insertUntilEnd(): Promise<void> {
  while (performance.now() < end) {
    const before = performance.now()
    await insertOrder(accounts[account()] as number)
    latencies.push(performance.now() - before)
  }
}

async function insertOrder(account_id: number): Promise<void> {
  const unique = String(++number).padStart(uniqueMarker.length, '0')
  const { record, body } = random.pick(orders)
  const reference = `NEW-${unique}`
  await db`
    with created as (
      insert into purchase_orders (account_id, reference, newest_first, revision, body)
      values (${account_id}, ${reference}, newest_first(now()), 4, ${body.replace(uniqueMarker, unique)})
    )
    insert into changes (account_id, kind, id, revision, at, author, what, record)
    values (${account_id}, 'purchase_order', ${reference}, 4, now(), 'key:key_0123456789abcdef', 'created',
      ${record.replace(uniqueMarker, unique)})`
}
