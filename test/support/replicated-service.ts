import { afterAll, expect } from 'vitest'
import { openDatabase } from '../../src/database/database.js'
import { openReplica, type Replica } from '../../src/database/replicas.js'
import { line, newAccount, type TestAccount } from './account.js'
import { until } from './program.js'
import { countQueries } from './query-counter.js'
import { startPrimaryAndStandby } from './replica.js'
import { startService } from './service.js'

/**
 * The service on a primary and its standby, without the response cache, so that every read queries a database. Queries are
 * counted at the driver.
 */
export async function startReplicatedService() {
  const { primaryUrl, standby } = await startPrimaryAndStandby()
  const primary = countQueries(openDatabase({ url: primaryUrl }, { connections: 5 }))
  const replica = countedReplica(standby.url)
  const service = await startService({ db: primary.db, replicas: [replica], cacheBytes: 0 })

  /** The number of queries that reached each server. A read always looks up the account's revision on the primary. */
  async function counting(work: () => Promise<unknown>): Promise<{ primary: number; replica: number }> {
    const before = { primary: primary.count(), replica: replica.count() }
    await work()
    return { primary: primary.count() - before.primary, replica: replica.count() - before.replica }
  }

  return {
    primaryUrl,
    primary,
    standby,
    replica,
    service,
    counting,
    /** With two shipments and an order, which all contain `first`. */
    async newAccount(): Promise<TestAccount> {
      const account = await newAccount(service)
      await account.forwarder.imports(
        { kind: 'shipment', data: { svc_shipment_id: 'S-1', name: 'first' } },
        { kind: 'shipment', data: { svc_shipment_id: 'S-2', name: 'first' } },
      )
      await account.call('createPurchaseOrder', { body: { reference: 'P-1', product_lines: [line({ sku: 'first' })] } })
      return account
    },
    async untilReadFromReplica({ call }: TestAccount): Promise<void> {
      await standby.catchUp(primary.db)
      await until(async () => {
        const asked = await counting(() => call('getShipment', { params: { svc_shipment_id: 'S-1' } }))
        return asked.primary === 1 && asked.replica > 0
      })
    },
  }
}

/** The same server for another service, with separate connections. */
export function countedReplica(url: string): Replica & { count(): number } {
  const opened = openReplica(url, { connections: 3 })
  const counted = countQueries(opened.db)
  afterAll(() => opened.db.end({ timeout: 0 }))
  return { ...opened, db: counted.db, count: counted.count }
}

export async function changeOrder({ call }: TestAccount, change: Parameters<typeof line>[0]): Promise<void> {
  const body = { reference: 'P-1', product_lines: [line(change)] }
  expect((await call('updatePurchaseOrder', { body })).status).toBe(200)
}
