import type { FastifyBaseLogger } from 'fastify'
import { Counter, Gauge, Registry } from 'prom-client'
import type { Database } from '../../database/database.js'
import { type DatabaseHealth, measureRoundTrip, readDatabaseHealth } from '../../database/database-health.js'
import { singleFlight, withTimeout } from '../../database/timeout.js'
import { findEvaluationLag } from '../../store/exception-watches.js'

const timeout = 1000

type Sample = { health: DatabaseHealth; roundTrip: number; evaluation: Awaited<ReturnType<typeof findEvaluationLag>> }

/** Metrics of the whole database: the same from every worker, so they are not summed. */
export function databaseMetrics(db: Database, log: FastifyBaseLogger): () => Promise<string> {
  const readSample = singleFlight(async (): Promise<Sample> => {
    const roundTrip = await measureRoundTrip(db)
    return { roundTrip, health: await readDatabaseHealth(db), evaluation: await findEvaluationLag(db) }
  })

  return async () => {
    const sample = await withTimeout(readSample(), timeout).catch((error: unknown) => {
      log.warn({ err: error }, 'database metrics could not be read')
      return undefined
    })
    return registryOf(sample).metrics()
  }
}

// A new registry each time: unknown values are left out, because a counter that drops to 0 would look like a restart.
function registryOf(sample: Sample | undefined): Registry {
  const registry = new Registry()
  const gauge = (name: string, help: string, value: number) =>
    new Gauge({ name: `waybill_${name}`, help, registers: [registry] }).set(value)
  gauge('database_up', 'Whether the database responded within a second.', sample ? 1 : 0)
  if (!sample) return registry
  const { health, roundTrip, evaluation } = sample
  gauge('database_round_trip_seconds', 'Duration of a trivial query, including the wait for a connection.', roundTrip)
  gauge('database_bytes', 'Size of the database on disk.', health.bytes)
  gauge('database_server_connections', 'Connections of all clients to the database server.', health.connections)
  gauge('database_server_connections_limit', 'Connection limit of the database server.', health.maxConnections)
  gauge('oldest_transaction_seconds', 'Age of the oldest open transaction.', health.oldestTransaction)
  gauge('schema_version', 'Version of the database schema.', health.schemaVersion)
  gauge('accounts', 'Accounts.', health.accounts)
  gauge('sessions', 'Open portal sessions.', health.sessions)
  gauge('search_behind_accounts', 'Accounts with an outdated search index.', health.searchBehind)
  gauge('search_behind_seconds', 'Age of the oldest change that is not yet indexed for search.', health.searchDelay)
  gauge('exceptions_behind_seconds', 'How long ago exceptions should have been evaluated.', evaluation.seconds)
  gauge('exceptions_behind_revisions', 'Revisions that exceptions do not follow yet.', evaluation.revisions)
  const help = 'Revisions of all accounts: one for each write to the change log.'
  new Counter({ name: 'waybill_revisions_total', help, registers: [registry] }).inc(health.revisions)
  return registry
}
