import type { HistoryKind } from '../contract/operator/history.js'
import type { TransactionSql } from '../database/database.js'

/** The transaction of a write, and the revision that its rows get. */
export type RowWrite = { sql: TransactionSql; revision: number }

export type Change = {
  kind: HistoryKind
  id: string
  what: 'created' | 'updated' | 'corrected' | 'removed' | 'derived'
  /** Absent if it was removed, or if only its body changed. */
  record?: string | undefined
  reason?: string | undefined
}

/** A write that appends to the account's change log. */
export type RecordedWrite = RowWrite & { record(changes: Change[]): void }

/** The last row of each key: one statement cannot store two rows under one key. */
export function lastOfEach<Row>(rows: Row[], keyOf: (row: Row) => string): Row[] {
  return rows.length < 2 ? rows : [...new Map(rows.map((row) => [keyOf(row), row])).values()]
}
