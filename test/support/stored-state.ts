import type { Database } from '../../src/storage/database.js'

// Written beside what happens: who was seen when, and what was asked with keys.
const besides = new Set(['sessions', 'requests', 'key_uses'])

/** All that is stored of an account, as one hash for each table: nothing changes without one of them. */
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
