import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, expect, inject, test } from 'vitest'
import { openDatabase } from '../../src/database/database.js'
import { dumpSchema } from '../support/schema-dump.js'

const db = openDatabase({ url: inject('databaseUrl') }, { connections: 1 })
afterAll(() => db.end())

const place = new URL('../../schema.sql', import.meta.url)
const head = '-- What the migrations come to. Written by `UPDATE_SCHEMA=1 npx vitest run test/schema.test.ts`.\n\n'

test('the schema of the migrations equals the checked-in one', async () => {
  const found = head + (await dumpSchema(db))
  if (process.env.UPDATE_SCHEMA) await writeFile(place, found)
  expect(found).toBe(await readFile(place, 'utf8'))
})

test('the account comes first in every primary key, so that tables can be distributed by account, as documented', async () => {
  const reported = await readFile(new URL('../../docs/scaling.md', import.meta.url), 'utf8')
  const keys = await db<{ table: string; columns: string[] }[]>`
    select relname as table, array(
      select attname::text from unnest(indkey) with ordinality as key (number, place)
      join pg_attribute on attrelid = indrelid and attnum = number
      order by place
    ) as columns
    from pg_class left join pg_index on indrelid = pg_class.oid and indisprimary
    where relnamespace = 'public'::regnamespace and relkind = 'r'`
  // Tables of the forwarder.
  const shared = [
    'schema_migrations',
    'service',
    'accounts',
    'operators',
    'number_series',
    'sign_in_failures',
    'passkey_challenges',
    'messages',
    'event_identities',
    'feeds',
    'feed_secrets',
    'mails',
    'free_time_terms',
    'sender_codes',
    'sender_code_uses',
    'sender_columns',
    'senders',
    'working_days',
  ]
  expect(keys.length).toBeGreaterThan(shared.length)
  for (const { table, columns } of keys) {
    if (shared.includes(table)) {
      expect(reported).toMatch(new RegExp(`['\`]${table}['\`]`))
    } else {
      expect(columns[0], table).toBe('account_id')
      expect(reported).toContain(`'${table}'`)
    }
  }
})

test('identifiers are compared by bytes, whatever the locale of the server', async () => {
  const loose = await db`
    select indexrelid::regclass::text as index, attname
    from pg_index
    join pg_attribute on attrelid = indrelid and attnum = any(indkey)
    join pg_class on pg_class.oid = indrelid
    where relnamespace = 'public'::regnamespace and atttypid = 'text'::regtype
      and attcollation <> (select oid from pg_collation where collname = 'C' and collnamespace = 'pg_catalog'::regnamespace)`
  expect(loose).toEqual([])
})
