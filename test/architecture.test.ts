import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { skippedTests } from '../scripts/test-report.js'

/** Imports run one way: a folder may import only the folders that this table lists for it. */

const mayImport: Record<string, string[]> = {
  clock: [],
  contract: [],
  domain: ['contract'],
  geography: [],
  documents: ['clock', 'contract'],
  mail: ['contract', 'domain', 'jobs'],
  jobs: ['contract'],
  pdf: ['contract', 'domain', 'jobs'],
  database: ['clock', 'contract', 'documents', 'domain'],
  spreadsheet: ['jobs'],
  store: ['clock', 'contract', 'domain', 'database', 'jobs'],
  ledger: ['contract', 'domain', 'database', 'geography', 'jobs', 'store'],
  feed: ['contract', 'database', 'ledger', 'store'],
  usecases: [
    'clock',
    'contract',
    'domain',
    'database',
    'documents',
    'feed',
    'geography',
    'jobs',
    'ledger',
    'mail',
    'pdf',
    'spreadsheet',
    'store',
  ],
  ingest: [
    'clock',
    'contract',
    'domain',
    'database',
    'documents',
    'jobs',
    'ledger',
    'spreadsheet',
    'store',
    'usecases',
  ],
  mcp: ['contract', 'domain', 'client'],
  api: [
    'clock',
    'client',
    'contract',
    'domain',
    'database',
    'documents',
    'ingest',
    'jobs',
    'ledger',
    'mail',
    'mcp',
    'store',
    'usecases',
  ],
  sandbox: ['contract', 'domain', 'geography', 'pdf'],
  client: ['clock', 'contract', 'domain'],
  testing: [],
  cli: [
    'client',
    'clock',
    'contract',
    'domain',
    'database',
    'documents',
    'feed',
    'ingest',
    'ledger',
    'mail',
    'mcp',
    'sandbox',
    'spreadsheet',
    'store',
    'usecases',
    'api',
  ],
  web: ['contract', 'domain', 'client'],
}

// The only folders that may import these packages.
const onlyIn: Record<string, string[]> = {
  fastify: ['api', 'cli'],
  pg: ['database'],
  commander: ['cli'],
  s3mini: ['documents'],
  'file-type': ['documents'],
  '@node-rs': ['usecases'],
  '@simplewebauthn': ['usecases', 'web'],
  otpauth: ['usecases'],
  'openid-client': ['api'],
  nodemailer: ['cli'],
  '@modelcontextprotocol': ['mcp', 'api', 'cli'],
  yauzl: ['spreadsheet'],
  yazl: ['spreadsheet', 'usecases'],
  'csv-parse': ['spreadsheet'],
  'read-excel-file': ['spreadsheet'],
  pdfmake: ['pdf', 'sandbox'],
  unpdf: ['pdf'],
  react: ['web'],
  'maplibre-gl': ['web'],
}

const withoutNode = new Set(['contract', 'domain', 'client', 'web'])

const files = ['src', 'web'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => join(folder, path)),
)
const imports = files.flatMap((file) => {
  const text = readFileSync(file, 'utf8')
  const specifiers = [...text.matchAll(/(?:from|import\(|^import) ?'([^']+)'/gm)].map(
    ([, specifier]) => specifier as string,
  )
  return specifiers.map((specifier) => ({ file, folder: folderOf(file), specifier }))
})

/** A folder of src; all web applications count as one. */
function folderOf(path: string): string {
  const [top, folder] = path.split('/')
  return top === 'web' ? top : (folder as string)
}

test('every folder of src has an import rule', () => {
  expect([...new Set(files.map(folderOf))].toSorted()).toEqual(Object.keys(mayImport).toSorted())
})

test('imports between folders run one way', () => {
  const wrong = imports
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ file, folder, specifier }) => ({
      file,
      folder,
      target: folderOf(normalize(join(dirname(file), specifier))),
    }))
    .filter(({ folder, target }) => target !== folder && !mayImport[folder]?.includes(target))
  expect(wrong).toEqual([])
})

test('frameworks, drivers and libraries are imported by their folders only', () => {
  const wrong = imports.filter(({ folder, specifier }) => {
    const folders = onlyIn[specifier.split('/')[0] as string]
    return folders !== undefined && !folders.includes(folder)
  })
  expect(wrong).toEqual([])
})

test('contract, domain, client and web import no modules of Node', () => {
  expect(imports.filter(({ folder, specifier }) => withoutNode.has(folder) && specifier.startsWith('node:'))).toEqual(
    [],
  )
})

