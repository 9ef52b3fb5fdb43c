import type { Registry } from 'prom-client'
import type { Database } from '../../database/database.js'
import { readProcessConnections } from '../../database/database-health.js'
import type { ReadRouter } from '../../database/replicas.js'
import { singleFlight, withTimeout } from '../../database/timeout.js'
import type { ResponseCache } from '../cache/response-cache.js'
import type { Streams } from '../portal/event-stream.js'
import type { Connections } from '../transport/connections.js'
import { addCounter, addGauge, type MetricValue } from './collected-metrics.js'
import type { Readiness } from './readiness.js'
import type { RequestLog } from './request-log.js'

/** The components that provide metrics. */
export type MetricSources = {
  db: Database
  cache: ResponseCache
  reader: ReadRouter
  connections: Connections
  requests: RequestLog
  streams: Streams
  readiness: Readiness
}

/** Metrics of one process, summed over all workers. */
export function addServiceMetrics(registry: Registry, sources: MetricSources): void {
  addConnectionMetrics(registry, sources)
  addCacheMetrics(registry, sources.cache)
  addReadMetrics(registry, sources.reader)
  addPoolMetrics(registry, sources.db)
}

function addConnectionMetrics(registry: Registry, { connections, streams, requests, readiness }: MetricSources): void {
  const gauge = (name: string, help: string, read: () => number) => addGauge(registry, { name, help }, read)
  gauge('waybill_http_connections', 'Open client connections.', () => connections.count().open)
  gauge('waybill_requests_under_way', 'Requests in progress.', () => connections.count().requests)
  gauge('waybill_event_streams', 'Open event streams.', () => streams.count())
  gauge('waybill_request_log_waiting', 'Requests that wait to be written to the request log.', () => {
    return requests.counts().waiting
  })
  const dropped = 'Requests missing in the request log because its queue was full.'
  addCounter(registry, { name: 'waybill_request_log_dropped_total', help: dropped }, () => requests.counts().dropped)
  const writable = 'Whether documents can be stored.'
  addGauge(registry, { name: 'waybill_documents_writable', help: writable, aggregator: 'min' }, async () =>
    (await readiness.documentsFault()) === undefined ? 1 : 0,
  )
}

function addCacheMetrics(registry: Registry, cache: ResponseCache): void {
  const name = (rest: string) => `waybill_response_cache_${rest}`
  const hits = { name: name('hits_total'), help: 'Reads served from the response cache.' }
  addCounter(registry, hits, () => cache.statistics().hits)
  const misses = { name: name('misses_total'), help: 'Reads not found in the response cache.' }
  addCounter(registry, misses, () => cache.statistics().misses)
  addGauge(registry, { name: name('bytes'), help: 'Size of the response cache.' }, () => cache.statistics().bytes)
  const limit = { name: name('limit_bytes'), help: 'Size limit of the response cache.' }
  addGauge(registry, limit, () => cache.statistics().maxBytes)
}

function addReadMetrics(registry: Registry, reader: ReadRouter): void {
  const served = {
    name: 'waybill_reads_total',
    help: 'Customer reads by the database server that served them.',
    label: 'from',
  }
  addCounter(registry, served, () =>
    Object.fromEntries(reader.counts().map(({ name, served: count }) => [name, count])),
  )
  const help = 'Whether reads can use the replica.'
  addGauge(registry, { name: 'waybill_replica_up', help, label: 'replica', aggregator: 'min' }, () =>
    Object.fromEntries(
      reader
        .counts()
        .slice(1)
        .map(({ name, isAvailable }) => [name, isAvailable ? 1 : 0]),
    ),
  )
}

// A database that does not respond must not delay the other metrics.
const timeout = 1000

function addPoolMetrics(registry: Registry, db: Database): void {
  const limit = { name: 'waybill_database_connections_limit', help: 'Connection limit of the pool.' }
  addGauge(registry, limit, () => db.pool.counts().limit)
  const transactions = 'Transactions that hold a connection (running) or wait for one (waiting).'
  addGauge(registry, { name: 'waybill_transactions', help: transactions, label: 'state' }, () => {
    const { running, waiting } = db.pool.counts()
    return { running, waiting }
  })
  const help = 'Connections of the pool by state, as seen by the database.'
  const readConnections = singleFlight(() => readProcessConnections(db))
  addGauge(registry, { name: 'waybill_database_connections', help, label: 'state' }, async (): Promise<MetricValue> => {
    // waybill_database_up reports an unreachable database.
    const found = await withTimeout(readConnections(), timeout).catch(() => undefined)
    if (!found) return {}
    const { active, idle, inTransaction, waitingForLock } = found
    return { active, idle, in_transaction: inTransaction, waiting_for_lock: waitingForLock }
  })
}
