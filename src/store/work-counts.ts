import type { WorkCounts, WorkSearch } from '../contract/operator/work.js'
import type { AccountScope } from '../database/account-id.js'
import type { Fragment, Reader } from '../database/database.js'
import { concerning, inScope } from './account-scope.js'
import { matchingForForwarder } from './exceptions.js'
import { handledAs } from './work-items.js'

// Counting stops here.
const mostCounted = 10_000

/** What waits in each source, by the same conditions as their lists. Messages and codes belong to no account yet. */
export async function countWaitingWork(
  db: Reader,
  scope: AccountScope,
  filter: Omit<WorkSearch, 'account'>,
  { isOfAccount }: { isOfAccount: boolean },
): Promise<WorkCounts> {
  const { svc_shipment_id } = filter
  const counted = (rows: Fragment) => db`(select count(*)::integer from (select ${rows} limit ${mostCounted}) counted)`
  const within = inScope(db, scope)
  const handled = {
    owner: filter.owner,
    snoozed: filter.state === 'new' ? ('false' as const) : filter.state === 'snoozed' ? ('true' as const) : undefined,
  }
  const [counts] = await db<WorkCounts[]>`
    select
      ${counted(db`from exceptions where ${within} ${matchingForForwarder(db, filter)}`)} as exceptions,
      ${
        isOfAccount
          ? db`0`
          : counted(
              db`from messages where outcome in ('unmatched', 'quarantined', 'unreadable') ${concerning(db, scope)}
                ${handledAs(db, 'message', handled)}`,
            )
      } as messages,
      ${isOfAccount ? db`0` : counted(db`from sender_codes where mapped_to is null ${handledAs(db, 'code', handled)}`)} as codes,
      ${counted(db`from document_proposals where state = 'proposed' and ${within}
        ${svc_shipment_id === undefined ? db`` : db`and svc_shipment_id = ${svc_shipment_id}`}
        ${handledAs(db, 'document', handled)}`)} as documents,
      ${counted(db`from conversations conversation where unanswered_since is not null and ${within}
        ${handledAs(db, 'conversation', handled)}`)} as conversations,
      ${counted(db`from purchase_order_search where has_open_lines and ${within}
        ${handledAs(db, 'order', handled)}`)} as orders,
      ${counted(db`from shipment_search where status = 'booking_request' and ${within}
        ${handledAs(db, 'booking_request', handled)}`)} as booking_requests,
      ${counted(db`from invoices where status = 'litigious' and not draft and ${within}
        ${handledAs(db, 'dispute', handled)}`)} as disputes`
  if (!counts) throw new Error('no row')
  return counts
}
