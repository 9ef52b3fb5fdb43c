import type { NeededDocumentSearch } from '../../contract/operator/proposals.js'
import { invalid } from '../../contract/refusals.js'
import type { AccountId, AccountScope } from '../../database/account-id.js'
import type { Database, Fragment, Reader } from '../../database/database.js'
import { documentDeadlines } from '../../domain/documents/required-documents.js'
import { inScope } from '../account-scope.js'
import { handledAs } from '../work-items.js'
import { decodeCursor, encodeCursor } from './cursor.js'

/** Shipments of all accounts by the next day on which documents of theirs may be needed. */

export type ShipmentWithDeadline = { account_id: AccountId; account: string; account_name: string; id: string }

type Row = ShipmentWithDeadline & { due_on: string }

const columns = { departure: 'departs_on', arrival: 'arrives_on', delivery: 'delivered_on' } as const

// Days of places: those at the date line begin a day earlier or later.
const margin = 1

export async function searchShipmentsByDeadline(
  db: Database,
  scope: AccountScope,
  search: NeededDocumentSearch,
  today: string,
): Promise<{ rows: ShipmentWithDeadline[]; next: string | undefined }> {
  const { days = 7, take = 50, svc_shipment_id, owner, snoozed } = search
  const deadlines = documentDeadlines.reduce(
    (all, deadline) => db`${all}, ${db(columns[deadline.from])} + ${deadline.days}::integer`,
    db`null::date`,
  )
  const found = await db<Row[]>`
    select account_id, slug as account, accounts.name as account_name, id, due_on::text as due_on
    from (
      select account_id, svc_shipment_id as id, (
          select min(day) from unnest(array[${deadlines}]) as needed (day) where day >= ${today}::text::date - ${margin}::integer
        ) as due_on
      from shipment_search
      where status in ('booked', 'in_progress') and ${inScope(db, scope)}
        ${svc_shipment_id === undefined ? db`` : db`and svc_shipment_id = ${svc_shipment_id}`}
        ${handledAs(db, 'needed_documents', { owner, snoozed })}
    ) found join accounts using (account_id)
    where due_on <= ${today}::text::date + ${days + margin}::integer ${afterCursor(db, search.after)}
    order by due_on, account_id, id limit ${take + 1}`
  const rows = found.slice(0, take)
  const last = found.length > take ? rows.at(-1) : undefined
  return { rows, next: last && encodeCursor({ key: last.due_on, id: last.id, before: last.account_id }) }
}

function afterCursor(db: Reader, after: string | undefined): Fragment {
  const cursor = decodeCursor(after, 'date')
  if (!cursor) return db``
  const { key, id, before: account } = cursor
  if (key === null || account > 2_147_483_647)
    throw invalid([{ pointer: '/after', detail: 'must be `next` of the page before' }])
  return db`and (due_on, account_id, id) > (${key}::text::date, ${account}::integer, ${id})`
}
