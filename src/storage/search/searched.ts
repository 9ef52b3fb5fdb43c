import type { TransactionSql } from '../database.js'
import type { AccountId } from '../transaction.js'
import type { Texts } from './words.js'

/** What is searched: resources by their kind, each in the table of its noun, and in one of what is asked of it. */

export const searchedKinds = ['shipment', 'purchase_order', 'invoice', 'document'] as const
export type SearchedKind = (typeof searchedKinds)[number]

export type Listed = { kind: SearchedKind; table: string; source: string; id: string }

export const listed = {
  shipment: { kind: 'shipment', table: 'shipment_search', source: 'shipments', id: 'svc_shipment_id' },
  purchase_order: {
    kind: 'purchase_order',
    table: 'purchase_order_search',
    source: 'purchase_orders',
    id: 'reference',
  },
  invoice: { kind: 'invoice', table: 'invoice_search', source: 'invoices', id: 'reference' },
  document: { kind: 'document', table: 'document_search', source: 'documents', id: 'id' },
} as const satisfies Record<SearchedKind, Listed>

/** A word as the index of all words has it: those of one account and kind lie together. */
export function indexed(account: AccountId, kind: SearchedKind, word: string): string {
  return `${account}${kind[0]}/${word}`
}

/** A row as it is read from its body: texts are still to become words. */
export type ReadRow = Texts & { id: string }

/** How the rows of a kind are made. */
export type Making<Row extends ReadRow = ReadRow> = {
  /** Of which columns it is counted how many there are of each value. */
  facets: readonly (keyof Row & string)[]
  read(sql: TransactionSql, account: AccountId, ids: string[]): Promise<Row[]>
  save(sql: TransactionSql, account: AccountId, rows: (Row & { words: string[] })[]): Promise<void>
}
