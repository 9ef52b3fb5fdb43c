import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openCuttingProxy } from '../../soak/cutting-proxy.js'
import { openDatabase } from '../../src/database/database.js'
import { isUnreachable } from '../../src/database/errors.js'
import type { ReadQuorum } from '../../src/database/read-quorum.js'
import { openReplica } from '../../src/database/replicas.js'
import { createRandom } from '../../src/sandbox/random.js'
import { hashTextOfKey } from '../../src/store/key-hash.js'
import { principalLookup } from '../../src/store/principals.js'
import { line } from '../support/account.js'
import { changeOrder, startReplicatedService } from '../support/replicated-service.js'
import { startService } from '../support/service.js'

/** What the failover of a cluster brings about (`npm run soak -- --only failover`), one thing at a time. */

const followed = await startReplicatedService()
const { primaryUrl, primary, standby, counting, untilReadFromReplica } = followed

test('a load balancer that leads to a standby makes requests fail with 503, and is used again when it leads to the primary', async () => {
  const account = await followed.newAccount()
  const target = { path: socketOf(primaryUrl) }
  const proxy = await openCuttingProxy(target, { random: createRandom('balancer') })
  const url = `postgres://waybill@127.0.0.1:${proxy.port}/waybill`
  const db = openDatabase({ url }, { connections: 3 })
  onTestFinished(async () => {
    await db.end({ timeout: 0 })
    await proxy.close()
  })
  db.pool.requirePrimary()
  const other = await startService({ db, cacheBytes: 0 })
  const write = (sku: string) =>
    account.callAt(other, 'updatePurchaseOrder', { body: { reference: 'P-1', product_lines: [line({ sku })] } })
  expect((await write('second')).status).toBe(200)

  target.path = socketOf(standby.url)
  proxy.reset()
  for (let round = 0; round < 3; round += 1) {
    const responses = [await write('lost'), await account.callAt(other, 'listPurchaseOrders')]
    for (const { status, headers } of responses) expect([status, headers.has('retry-after')]).toEqual([503, true])
  }
  target.path = socketOf(primaryUrl)
  expect((await write('third')).status).toBe(200)
})

test('a connection whose server has become read only is not used again', async () => {
  const db = openDatabase({ url: primaryUrl }, { connections: 1 })
  onTestFinished(() => db.end())
  await db.unsafe('create table written (words text)')
  // A transaction of the pool begins with `read write`, which only a server in recovery refuses.
  const write = () => db`insert into written values ('one')`
  await db.unsafe('set default_transaction_read_only = on')
  await expect(write()).rejects.toSatisfy(isUnreachable)
  await write()
  await db.unsafe('set default_transaction_read_only = on')
  const writing = db.begin(async (sql) => {
    await sql`set transaction read only`
    await sql`insert into written values ('two')`
  })
  await expect(writing).rejects.toSatisfy(isUnreachable)
  await write()
})

test('a write that no synchronous standby has confirmed is not acknowledged when its statements time out', async () => {
  const db = openDatabase({ url: primaryUrl }, { connections: 1, statementTimeout: 200 })
  onTestFinished(() => db.end())
  await db.unsafe('create table confirmed (words text)')
  const requireConfirmation = async (standbys: string) => {
    await primary.db.unsafe(`alter system set synchronous_standby_names = '${standbys}'`)
    await primary.db.unsafe('select pg_reload_conf()')
  }
  onTestFinished(() => requireConfirmation(''))
  await requireConfirmation('absent')
  // The server applies the setting some time later: until then, a write is acknowledged at once.
  let writing: Promise<'acknowledged'> | undefined
  for (let attempt = 0, first: unknown = 'acknowledged'; first === 'acknowledged' && attempt < 100; attempt += 1) {
    writing = db.begin((sql) => sql`insert into confirmed values ('one')`).then(() => 'acknowledged')
    first = await Promise.race([writing, sleep(2000)])
  }
  // Much longer than its statements may take.
  expect(await Promise.race([writing, sleep(1000)])).toBeUndefined()
  await requireConfirmation('')
  expect(await writing).toBe('acknowledged')
})

