import type { Database } from '../../src/database/database.js'

/** All data of an account as one text, without the times of last visits. */
export async function readTraces(db: Database, accounts: number[]): Promise<Map<number, string>> {
  const rows = await db<{ account_id: number; trace: string }[]>`
    select account_id, concat_ws(' | ', accounts::text,
      (select count(*) from changes where changes.account_id = accounts.account_id),
      (select md5(string_agg((person_id, email, people.name, role, password_hash, language, time_zone, weight_unit, theme, disabled_at)::text, '' order by person_id))
       from people where people.account_id = accounts.account_id),
      (select md5(string_agg(saved_views::text, '' order by view_id)) from saved_views where saved_views.account_id = accounts.account_id),
      (select md5(string_agg(keys::text, '' order by key_id)) from keys where keys.account_id = accounts.account_id),
      (select md5(string_agg(hash::text, '' order by hash)) from sessions where sessions.account_id = accounts.account_id),
      (select md5(string_agg(hash::text, '' order by hash)) from personal_links
       where personal_links.account_id = accounts.account_id and purpose = 'invitation')
    ) as trace
    from accounts where account_id = any(${accounts})`
  return new Map(rows.map(({ account_id, trace }) => [account_id, trace]))
}
