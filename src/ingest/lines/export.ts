import type { ImportLine } from '../../contract/import-line.js'
import type { AccountId } from '../../database/account-id.js'
import type { TransactionSql } from '../../database/database.js'
import { readStoredRecords } from '../../ledger/stored-records.js'
import { findAccountRow } from '../../store/accounts.js'
import { creationInstant } from '../../store/list-order.js'
import { hasContent } from './read-line.js'

export type ExportedAccount = { account: AccountId; slug: string; name: string }

// In the order in which an import stores them.
const kinds = [
  'location',
  'shipment',
  'tracking',
  'tracking_event',
  'tracking_position',
  'invoice',
  'payment',
  'document',
  'purchase_order',
  'assignment',
  'document_proposal',
  'message',
  'message_file',
  'exception',
] as const

/** The path of the content of a document, relative to the file of lines. */
export function contentPath(hash: string): string {
  return `files/${hash}`
}

/**
 * All records of an account as import lines: imported into an empty database, they yield the same responses. Contents of
 * documents are referred to by path and passed to `onContent`.
 */
export async function* exportLines(
  sql: TransactionSql,
  { account, slug, name }: ExportedAccount,
  onContent: (hash: string) => Promise<void>,
): AsyncGenerator<ImportLine> {
  const suspended = ((await findAccountRow(sql, slug))?.suspended_at ?? null) !== null
  yield { kind: 'account', account: slug, data: { name, ...(suspended && { suspended }) } }
  for (const kind of kinds) {
    for await (const batch of readStoredRecords(sql, account, kind)) {
      for (const { record, newest_first } of batch) {
        const line = {
          kind,
          account: slug,
          data: JSON.parse(record) as unknown,
          ...(newest_first !== null && { stored_at: creationInstant(newest_first) }),
        } as ImportLine
        // A file that was uploaded for a message and never sent belongs to whoever uploaded it.
        if (line.kind === 'message_file' && line.data.message_id === undefined) continue
        if (hasContent(line)) {
          const { content_hash, ...data } = line.data as typeof line.data & { content_hash: string }
          await onContent(content_hash)
          Object.assign(line, { data: { ...data, file: contentPath(content_hash) } })
        }
        yield line
      }
    }
  }
}
