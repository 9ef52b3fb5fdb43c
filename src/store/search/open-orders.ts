import type { OpenOrderSearch } from '../../contract/operator/bookings.js'
import { invalid } from '../../contract/refusals.js'
import type { AccountId, AccountScope } from '../../database/account-id.js'
import type { Database, Fragment, Reader } from '../../database/database.js'
import { inScope } from '../account-scope.js'
import { handledAs } from '../work-items.js'
import { matchesWords } from './criteria.js'
import { decodeCursor, encodeCursor } from './cursor.js'
import { bodyWithinLimit, rowsThatFit } from './result-row.js'
import { parseSearch, tsqueryOf } from './search-words.js'

/** Orders of all accounts with quantities that are not assigned, by the day on which they are wanted. */

type Row = {
  account_id: AccountId
  account: string
  account_name: string
  reference: string
  wanted_on: string | null
  body: string | null
}

export type OpenOrderRow = Pick<Row, 'account' | 'account_name' | 'reference'> & { body: string }

// Both forms have an index of their own, in whose order they read.
export async function searchOpenOrders(
  db: Database,
  scope: AccountScope,
  search: OpenOrderSearch,
): Promise<{ rows: OpenOrderRow[]; next: string | undefined }> {
  const { take = 50 } = search
  const found = await db<Row[]>`
    select found.account_id, slug as account, accounts.name as account_name, found.reference, wanted_on::text as wanted_on,
      ${bodyWithinLimit(db)} as body
    from (
      select account_id, reference, wanted_on, row_number() over (order by wanted_on, account_id, reference) as place
      from purchase_order_search
      where has_open_lines ${conditions(db, scope, search)} ${afterCursor(db, search.after)}
      order by wanted_on, account_id, reference limit ${take + 1}
    ) found
    join accounts using (account_id)
    cross join lateral (
      select body from purchase_orders
      where purchase_orders.account_id = found.account_id and purchase_orders.reference = found.reference offset 0
    ) stored
    order by place`
  const rows = rowsThatFit(found, take)
  const last = found.length > rows.length ? rows.at(-1) : undefined
  return {
    rows: rows.map(({ account: slug, account_name, reference, body }) => ({
      account: slug,
      account_name,
      reference,
      body,
    })),
    next: last && encodeCursor({ key: last.wanted_on, id: last.reference, before: last.account_id }),
  }
}

function conditions(db: Reader, scope: AccountScope, { state, q, owner, snoozed }: OpenOrderSearch): Fragment {
  const terms = parseSearch(q)
  return db`
    and ${inScope(db, scope)}
    ${state === undefined ? db`` : state === 'open' ? db`and state = 'open'` : db`and state <> 'open'`}
    ${terms === undefined ? db`` : db`and ${matchesWords(db, tsqueryOf(terms))}`}
    ${handledAs(db, 'order', { owner, snoozed })}`
}

function afterCursor(db: Reader, after: string | undefined): Fragment {
  const cursor = decodeCursor(after, 'date')
  if (!cursor) return db``
  const { key, id, before: account } = cursor
  if (account > 2_147_483_647) throw invalid([{ pointer: '/after', detail: 'must be `next` of the page before' }])
  const beyond = db`(account_id, reference) > (${account}::integer, ${id})`
  if (key === null) return db`and wanted_on is null and ${beyond}`
  return db`and (wanted_on is null or wanted_on > ${key}::text::date or (wanted_on = ${key}::text::date and ${beyond}))`
}
