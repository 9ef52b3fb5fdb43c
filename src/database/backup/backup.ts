import { createHash } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Pack, pack } from 'tar-stream'
import { systemTime } from '../../clock/clock.js'
import type { DocumentFiles } from '../../documents/document-files.js'
import { syncFolder } from '../../documents/durable-folder.js'
import { type DatabaseTable, listBackupTables } from '../catalog.js'
import type { CopySql, Database, TransactionSql } from '../database.js'
import { appliedVersion } from '../migrate.js'
import { encrypting } from './backup-encryption.js'
import {
  archiveSeal,
  type BackupManifest,
  backupFormat,
  documentName,
  manifestName,
  partName,
  sealName,
} from './backup-format.js'

type Storage = { db: Database; files: DocumentFiles }
type Protection = {
  /** The key of the seal; undefined: a checksum only. */
  sealKey?: string | undefined
  /** The age recipients that can decrypt it; none: it is not encrypted. */
  recipients?: string[]
}
type Entry = { name: string; size: number; content: AsyncIterable<Buffer> | Iterable<Buffer> }

/** The stored file of a document is missing or does not match its hash, so a backup could not restore it. */
export class BrokenDocument extends Error {
  constructor(hash: string, state: 'missing' | 'damaged') {
    super(`the file of a document is ${state}: ${hash}`)
    this.name = 'BrokenDocument'
  }
}

/**
 * Writes the whole database and all documents to a new file, from one snapshot, without blocking writers. An incomplete file
 * has the suffix `.part` and is removed on failure.
 */
export async function writeBackup(
  storage: Storage,
  path: string,
  signal: AbortSignal,
  { sealKey, recipients = [] }: Protection = {},
): Promise<BackupManifest> {
  const unfinished = `${path}.part`
  const file = await open(unfinished, 'wx', 0o600)
  try {
    const manifest = await inSnapshot(storage.db, async (sql) => {
      const described = await describe(sql)
      const entries = entriesOf(sql, storage.files, described)
      const written = file.createWriteStream({ flush: true })
      await pipeline(archiveOf(entries, sealKey), createGzip(), encrypting(recipients), written, { signal })
      return described
    })
    await rename(unfinished, path)
    // Without this the rename could be lost in a crash.
    await syncFolder(dirname(path))
    return manifest
  } catch (error) {
    await file.close()
    await rm(unfinished, { force: true })
    throw error
  }
}

async function inSnapshot<Result>(db: Database, work: (sql: CopySql) => Promise<Result>): Promise<Result> {
  const names = (await listBackupTables(db)).map(({ name }) => name)
  return db.beginCopy(
    async (sql) => {
      // Lock before the first query takes the snapshot: a table truncated after the snapshot would look empty in it.
      await sql`lock table ${sql(names)} in access share mode`
      await useSettings(sql)
      return work(sql)
    },
    { mode: 'isolation level repeatable read read only' },
  )
}

/** Makes the output format and the timeouts independent of the server's settings. */
export async function useSettings(sql: TransactionSql): Promise<void> {
  await sql`
    select set_config('datestyle', 'ISO, YMD', true), set_config('intervalstyle', 'postgres', true),
      set_config('timezone', 'UTC', true), set_config('extra_float_digits', '3', true),
      set_config('bytea_output', 'hex', true), set_config('statement_timeout', '0', true),
      set_config('lock_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`
}

async function describe(sql: TransactionSql): Promise<BackupManifest> {
  const tables: BackupManifest['tables'] = []
  for (const table of await listBackupTables(sql)) tables.push({ ...table, rows: await countIn(sql, table.name) })
  return {
    format: backupFormat,
    schema_version: await appliedVersion(sql),
    created_at: new Date(systemTime()).toISOString(),
    tables,
    documents: await countContents(sql, tables),
  }
}

async function countIn(sql: TransactionSql, table: string): Promise<number> {
  const [row] = await sql<{ rows: number }[]>`select count(*) as rows from ${sql(table)}`
  return row?.rows ?? 0
}

