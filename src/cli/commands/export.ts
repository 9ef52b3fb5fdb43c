import { createWriteStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import type { Database } from '../../database/database.js'
import { readSnapshot } from '../../database/snapshot.js'
import type { DocumentFiles } from '../../documents/document-files.js'
import { makeFolder } from '../../documents/durable-folder.js'
import { contentPath, type ExportedAccount, exportLines } from '../../ingest/lines/export.js'
import { listAccountRows } from '../../store/accounts.js'
import { commandLine, recordAudit } from '../../store/audit.js'
import { Failure } from '../failure.js'
import { findFileFailure } from '../file-failure.js'
import { withStorage } from '../open-storage.js'
import { readSettings } from '../settings.js'

type Flags = { account: string; to?: string; json?: true }

export function addTo(program: Command): void {
  program
    .command('export')
    .requiredOption('--account <slug>', 'the account to export')
    .option('--to <folder>', 'a new folder for lines.ndjson and files/ (default: SLUG-export)')
    .option('--json', 'print the result as JSON')
    .description('write all data of an account as import lines, with its document files')
    .action(async ({ account: slug, to = `${slug}-export`, json }: Flags) => {
      await withStorage(readSettings(process.env), async ({ db, files }) => {
        const found = (await listAccountRows(db)).find((each) => each.slug === slug)
        if (!found) throw new Failure(`there is no account ${slug}`)
        const account = { account: found.account_id, slug, name: found.name }
        const written = await exportTo(to, db, files, account).catch((error: unknown) => {
          throw findFileFailure(error, { name: '--to', path: to }) ?? error
        })
        const details = { operation: 'export', lines: written.lines, files: written.files }
        await recordAudit(db, found.account_id, commandLine, { kind: 'export', action: 'exported', details })
        const result = { folder: to, ...written }
        const text = `Exported ${result.lines} lines and ${result.files} files to ${to}. Import them with: waybill import ${to}/lines.ndjson`
        console.log(json ? JSON.stringify(result) : text)
      })
    })
}

export async function exportTo(
  folder: string,
  db: Database,
  files: DocumentFiles,
  account: ExportedAccount,
): Promise<{ lines: number; files: number }> {
  await makeFolder(join(folder, 'files'))
  if ((await readdir(folder)).length > 1) throw new Failure(`${folder} is not empty`)
  const copied = new Set<string>()
  let lines = 0

  async function copyContent(hash: string): Promise<void> {
    if (copied.has(hash)) return
    copied.add(hash)
    const content = await files.open(hash)
    if (!content) throw new Error(`the file of a document is missing: ${hash}`)
    await pipeline(content.stream, createWriteStream(join(folder, contentPath(hash)), { mode: 0o600 }))
  }

  // One snapshot, so that concurrent writes cannot make the export inconsistent.
  await readSnapshot(db, async (sql) => {
    await pipeline(
      async function* () {
        for await (const line of exportLines(sql, account, copyContent)) {
          lines += 1
          yield `${JSON.stringify(line)}\n`
        }
      },
      createWriteStream(join(folder, 'lines.ndjson'), { mode: 0o600 }),
    )
  })
  return { lines, files: copied.size }
}
