import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { closeDatabases } from '../../soak/database.js'
import { clockJumps } from '../../soak/faults/clock-jumps.js'
import { cutConnections } from '../../soak/faults/cut-connections.js'
import { killedDatabase, pausedDatabase } from '../../soak/faults/database-away.js'
import { fullDisk } from '../../soak/faults/full-disk.js'
import { killedServer } from '../../soak/faults/killed-server.js'
import { killedTogether } from '../../soak/faults/killed-together.js'
import { stoppedServer } from '../../soak/faults/stopped-server.js'
import type { SoakOptions } from '../../soak/part.js'
import { until } from '../../soak/program.js'
import { World } from '../../soak/world.js'

/** A few of each fault of `npm run soak`: under load, with a ledger of acknowledged writes. */

afterAll(closeDatabases)

describe.concurrent('a fault under load loses nothing, duplicates nothing and leaks no data', () => {
  test.for([
    ['the service is killed', killedServer('postgres')],
    ['the database is killed', killedDatabase('embedded')],
    ['the database hangs', pausedDatabase('postgres')],
    ['connections to the database are cut', cutConnections('postgres')],
    ['the disk is full', fullDisk('embedded')],
    ['the service is stopped', stoppedServer('postgres')],
    ['the clock jumps', clockJumps('embedded')],
    ['the service and its database are killed', killedTogether()],
  ] as const)('%s', async ([, part], { onTestFinished }) => {
    const options = await optionsOf(onTestFinished)
    const { violations, lost, doubled, unexpectedFailures, leaks } = await part.run(options)
    expect({ violations, lost, doubled, unexpectedFailures, leaks }).toEqual({
      violations: [],
      lost: 0,
      doubled: 0,
      unexpectedFailures: 0,
      leaks: 0,
    })
  })
})

test('the soak test detects lost, duplicated and wrong data', async ({ onTestFinished }) => {
  // The service would not notice changes made directly in the database.
  const env = { WAYBILL_RESPONSE_CACHE: '0' }
  const world = await World.open(await optionsOf(onTestFinished), 'embedded', { env })
  onTestFinished(() => world.end())
  await world.load.during(() => until('something to tamper with', () => world.ledger.acknowledgedWrites >= 60))
  await world.compareNow({ whole: true })
  expect(world.traffic.tally.violations).toEqual([])

  const db = await world.database.open()
  await db`
    delete from purchase_orders where (account_id, reference) in (
      select account_id, reference from purchase_orders
      where not exists (
        select from assignments
        where assignments.account_id = purchase_orders.account_id and assignments.reference = purchase_orders.reference)
      order by account_id, reference limit 1)`
  await db`update shipments set body = replace(body, '"booked"', '"cancelled"')`
  await db`
    insert into changes (account_id, kind, id, revision, author, what, record)
    select account_id, kind, id || '-again', revision + 1000000, author, what, record
    from changes where kind = 'shipment' and what = 'created' order by account_id, revision limit 1`
  await db`delete from changes where kind = 'purchase_order' and id like 'birch~%'`
  await db.end()
  await world.compareNow({ whole: true })
  const { violations } = world.traffic.tally
  for (const noticed of [
    /order \S+ is missing/,
    /shipment \S+: .*"cancelled"/,
    /was performed 2 times/,
    /was acknowledged, and is not in the change log/,
  ]) {
    expect(violations).toContainEqual(expect.stringMatching(noticed))
  }
})

async function optionsOf(onTestFinished: (work: () => Promise<void>) => void): Promise<SoakOptions> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-faults-'))
  await chmod(folder, 0o755)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return { seed: 1, isShort: true, folder, log: () => {} }
}
