import type { FileHandle } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { useSettings } from './backup.js'
import { type BackupManifest, BadBackup } from './backup-format.js'
import { type BackupEntry, openBackup } from './backup-reading.js'
import { dropEverything, listKeptTables, listTables, raiseIdentities, type Table } from './catalogue.js'
import type { Database, TransactionSql } from './database.js'
import type { DocumentFiles, Intake } from './document-files.js'
import { lockSchema, migrateWithin, schemaVersion } from './migrate.js'
import { asOwnWrite } from './own-writes.js'
import { outlastReadingLease } from './reading-lease.js'
import { renewServiceSecrets } from './service.js'

/** Others use the tables, and did not let go of them for as long as we waited. */
export class DatabaseBusy extends Error {
  constructor() {
    super('the database is in use, as by an import, an export or a backup: try again when it has ended')
    this.name = 'DatabaseBusy'
  }
}

/**
 * Replaces all that the storage holds by what is in the file: all of it, or nothing. The file is judged again as it is
 * read, and the transaction ends only when it has turned out whole.
 */
export async function restoreBackup(
  { db, files }: { db: Database; files: DocumentFiles },
  file: FileHandle,
  signal: AbortSignal,
): Promise<void> {
  const intake = files.takeIn()
  try {
    const replaceAll = async (sql: TransactionSql) => {
      await lockSchema(sql)
      await useSettings(sql)
      await takeOver(sql, intake, await openBackup(file, signal))
      await migrateWithin(sql)
      await raiseIdentities(sql)
      await renewServiceSecrets(sql)
      await sql`analyze ${sql((await listTables(sql)).map(({ name }) => name))}`
      await intake.keepAccepted()
    }
    await asOwnWrite(db, 'any', () => db.begin(replaceAll))
  } finally {
    await intake.discard()
  }
}

async function takeOver(
  sql: TransactionSql,
  intake: Intake,
  { manifest, entries }: Awaited<ReturnType<typeof openBackup>>,
): Promise<void> {
  const columnsOf = new Map(manifest.tables.map(({ name, columns }) => [name, columns]))
  let loading: Loading | undefined
  try {
    for await (const entry of entries) {
      if (entry.kind === 'document') {
        await takeInDocument(intake, entry)
        continue
      }
      if (!loading) await makeRoom(sql, manifest)
      if (loading?.table !== entry.table) {
        await loading?.end()
        loading = await loadInto(sql, entry.table, columnsOf.get(entry.table) ?? [])
      }
      for await (const chunk of entry.content) await loading.write(chunk)
    }
    if (!loading) throw new BadBackup('the backup holds no rows at all')
    await loading.end()
  } catch (error) {
    loading?.giveUp(error as Error)
    throw error
  }
  // A table whose references are still to be checked cannot be altered by the migrations that follow.
  await sql`set constraints all immediate`
}

async function takeInDocument(intake: Intake, { hash, content }: BackupEntry & { kind: 'document' }): Promise<void> {
  const stored = await intake.add(Readable.from(content, { objectMode: false }))
  if (stored.hash !== hash) throw new BadBackup(`the bytes of a document in the backup are not its own: ${hash}`)
  await intake.accept(hash)
}

/** Empty tables of the version that the backup was made from. */
async function makeRoom(sql: TransactionSql, manifest: BackupManifest): Promise<void> {
  const tables = await listTables(sql)
  await lockTables(sql, tables)
  if (tables.some(({ name }) => name === 'reading_lease')) await outlastReadingLease(sql)
  if (manifest.schema_version < schemaVersion) {
    await dropEverything(sql)
    await migrateWithin(sql, manifest.schema_version)
  }
  const strange = differences(columnsIn(await listKeptTables(sql)), columnsIn(manifest.tables))
  if (strange.length > 0) {
    throw new BadBackup(
      `the backup and schema version ${manifest.schema_version} differ in their tables: ${strange.join(', ')}`,
    )
  }
  // What the backup does not hold must not stay either.
  await sql`truncate ${sql((await listTables(sql)).map(({ name }) => name))}`
}

function columnsIn(tables: Table[]): string[] {
  return tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`))
}

function differences(some: string[], others: string[]): string[] {
  return [...some.filter((each) => !others.includes(each)), ...others.filter((each) => !some.includes(each))]
}

const patience = 60_000

// Others take their locks in an order of their own. An attempt is given up before PostgreSQL looks for a deadlock
// (after a second), and lets go of all that it has: nobody's work is broken off for ours.
async function lockTables(sql: TransactionSql, tables: Table[]): Promise<void> {
  const deadline = performance.now() + patience
  while (!(await tryToLock(sql, tables))) {
    if (performance.now() > deadline) throw new DatabaseBusy()
    await sleep(200)
  }
}

async function tryToLock(sql: TransactionSql, tables: Table[]): Promise<boolean> {
  try {
    await sql.savepoint(async (attempt) => {
      await attempt`set local lock_timeout = 500`
      await attempt`lock table ${attempt(tables.map(({ name }) => name))} in access exclusive mode`
      await attempt`set local lock_timeout = 0`
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
  giveUp(reason: Error): void
}

/** One COPY for all parts of a table, so that rows may refer to others of the same one. */
async function loadInto(sql: TransactionSql, table: string, columns: string[]): Promise<Loading> {
  const copy: Writable = await sql`copy ${sql(table)} (${sql(columns)}) from stdin`.writable()
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
      // The driver is silent about a refusal that comes after the last row; the transaction is not.
      await sql`select 1`.catch((error: { code?: unknown }) => {
        if (error.code !== '25P02') throw error
        throw new Error(`the database refused the rows of ${table}: its log tells why`, { cause: error })
      })
    },
    giveUp(reason) {
      copy.destroy(reason)
    },
  }
}
