import { createHash, randomUUID } from 'node:crypto'
import { copyFile, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { beforeAll, expect, test } from 'vitest'
import type { ImportLine } from '../../src/contract/import-line.js'
import { writeBackup } from '../../src/database/backup/backup.js'
import { BadBackup } from '../../src/database/backup/backup-format.js'
import { checkBackup } from '../../src/database/backup/backup-reading.js'
import { restoreBackup } from '../../src/database/backup/restore.js'
import { migrate, migrateWithin, SchemaTooNew, schemaVersion } from '../../src/database/migrate.js'
import { readSnapshot } from '../../src/database/snapshot.js'
import { documentFolder } from '../../src/documents/document-folder.js'
import { contentOf, type Installation, importInto, newInstallationOnServer, waybill } from '../support/installation.js'
import { runProgram, startProgram, temporaryFolder, until } from '../support/program.js'
import { dumpSchema } from '../support/schema-dump.js'

/** Damaged files, interrupted work, and databases that are not ready: nothing is changed. */

const never = new AbortController().signal
let good: string

beforeAll(async () => {
  const folder = await temporaryFolder()
  const env = { WAYBILL_DATA_DIR: join(folder, 'data') }
  await importInto({ folder, env }, lines('origin'))
  good = join(folder, 'good.tar.gz')
  await waybill({ folder, env }, 'backup', good)
})

test('a complete backup passes verification, and one truncated anywhere does not', async () => {
  const bytes = await readFile(good)
  expect(await checked(bytes)).toMatchObject({ format: 2, schema_version: schemaVersion, documents: 2 })
  for (const length of [0, 1, 10, 200, bytes.length / 2, bytes.length - 9, bytes.length - 1]) {
    await expect(checked(bytes.subarray(0, length)), `${length} bytes`).rejects.toThrow(BadBackup)
  }
  // Truncated before compression: only the seal is missing.
  const archive = gunzipSync(bytes)
  const seal = archive.lastIndexOf('waybill-backup-seal.json')
  await expect(checked(gzipSync(Buffer.concat([archive.subarray(0, seal), Buffer.alloc(1024)])))).rejects.toThrow(
    'the backup is damaged or truncated',
  )
})

test('a backup with an altered byte does not pass verification, compressed or not', async () => {
  const bytes = await readFile(good)
  const archive = gunzipSync(bytes)
  let refused = 0
  for (let place = 10; place < bytes.length; place += Math.ceil(bytes.length / 25)) {
    const copy = altered(bytes, place)
    // An altered back-reference to the same text is another file with the same content.
    if (unpacksTo(copy, archive)) continue
    await expect(checked(copy), `byte ${place}`).rejects.toSatisfy(isRefusal)
    refused += 1
  }
  expect(refused).toBeGreaterThan(20)
  for (const text of ['the bytes of origin', 'PO-origin', '"format"', 'sha256']) {
    const place = archive.indexOf(text) + text.length - 1
    await expect(checked(gzipSync(altered(archive, place))), text).rejects.toThrow(BadBackup)
  }
})

test('restoring an invalid backup exits with 1 and the reason, and changes nothing', async () => {
  const installation = await newInstallationOnServer()
  await importInto(installation, lines('here'))
  const before = await contentOf(installation.db)
  const file = join(installation.folder, 'bad.tar.gz')
  const manifest = (given: object) => archiveOf({ 'waybill-backup.json': JSON.stringify(given) })
  const whole = await readFile(good)
  for (const [bytes, message] of [
    [Buffer.from('{"kind": "account"}\n'), `${file}: this is not a Waybill backup`],
    [await archiveOf({ 'letter.txt': 'Dear Sir or Madam' }), `${file}: this is not a Waybill backup`],
    [whole.subarray(0, whole.length - 100), `${file}: the backup is damaged or truncated`],
    [altered(whole, placeInChecksum(whole)), `${file}: the backup is damaged or truncated`],
    [
      await manifest({ ...emptyManifest, schema_version: 999 }),
      `the backup has schema version 999, this program supports up to ${schemaVersion}: run a newer Waybill`,
    ],
    [
      await manifest({ format: 3, anything: true }),
      `${file}: the backup has format 3, this version reads 2: use a newer Waybill`,
    ],
  ] as const) {
    await writeFile(file, bytes)
    const ended = await runProgram(['restore', file, '--yes'], installation)
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: `waybill: ${message}\n` })
  }
  expect(await contentOf(installation.db)).toEqual(before)
})

test('a backup of a newer schema is refused as such', async () => {
  const manifest = JSON.stringify({ ...emptyManifest, schema_version: schemaVersion + 1 })
  await expect(checked(await archiveOf({ 'waybill-backup.json': manifest }))).rejects.toThrow(SchemaTooNew)
})

