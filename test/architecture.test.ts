import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

/** Imports run one way. What a room may use is said here, and nowhere else. */

const mayImport: Record<string, string[]> = {
  contract: [],
  domain: ['contract'],
  storage: ['contract'],
  customer: ['contract', 'domain', 'storage'],
  paper: ['contract', 'domain'],
  operator: ['contract', 'domain', 'storage', 'paper'],
  geography: [],
  'portal-api': ['contract', 'domain', 'storage', 'customer', 'operator', 'paper', 'geography'],
  portal: ['contract', 'domain', 'client'],
  sandbox: ['contract', 'domain', 'paper', 'geography'],
  client: ['contract', 'domain'],
  http: ['contract', 'domain', 'customer', 'operator', 'portal-api', 'storage'],
  cli: ['contract', 'domain', 'storage', 'customer', 'operator', 'portal-api', 'sandbox', 'http'],
}

// The only code that knows a framework or a driver.
const onlyIn: Record<string, string[]> = {
  fastify: ['http', 'cli'],
  postgres: ['storage'],
  commander: ['cli'],
  s3mini: ['storage'],
  'file-type': ['operator'],
  '@node-rs': ['portal-api'],
  'openid-client': ['http'],
  nodemailer: ['cli'],
  yazl: ['portal-api'],
  react: ['portal'],
  'maplibre-gl': ['portal'],
}

const withoutNode = new Set(['contract', 'domain', 'client', 'portal'])

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path))
const imports = files.flatMap((file) => {
  const text = readFileSync(join('src', file), 'utf8')
  const specifiers = [...text.matchAll(/(?:from|import\(|^import) ?'([^']+)'/gm)].map(
    ([, specifier]) => specifier as string,
  )
  return specifiers.map((specifier) => ({ file, room: roomOf(file), specifier }))
})

function roomOf(path: string): string {
  return path.split('/')[0] as string
}

test('every folder of src is a room with a rule', () => {
  expect([...new Set(files.map(roomOf))].toSorted()).toEqual(Object.keys(mayImport).toSorted())
})

test('imports between rooms run one way', () => {
  const wrong = imports
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ file, room, specifier }) => ({ file, room, target: roomOf(normalize(join(dirname(file), specifier))) }))
    .filter(({ room, target }) => target !== room && !mayImport[room]?.includes(target))
  expect(wrong).toEqual([])
})

test('framework, driver and command line library are known in one place each', () => {
  const wrong = imports.filter(({ room, specifier }) => {
    const rooms = onlyIn[specifier.split('/')[0] as string]
    return rooms !== undefined && !rooms.includes(room)
  })
  expect(wrong).toEqual([])
})

test('contract, domain and client use nothing of Node', () => {
  expect(imports.filter(({ room, specifier }) => withoutNode.has(room) && specifier.startsWith('node:'))).toEqual([])
})

test('only the command line reads the environment', () => {
  // An example of how to use the typed client shows it as text.
  const shown = 'portal/pages/developers/quick-start.tsx'
  const readers = files.filter(
    (file) => file !== shown && readFileSync(join('src', file), 'utf8').includes('process.env'),
  )
  expect(readers.filter((file) => roomOf(file) !== 'cli')).toEqual([])
})

test('whatever raises the revision of an account is told as a write of our own', () => {
  const raising = /\bwriteTo\(|(?:update|insert into|delete from|truncate) (?:accounts|service)\b/
  const raisers = files.filter((file) => raising.test(readFileSync(join('src', file), 'utf8')))
  // Some do so themselves, the others are done within those.
  const telling = ['operator/import/import.ts', 'storage/prompt-creations.ts', 'storage/transaction.ts']
  const within = ['storage/accounts.ts', 'storage/migrate.ts', 'storage/prompt-changes.ts', 'storage/service.ts']
  expect(raisers.toSorted()).toEqual([...telling, ...within].toSorted())
  const tellers = files.filter((file) => /\basOwnWrite\(/.test(readFileSync(join('src', file), 'utf8')))
  expect(tellers.toSorted()).toEqual([
    'operator/accounts.ts',
    'operator/import/import.ts',
    'storage/idempotent-write.ts',
    'storage/prompt-creations.ts',
    'storage/restore.ts',
    'storage/transaction.ts',
  ])
})

test('no file of src is an index that only passes on', () => {
  expect(files.filter((file) => /(?:^|\/)index\.tsx?$/.test(file))).toEqual([])
})

test('no file outgrows its room', () => {
  // Generated, or nothing but words: one file a language.
  const exempt = new Set(['contract/examples.ts', 'portal/i18n/en.ts', 'portal/i18n/fr.ts'])
  const long = files.filter((file) => readFileSync(join('src', file), 'utf8').split('\n').length > 320)
  expect(long.filter((file) => !exempt.has(file))).toEqual([])
})