test('a replica whose revision is not that of the primary, after a failover, serves no reads', async () => {
  const account = await followed.newAccount()
  await untilReadFromReplica(account)
  const read = () => account.call('getShipment', { params: { svc_shipment_id: 'S-1' } })
  expect((await counting(read)).replica).toBe(1)
  await standby.pause()
  // The same revision, of another change.
  await primary.db`
    update accounts set changed_at = changed_at + interval '1 second' where account_id = ${account.id}`
  // The known key is checked, then read again, and the shipment is read.
  expect((await counting(read)).primary).toBe(3)
  await standby.resume()
  await changeOrder(account, { sku: 'second' })
  await untilReadFromReplica(account)
})

test('while there is no primary, reads with a key are served by as many replicas as have every acknowledged write', async () => {
  const account = await followed.newAccount()
  const target = { path: socketOf(primaryUrl) }
  const proxy = await openCuttingProxy(target, { random: createRandom('quorum') })
  const url = `postgres://waybill@127.0.0.1:${proxy.port}/waybill`
  const db = openDatabase({ url }, { connections: 3 })
  const replica = openReplica(standby.url, { connections: 3 })
  // After a failover, one of the servers that are read from is the primary.
  const itself = openReplica(url, { connections: 1 })
  const servers = { db, replicas: [itself, replica], readQuorum: 1 }
  const other = await startService({ ...servers, cacheBytes: 0 })
  const strict = await startService({ ...servers, db: openDatabase({ url }, { connections: 3 }), readQuorum: 2 })
  onTestFinished(async () => {
    await Promise.all([db, replica.db, itself.db].map((each) => each.end({ timeout: 0 })))
    await proxy.close()
  })
  const read = (service = other) => account.callAt(service, 'getPurchaseOrder', { params: { reference: 'P-1' } })
  const known = await read()
  const readiness = async (service = other) => {
    const response = await fetch(`${service.baseUrl}/health/ready`)
    return [response.status, ((await response.json()) as { status: unknown }).status]
  }
  await changeOrder(account, { sku: 'second' })
  await standby.catchUp(primary.db)

  target.path = `${target.path}.away`
  proxy.reset()
  await expect.poll(async () => (await read()).status).toBe(200)
  for (const { status, text, headers } of [await read(), await read(), await read()]) {
    expect([status, text.includes('second')]).toEqual([200, true])
    expect(headers.get('etag')).not.toBe(known.headers.get('etag'))
  }
  expect(await readiness()).toEqual([200, 'degraded'])
  const order = { body: { reference: 'P-2', product_lines: [line()] } }
  expect(await account.callAt(other, 'createPurchaseOrder', order)).toBeRefused('service_unavailable')
  // One server does not know whether another one has a later write.
  expect(await read(strict)).toBeRefused('service_unavailable')
  expect(await readiness(strict)).toEqual([503, 503])

  // What it has received and not applied yet may be an acknowledged write.
  await standby.pause()
  await changeOrder(account, { sku: 'third' })
  await expect.poll(async () => (await read()).status).toBe(503)
  await standby.resume()
  await standby.catchUp(primary.db)
  await expect.poll(async () => (await read()).text).toContain('third')

  target.path = socketOf(primaryUrl)
  await expect.poll(() => readiness()).toEqual([200, 'ok'])
})

test('servers that disagree about the last change of an account do not authenticate its keys', async () => {
  const [account, unchanged] = [await followed.newAccount(), await followed.newAccount()]
  await untilReadFromReplica(account)
  await standby.catchUp(primary.db)
  const away = openDatabase({ url: `${primaryUrl}.away` }, { connections: 1 })
  onTestFinished(() => away.end({ timeout: 0 }))
  const quorum: ReadQuorum = (read) => Promise.all([read(primary.db), read(followed.replica.db)])
  const lookup = principalLookup(away, quorum)
  await standby.pause()
  await changeOrder(account, { sku: 'second' })
  await expect(lookup.find(hashTextOfKey(account.key))).rejects.toSatisfy(isUnreachable)
  expect((await lookup.find(hashTextOfKey(unchanged.key)))?.account_id).toBe(unchanged.id)
  expect(await lookup.find(hashTextOfKey('unknown'))).toBeUndefined()
  await standby.resume()
})

function socketOf(url: string): string {
  return `${new URL(url).searchParams.get('host')}/.s.PGSQL.5432`
}
