import type { FastifyBaseLogger } from 'fastify'
import { Counter, Gauge, Registry } from 'prom-client'
import type { Database } from '../../database/database.js'
import { type DatabaseHealth, measureRoundTrip, readDatabaseHealth } from '../../database/database-health.js'
import { singleFlight, withTimeout } from '../../database/timeout.js'
import { findEvaluationLag } from '../../store/exception-watches.js'
import { type FeedLag, findFeedLags } from '../../store/feeds.js'
import { findMessageLag, type MessageLag } from '../../store/messages.js'

const timeout = 1000

type Sample = {
  health: DatabaseHealth
  roundTrip: number
  evaluation: Awaited<ReturnType<typeof findEvaluationLag>>
  messages: MessageLag
  feeds: FeedLag[]
}

/** Metrics of the whole database: the same from every worker, so they are not summed. */
export function databaseMetrics(db: Database, log: FastifyBaseLogger): () => Promise<string> {
  const readSample = singleFlight(async (): Promise<Sample> => {
    const roundTrip = await measureRoundTrip(db)
    return {
      roundTrip,
      health: await readDatabaseHealth(db),
      evaluation: await findEvaluationLag(db),
      messages: await findMessageLag(db),
      feeds: await findFeedLags(db),
    }
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
  addMessageMetrics(registry, sample)
  const help = 'Revisions of all accounts: one for each write to the change log.'
  new Counter({ name: 'waybill_revisions_total', help, registers: [registry] }).inc(health.revisions)
  return registry
}

/** Senders and feeds are named by operators: nothing that a client sends becomes a label. */
function addMessageMetrics(registry: Registry, { messages, feeds }: Pick<Sample, 'messages' | 'feeds'>): void {
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: `waybill_${name}`, help, labelNames, registers: [registry] })
  gauge('messages_waiting', 'Messages that are stored and not yet processed; at most 100,000 are counted.').set(
    messages.waiting,
  )
  gauge('messages_waiting_seconds', 'Age of the oldest message that is not yet processed.').set(messages.seconds)
  const newest = gauge('last_message_timestamp_seconds', 'When the newest message of a sender came in.', 'sender')
  for (const { sender, received_at } of messages.newest) newest.set({ sender }, received_at.getTime() / 1000)
  const lag = gauge('feed_lag_seconds', 'How long ago a fetched feed reached its last page.', 'sender', 'feed_id')
  const failures = gauge('feed_failures', 'Attempts of a fetched feed that failed in a row.', 'sender', 'feed_id')
  for (const { sender, feed_id, seconds, failures: count } of feeds) {
    lag.set({ sender, feed_id }, seconds)
    failures.set({ sender, feed_id }, count)
  }
}
