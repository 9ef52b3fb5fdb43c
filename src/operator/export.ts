import type { ImportLine } from '../contract/import-line.js'
import type { DocumentContentRecord } from '../domain/document.js'
import { findAccountRow } from '../storage/accounts.js'
import type { TransactionSql } from '../storage/database.js'
import { instantOf } from '../storage/list-order.js'
import { readStoredRecords } from '../storage/stored-records.js'
import type { AccountId } from '../storage/transaction.js'

export type ExportedAccount = { account: AccountId; slug: string; name: string }

// In the order in which an import can take them in at once.
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
] as const

/** Where the bytes of a document lie, beside the lines. */
export function contentPath(hash: string): string {
  return `files/${hash}`
}

/**
 * All that an account has, as import lines: taken into an empty database, they give the same answers. The bytes
 * of documents are named, and handed to `onContent`.
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
          ...(newest_first !== null && { stored_at: instantOf(newest_first) }),
        } as ImportLine
        if (line.kind === 'document') {
          const { content_hash, ...data } = line.data as DocumentContentRecord
          await onContent(content_hash)
          line.data = { ...data, file: contentPath(content_hash) }
        }
        yield line
      }
    }
  }
}
