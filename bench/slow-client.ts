import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '../src/database/migrate.js'
import type { DatabaseServer } from './database-server.js'
import { createAccounts } from './dataset.js'
import { createPatterns, fillOrders } from './dataset-rows.js'
import { residentBytes } from './processes.js'
import type { SlowClient } from './results.js'
import { waybillServer } from './waybill-server.js'

const slowBytesPerSecond = 1024 * 1024
const slowSeconds = 20
const pause = 50

/** A client reads a long list slowly, then at full speed, while the memory of the server is observed. */
export async function readSlowly(server: DatabaseServer, orders: number): Promise<SlowClient> {
  const database = 'long_list'
  await server.drop(database)
  await server.create(database)
  const db = server.open(database, 1)
  try {
    await migrate(db)
    const [account] = await createAccounts(db, 1)
    if (!account) throw new Error('no account was created')
    await createPatterns(db, server, 1)
    await fillOrders(db, [{ account_id: account.account_id, count: orders }])
    await db`vacuum analyze`
    const { url, pids, stop } = await waybillServer({ cache: true }).start(server.place(database))
    const before = residentBytes(pids)
    let peak = before
    const watch = setInterval(() => {
      peak = Math.max(peak, residentBytes(pids))
    }, 100)
    try {
      const started = performance.now()
      const bytes = await read(`${url}/v1/purchaseOrders`, account.key)
      return { orders, bytes, seconds: (performance.now() - started) / 1000, before, peak }
    } finally {
      clearInterval(watch)
      await stop()
    }
  } finally {
    await db.end()
    await server.drop(database)
  }
}

async function read(url: string, key: string): Promise<number> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers: { Authorization: `Bearer ${key}` } }, resolve).on('error', reject)
  })
  if (response.statusCode !== 200) throw new Error(`${url} returned ${response.statusCode}`)
  const started = performance.now()
  let bytes = 0
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length
    const elapsed = (performance.now() - started) / 1000
    while (elapsed < slowSeconds && bytes > ((performance.now() - started) / 1000) * slowBytesPerSecond)
      await sleep(pause)
  }
  if (!response.complete) throw new Error(`${url}: the response was cut off`)
  return bytes
}
