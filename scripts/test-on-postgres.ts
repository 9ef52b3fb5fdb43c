import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { clusterUser, createCluster, findServer, startServer, stopServer } from '../src/storage/embedded/cluster.js'
import { giveToServer } from '../src/storage/embedded/identity.js'

/**
 * Runs the tests that its version could matter to on a PostgreSQL of this machine instead of Waybill's own: a new cluster of the oldest
 * supported version that is installed. Where none is, they run on Waybill's own again. Either way without any memory of
 * answers and keys, which the first run has.
 */
const installed = '/usr/lib/postgresql'

// What neither the version of a PostgreSQL nor a memory touches: our own server, the start of programs, files, rules
// without storage.
const indifferent = [
  'account-conditions',
  'answer-memory',
  'architecture',
  'backup-faults',
  'browser/*',
  'coalesced',
  'command-line',
  'dashboard',
  'docs',
  'document-bucket',
  'embedded-*',
  'faults',
  'file-type',
  'geography',
  'hostile-uploads',
  'import-command',
  'invoice-pdf',
  'invoice-rules',
  'large-records',
  'logs',
  'merge-patch',
  'money',
  'ops-docs',
  'ops-document-waiting',
  'ops-invoice-paper',
  'ops-moments',
  'ops-serving',
  'ops-uploads',
  'order-quantities',
  'outgoing-requests',
  'portal-changes',
  'portal-contrast',
  'portal-docs',
  'portal-documents',
  'portal-formats',
  'portal-headline',
  'portal-invoices',
  'portal-isolation',
  'portal-keys',
  'portal-mail',
  'portal-messages',
  'portal-order-form',
  'portal-order-sheet',
  'portal-people',
  'portal-provider',
  'portal-serving',
  'portal-shipment',
  'portal-sign-in',
  'portal-size',
  'portal-strip',
  'replicas*',
  'request-log',
  'sandbox-command',
  'sandbox/*',
  'secrets-in-logs',
  'security-headers',
  'serving',
  'settings',
  'slow-requests',
  'spreadsheet*',
  'stop-signal',
  'supply-chain',
  'transport-abuse',
  'user-command',
  'workers',
]
// What others ask of the database, too: all that operators do is done at random by `ops-properties`, and in its order by
// `ops-life`; who may see what is asked by `isolation` and `keys`; importing, restoring and searching have smaller tests.
const askedElsewhere = [
  'backup',
  'fuzz',
  'import-derivation',
  'isolation-matrix',
  'ops-access',
  'ops-accounts',
  'ops-bad-input',
  'ops-cargo',
  'ops-credit-notes',
  'ops-documents',
  'ops-examples',
  'ops-invoices',
  'ops-locations',
  'ops-payments',
  'ops-reading',
  'ops-shipment-statuses',
  'ops-shipments',
  'ops-tracking-knowledge',
  'ops-tracking-past',
  'owasp-api*',
  'portal-large-account',
  'portal-lists',
]
const versions = existsSync(installed)
  ? readdirSync(installed)
      .map(Number)
      .filter((version) => version >= 15)
  : []
if (versions.length === 0) {
  console.log("No PostgreSQL 15 or later is installed here: testing on Waybill's own.")
  process.exitCode = runTests({})
} else {
  process.exitCode = await testOn(Math.min(...versions))
}

async function testOn(version: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-postgres-'))
  await giveToServer(folder)
  const bin = join(installed, String(version), 'bin')
  const binaries = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
  const cluster = join(folder, 'cluster')
  await createCluster(binaries, cluster)
  await startServer(binaries, cluster, cluster)
  while (!existsSync(join(cluster, '.s.PGSQL.5432')) || !(await findServer(cluster))) await sleep(50)
  try {
    console.log(`Testing on PostgreSQL ${version}.`)
    const url = `postgres://${clusterUser}@localhost/postgres?host=${encodeURIComponent(cluster)}`
    return runTests({ WAYBILL_TEST_DATABASE_URL: url })
  } finally {
    await stopServer(cluster)
    await rm(folder, { recursive: true, force: true })
  }
}

function runTests(environment: Record<string, string>): number {
  const excluded = [...indifferent, ...askedElsewhere].map((name) => `test/${name}.test.ts`)
  const { status } = spawnSync(join('node_modules', '.bin', 'vitest'), ['run', ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...environment,
      WAYBILL_TEST_EXCLUDED: excluded.join(','),
      WAYBILL_TEST_ANSWER_MEMORY: '0',
      WAYBILL_ANSWER_MEMORY: '0',
    },
  })
  return status ?? 1
}
