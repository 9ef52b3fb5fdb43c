import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Command } from 'commander'
import { BrokenDocument, writeBackup } from '../../database/backup/backup.js'
import { isRecipient } from '../../database/backup/backup-encryption.js'
import { commandLine, forwarderLog, recordAudit } from '../../store/audit.js'
import { Failure } from '../failure.js'
import { findFileFailure } from '../file-failure.js'
import { withStorage } from '../open-storage.js'
import { readSettings } from '../settings.js'
import { stopSignal } from '../stop-signal.js'

export function addTo(program: Command): void {
  program
    .command('backup')
    .argument('<file>', 'a new file, such as waybill-2026-03-01.tar.gz')
    .option('--recipient <key...>', 'encrypt it for these age recipients (age1...)')
    .option('--json', 'print the result as JSON')
    .description('write the database and all documents to one file, while the service runs')
    .action(async (file: string, { recipient: recipients = [], json }: { recipient?: string[]; json?: true }) => {
      const settings = readSettings(process.env)
      const bad = recipients.find((recipient) => !isRecipient(recipient))
      if (bad !== undefined) throw new Failure(`--recipient ${bad}: use the public key of an age identity, age1...`)
      if (await stat(file).catch(() => undefined)) throw new Failure(`the file ${file} already exists`)
      const manifest = await withStorage(settings, async (storage) => {
        // Before it is written, so that the backup has it, and one that is killed is recorded too.
        const details = { operation: 'backup', file: basename(file), encrypted: recipients.length > 0 }
        await recordAudit(storage.db, forwarderLog, commandLine, { kind: 'export', action: 'exported', details })
        return writeBackup(storage, file, stopSignal(), {
          sealKey: settings.backupKey,
          recipients,
        }).catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'EEXIST') throw new Failure(unfinishedMessage(file))
          if (error instanceof BrokenDocument) throw new Failure(error.message)
          throw findFileFailure(error, { name: 'the backup file', path: file }) ?? error
        })
      })
      const { schema_version, created_at, documents } = manifest
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
      const { size: bytes } = await stat(file)
      const result = { file, bytes, created_at, schema_version, tables: manifest.tables.length, rows, documents }
      const advice =
        recipients.length > 0 ? 'It is encrypted.' : 'It contains all data and is not encrypted: keep it safe.'
      const text = `Wrote ${rows} rows and ${documents} documents to ${file} (${bytes} bytes). ${advice}`
      console.log(json ? JSON.stringify(result) : text)
    })
}

function unfinishedMessage(file: string): string {
  return `${file}.part already exists: another backup is running or was killed; remove the file if none is running`
}
