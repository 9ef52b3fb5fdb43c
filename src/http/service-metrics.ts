import type { Registry } from 'prom-client'
import type { Database } from '../storage/database.js'
import { inTime, oneAtATime } from '../storage/in-time.js'
import { poolOf } from '../storage/pool.js'
import type { Readers } from '../storage/readers.js'
import { readOwnConnections } from '../storage/vital-signs.js'
import type { AnswerMemory } from './answer-memory.js'
import type { Connections } from './connections.js'
import { addCounter, addGauge, type Reading } from './measures.js'
import type { Streams } from './portal/event-stream.js'
import type { Readiness } from './readiness.js'
import type { RequestLog } from './request-log.js'

/** The parts of a service that tell how they stand. */
export type Watched = {
  db: Database
  memory: AnswerMemory
  readers: Readers
  connections: Connections
  requests: RequestLog
  streams: Streams
  readiness: Readiness
}

/** What one process knows of itself: with workers, all of them together. */
export function addServiceMetrics(registry: Registry, watched: Watched): void {
  addConnectionMetrics(registry, watched)
  addMemoryMetrics(registry, watched.memory)
  addReadMetrics(registry, watched.readers)
  addPoolMetrics(registry, watched.db)
}

function addConnectionMetrics(registry: Registry, { connections, streams, requests, readiness }: Watched): void {
  const gauge = (name: string, help: string, read: () => number) => addGauge(registry, { name, help }, read)
  gauge('waybill_http_connections', 'Connections of clients that are open.', () => connections.count().open)
  gauge('waybill_requests_under_way', 'Requests that are being answered.', () => connections.count().requests)
  gauge('waybill_event_streams', 'Streams of changes that somebody listens to.', () => streams.count())
  gauge('waybill_request_log_waiting', 'Requests that wait to be written to the log of their keys.', () => {
    return requests.tally().waiting
  })
  const dropped = 'Requests that are missing in the log of their keys, as there was no room for them.'
  addCounter(registry, { name: 'waybill_request_log_dropped_total', help: dropped }, () => requests.tally().dropped)
  const writable = 'Whether the bytes of documents can be written where they are kept.'
  addGauge(registry, { name: 'waybill_documents_writable', help: writable, aggregator: 'min' }, async () =>
    (await readiness.documentsFault()) === undefined ? 1 : 0,
  )
}

function addMemoryMetrics(registry: Registry, memory: AnswerMemory): void {
  const name = (rest: string) => `waybill_answer_memory_${rest}`
  const hits = { name: name('hits_total'), help: 'Plain reads whose answer was remembered.' }
  addCounter(registry, hits, () => memory.tally().hits)
  const misses = { name: name('misses_total'), help: 'Plain reads whose answer had to be made.' }
  addCounter(registry, misses, () => memory.tally().misses)
  addGauge(registry, { name: name('bytes'), help: 'What the remembered answers take.' }, () => memory.tally().bytes)
  const limit = { name: name('limit_bytes'), help: 'What they may take.' }
  addGauge(registry, limit, () => memory.tally().mostBytes)
}

function addReadMetrics(registry: Registry, readers: Readers): void {
  const answered = {
    name: 'waybill_reads_total',
    help: 'Reads of customers that a server has answered.',
    label: 'from',
  }
  addCounter(registry, answered, () =>
    Object.fromEntries(readers.tally().map(({ name, answered: count }) => [name, count])),
  )
  const help = 'Whether a replica is read from; 0: it is away.'
  addGauge(registry, { name: 'waybill_replica_up', help, label: 'replica', aggregator: 'min' }, () =>
    Object.fromEntries(
      readers
        .tally()
        .slice(1)
        .map(({ name, isRead }) => [name, isRead ? 1 : 0]),
    ),
  )
}

// A database that does not answer tells nothing, and holds up nobody who asks for the rest.
const patience = 1000

function addPoolMetrics(registry: Registry, db: Database): void {
  const limit = { name: 'waybill_database_connections_limit', help: 'Connections that the pool may have.' }
  addGauge(registry, limit, () => poolOf(db).limit)
  const transactions = 'Transactions that have a connection to themselves (running), or wait for one (waiting).'
  addGauge(registry, { name: 'waybill_transactions', help: transactions, label: 'state' }, () => {
    const { running, waiting } = poolOf(db)
    return { running, waiting }
  })
  const help = 'Connections of the pool, by what the database sees them do.'
  const look = oneAtATime(() => readOwnConnections(db))
  addGauge(registry, { name: 'waybill_database_connections', help, label: 'state' }, async (): Promise<Reading> => {
    // That it is away is told by another figure.
    const found = await inTime(look(), patience).catch(() => undefined)
    if (!found) return {}
    const { active, idle, inTransaction, waitingForLock } = found
    return { active, idle, in_transaction: inTransaction, waiting_for_lock: waitingForLock }
  })
}