// Older versions of a document exist in the change log only; older schemas have no proposals or messages.
function contentHashes(sql: TransactionSql, tables: BackupManifest['tables']) {
  const hasProposals = tables.some(({ name }) => name === 'document_proposals')
  const hasMessages = tables.some(({ name }) => name === 'message_files')
  const sent = hasMessages ? sql`union select content_hash from message_files` : sql``
  const proposed = hasProposals ? sql`union select content_hash from document_proposals` : sql``
  return sql`
    select content_hash as hash from documents
    ${proposed}
    ${sent}
    union
    select record::json ->> 'content_hash' from changes where kind = 'document' and record is not null`
}

async function* readContentHashes(sql: TransactionSql, tables: BackupManifest['tables']): AsyncGenerator<string> {
  await sql`declare contents cursor for ${contentHashes(sql, tables)} order by hash`
  for (let rows = await next(); rows.length > 0; rows = await next()) yield* rows.map(({ hash }) => hash)
  await sql`close contents`

  function next() {
    return sql<{ hash: string }[]>`fetch 500 from contents`
  }
}

async function countContents(sql: TransactionSql, tables: BackupManifest['tables']): Promise<number> {
  const [row] = await sql<{ files: number }[]>`select count(*) as files from (${contentHashes(sql, tables)}) as named`
  return row?.files ?? 0
}

// Documents come first, so that a restore has stored them all before it locks the tables.
async function* entriesOf(sql: CopySql, files: DocumentFiles, manifest: BackupManifest): AsyncGenerator<Entry> {
  yield entryOf(manifestName, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
  for await (const hash of readContentHashes(sql, manifest.tables)) yield await contentEntry(files, hash)
  for (const table of manifest.tables) yield* partsOf(sql, table)
}

function entryOf(name: string, ...chunks: Buffer[]): Entry {
  return { name, size: chunks.reduce((size, chunk) => size + chunk.length, 0), content: chunks }
}

async function contentEntry(files: DocumentFiles, hash: string): Promise<Entry> {
  const found = await files.open(hash)
  if (!found) throw new BrokenDocument(hash, 'missing')
  return { name: documentName(hash), size: found.size, content: verifyHash(found.stream, hash) }
}

async function* verifyHash(stream: AsyncIterable<Buffer>, hash: string): AsyncGenerator<Buffer> {
  const found = createHash('sha256')
  for await (const chunk of stream) {
    found.update(chunk)
    yield chunk
  }
  if (found.digest('hex') !== hash) throw new BrokenDocument(hash, 'damaged')
}

const partBytes = 8 * 1024 * 1024

// A tar entry starts with its size, so a table is written in parts that fit into memory.
async function* partsOf(sql: CopySql, { name, columns }: DatabaseTable): AsyncGenerator<Entry> {
  let part = 0
  let chunks: Buffer[] = []
  let bytes = 0
  const rows = sql.copyTo(sql`copy (select ${sql(columns)} from ${sql(name)}) to stdout`)
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    const end = bytes < partBytes ? 0 : chunk.lastIndexOf('\n') + 1
    if (end === 0) continue
    yield entryOf(partName(name, ++part), ...chunks.slice(0, -1), chunk.subarray(0, end))
    chunks = [chunk.subarray(end)]
    bytes = chunk.length - end
  }
  if (bytes > 0) yield entryOf(partName(name, ++part), ...chunks)
}

/** The bytes of the tar archive, with the seal as its last entry. */
async function* archiveOf(entries: AsyncIterable<Entry>, sealKey: string | undefined): AsyncGenerator<Buffer> {
  const archive = pack()
  const filled = fill(archive, entries, sealKey).catch((error: Error) => archive.destroy(error))
  yield* archive as AsyncIterable<Buffer>
  await filled
}

async function fill(archive: Pack, entries: AsyncIterable<Entry>, sealKey: string | undefined): Promise<void> {
  const seal = archiveSeal(sealKey)
  for await (const entry of entries) {
    seal.addEntry(entry.name, entry.size)
    await add(archive, entry, seal.update)
  }
  await add(archive, entryOf(sealName, Buffer.from(seal.text())), () => {})
  archive.finalize()
}

async function add(archive: Pack, { name, size, content }: Entry, onChunk: (chunk: Buffer) => void): Promise<void> {
  await pipeline(
    Readable.from(content, { objectMode: false }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        onChunk(chunk)
        yield chunk
      }
    },
    archive.entry({ name, size, mode: 0o600 }),
  )
}
