import { randomUUID } from 'node:crypto'
import pg, { type Client } from 'pg'
import type { BenchAccount, DatabasePlace } from '../../contender.js'
import { permissionsOf } from './permissions.js'
import { administrator, bootstrap, ensureCompiled } from './program.js'

/** Brings Directus into a database that has our tables; `token` is its administrator's. */
export async function install(place: DatabasePlace, accounts: BenchAccount[], token: string): Promise<void> {
  await ensureCompiled()
  await bootstrap(place)
  const ids = await accountIds(place)
  await withClient(place, async (client) => {
    await client.query('update directus_users set token = $1 where email = $2', [token, administrator])
    await createUsers(client, accounts, ids)
  })
}

/** By slug. */
export async function accountIds(place: DatabasePlace): Promise<Map<string, number>> {
  const { rows } = await withClient(place, (client) =>
    client.query<{ slug: string; id: number }>('select slug, id from accounts'),
  )
  return new Map(rows.map(({ slug, id }) => [slug, id]))
}

async function withClient<Result>(place: DatabasePlace, work: (client: Client) => Promise<Result>): Promise<Result> {
  const { socketFolder, port, user, database } = place
  const client = new pg.Client({ host: socketFolder, port, user, database })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** A user for each account, whose token is the account's key, with a policy of its own. */
async function createUsers(client: Client, accounts: BenchAccount[], ids: Map<string, number>): Promise<void> {
  const users = accounts.map(({ slug, key }) => {
    const account_id = ids.get(slug)
    if (account_id === undefined) throw new Error(`there is no account ${slug}`)
    return { id: randomUUID(), policy: randomUUID(), account_id, name: slug, token: key }
  })
  const permissions = users.flatMap(({ policy, account_id }) =>
    permissionsOf(account_id).map((permission) => ({ policy, ...permission })),
  )
  await client.query('begin')
  await client.query(
    `with sent as (
      select * from json_to_recordset($1) as sent (id uuid, policy uuid, name text, token text)
    ), users as (
      insert into directus_users (id, status, provider, token) select id, 'active', 'default', token from sent
    ), policies as (
      insert into directus_policies (id, name) select policy, name from sent
    )
    insert into directus_access (id, "user", policy) select gen_random_uuid(), id, policy from sent`,
    [JSON.stringify(users)],
  )
  await client.query(
    `insert into directus_permissions (collection, action, permissions, presets, fields, policy)
    select collection, action, permissions, presets, fields, policy from json_to_recordset($1)
      as sent (collection text, action text, permissions json, presets json, fields text, policy uuid)`,
    [JSON.stringify(permissions)],
  )
  await client.query('commit')
  await client.query('vacuum analyze')
}

/**
 * Directus stores the new lines of an order before it removes the old ones: that a position is taken once may only be
 * checked at the end of the transaction.
 */
export async function deferPositions(place: DatabasePlace): Promise<void> {
  await withClient(place, (client) =>
    client.query(
      `alter table order_lines
        drop constraint order_lines_purchase_order_id_position_key,
        add constraint order_lines_purchase_order_id_position_key
          unique (purchase_order_id, position) deferrable initially deferred`,
    ),
  )
}
