import type { AccountId } from '../../database/account-id.js'
import { asJson, type TransactionSql } from '../../database/database.js'
import type { RowSource, SearchRow } from './search-tables.js'

type DocumentRow = SearchRow & { newest_first: string; type: string | null; svc_shipment_id: string | null }

export const documentRows: RowSource<DocumentRow> = { facets: ['type'], read: readDocuments, save: saveDocuments }

/** File names are identifiers: they often contain a number. */
async function readDocuments(sql: TransactionSql, account: AccountId, ids: string[]): Promise<DocumentRow[]> {
  return sql<DocumentRow[]>`
    select id, newest_first::text as newest_first, type, svc_shipment_id,
      jsonb_build_array(name, svc_shipment_id) as identifiers, jsonb_build_array(type) as names
    from documents where account_id = ${account} and id = any(${ids}::text[]::uuid[])`
}

async function saveDocuments(
  sql: TransactionSql,
  account: AccountId,
  rows: (DocumentRow & { words: string[] })[],
): Promise<void> {
  const given = asJson(rows, ({ identifiers: _identifiers, names: _names, ...row }) => row)
  await sql`
    insert into document_search (account_id, id, newest_first, type, svc_shipment_id, words)
    select ${account}, id, newest_first, type, svc_shipment_id, array_to_tsvector(words)
    from jsonb_to_recordset(${given}::text::jsonb) as given (
      id uuid, newest_first bigint, type text, svc_shipment_id text, words text[])
    on conflict (account_id, id) do update
    set newest_first = excluded.newest_first, type = excluded.type, svc_shipment_id = excluded.svc_shipment_id,
      words = excluded.words`
}
