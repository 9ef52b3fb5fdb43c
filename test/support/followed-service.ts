import { afterAll, expect } from 'vitest'
import { openDatabase } from '../../src/storage/database.js'
import { openReplica, type Replica } from '../../src/storage/readers.js'
import { line, newAccount, type TestAccount } from './account.js'
import { countingQueries } from './counting.js'
import { until } from './program.js'
import { startPrimaryAndStandby } from './replica.js'
import { startService } from './service.js'

/**
 * The service on a primary and its standby. Queries are counted at the driver, and nothing is remembered: every read is
 * put to a database.
 */
export async function startFollowedService() {
  const { primaryUrl, standby } = await startPrimaryAndStandby()
  const primary = countingQueries(openDatabase({ url: primaryUrl }, { connections: 5 }))
  const replica = countedReplica(standby.url)
  const service = await startService({ db: primary.db, replicas: [replica], answerMemory: 0 })

  /** Where the queries of some work arrived. A read always looks at the primary once: for the account's revision. */
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
    /** With two shipments and an order, which all show `first`. */
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

/** The same server as another service sees it: with connections of its own. */
export function countedReplica(url: string): Replica & { count(): number } {
  const opened = openReplica(url, { connections: 3 })
  const counted = countingQueries(opened.db)
  afterAll(() => opened.db.end({ timeout: 0 }))
  return { ...opened, db: counted.db, count: counted.count }
}

export async function changeOrder({ call }: TestAccount, change: Parameters<typeof line>[0]): Promise<void> {
  const body = { reference: 'P-1', product_lines: [line(change)] }
  expect((await call('updatePurchaseOrder', { body })).status).toBe(200)
}
