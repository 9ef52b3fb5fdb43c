import type { View } from '../contract/portal/views.js'
import type { Database, Reader } from './database.js'
import type { AccountId } from './transaction.js'

/** Searches that somebody keeps: theirs alone. */

export async function listViews(db: Reader, account: AccountId, person_id: string): Promise<View[]> {
  return db<View[]>`
    select view_id, page, name, query from saved_views
    where account_id = ${account} and person_id = ${person_id} order by lower(name), view_id`
}

export async function createView(db: Database, account: AccountId, person_id: string, view: View): Promise<void> {
  const { view_id, page, name, query } = view
  await db`
    insert into saved_views (account_id, person_id, view_id, page, name, query)
    values (${account}, ${person_id}, ${view_id}, ${page}, ${name}, ${query})`
}

export async function updateView(
  db: Database,
  account: AccountId,
  person_id: string,
  view_id: string,
  change: { name?: string | undefined; query?: string | undefined },
): Promise<View | undefined> {
  const { name = null, query = null } = change
  const [row] = await db<View[]>`
    update saved_views set name = coalesce(${name}, name), query = coalesce(${query}, query)
    where account_id = ${account} and person_id = ${person_id} and view_id = ${view_id}
    returning view_id, page, name, query`
  return row
}

/** False when there is none. */
export async function removeView(
  db: Database,
  account: AccountId,
  person_id: string,
  view_id: string,
): Promise<boolean> {
  const rows = await db`
    delete from saved_views where account_id = ${account} and person_id = ${person_id} and view_id = ${view_id} returning 1`
  return rows.length > 0
}
