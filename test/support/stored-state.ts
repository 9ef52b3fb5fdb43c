import type { Database } from '../../src/database/database.js'

// Written in the background: last visits, and the request log. Refused sign-ins and downloads are in the audit log.
const besides = new Set(['sessions', 'requests', 'key_uses', 'presence', 'audit_log'])

/** The stored data of an account, as one hash per table: any change changes a hash. */
export async function storedState(db: Database, account: number): Promise<Record<string, string>> {
  const tables = await db<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'account_id' order by 1`
  const state: Record<string, string> = {}
  for (const { name } of tables) {
    if (besides.has(name)) continue
    const [row] = await db<{ hash: string }[]>`
      select coalesce(md5(string_agg(stored::text, chr(10) order by stored::text)), '') as hash
      from ${db(name)} as stored where account_id = ${account}`
    state[name] = row?.hash ?? ''
  }
  return state
}
