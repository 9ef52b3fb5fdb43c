import type { AccountId } from '../../database/account-id.js'
import type { TransactionSql } from '../../database/database.js'
import type { SearchTexts } from './search-words.js'

/** The kinds of resources that can be searched: each has a source table of bodies and a search table derived from it. */

export const searchedKinds = ['shipment', 'purchase_order', 'invoice', 'document'] as const
export type SearchedKind = (typeof searchedKinds)[number]

export type SearchTable = { kind: SearchedKind; table: string; source: string; id: string }

export const searchTables = {
  shipment: { kind: 'shipment', table: 'shipment_search', source: 'shipments', id: 'svc_shipment_id' },
  purchase_order: {
    kind: 'purchase_order',
    table: 'purchase_order_search',
    source: 'purchase_orders',
    id: 'reference',
  },
  invoice: { kind: 'invoice', table: 'invoice_search', source: 'invoices', id: 'reference' },
  document: { kind: 'document', table: 'document_search', source: 'documents', id: 'id' },
} as const satisfies Record<SearchedKind, SearchTable>

/** A word as the word index stores it: prefixed, so that the words of an account and kind are contiguous. */
export function indexedWord(account: AccountId, kind: SearchedKind, word: string): string {
  return `${account}${kind[0]}/${word}`
}

/** A row of a search table as it is read from a body: its texts are split into words later. */
export type SearchRow = SearchTexts & { id: string }

/** How the rows of a kind are read and stored. */
export type RowSource<Row extends SearchRow = SearchRow> = {
  /** The columns whose values are counted. */
  facets: readonly (keyof Row & string)[]
  read(sql: TransactionSql, account: AccountId, ids: string[]): Promise<Row[]>
  save(sql: TransactionSql, account: AccountId, rows: (Row & { words: string[] })[]): Promise<void>
}
