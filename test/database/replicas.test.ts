import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/database/database.js'
import { openReplica, readRouter } from '../../src/database/replicas.js'
import { line, type TestAccount } from '../support/account.js'
import { readSamples, valueIn } from '../support/metrics.js'
import { until } from '../support/program.js'
import { changeOrder, countedReplica, startReplicatedService } from '../support/replicated-service.js'
import { startService } from '../support/service.js'

const followed = await startReplicatedService()
const { primaryUrl, primary, standby, replica, service, counting, untilReadFromReplica } = followed

afterEach(async () => {
  await standby.change({})
  await standby.resume()
})

const reads: [string, (account: TestAccount) => Promise<{ status: number; text: string }>][] = [
  ['one shipment', ({ call }) => call('getShipment', { params: { svc_shipment_id: 'S-1' } })],
  ['a page', ({ call }) => call('listShipments', { query: { take: 10 } })],
  ['a page from further down', ({ call }) => call('listShipments', { query: { take: 1, skip: 1 } })],
  ['one order', ({ call }) => call('getPurchaseOrder', { params: { reference: 'P-1' } })],
  ['a list', ({ call }) => call('listPurchaseOrders')],
  ['a list of documents', ({ call }) => call('listDocuments')],
]

describe('an up-to-date replica', async () => {
  const account = await followed.newAccount()
  beforeAll(() => untilReadFromReplica(account))

  test.each(reads)(
    'the replica serves the body of %s; the primary serves only the revision lookup',
    async (_, read) => {
      expect(await counting(() => read(account))).toEqual({ primary: 1, replica: 1 })
    },
  )

  test('metrics count the reads of the replica and of the primary', async () => {
    const readsFrom = async (from: string) =>
      valueIn(await readSamples(service.baseUrl), 'waybill_reads_total', { from })
    const before = [await readsFrom('primary'), await readsFrom(replica.name)] as [number, number]
    await account.call('getShipment', { params: { svc_shipment_id: 'S-1' } })
    expect([await readsFrom('primary'), await readsFrom(replica.name)]).toEqual([before[0], before[1] + 1])
    const isUp = { replica: replica.name }
    expect(valueIn(await readSamples(service.baseUrl), 'waybill_replica_up', isUp)).toBe(1)
  })

  test('the replica serves reads of missing resources, too', async () => {
    const missing = () => account.call('getShipment', { params: { svc_shipment_id: 'S-9' } })
    expect(await missing()).toBeRefused('shipment_not_found')
    const requested = await counting(missing)
    // The fast path falls back to the framework with the refusal, without reading again.
    expect(requested.primary).toBeLessThanOrEqual(2)
    expect(requested.replica).toBeGreaterThan(0)
  })
})

describe('a paused replica', () => {
  test('a paused replica is not used for an account with newer writes, and still used for others', async () => {
    const changed = await followed.newAccount()
    const unchanged = await followed.newAccount()
    await untilReadFromReplica(changed)
    await untilReadFromReplica(unchanged)
    const tag = (await changed.call('listShipments')).headers.get('etag') as string
    await standby.pause()
    await changed.forwarder.imports(
      { kind: 'shipment', data: { svc_shipment_id: 'S-1', name: 'second' } },
      { kind: 'shipment', data: { svc_shipment_id: 'S-2', name: 'second' } },
      { kind: 'purchase_order', data: { reference: 'P-1', product_lines: [line({ sku: 'second' })] } },
    )

    for (const [name, read] of reads) {
      const requested = await counting(async () => {
        const { status, text } = await read(changed)
        expect(status).toBe(200)
        if (!name.includes('documents')) expect(text).toContain('second')
      })
      expect(requested.primary, name).toBeGreaterThanOrEqual(2)
      expect(await counting(() => read(unchanged)), name).toMatchObject({ replica: 1 })
    }
    const conditional = await changed.call('listShipments', { ifNoneMatch: tag })
    expect(conditional.status).toBe(200)
    expect(conditional.text).toContain('second')

    await standby.resume()
    await untilReadFromReplica(changed)
    expect((await changed.call('listShipments')).text).toContain('second')
  })

  test('an acknowledged write of a customer is visible to the next read', async () => {
    const account = await followed.newAccount()
    await untilReadFromReplica(account)
    await standby.pause()
    for (const quantity of [11, 12, 13]) {
      await changeOrder(account, { ordered_quantity: quantity })
      expect((await account.call('listPurchaseOrders')).text).toContain(`"ordered_quantity":${quantity},`)
    }
  })
})

