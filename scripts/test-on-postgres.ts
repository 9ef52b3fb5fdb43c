import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { clusterUser, createCluster, findServer, startServer, stopServer } from '../src/database/embedded/cluster.js'
import { chownToServer } from '../src/database/embedded/process-identity.js'
import { runTests } from './run-tests.js'

/**
 * Runs the tests whose queries may behave differently on another PostgreSQL, on a new cluster of the oldest supported
 * version that is installed, or else on the embedded one again. Either way without the response cache, unlike `npm test`.
 */
const installed = '/usr/lib/postgresql'

// Every statement runs in at least one of these. Arguments replace the list.
const tests =
  process.argv.length > 2
    ? process.argv.slice(2)
    : [
        'test/api/operator/assignments',
        'test/api/operator/history',
        'test/api/operator/idempotency',
        'test/api/operator/invoice-numbers',
        'test/api/operator/life-cycle',
        'test/api/operator/properties',
        'test/api/operator/tracking.',
        'test/api/portal/journey',
        'test/api/portal/overview',
        'test/api/portal/page-size',
        'test/api/portal/search',
        'test/api/portal/suppliers',
        'test/api/public/conditional-requests',
        'test/api/public/conformance',
        'test/api/public/documents',
        'test/api/public/fast-reads',
        'test/api/public/idempotency',
        'test/api/public/identifiers',
        'test/api/public/isolation.',
        'test/api/public/keys',
        'test/api/public/long-lists',
        'test/api/public/purchase-order',
        'test/api/public/reading',
        'test/api/read-cost',
        'test/database/lost-connections',
        'test/database/migrations',
        'test/database/plans',
        'test/database/restored-database',
        'test/database/schema',
        'test/feed/',
        'test/ingest/export',
        'test/ingest/import',
        'test/ledger/',
        'test/store/',
        'test/usecases/',
      ]
const versions = existsSync(installed)
  ? readdirSync(installed)
      .map(Number)
      .filter((version) => version >= 15)
  : []
if (versions.length === 0) {
  console.log('No PostgreSQL 15 or later is installed: testing on the embedded one.')
  process.exitCode = await testWith({})
} else {
  process.exitCode = await testOn(Math.min(...versions))
}

async function testOn(version: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-postgres-'))
  await chownToServer(folder)
  const bin = join(installed, String(version), 'bin')
  const binaries = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
  const cluster = join(folder, 'cluster')
  await createCluster(binaries, cluster)
  await startServer(binaries, cluster, cluster)
  while (!existsSync(join(cluster, '.s.PGSQL.5432')) || !(await findServer(cluster))) await sleep(50)
  try {
    console.log(`Testing on PostgreSQL ${version}.`)
    const url = `postgres://${clusterUser}@localhost/postgres?host=${encodeURIComponent(cluster)}`
    return await testWith({ WAYBILL_TEST_DATABASE_URL: url })
  } finally {
    await stopServer(cluster)
    await rm(folder, { recursive: true, force: true })
  }
}

async function testWith(environment: Record<string, string>): Promise<number> {
  const withoutCache = { WAYBILL_TEST_RESPONSE_CACHE: '0', WAYBILL_RESPONSE_CACHE: '0' }
  const { failed } = await runTests(tests, { ...environment, ...withoutCache })
  return failed === 0 ? 0 : 1
}
