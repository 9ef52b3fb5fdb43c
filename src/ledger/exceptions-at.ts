import type { AccountId } from '../database/account-id.js'
import type { Reader } from '../database/database.js'
import type { ExceptionFilter } from '../store/exceptions.js'
import type { PresentVersion } from './history.js'

/** A page of exceptions as they were at a revision, in the order of the list. */
export async function listExceptionsAt(
  db: Reader,
  account: AccountId,
  revision: number,
  filter: ExceptionFilter & { isVisible?: boolean },
  { skip, take }: { skip: number; take: number | undefined },
): Promise<PresentVersion[]> {
  const { kind, severity, svc_shipment_id, po_number, state, isVisible = false } = filter
  return db<PresentVersion[]>`
    with versions as materialized (
      select distinct on (id) id, revision, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at,
        author as recorded_by, what, reason, record, record::jsonb as fields
      from changes
      where account_id = ${account} and kind = 'exception' and revision <= ${revision}
      order by id, revision desc
    )
    select id, revision, recorded_at, recorded_by, what, reason, record from versions
    where (not ${isVisible} or (fields ->> 'visible')::boolean)
      ${kind === undefined ? db`` : db`and fields ->> 'kind' = ${kind}`}
      ${severity === undefined ? db`` : db`and fields ->> 'severity' = ${severity}`}
      ${svc_shipment_id === undefined ? db`` : db`and fields ->> 'svc_shipment_id' = ${svc_shipment_id}`}
      ${
        po_number === undefined
          ? db``
          : db`and (fields ->> 'po_number' = ${po_number}
              or fields -> 'threatens' @> jsonb_build_array(jsonb_build_object('po_number', ${po_number}::text)))`
      }
      ${state === undefined ? db`` : db`and (fields ->> 'state' = 'closed') = ${state === 'closed'}`}
    order by fields ->> 'raised_at' desc, id collate "C" offset ${skip} limit ${take ?? null}`
}
