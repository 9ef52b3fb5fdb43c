import type { AccountId } from '../../database/account-id.js'
import { asJson, type TransactionSql } from '../../database/database.js'
import { type OrderQuantities, type OrderState, orderStateOf } from '../../domain/purchase-orders/order-quantities.js'
import type { RowSource, SearchRow } from './search-tables.js'
import { sortKeyOf } from './search-words.js'

type OrderRow = SearchRow & {
  newest_first: string
  supplier: string | null
  state: OrderState
  ex_factory_on: string | null
  delivery_on: string | null
  /** Whether a line has a quantity that is not assigned. The state compares the sums of all lines. */
  has_open_lines: boolean
}

export const purchaseOrderRows: RowSource<OrderRow> = { facets: ['state'], read: readOrders, save: saveOrders }

// PostgreSQL sums the quantities, as exact decimals: a large order need not be parsed here.
async function readOrders(sql: TransactionSql, account: AccountId, ids: string[]): Promise<OrderRow[]> {
  const rows = await sql<(Omit<OrderRow, 'state'> & OrderQuantities & { is_cancelled: boolean })[]>`
    select id, newest_first::text as newest_first, supplier_name as supplier,
      desired_ex_factory_date as ex_factory_on, desired_delivery_date as delivery_on,
      is_cancelled, not is_cancelled and exists (
        select from jsonb_path_query(body, '$.purchase_order_lines[*]') line
        where (line -> 'ordered_quantity')::numeric > (
          select coalesce(sum(found::numeric), 0) from jsonb_path_query(
            line, '$.assigned_order_lines[*] ? (!(@.shipment_status == "cancelled")).assigned_quantity') found)
      ) as has_open_lines,
      ordered::double precision as ordered, assigned::double precision as assigned, shipped::double precision as shipped,
      jsonb_build_array(id)
        || jsonb_path_query_array(body, '$.purchase_order_lines[0 to 1999].assigned_order_lines[0 to 99].svc_shipment_id')
        || jsonb_path_query_array(body, '$.purchase_order_lines[0 to 1999].product.sku') as identifiers,
      jsonb_build_array(supplier_name)
        || jsonb_path_query_array(body, '$.purchase_order_lines[0 to 1999].product.name') as names
    from (
      select reference as id, newest_first, body::jsonb as body, cancelled_at is not null as is_cancelled
      from purchase_orders
      where account_id = ${account} and reference = any(${ids}) offset 0
    ) stored
    cross join lateral jsonb_to_record(body) as shown (
      supplier_name text, desired_ex_factory_date text, desired_delivery_date text)
    cross join lateral (
      select
        (select coalesce(sum(found::numeric), 0)
          from jsonb_path_query(body, '$.purchase_order_lines[*].ordered_quantity') found) as ordered,
        (select coalesce(sum(found::numeric), 0) from jsonb_path_query(
          body, '$.purchase_order_lines[*].assigned_order_lines[*] ? (!(@.shipment_status == "cancelled")).assigned_quantity') found) as assigned,
        (select coalesce(sum(found::numeric), 0) from jsonb_path_query(
          body, '$.purchase_order_lines[*].assigned_order_lines[*] ? (!(@.shipment_status == "cancelled")).shipped_order_lines[*].shipped_quantity') found)
          as shipped
    ) quantities`
  return rows.map(({ ordered, assigned, shipped, is_cancelled, ...row }) => ({
    ...row,
    state: orderStateOf({ ordered, assigned, shipped }, is_cancelled),
  }))
}

async function saveOrders(
  sql: TransactionSql,
  account: AccountId,
  rows: (OrderRow & { words: string[] })[],
): Promise<void> {
  const given = asJson(rows, ({ identifiers: _identifiers, names: _names, supplier, ...row }) => ({
    ...row,
    supplier_key: sortKeyOf(supplier),
  }))
  await sql`
    insert into purchase_order_search (
      account_id, reference, newest_first, supplier_key, state, ex_factory_on, delivery_on, has_open_lines,
      wanted_on, words)
    select ${account}, id, newest_first, supplier_key, state, ex_factory_on, delivery_on, has_open_lines,
      coalesce(ex_factory_on, delivery_on), array_to_tsvector(words)
    from jsonb_to_recordset(${given}::text::jsonb) as given (
      id text, newest_first bigint, supplier_key text, state text, ex_factory_on date, delivery_on date, has_open_lines boolean,
      words text[])
    on conflict (account_id, reference) do update
    set newest_first = excluded.newest_first, supplier_key = excluded.supplier_key, state = excluded.state,
      ex_factory_on = excluded.ex_factory_on, delivery_on = excluded.delivery_on,
      has_open_lines = excluded.has_open_lines, wanted_on = excluded.wanted_on, words = excluded.words`
}