test('only the command line reads the environment', () => {
  // Shows an example of the typed client as text.
  const example = 'web/portal/pages/developers/quick-start.tsx'
  const readers = files.filter((file) => file !== example && readFileSync(file, 'utf8').includes('process.env'))
  expect(readers.filter((file) => folderOf(file) !== 'cli')).toEqual([])
})

test('only the clock reads the time of day', () => {
  const reads = /\bDate\.now\b|\bnew Date\(\s*\)|(?<!new )\bDate\(\s*\)/
  const readers = files.filter((file) => reads.test(readFileSync(file, 'utf8')))
  expect(readers).toEqual(['src/clock/clock.ts', 'web/ui/clock.ts'])
})

test('statements read the clock of the database only for technical times', () => {
  const technical: Record<string, string> = {
    'src/store/audit.ts': 'retention of the audit log, which has real time',
    'src/store/calendars.ts': 'last use of a secret address',
    'src/store/feed-progress.ts': 'leases and retries',
    'src/store/feed-secrets.ts': 'overlap of secrets',
    'src/store/feeds.ts': 'schedule of requests to carriers, refused requests',
    'src/store/keys.ts': 'expiry and revocation of keys',
    'src/store/mails.ts': 'leases and retries',
    'src/store/move/move-account.ts': 'when an account was closed',
    'src/store/operators.ts': 'expiry and revocation of keys',
    'src/store/passkeys.ts': 'expiry of challenges, last use',
    'src/store/pending-sign-ins.ts': 'expiry',
    'src/store/personal-links.ts': 'expiry of links',
    'src/store/presence.ts': 'leases',
    'src/store/requests.ts': 'retention of the request log, which has real time',
    'src/store/sessions.ts': 'expiry of sessions, last use',
    'src/store/shared-links.ts': 'expiry, revocation and views of links',
    'src/store/sign-in-failures.ts': 'delays between attempts',
    'src/store/supplier-links.ts': 'expiry, revocation and uses of links',
    'src/store/viewings.ts': 'expiry of read-only sessions',
    'src/store/totp.ts': 'when a factor was added',
    'src/store/webhook-deliveries.ts': 'retries, retention of what was sent',
    'src/store/webhook-queue.ts': 'leases and retries',
    'src/store/webhook-secrets.ts': 'overlap of secrets',
    'src/store/webhooks.ts': 'retries, overlap of secrets',
    'src/ledger/idempotency.ts': 'expiry of stored responses',
    'src/feed/change-watch.ts': 'expiry of sessions and keys',
  }
  const reads =
    /(?<!performance\.)\bnow\(\)|\b(?:clock|statement|transaction)_timestamp\(\)|\b(?:current|local)_?(?:timestamp|date|time)\b/
  const folders = /^src\/(?:store|usecases|ledger|feed|ingest|sandbox)\//
  const readers = files.filter((file) => folders.test(file) && reads.test(readFileSync(file, 'utf8')))
  // Everything else uses `businessNow`.
  expect(readers.toSorted()).toEqual(Object.keys(technical).toSorted())
})

test('there are no index files', () => {
  expect(files.filter((file) => /(?:^|\/)index\.tsx?$/.test(file))).toEqual([])
})

test('no file has more than 320 lines', () => {
  // Generated, or texts only: one file per language.
  const exempt = new Set(['src/contract/public/examples.ts', 'web/portal/i18n/en.ts', 'web/portal/i18n/fr.ts'])
  const long = files.filter((file) => readFileSync(file, 'utf8').split('\n').length > 320)
  expect(long.filter((file) => !exempt.has(file))).toEqual([])
})

test('a test that is skipped on some machines says in its name what it needs, and `npm test` lists it', () => {
  const testFiles = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.test.ts'),
  )
  const conditional = testFiles.flatMap((file) => {
    const source = readFileSync(join('test', file), 'utf8')
    return [...source.matchAll(/^ *test\.(?:runIf|skipIf)\([^\n]*\)\(\s*(['`])(.*?)\1[,\n]/gm)].map(
      ([, , name = '']) => name,
    )
  })
  expect(conditional.length).toBeGreaterThan(20)
  expect(conditional.filter((name) => !/ \(needs .+\)$/.test(name))).toEqual([])

  const results = [
    { fullName: 'Caddy serves TLS (needs caddy, openssl)', status: 'skipped' },
    { fullName: 'an order is created', status: 'passed' },
    { fullName: 'a reader waits', status: 'pending' },
  ]
  const report = {
    numPassedTests: 1,
    testResults: [{ name: '/w/test/a.test.ts', status: 'passed', assertionResults: results }],
  }
  expect(skippedTests(report, '/w')).toEqual([
    'needs caddy, openssl: test/a.test.ts: Caddy serves TLS',
    'it does not say why: test/a.test.ts: a reader waits',
  ])
})
