import type { FastifyBaseLogger } from 'fastify'
import { Counter, Gauge, Registry } from 'prom-client'
import type { Database } from '../storage/database.js'
import { inTime, oneAtATime } from '../storage/in-time.js'
import { measureRoundTrip, readVitalSigns, type VitalSigns } from '../storage/vital-signs.js'

const patience = 1000

type Look = { signs: VitalSigns; roundTrip: number }

/** What the database tells of all that it holds: the same whichever process is asked, and so not added up. */
export function databaseMetrics(db: Database, log: FastifyBaseLogger): () => Promise<string> {
  const look = oneAtATime(async (): Promise<Look> => {
    const roundTrip = await measureRoundTrip(db)
    return { roundTrip, signs: await readVitalSigns(db) }
  })

  return async () => {
    const found = await inTime(look(), patience).catch((error: unknown) => {
      log.warn({ err: error }, 'the database does not tell how it stands')
      return undefined
    })
    return registryOf(found).metrics()
  }
}

// Made anew each time: what is not known is left out, as a counter that fell to 0 would look like a restart.
function registryOf(look: Look | undefined): Registry {
  const registry = new Registry()
  const gauge = (name: string, help: string, value: number) =>
    new Gauge({ name: `waybill_${name}`, help, registers: [registry] }).set(value)
  gauge('database_up', 'Whether the database has answered within a second.', look ? 1 : 0)
  if (!look) return registry
  const { signs, roundTrip } = look
  gauge(
    'database_round_trip_seconds',
    'How long the shortest statement takes, with its wait for a connection.',
    roundTrip,
  )
  gauge('database_bytes', 'What the database takes on its disk.', signs.bytes)
  gauge('database_server_connections', 'Connections of all clients to the database server.', signs.connections)
  gauge('database_server_connections_limit', 'Connections that the database server takes.', signs.mostConnections)
  gauge('oldest_transaction_seconds', 'For how long the oldest transaction is open.', signs.oldestTransaction)
  gauge('schema_version', 'Version of the database schema.', signs.schemaVersion)
  gauge('accounts', 'Accounts.', signs.accounts)
  gauge('sessions', 'Sessions of people in the portal.', signs.sessions)
  gauge('search_behind_accounts', 'Accounts whose searches have something to catch up on.', signs.searchBehind)
  gauge('search_behind_seconds', 'How long ago the oldest change was made that no search knows.', signs.searchDelay)
  const help = 'Revisions of all accounts: one for each write to the change log.'
  new Counter({ name: 'waybill_revisions_total', help, registers: [registry] }).inc(signs.revisions)
  return registry
}
