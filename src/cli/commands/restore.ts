import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { listAccounts } from '../../storage/accounts.js'
import { BadBackup } from '../../storage/backup-format.js'
import { checkBackup } from '../../storage/backup-reading.js'
import type { Database } from '../../storage/database.js'
import { DatabaseBusy, restoreBackup } from '../../storage/restore.js'
import { Failure } from '../failure.js'
import { withStorage } from '../open-storage.js'
import { readSettings } from '../settings.js'
import { stopSignal } from '../stop-signal.js'

type Flags = { yes?: true; json?: true }

export function addTo(program: Command): void {
  program
    .command('restore')
    .argument('<file>', 'what `waybill backup` wrote')
    .option('--yes', 'replace what the database holds, without asking')
    .option('--json', 'print the result as JSON')
    .description('replace the database by what a backup holds, and bring its documents back')
    .action(async (path: string, flags: Flags) => {
      const settings = readSettings(process.env)
      const file = await open(path).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new Failure(`there is no file ${path}`) : error
      })
      try {
        const manifest = await explained(path, () => checkBackup(file, stopSignal()))
        await withStorage(settings, async (storage) => {
          if (!flags.yes) await confirmReplacing(storage.db)
          await explained(path, () => restoreBackup(storage, file, stopSignal()))
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

async function explained<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BadBackup) throw new Failure(`${path}: ${error.message}`)
    throw error instanceof DatabaseBusy ? new Failure(error.message) : error
  }
}

const word = 'restore'

/** Nobody's data is replaced by mistake: by a word on a terminal, by a flag elsewhere. */
async function confirmReplacing(db: Database): Promise<void> {
  const accounts = await listAccounts(db)
  if (accounts.length === 0) return
  const held = `the database holds ${accounts.length === 1 ? 'an account' : `${accounts.length} accounts`} already`
  if (!process.stdin.isTTY) throw new Failure(`${held}: give --yes to replace all that it holds`)
  process.stderr.write(`${held}; all that it holds will be replaced. Type ${word} to go on: `)
  if ((await readAnswer()) !== word) throw new Failure('nothing was changed')
}

// Without an output the terminal stays as it is: Ctrl-C is a signal to stop, Ctrl-D an empty answer.
async function readAnswer(): Promise<string> {
  const input = createInterface({ input: process.stdin })
  const signal = stopSignal()
  try {
    const [answer = ''] = (await Promise.race([
      once(input, 'line', { signal }),
      once(input, 'close', { signal }),
    ])) as string[]
    return answer.trim()
  } finally {
    input.close()
  }
}
