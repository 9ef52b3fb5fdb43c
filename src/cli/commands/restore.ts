import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { identitiesIn } from '../../database/backup/backup-encryption.js'
import { BadBackup } from '../../database/backup/backup-format.js'
import { checkBackup } from '../../database/backup/backup-reading.js'
import { DatabaseBusy, restoreBackup } from '../../database/backup/restore.js'
import type { Database } from '../../database/database.js'
import { listAccountRows } from '../../store/accounts.js'
import { commandLine, forwarderLog, recordAudit } from '../../store/audit.js'
import { Failure } from '../failure.js'
import { findFileFailure, openFile } from '../file-failure.js'
import { withStorage } from '../open-storage.js'
import { readSettings } from '../settings.js'
import { stopSignal } from '../stop-signal.js'

type Flags = { identity?: string; unsealed?: true; yes?: true; json?: true }

export function addTo(program: Command): void {
  program
    .command('restore')
    .argument('<file>', 'a file written by `waybill backup`')
    .option('--identity <file>', 'the age identity that decrypts it, as written by age-keygen')
    .option('--unsealed', 'accept a backup that is not sealed with WAYBILL_BACKUP_KEY')
    .option('--yes', 'replace existing data without confirmation')
    .option('--json', 'print the result as JSON')
    .description('replace the database with the content of a backup, and restore its documents')
    .action(async (path: string, flags: Flags) => {
      const settings = readSettings(process.env)
      const keys = {
        sealKey: settings.backupKey,
        acceptUnsealed: flags.unsealed ?? false,
        identities: flags.identity === undefined ? [] : await readIdentities(flags.identity),
      }
      const file = await openFile(path)
      try {
        const manifest = await translateErrors(path, () => checkBackup(file, stopSignal(), keys))
        await withStorage(settings, async (storage) => {
          if (!flags.yes) await confirmReplacing(storage.db)
          await translateErrors(path, () => restoreBackup(storage, file, stopSignal(), keys))
          const details = { operation: 'restore', file: basename(path), created_at: manifest.created_at }
          const act = { kind: 'operator', action: 'imported', details } as const
          await recordAudit(storage.db, forwarderLog, commandLine, act)
        })
        const { created_at, schema_version, documents } = manifest
        const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
        const result = { file: path, created_at, schema_version, tables: manifest.tables.length, rows, documents }
        const text = `Restored ${rows} rows and ${documents} documents, as of ${created_at}.`
        console.log(flags.json ? JSON.stringify(result) : text)
      } finally {
        await file.close()
      }
    })
}

async function readIdentities(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw findFileFailure(error, { name: 'the identity file', path }) ?? error
  })
  const identities = await identitiesIn(text)
  if (!identities)
    throw new Failure(`${path} is not a file of age identities: each line is AGE-SECRET-KEY-1... or a comment`)
  return identities
}

async function translateErrors<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BadBackup) throw new Failure(`${path}: ${error.message}`)
    if (error instanceof DatabaseBusy) throw new Failure(error.message)
    throw findFileFailure(error, { name: 'the backup file', path }) ?? error
  }
}

const confirmation = 'restore'

/** Asks for confirmation on a terminal; elsewhere --yes is required. */
async function confirmReplacing(db: Database): Promise<void> {
  const accounts = await listAccountRows(db)
  if (accounts.length === 0) return
  const warning = `the database contains ${accounts.length === 1 ? 'an account' : `${accounts.length} accounts`}`
  if (!process.stdin.isTTY) throw new Failure(`${warning}: use --yes to replace all of its data`)
  process.stderr.write(`${warning}; all of its data will be replaced. Type ${confirmation} to continue: `)
  if ((await readInput()) !== confirmation) throw new Failure('nothing was changed')
}

// Without an output readline leaves the terminal in its mode: Ctrl-C sends SIGINT, Ctrl-D means empty input.
async function readInput(): Promise<string> {
  const input = createInterface({ input: process.stdin })
  const signal = stopSignal()
  try {
    const [line = ''] = (await Promise.race([
      once(input, 'line', { signal }),
      once(input, 'close', { signal }),
    ])) as string[]
    return line.trim()
  } finally {
    input.close()
  }
}
