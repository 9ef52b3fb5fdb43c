import type { AccountId } from '../../database/account-id.js'
import { batchesOf } from '../../database/batches.js'
import { asJson, type TransactionSql } from '../../database/database.js'
import { documentRows } from './document-rows.js'
import { invoiceRows } from './invoice-rows.js'
import { purchaseOrderRows } from './purchase-order-rows.js'
import { indexedWord, type RowSource, type SearchedKind, type SearchRow, searchTables } from './search-tables.js'
import { wordsOf } from './search-words.js'
import { shipmentRows } from './shipment-rows.js'

/** Updates the search rows, words and counts of changed resources, and removes those of deleted ones. */

const rowSources = {
  shipment: shipmentRows,
  purchase_order: purchaseOrderRows,
  invoice: invoiceRows,
  document: documentRows,
} as unknown as Record<SearchedKind, RowSource>

export async function reindex(
  sql: TransactionSql,
  account: AccountId,
  kind: SearchedKind,
  ids: string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const bytes = await findSizes(sql, account, kind, ids)
  for (const batch of batchesOf(ids, (id) => bytes.get(id) ?? 0)) {
    signal?.throwIfAborted()
    await reindexBatch(sql, account, kind, batch)
  }
}

async function findSizes(sql: TransactionSql, account: AccountId, kind: SearchedKind, ids: string[]) {
  const { id, source } = searchTables[kind]
  const rows = await sql<{ id: string; bytes: number }[]>`
    select ${sql(id)} as id, octet_length(body) as bytes from ${sql(source)}
    where account_id = ${account} and ${sql(id)} = any(${ids})`
  return new Map(rows.map((row) => [row.id, row.bytes]))
}

async function reindexBatch(sql: TransactionSql, account: AccountId, kind: SearchedKind, ids: string[]): Promise<void> {
  const { read, save, facets } = rowSources[kind]
  const before = await findIndexed(sql, account, kind, ids)
  const rows = (await read(sql, account, ids)).map((row) => ({ ...row, words: wordsOf(row) }))
  const after = new Map(rows.map((row) => [row.id, row]))
  if (rows.length > 0) await save(sql, account, rows)
  await removeIndexed(
    sql,
    account,
    kind,
    [...before.keys()].filter((id) => !after.has(id)),
  )
  await saveWords(
    sql,
    account,
    kind,
    rows.filter(({ id, words }) => !isSame(words, before.get(id)?.words)),
  )
  await saveCounts(sql, account, kind, countChanges([...before.values()], [...after.values()], facets))
}

type IndexedRow = Pick<SearchRow, 'id'> & { words: string[] }

async function findIndexed(
  sql: TransactionSql,
  account: AccountId,
  kind: SearchedKind,
  ids: string[],
): Promise<Map<string, IndexedRow>> {
  const { id, table } = searchTables[kind]
  const columns = rowSources[kind].facets
  const rows = await sql<IndexedRow[]>`
    select ${sql(id)} as id, tsvector_to_array(words) as words, ${sql(columns)} from ${sql(table)}
    where account_id = ${account} and ${sql(id)} = any(${ids})`
  return new Map(rows.map((row) => [row.id, row]))
}

async function removeIndexed(
  sql: TransactionSql,
  account: AccountId,
  kind: SearchedKind,
  ids: string[],
): Promise<void> {
  if (ids.length === 0) return
  const { id, table } = searchTables[kind]
  await sql`delete from ${sql(table)} where account_id = ${account} and ${sql(id)} = any(${ids})`
  await sql`delete from search_texts where account_id = ${account} and kind = ${kind} and id = any(${ids})`
}

function isSame(words: string[], others: string[] | undefined): boolean {
  if (words.length !== others?.length) return false
  const known = new Set(others)
  return words.every((word) => known.has(word))
}

async function saveWords(
  sql: TransactionSql,
  account: AccountId,
  kind: SearchedKind,
  rows: IndexedRow[],
): Promise<void> {
  if (rows.length === 0) return
  const given = asJson(rows, ({ id, words }) => ({ id, words: words.map((word) => indexedWord(account, kind, word)) }))
  await sql`
    insert into search_texts (account_id, kind, id, words)
    select ${account}, ${kind}, id, array_to_tsvector(words)
    from jsonb_to_recordset(${given}::text::jsonb) as given (id text, words text[])
    on conflict (account_id, kind, id) do update set words = excluded.words`
}

type CountChange = { facet: string; value: string; change: number }

/** How the count of each facet value changes; the facet `all` with one empty value counts all rows. */
function countChanges(before: object[], after: object[], facets: readonly string[]): CountChange[] {
  const changes = new Map<string, CountChange>()
  const add = (facet: string, value: string, change: number) => {
    const key = `${facet} ${value}`
    changes.set(key, { facet, value, change: (changes.get(key)?.change ?? 0) + change })
  }
  const count = (rows: object[], change: number) => {
    for (const row of rows) {
      add('all', '', change)
      for (const facet of facets) {
        const value = (row as Record<string, string | boolean | null>)[facet]
        if (value !== null) add(facet, String(value), change)
      }
    }
  }
  count(before, -1)
  count(after, 1)
  return [...changes.values()].filter(({ change }) => change !== 0)
}

async function saveCounts(
  sql: TransactionSql,
  account: AccountId,
  kind: SearchedKind,
  changes: CountChange[],
): Promise<void> {
  if (changes.length === 0) return
  await sql`
    insert into search_counts (account_id, kind, facet, value, count)
    select ${account}, ${kind}, facet, value, change
    from jsonb_to_recordset(${asJson(changes)}::text::jsonb) as given (facet text, value text, change integer)
    on conflict (account_id, kind, facet, value) do update set count = search_counts.count + excluded.count`
  await sql`delete from search_counts where account_id = ${account} and kind = ${kind} and count = 0`
}
