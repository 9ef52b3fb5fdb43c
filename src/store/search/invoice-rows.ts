import type { InvoiceLine } from '../../contract/public/invoice.js'
import type { AccountId } from '../../database/account-id.js'
import { asJson, type TransactionSql } from '../../database/database.js'
import { settledInvoiceStatuses } from '../../domain/invoices/invoice-status.js'
import { totalsOf } from '../../domain/invoices/invoice-totals.js'
import type { RowSource, SearchRow } from './search-tables.js'

type InvoiceRow = SearchRow & {
  newest_first: string
  number: string | null
  type: string | null
  status: string | null
  due_on: string | null
  is_open: boolean
  currencies: string[]
  amount: number | null
}

export const invoiceRows: RowSource<InvoiceRow> = {
  facets: ['status', 'is_open'],
  read: readInvoices,
  save: saveInvoices,
}

/** Drafts are not indexed: customers do not see them. A credit note is never open. */
async function readInvoices(sql: TransactionSql, account: AccountId, ids: string[]): Promise<InvoiceRow[]> {
  const rows = await sql<(Omit<InvoiceRow, 'amount'> & { lines: InvoiceLine[] | null })[]>`
    select id, newest_first::text as newest_first, number, type, status, body ->> 'due_date' as due_on,
      coalesce(status <> all(${settledInvoiceStatuses}), true) and type is distinct from 'credit_note' as is_open,
      array(
        select distinct currency #>> '{}' from jsonb_path_query(body, '$.lines[*].price.currency') currency order by 1
      ) as currencies,
      body -> 'lines' as lines,
      jsonb_build_array(id, number, svc_shipment_id) as identifiers, '[]'::jsonb as names
    from (
      select reference as id, newest_first, number, type, status, svc_shipment_id, body::jsonb as body from invoices
      where account_id = ${account} and reference = any(${ids}) and not draft offset 0
    ) stored`
  return rows.map(({ lines, ...row }) => ({ ...row, amount: amountOf(row.type, lines ?? []) }))
}

// As the list shows it: negative for a credit note. Amounts of several currencies are not summed; the largest counts.
function amountOf(type: string | null, lines: InvoiceLine[]): number | null {
  const totals = totalsOf(lines)
  if (totals.length === 0) return null
  const largest = Math.round(Math.max(...totals.map(({ gross }) => gross)) * thousandths)
  if (!Number.isSafeInteger(largest)) return null
  return type === 'credit_note' ? -largest : largest
}
// The most digits that a currency has.
const thousandths = 1000

async function saveInvoices(
  sql: TransactionSql,
  account: AccountId,
  rows: (InvoiceRow & { words: string[] })[],
): Promise<void> {
  const given = asJson(rows, ({ identifiers: _identifiers, names: _names, ...row }) => row)
  await sql`
    insert into invoice_search (
      account_id, reference, newest_first, number, type, status, due_on, is_open, currencies, amount, words)
    select ${account}, id, newest_first, number, type, status, due_on, is_open, currencies, amount,
      array_to_tsvector(words)
    from jsonb_to_recordset(${given}::text::jsonb) as given (
      id text, newest_first bigint, number text, type text, status text, due_on date, is_open boolean, currencies text[],
      amount bigint, words text[])
    on conflict (account_id, reference) do update
    set newest_first = excluded.newest_first, number = excluded.number, type = excluded.type, status = excluded.status,
      due_on = excluded.due_on, is_open = excluded.is_open, currencies = excluded.currencies, amount = excluded.amount,
      words = excluded.words`
}
