import pg from 'pg'
import { clientConfig, type DatabaseAddress } from './address.js'
import { withCode } from './errors.js'

/**
 * Whether a connection pooler gives each transaction another connection to PostgreSQL (PgBouncer's `pool_mode = transaction`): then
 * prepared statements are missing where they are executed, and the settings of a connection are another's.
 */
export async function isPooledByTransaction(address: DatabaseAddress): Promise<boolean> {
  return withClient(address, async (one) => {
    // PostgreSQL itself announces the id of its process; a pooler announces a number of its own.
    if (announcedProcess(one) === (await serverProcess(one))) return false
    return withClient(address, async (other) => {
      // Another client may have got the connection meanwhile.
      for (let attempt = 0; attempt < 10; attempt += 1) {
        if ((await serverProcess(one)) === (await serverProcess(other))) return true
      }
      return false
    })
  })
}

async function withClient<Result>(
  address: DatabaseAddress,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    ...clientConfig(address),
    application_name: 'waybill',
    connectionTimeoutMillis: 5000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    throw withCode(error)
  } finally {
    await client.end().catch(() => {})
  }
}

function announcedProcess(client: pg.Client): number {
  return (client as unknown as { processID: number }).processID
}

async function serverProcess(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}
