import type { View } from '../contract/portal/views.js'
import type { AccountId } from '../database/account-id.js'
import type { Database, Reader } from '../database/database.js'
import { deleteSubscriptionsOfView } from './subscriptions.js'

/** The saved searches of a person. */

export async function listViewRows(db: Reader, account: AccountId, person_id: string): Promise<View[]> {
  return db<View[]>`
    select view_id, page, name, query from saved_views
    where account_id = ${account} and person_id = ${person_id} order by lower(name), view_id`
}

/** False if the person or the account has as many views as allowed. */
export async function insertView(
  db: Database,
  account: AccountId,
  person_id: string,
  view: View,
  most: { ofPerson: number; ofAccount: number },
): Promise<boolean> {
  const { view_id, page, name, query } = view
  return db.begin(async (sql) => {
    // Concurrent requests of a person are counted one after another.
    await sql`select from people where account_id = ${account} and person_id = ${person_id} for update`
    const rows = await sql`
      insert into saved_views (account_id, person_id, view_id, page, name, query)
      select ${account}, ${person_id}, ${view_id}, ${page}, ${name}, ${query}
      from (select count(*) as all_views, count(*) filter (where person_id = ${person_id}) as own_views
        from saved_views where account_id = ${account}) stored
      where own_views < ${most.ofPerson} and all_views < ${most.ofAccount}
      returning view_id`
    return rows.length > 0
  })
}

export async function updateViewRow(
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

/** Also ends the subscriptions to it. False if there is no such view. */
export async function deleteView(
  db: Database,
  account: AccountId,
  person_id: string,
  view_id: string,
): Promise<boolean> {
  return db.begin(async (sql) => {
    const rows = await sql`
      delete from saved_views where account_id = ${account} and person_id = ${person_id} and view_id = ${view_id} returning 1`
    await deleteSubscriptionsOfView(sql, account, person_id, view_id)
    return rows.length > 0
  })
}