test('a database with accounts is not replaced without --yes', async () => {
  const installation = await newInstallationOnServer()
  await importInto(installation, lines('here'))
  const before = await contentOf(installation.db)
  const ended = await runProgram(['restore', good], { ...installation, input: 'restore\n' })
  expect(ended).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'waybill: the database contains an account: use --yes to replace all of its data\n',
  })
  expect(await contentOf(installation.db)).toEqual(before)
})

test('a restore that fails at the end leaves rows and documents unchanged', async () => {
  const origin = await newInstallationOnServer()
  await importInto(origin, lines('origin'))
  await origin.db`create table of_somebody_else (number integer primary key)`
  const file = join(origin.folder, 'backup.tar.gz')
  await waybill(origin, 'backup', file)
  const installation = await newInstallationOnServer()
  await importInto(installation, lines('here'))
  const before = await contentOf(installation.db)
  const files = await filesOf(installation)
  const ended = await runProgram(['restore', file, '--yes'], installation)
  expect(ended.code).toBe(1)
  expect(ended.stderr).toContain('differ in their tables: of_somebody_else.number')
  expect(await contentOf(installation.db)).toEqual(before)
  expect(await filesOf(installation)).toEqual(files)
})

test('rows that the database refuses fail the restore', async () => {
  const installation = await newInstallationOnServer()
  await importInto(installation, lines('here'))
  await installation.db`alter table locations add constraint nothing_more check (account_id < 0) not valid`
  const before = await contentOf(installation.db)
  const ended = await runProgram(['restore', good, '--yes'], installation)
  expect(ended.code).toBe(1)
  expect(ended.stderr).toMatch(/refused the rows of locations|violates check constraint/)
  expect(await contentOf(installation.db)).toEqual(before)
})

test('a restore waits for readers and cancels no query', async () => {
  const installation = await newInstallationOnServer()
  await importInto(installation, lines('here'))
  const { db } = installation
  const restoring = await readSnapshot(db, async (sql) => {
    await sql`select from changes`
    const program = startProgram(['restore', good, '--yes'], installation)
    await until(
      async () => (await db`select from pg_locks where mode = 'AccessExclusiveLock' and not granted`).length > 0,
    )
    // Tables that this transaction has not read yet are still there for it.
    expect(await sql`select from accounts where slug = 'here'`).toHaveLength(1)
    expect(await sql`select from purchase_orders`).toHaveLength(1)
    return program
  })
  expect(await restoring.ended).toMatchObject({ code: 0, stderr: '' })
  expect((await db<{ slug: string }[]>`select slug from accounts`).map(({ slug }) => slug)).toEqual(['origin'])
})

test('a backup of an older schema is loaded and migrated', async () => {
  const [old, installation, fresh] = [
    await newInstallationOnServer(),
    await newInstallationOnServer(),
    await newInstallationOnServer(),
  ]
  await old.db.begin((sql) => migrateWithin(sql, 1))
  await old.db`insert into accounts (slug, name) values ('old', 'Old')`
  await old.db`insert into keys (account_id, key_id, hash, hint, scopes) values (1, 'k', 'x', 'x', '{read}')`
  await old.db`insert into shipments values (1, 'S', 0, null, 1, '{}')`
  await old.db`insert into purchase_orders values (1, 'P', 0, 1, '{"po_number":"P","purchase_order_lines":[]}')`
  await old.db`insert into assignments values (1, 'P', '1', 'S', 0.1, '[]', 1)`
  const file = join(old.folder, 'old.tar.gz')
  await writeBackup({ db: old.db, files: documentFolder(old.folder) }, file, never)

  await importInto(installation, lines('here'))
  await waybill(installation, 'restore', file, '--yes')
  await migrate(fresh.db)
  expect(await dumpSchema(installation.db)).toBe(await dumpSchema(fresh.db))
  expect(await installation.db`select slug from accounts`).toEqual([{ slug: 'old' }])
  expect(await installation.db`select assigned_quantity from assignments`).toEqual([{ assigned_quantity: 0.1 }])
  expect(await installation.db`select from schema_migrations`).toHaveLength(schemaVersion)
  await waybill(installation, 'account', 'create', 'next', '--name', 'Next')
})

test('a backup never overwrites a file, nor one that is being written', async () => {
  const installation = await newInstallationOnServer()
  const file = join(installation.folder, 'backup.tar.gz')
  await writeFile(file, 'mine')
  const refused = await runProgram(['backup', file], installation)
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: `waybill: the file ${file} already exists\n` })
  expect(await readFile(file, 'utf8')).toBe('mine')

  await rm(file)
  await writeFile(`${file}.part`, 'mine too')
  const blocked = await runProgram(['backup', file], installation)
  expect(blocked).toMatchObject({ code: 1, stdout: '' })
  expect(blocked.stderr).toContain(`${file}.part already exists`)
  expect(await readFile(`${file}.part`, 'utf8')).toBe('mine too')
})

