import { createHash } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Pack, pack } from 'tar-stream'
import {
  type BackupManifest,
  backupFormat,
  documentName,
  manifestName,
  partName,
  sealing,
  sealName,
} from './backup-format.js'
import { listKeptTables, type Table } from './catalogue.js'
import type { Database, TransactionSql } from './database.js'
import type { DocumentFiles } from './document-files.js'
import { syncFolder } from './durable-folder.js'
import { appliedVersion } from './migrate.js'

type Storage = { db: Database; files: DocumentFiles }
type Entry = { name: string; size: number; content: AsyncIterable<Buffer> | Iterable<Buffer> }

/** A document whose bytes are not what the database says: no backup could bring it back. */
export class BrokenDocument extends Error {
  constructor(hash: string, state: 'missing' | 'damaged') {
    super(`the bytes of a document are ${state}: ${hash}`)
    this.name = 'BrokenDocument'
  }
}

/**
 * Writes all that the storage holds to a new file, from one snapshot, while others go on writing. What is not whole
 * has another name, and is removed when it comes to nothing.
 */
export async function writeBackup(storage: Storage, path: string, signal: AbortSignal): Promise<BackupManifest> {
  const unfinished = `${path}.part`
  const file = await open(unfinished, 'wx', 0o600)
  try {
    const manifest = await inSnapshot(storage.db, async (sql) => {
      const described = await describe(sql)
      const entries = entriesOf(sql, storage.files, described)
      await pipeline(archiveOf(entries), createGzip(), file.createWriteStream({ flush: true }), { signal })
      return described
    })
    await rename(unfinished, path)
    // The new name is as durable as the file only when its folder is.
    await syncFolder(dirname(path))
    return manifest
  } catch (error) {
    await file.close()
    await rm(unfinished, { force: true })
    throw error
  }
}

async function inSnapshot<Result>(db: Database, work: (sql: TransactionSql) => Promise<Result>): Promise<Result> {
  const names = (await listKeptTables(db)).map(({ name }) => name)
  let failure: { error: unknown } | undefined
  try {
    return (await db.begin('isolation level repeatable read read only', async (sql) => {
      // Before the snapshot, which the first query takes: a table that is emptied after it would look empty in it.
      await sql`lock table ${sql(names)} in access share mode`
      await useSettings(sql)
      return work(sql).catch((error: unknown) => {
        failure = { error }
        throw error
      })
    })) as Result
  } catch (error) {
    // Work that ends in the middle of a COPY leaves a connection that cannot even roll back: that is not the reason.
    throw failure ? failure.error : error
  }
}

/** How values are written must not depend on the server's settings, nor how long it may take. */
export async function useSettings(sql: TransactionSql): Promise<void> {
  await sql`
    select set_config('datestyle', 'ISO, YMD', true), set_config('intervalstyle', 'postgres', true),
      set_config('timezone', 'UTC', true), set_config('extra_float_digits', '3', true),
      set_config('bytea_output', 'hex', true), set_config('statement_timeout', '0', true),
      set_config('lock_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`
}

async function describe(sql: TransactionSql): Promise<BackupManifest> {
  const tables: BackupManifest['tables'] = []
  for (const table of await listKeptTables(sql)) tables.push({ ...table, rows: await countIn(sql, table.name) })
  return {
    format: backupFormat,
    schema_version: await appliedVersion(sql),
    created_at: new Date().toISOString(),
    tables,
    documents: await countContents(sql),
  }
}

async function countIn(sql: TransactionSql, table: string): Promise<number> {
  const [row] = await sql<{ rows: number }[]>`select count(*) as rows from ${sql(table)}`
  return row?.rows ?? 0
}

// Older versions of a document are in the change log alone.
function contentHashes(sql: TransactionSql) {
  return sql`
    select content_hash as hash from documents
    union
    select record::json ->> 'content_hash' from changes where kind = 'document' and record is not null`
}

async function countContents(sql: TransactionSql): Promise<number> {
  const [row] = await sql<{ files: number }[]>`select count(*) as files from (${contentHashes(sql)}) as named`
  return row?.files ?? 0
}

// Documents come first: a restore has them all before it keeps anybody waiting for a table.
async function* entriesOf(sql: TransactionSql, files: DocumentFiles, manifest: BackupManifest): AsyncGenerator<Entry> {
  yield entryOf(manifestName, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
  for await (const rows of sql<{ hash: string }[]>`${contentHashes(sql)} order by hash`.cursor(500)) {
    for (const { hash } of rows) yield await contentEntry(files, hash)
  }
  for (const table of manifest.tables) yield* partsOf(sql, table)
}

function entryOf(name: string, ...chunks: Buffer[]): Entry {
  return { name, size: chunks.reduce((size, chunk) => size + chunk.length, 0), content: chunks }
}

async function contentEntry(files: DocumentFiles, hash: string): Promise<Entry> {
  const found = await files.open(hash)
  if (!found) throw new BrokenDocument(hash, 'missing')
  return { name: documentName(hash), size: found.size, content: checked(found.stream, hash) }
}

async function* checked(stream: AsyncIterable<Buffer>, hash: string): AsyncGenerator<Buffer> {
  const found = createHash('sha256')
  for await (const chunk of stream) {
    found.update(chunk)
    yield chunk
  }
  if (found.digest('hex') !== hash) throw new BrokenDocument(hash, 'damaged')
}

const partBytes = 8 * 1024 * 1024

// An archive tells the size of an entry before its bytes: a table comes in parts that fit into memory.
async function* partsOf(sql: TransactionSql, { name, columns }: Table): AsyncGenerator<Entry> {
  const rows: Readable = await sql`copy (select ${sql(columns)} from ${sql(name)}) to stdout`.readable()
  let part = 0
  let chunks: Buffer[] = []
  let bytes = 0
  try {
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
  } finally {
    // The driver stops its connection when rows come faster than they are read, and starts it when more are asked
    // for: after the last one nobody would ask.
    rows._read(0)
  }
}

/** The bytes of a tar archive, sealed. */
async function* archiveOf(entries: AsyncIterable<Entry>): AsyncGenerator<Buffer> {
  const archive = pack()
  const filled = fill(archive, entries).catch((error: Error) => archive.destroy(error))
  yield* archive as AsyncIterable<Buffer>
  await filled
}

async function fill(archive: Pack, entries: AsyncIterable<Entry>): Promise<void> {
  const seal = sealing()
  for await (const entry of entries) {
    seal.begin(entry.name, entry.size)
    await add(archive, entry, seal.cover)
  }
  await add(archive, entryOf(sealName, Buffer.from(seal.close())), () => {})
  archive.finalize()
}

async function add(archive: Pack, { name, size, content }: Entry, cover: (chunk: Buffer) => void): Promise<void> {
  await pipeline(
    Readable.from(content, { objectMode: false }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        cover(chunk)
        yield chunk
      }
    },
    archive.entry({ name, size, mode: 0o600 }),
  )
}