test('no read is older than the last acknowledged write while a replica lags, pauses and catches up at random', async () => {
  const remembering = await startService({
    db: openDatabase({ url: primaryUrl }),
    replicas: [countedReplica(standby.url)],
  })
  const accounts = await Promise.all(Array.from({ length: 4 }, () => followed.newAccount()))
  const idle = await followed.newAccount()
  await untilReadFromReplica(idle)
  const before = { primary: primary.count(), replica: replica.count() }
  let written = 0

  async function writeAndRead(account: TestAccount): Promise<void> {
    for (let quantity = 1; quantity <= 50; quantity += 1) {
      await changeOrder(account, { ordered_quantity: quantity })
      written += 1
      const params = { reference: 'P-1' }
      const responses = await Promise.all(
        [service, remembering].flatMap((at) => [
          account.callAt(at, 'getPurchaseOrder', { params }),
          account.callAt(at, 'listPurchaseOrders'),
        ]),
      )
      for (const { status, text } of responses) {
        expect(status).toBe(200)
        expect(text).toContain(`"ordered_quantity":${quantity},`)
      }
      await idle.call('listPurchaseOrders')
      if (quantity % 3 === 0) await sleep(randomInt(20))
    }
  }

  async function disturb(): Promise<void> {
    while (written < 200) {
      await standby.pause()
      await sleep(randomInt(50))
      await standby.change({ recovery_min_apply_delay: `${randomInt(40)}ms` })
      await standby.resume()
      await sleep(randomInt(100))
    }
  }

  await Promise.all([disturb(), ...accounts.map(writeAndRead)])
  expect(written).toBe(200)
  expect(replica.count() - before.replica).toBeGreaterThan(100)
  // How many depends on how far the replica lags.
  expect(primary.count() - before.primary).toBeGreaterThan(100)
})

describe('a crashing replica', () => {
  test('no read fails when a replica crashes; it is used again once it is back and has caught up', async () => {
    const account = await followed.newAccount()
    await untilReadFromReplica(account)
    await standby.settle(primary.db)
    await changeOrder(account, { sku: 'second' })
    await untilReadFromReplica(account)
    const readAll = () =>
      Promise.all(
        Array.from({ length: 20 }, async () => {
          const { status, text } = await account.call('getPurchaseOrder', { params: { reference: 'P-1' } })
          expect(status).toBe(200)
          expect(text).toContain('second')
        }),
      )

    const killed = standby.kill()
    for (let round = 0; round < 10; round += 1) await readAll()
    await killed
    await readAll()

    // It restarts from its last flushed position.
    await standby.start({ recovery_min_apply_delay: '1h' })
    const behind = openDatabase({ url: standby.url }, { connections: 1 })
    expect((await behind`select body from purchase_orders where account_id = ${account.id}`)[0]?.body).toContain(
      'first',
    )
    await behind.end()
    const requested = replica.count()
    await until(async () => {
      await readAll()
      // Includes probes; then its position is read repeatedly.
      return replica.count() - requested > 10
    })

    await standby.change({})
    await untilReadFromReplica(account)
    await readAll()
  })

  test('a position read before a new connection was opened is not trusted', async () => {
    const account = await followed.newAccount()
    await standby.catchUp(primary.db)
    const own = openReplica(standby.url, { connections: 1 })
    const readers = readRouter(primary.db, [own])
    const { revision, changedAt, epoch } = await positionOf(account)
    // The servers on which the attempts of a read run.
    async function read(meanwhile?: () => Promise<void>): Promise<string[]> {
      const attempts: string[] = []
      await readers.read({ account_id: account.id, revision, changedAt, secrets: { epoch } }, async (db) => {
        attempts.push(db === own.db ? 'replica' : 'primary')
        if (db === own.db) await meanwhile?.()
        await db`select body from shipments where account_id = ${account.id}`
      })
      return attempts
    }
    await until(async () => (await read()).includes('replica'))
    await until(async () => (await read()).length === 1)

    // To the service, a new connection looks like a restart.
    const reconnect = async () => {
      const made = own.connectionsMade()
      await standby.cutConnections()
      await until(() =>
        own.db`select 1`.then(
          () => own.connectionsMade() > made,
          () => false,
        ),
      )
    }
    expect(await read(reconnect)).toEqual(['replica', 'primary'])
    expect(await read()).toEqual(['replica'])
    await own.db.end({ timeout: 0 })
  })
})

async function positionOf({ id }: TestAccount): Promise<{ revision: number; changedAt: number; epoch: string }> {
  const [row] = await primary.db<{ revision: number; changedAt: number; epoch: string }[]>`
    select revision, (extract(epoch from changed_at) * 1e6)::float8 as "changedAt", epoch || '.' || 'accounts'::regclass::oid as epoch
    from accounts cross join service where account_id = ${id}`
  if (!row) throw new Error(`there is no account ${id}`)
  return row
}