test('a document whose file is missing or damaged is named, and no backup file is left', async () => {
  const installation = await newInstallationOnServer()
  await importInto(installation, lines('here'))
  const hash = createHash('sha256').update('the bytes of here').digest('hex')
  const place = join(installation.folder, 'data', 'documents', hash.slice(0, 2), hash)
  const target = join(installation.folder, 'target')
  await mkdir(target)
  for (const [damage, message] of [
    [() => writeFile(place, 'other bytes'), `the file of a document is damaged: ${hash}`],
    [() => rm(place), `the file of a document is missing: ${hash}`],
  ] as const) {
    await damage()
    const ended = await runProgram(['backup', join(target, 'backup.tar.gz')], installation)
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: `waybill: ${message}\n` })
    expect(await readdir(target)).toEqual([])
  }
})

test.each(['SIGTERM', 'SIGINT'] as const)('a backup stopped by %s leaves no file', async (signal) => {
  const installation = await newInstallationOnServer()
  await waybill(installation, 'migrate')
  await installation.db`create table bulk as select n, repeat(md5(n::text), 60) as text from generate_series(1, 100000) n`
  const target = join(installation.folder, 'target')
  await mkdir(target)
  const program = startProgram(['backup', join(target, 'backup.tar.gz')], installation)
  await until(async () => (await readdir(target)).length > 0)
  program.kill(signal)
  expect((await program.ended).code).toBe(signal === 'SIGTERM' ? 143 : 130)
  expect(await readdir(target)).toEqual([])
})

test('a backup that fails in the middle of a table reports the original reason', async () => {
  const { db, folder } = await newInstallationOnServer()
  await migrate(db)
  await db`create table bulk as select n, repeat(md5(n::text), 60) as text from generate_series(1, 100000) n`
  const stop = new AbortController()
  const writing = writeBackup({ db, files: documentFolder(folder) }, join(folder, 'backup.tar.gz'), stop.signal)
  await until(async () => (await readdir(folder)).length > 0)
  stop.abort()
  await expect(writing).rejects.toThrow('aborted')
  expect(await readdir(folder)).toEqual([])
})

test('a file that is replaced while it is being restored has no effect', async () => {
  const { db, folder } = await newInstallationOnServer()
  await migrate(db)
  const before = await contentOf(db)
  const path = join(folder, 'backup.tar.gz')
  await copyFile(good, path)
  const file = await open(path, 'r+')
  await checkBackup(file, never)
  const bytes = await readFile(good)
  await file.write(altered(bytes, placeInChecksum(bytes)), 0, undefined, 0)
  await expect(restoreBackup({ db, files: documentFolder(folder) }, file, never)).rejects.toThrow(BadBackup)
  await file.close()
  expect(await contentOf(db)).toEqual(before)
  expect((await readdir(folder)).filter((name) => name.startsWith('incoming-'))).toEqual([])
})

const emptyManifest = { format: 1, schema_version: 1, created_at: '2026-03-01T00:00:00Z', tables: [], documents: 0 }

function lines(slug: string): ImportLine[] {
  const document = (content: string) => ({
    id: randomUUID(),
    name: 'letter.txt',
    content_base64: Buffer.from(content).toString('base64'),
  })
  return [
    { kind: 'account', account: slug, data: { name: slug } },
    { kind: 'location', account: slug, data: { id: 1, name: slug } },
    { kind: 'document', account: slug, data: document(`the bytes of ${slug}`) },
    { kind: 'document', account: slug, data: document(`more of ${slug}`) },
    {
      kind: 'purchase_order',
      account: slug,
      data: { reference: `PO-${slug}`, product_lines: [{ ordered_quantity: 1, product: { sku: 'a' } }] },
    },
  ]
}

async function checked(bytes: Buffer) {
  const path = join(await temporaryFolder(), 'backup.tar.gz')
  await writeFile(path, bytes)
  const file = await open(path)
  try {
    return await checkBackup(file, never)
  } finally {
    await file.close()
  }
}

/** An altered digit may make the schema a newer one, which is refused before the seal is read. */
function isRefusal(error: unknown): boolean {
  return error instanceof BadBackup || error instanceof SchemaTooNew
}

function altered(bytes: Buffer, place: number): Buffer {
  const copy = Buffer.from(bytes)
  copy.writeUInt8(copy.readUInt8(place) ^ 1, place)
  return copy
}

/** In a compressed file only the bytes of the checksum at its end have no equivalent alternatives. */
function placeInChecksum(compressed: Buffer): number {
  return compressed.length - 6
}

function unpacksTo(compressed: Buffer, content: Buffer): boolean {
  try {
    return gunzipSync(compressed).equals(content)
  } catch {
    return false
  }
}

async function archiveOf(entries: Record<string, string>): Promise<Buffer> {
  const archive = pack()
  for (const [name, text] of Object.entries(entries)) archive.entry({ name }, text)
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive as AsyncIterable<Buffer>) chunks.push(chunk)
  return gzipSync(Buffer.concat(chunks))
}

async function filesOf({ folder }: Installation): Promise<string[]> {
  return (await readdir(join(folder, 'data', 'documents'), { recursive: true })).toSorted()
}
