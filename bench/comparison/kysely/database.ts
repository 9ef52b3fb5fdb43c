import {
  type Compilable,
  type CompiledQuery,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type RawBuilder,
  sql,
} from 'kysely'
import pg, { type PoolClient } from 'pg'
import type { DatabasePlace } from '../../bench-server.js'
import type { Tables } from './tables.js'

export type Database = Kysely<Tables>

// One generic plan for each prepared statement: planning these queries takes about as long as running them.
const options = '-c plan_cache_mode=force_generic_plan -c jit=off'

export function openDatabase({ socketFolder, port, user, database }: DatabasePlace): Database {
  const pool = new pg.Pool({ host: socketFolder, port, user, database, options, max: 10, idleTimeoutMillis: 0 })
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: preparing(pool) }) })
}

/** Kysely sends text; the driver prepares statements that have a name. Each text gets one, and is parsed once in each connection. */
function preparing(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>()
  const clients = new WeakMap<PoolClient, PostgresPoolClient>()

  function nameOf(text: string): string {
    const name = names.get(text) ?? `q${names.size}`
    names.set(text, name)
    return name
  }

  function preparingClient(client: PoolClient): PostgresPoolClient {
    const query = (text: string, values: unknown[]) =>
      values.length === 0 ? client.query(text) : client.query({ name: nameOf(text), text, values })
    // Kysely may also ask a client for cursors, which are not used here.
    return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release() }
  }

  return {
    async connect() {
      const client = await pool.connect()
      const known = clients.get(client)
      if (known) return known
      const wrapped = preparingClient(client)
      clients.set(client, wrapped)
      return wrapped
    },
    end: () => pool.end(),
  }
}

class Parameter {
  constructor(readonly name: string) {}
}

export type Parameters<Values> = <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>

/** A query that is built and compiled once, and run with the values of each request. */
export function prepared<Values extends Record<string, unknown>, Row>(
  build: (value: Parameters<Values>) => Compilable<Row>,
): (db: Database, values: Values) => Promise<Row[]> {
  const compiled = build((name) => sql`${new Parameter(name)}`).compile()
  const names = compiled.parameters.map((parameter) => (parameter as Parameter).name)
  return async (db, values) => {
    const query: CompiledQuery<Row> = { ...compiled, parameters: names.map((name) => values[name]) }
    return (await db.executeQuery(query)).rows
  }
}
