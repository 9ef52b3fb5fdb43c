import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { isLateOn } from '../inbound-lateness.js'
import { eitherCriterion, type IndexQuery } from './criteria.js'
import type { Criterion } from './match-counts.js'
import { searchTables } from './search-tables.js'

/**
 * Orders of which something is late: by the rows of `inbound`, which are what the page of an order shows, and which the
 * dates of shipments change without a new version of the order.
 */
export function lateOrdersCriterion(db: Database, account: AccountId, late: 'true' | 'now', today: string): Criterion {
  const byDates = lateByDates(db, account, late)
  const criterion = eitherCriterion(db, account, searchTables.purchase_order, byDates, lateByToday(db, account, today))
  // By the order's own rows. Their column has another name here: `reference` is that of the searched row.
  const matches = db`exists (
    select from (
      select reference as late_reference, desired_on, expected_on, delivered from inbound where account_id = ${account}
    ) arriving
    where late_reference = reference and ${isLateOn(db, today)} and (${late === 'true'} or not delivered))`
  return { ...criterion, matches }
}

function lateByDates(db: Database, account: AccountId, late: 'true' | 'now'): IndexQuery {
  const coming = late === 'now' ? db`and not delivered` : db``
  return {
    matches: db`true`,
    query: (columns, limit) => db`
      select ${columns} from purchase_order_search
      where account_id = ${account} and reference = any(array(
        select distinct reference from inbound
        where account_id = ${account} and expected_on > desired_on ${coming}
        order by reference limit ${limit}))`,
  }
}

// All lines of an order have the same desired date.
function lateByToday(db: Database, account: AccountId, today: string): IndexQuery {
  return {
    matches: db`true`,
    query: (columns, limit) => db`
      select ${columns} from purchase_order_search
      where account_id = ${account} and reference = any(array(
        select reference from (
          select distinct desired_on, reference from inbound
          where account_id = ${account} and not delivered and desired_on < ${today}::text::date
          order by desired_on, reference limit ${limit}
        ) overdue))`,
  }
}
