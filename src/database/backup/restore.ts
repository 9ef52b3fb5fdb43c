import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DocumentFiles, Intake } from '../../documents/document-files.js'
import { advanceIdentities, type DatabaseTable, dropSchemaObjects, listBackupTables, listTables } from '../catalog.js'
import type { CopySql, Database, TransactionSql } from '../database.js'
import { lockSchema, migrateWithin, schemaVersion } from '../migrate.js'
import { renewServiceSecrets } from '../service-secrets.js'
import { useSettings } from './backup.js'
import { type BackupManifest, BadBackup, tableOfFormat1 } from './backup-format.js'
import { type BackupEntry, type BackupKeys, openBackup } from './backup-reading.js'

/** The tables stayed locked by others until the lock timeout. */
export class DatabaseBusy extends Error {
  constructor() {
    super('the database is in use, for example by an import, an export or a backup: try again when that has finished')
    this.name = 'DatabaseBusy'
  }
}

/**
 * Replaces the database and the documents with the content of the backup, all or nothing. The file is verified again while
 * it is read, and the transaction commits only after its seal matched.
 */
export async function restoreBackup(
  { db, files }: { db: Database; files: DocumentFiles },
  file: FileHandle,
  signal: AbortSignal,
  keys: BackupKeys = {},
): Promise<void> {
  const intake = files.createIntake()
  try {
    const replaceAll = async (sql: CopySql) => {
      await lockSchema(sql)
      await useSettings(sql)
      await loadBackup(sql, intake, await openBackup(file, signal, keys))
      await migrateWithin(sql)
      await advanceIdentities(sql)
      await renewServiceSecrets(sql)
      await sql`analyze ${sql((await listTables(sql)).map(({ name }) => name))}`
      await intake.keepAccepted()
    }
    await db.beginCopy(replaceAll)
  } finally {
    await intake.discard()
  }
}

async function loadBackup(
  sql: CopySql,
  intake: Intake,
  { manifest, entries }: Awaited<ReturnType<typeof openBackup>>,
): Promise<void> {
  const columnsOf = new Map(manifest.tables.map(({ name, columns }) => [name, columns]))
  let loading: Loading | undefined
  try {
    for await (const entry of entries) {
      if (entry.kind === 'document') {
        await restoreDocument(intake, entry)
        continue
      }
      if (entry.table === tableOfFormat1) {
        for await (const _chunk of entry.content);
        continue
      }
      if (!loading) await emptyTables(sql, manifest)
      if (loading?.table !== entry.table) {
        await loading?.end()
        loading = await loadInto(sql, entry.table, columnsOf.get(entry.table) ?? [])
      }
      for await (const chunk of entry.content) await loading.write(chunk)
    }
    if (!loading) throw new BadBackup('the backup has no rows')
    await loading.end()
  } catch (error) {
    loading?.abort(error as Error)
    throw error
  }
  // The migrations that follow cannot alter a table with pending deferred constraint checks.
  await sql`set constraints all immediate`
}

async function restoreDocument(intake: Intake, { hash, content }: BackupEntry & { kind: 'document' }): Promise<void> {
  const stored = await intake.add(Readable.from(content, { objectMode: false }))
  if (stored.hash !== hash) throw new BadBackup(`a document in the backup does not match its hash: ${hash}`)
  await intake.accept(hash)
}

/** Empties the tables, at the schema version of the backup. */
async function emptyTables(sql: TransactionSql, manifest: BackupManifest): Promise<void> {
  const tables = await listTables(sql)
  await lockTables(sql, tables)
  if (manifest.schema_version < schemaVersion) {
    await dropSchemaObjects(sql)
    await migrateWithin(sql, manifest.schema_version)
  }
  const mismatched = differences(
    columnsIn(await listBackupTables(sql)),
    columnsIn(manifest.tables.filter(({ name }) => name !== tableOfFormat1)),
  )
  if (mismatched.length > 0) {
    throw new BadBackup(
      `the backup and schema version ${manifest.schema_version} differ in their tables: ${mismatched.join(', ')}`,
    )
  }
  // This includes tables that a backup does not contain, such as sessions.
  await sql`truncate ${sql((await listTables(sql)).map(({ name }) => name))}`
}

function columnsIn(tables: DatabaseTable[]): string[] {
  return tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`))
}

function differences(some: string[], others: string[]): string[] {
  return [...some.filter((each) => !others.includes(each)), ...others.filter((each) => !some.includes(each))]
}

const lockTimeout = 60_000

// Other transactions lock these tables in other orders. Each attempt ends before PostgreSQL's deadlock check (after 1 s) and
// releases its locks, so that no other transaction is cancelled because of the restore.
async function lockTables(sql: TransactionSql, tables: DatabaseTable[]): Promise<void> {
  const deadline = performance.now() + lockTimeout
  while (!(await tryToLock(sql, tables))) {
    if (performance.now() > deadline) throw new DatabaseBusy()
    await sleep(200)
  }
}

async function tryToLock(sql: TransactionSql, tables: DatabaseTable[]): Promise<boolean> {
  try {
    await sql.savepoint(async () => {
      await sql`set local lock_timeout = 500`
      await sql`lock table ${sql(tables.map(({ name }) => name))} in access exclusive mode`
      await sql`set local lock_timeout = 0`
    })
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code === '55P03') return false
    throw error
  }
}

type Loading = {
  table: string
  write(chunk: Buffer): Promise<void>
  end(): Promise<void>
  abort(reason: Error): void
}

/** One COPY for all parts of a table, so that rows can reference other rows of the same table. */
async function loadInto(sql: CopySql, table: string, columns: string[]): Promise<Loading> {
  const copy = sql.copyFrom(sql`copy ${sql(table)} (${sql(columns)}) from stdin`)
  let failure: Error | undefined
  copy.on('error', (error) => {
    failure ??= error
  })
  return {
    table,
    write: (chunk) =>
      new Promise((resolve, reject) => {
        copy.write(chunk, (error) => (error ? reject(failure ?? error) : resolve()))
      }),
    async end() {
      if (failure) throw failure
      copy.end()
      await finished(copy)
    },
    abort(reason) {
      copy.destroy(reason)
    },
  }
}
