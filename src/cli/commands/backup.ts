import { stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { BrokenDocument, writeBackup } from '../../storage/backup.js'
import { Failure } from '../failure.js'
import { withStorage } from '../open-storage.js'
import { readSettings } from '../settings.js'
import { stopSignal } from '../stop-signal.js'

export function addTo(program: Command): void {
  program
    .command('backup')
    .argument('<file>', 'a new file, such as waybill-2026-03-01.tar.gz')
    .option('--json', 'print the result as JSON')
    .description('write the database and all documents to one file, while the service runs')
    .action(async (file: string, flags: { json?: true }) => {
      const settings = readSettings(process.env)
      if (await stat(file).catch(() => undefined)) throw new Failure(`there is a file ${file} already`)
      const manifest = await withStorage(settings, (storage) =>
        writeBackup(storage, file, stopSignal()).catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'EEXIST') throw new Failure(inTheWay(file))
          throw error instanceof BrokenDocument ? new Failure(error.message) : error
        }),
      )
      const { schema_version, created_at, documents } = manifest
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
      const { size: bytes } = await stat(file)
      const result = { file, bytes, created_at, schema_version, tables: manifest.tables.length, rows, documents }
      const text = `Wrote ${rows} rows and ${documents} documents to ${file} (${bytes} bytes). It holds all data: keep it safe.`
      console.log(flags.json ? JSON.stringify(result) : text)
    })
}

function inTheWay(file: string): string {
  return `${file}.part is in the way: another backup is being written, or one was killed; if none runs, remove it`
}
