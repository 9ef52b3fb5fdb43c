import type { ForwarderShipmentSearch } from '../../contract/operator/shipment-search.js'
import { invalid } from '../../contract/refusals.js'
import { type AccountId, type AccountScope, forwarderAccount } from '../../database/account-id.js'
import type { Database, Fragment, Reader } from '../../database/database.js'
import { dayNumber } from '../../domain/dates/local-days.js'
import { inScope } from '../account-scope.js'
import { handledAs } from '../work-items.js'
import { dateRange, matchesWords } from './criteria.js'
import { decodeCursor, encodeCursor, type KeyType } from './cursor.js'
import type { DateRange } from './index-scan.js'
import { bodyWithinLimit, rowsThatFit } from './result-row.js'
import { isCurrent } from './search-state.js'
import { parseSearch, tsqueryOf } from './search-words.js'
import { isLateByDates, isLateByToday, lateDaysOn } from './shipment-lateness.js'

/** The shipment search of operators, over all accounts. */

export type FoundRow = { account: string; account_name: string; revision: number; body: string }

type Row = Omit<FoundRow, 'body'> & {
  account_id: AccountId
  id: string
  key: string | number | null
  body: string | null
}

const keyTypes = {
  newest: 'integer',
  departure: 'date',
  arrival: 'date',
  delivery: 'date',
  name: 'text',
  late: 'days',
} as const satisfies Record<string, KeyType>

/** The next accounts whose changes are not all indexed. */
export async function findOutdatedAccounts(db: Reader, slug: string | undefined, take: number): Promise<AccountId[]> {
  const rows = await db<{ account_id: AccountId }[]>`
    select account.account_id from accounts account left join search_state state using (account_id)
    where account.account_id <> ${forwarderAccount} and not ${isCurrent(db)}
      ${slug === undefined ? db`` : db`and account.slug = ${slug}`}
    order by account.account_id limit ${take}`
  return rows.map(({ account_id }) => account_id)
}

export async function searchAllShipments(
  db: Database,
  scope: AccountScope,
  search: ForwarderShipmentSearch,
  today: string,
): Promise<{ rows: FoundRow[]; next: string | undefined }> {
  const { sort = 'newest', take = 50 } = search
  const day = dayNumber(today)
  const key = keyOf(db, sort, day)
  const isDescending = sort === 'newest' ? search.order === 'asc' : (search.order ?? usualOrder(sort)) === 'desc'
  const direction = isDescending ? db`desc` : db`asc`
  const found = await db<Row[]>`
    select found.account_id, slug as account, accounts.name as account_name, found.id, to_jsonb(found.key) as key,
      ${bodyWithinLimit(db)} as body,
      (
        select revision from changes
        where account_id = found.account_id and kind = 'shipment' and changes.id = found.id and what <> 'derived'
        order by revision desc limit 1
      ) as revision
    from (
      select account_id, svc_shipment_id as id, ${key} as key,
        row_number() over (order by ${key} ${direction} nulls last, account_id ${direction}, svc_shipment_id ${direction})
          as place
      from shipment_search
      where ${inScope(db, scope)}
        ${conditions(db, search, day)}
        ${afterCursor(db, search.after, keyTypes[sort], key, isDescending)}
      order by ${key} ${direction} nulls last, account_id ${direction}, svc_shipment_id ${direction} limit ${take + 1}
    ) found
    join accounts using (account_id)
    cross join lateral (
      select body from shipments
      where shipments.account_id = found.account_id and svc_shipment_id = found.id offset 0
    ) stored
    order by place`
  const rows = rowsThatFit(found, take)
  const last = found.length > rows.length ? rows.at(-1) : undefined
  return {
    rows: rows.map(({ account: slug, account_name, revision, body }) => ({
      account: slug,
      account_name,
      revision,
      body,
    })),
    next: last && encodeCursor({ key: last.key, id: last.id, before: last.account_id }),
  }
}

function usualOrder(sort: keyof typeof keyTypes): 'asc' | 'desc' {
  return sort === 'late' ? 'desc' : 'asc'
}

function keyOf(db: Reader, sort: keyof typeof keyTypes, day: number): Fragment {
  switch (sort) {
    case 'newest':
      return db`newest_first`
    case 'departure':
      return db`departs_on`
    case 'arrival':
      return db`arrives_on`
    case 'delivery':
      return db`delivered_on`
    case 'name':
      return db`name_key`
    case 'late':
      return lateDaysOn(db, day)
  }
}

function conditions(db: Reader, search: ForwarderShipmentSearch, day: number): Fragment {
  const { origin, destination, late, owner, snoozed } = search
  const terms = parseSearch(search.q)
  const departs = dateRange(search.departs_from, search.departs_to)
  const arrives = dateRange(search.arrives_from, search.arrives_to)
  const within = (column: string, { from, to }: DateRange) =>
    db`and ${db(column)} between ${from}::text::date and ${to}::text::date`
  return db`
    ${search.status === undefined ? db`` : db`and status = any(${search.status.split(',')})`}
    ${search.freight_mode === undefined ? db`` : db`and freight_mode = any(${search.freight_mode.split(',')})`}
    ${origin === undefined ? db`` : db`and origin = ${origin}`}
    ${destination === undefined ? db`` : db`and destination = ${destination}`}
    ${departs === undefined ? db`` : within('departs_on', departs)}
    ${arrives === undefined ? db`` : within('arrives_on', arrives)}
    ${late === undefined ? db`` : db`and ((${isLateByDates(db, late)}) or ${isLateByToday(db, day)})`}
    ${terms === undefined ? db`` : db`and ${matchesWords(db, tsqueryOf(terms))}`}
    ${handledAs(db, 'booking_request', { owner, snoozed })}`
}

/** The cursor of a page has the account where that of one account has the number of rows. */
function afterCursor(
  db: Reader,
  after: string | undefined,
  type: KeyType,
  column: Fragment,
  isDescending: boolean,
): Fragment {
  const cursor = decodeCursor(after, type)
  if (!cursor) return db``
  const { key, id, before: account } = cursor
  if (account > 2_147_483_647) throw invalid([{ pointer: '/after', detail: 'must be `next` of the page before' }])
  const than = isDescending ? db`<` : db`>`
  const beyond = db`(account_id, svc_shipment_id) ${than} (${account}::integer, ${id})`
  if (key === null) return db`and ${column} is null and ${beyond}`
  const value = castTo(db, type, key)
  return db`and (${column} is null or ${column} ${than} ${value} or (${column} = ${value} and ${beyond}))`
}

function castTo(db: Reader, type: KeyType, key: string | number): Fragment {
  if (type === 'date') return db`${key}::text::date`
  return type === 'text' ? db`${key}::text collate "C"` : db`${key}::bigint`
}
