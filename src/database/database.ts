import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { clientConfig, type DatabaseAddress } from './address.js'
import { withCode } from './errors.js'
import type { Run } from './statement.js'
import {
  type CopySql,
  copyMethods,
  type Reader,
  runOn,
  type TransactionOptions,
  type TransactionSql,
  templateOf,
  transact,
} from './transact.js'

export type { Statement as Fragment, TextRow } from './statement.js'
export type { CopySql, Reader, TransactionSql } from './transact.js'
export type { DatabaseAddress }

export type Database = Reader & {
  begin<Result>(work: (sql: TransactionSql) => Promise<Result>, options?: TransactionOptions): Promise<Result>
  /** `begin` on a dedicated connection outside the pool, for long transactions. Statements are unnamed: each is planned again, as tables grow. */
  beginDedicated<Result>(work: (sql: TransactionSql) => Promise<Result>, options?: TransactionOptions): Promise<Result>
  /** `begin` on a dedicated connection that supports COPY and does not pipeline. */
  beginCopy<Result>(work: (sql: CopySql) => Promise<Result>, options?: TransactionOptions): Promise<Result>
  /** Waits for running queries, up to `timeout` seconds. */
  end(options?: { timeout?: number }): Promise<void>
  pool: PoolControl
}

/** Statistics and control of the pool, for `database-watchdog.ts`. */
export type PoolControl = {
  counts(): { limit: number; running: number; waiting: number }
  /** Bytes sent and received on all connections so far. */
  traffic(): Traffic
  /** Probes with a new connection: whether nothing comes back within the time, not even an error. */
  isUnresponsiveFor(milliseconds: number): Promise<boolean>
  /** Closes all connections and rejects queries until `accept`. */
  refuse(): void
  accept(): void
}

type Traffic = { sent: number; received: number }

/**
 * Rows for `jsonb_to_recordset(...::text::jsonb)`: one parameter and one plan for any number of rows; twice as fast as an
 * array per column.
 */
export function asJson<Row>(rows: Row[], fieldsOf?: (row: Row) => object): string {
  return JSON.stringify(fieldsOf ? rows.map(fieldsOf) : rows)
}

// bigint as number: revisions and sizes stay far below 2^53. Dates without a time stay text.
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)
types.setTypeParser(pg.types.builtins.DATE, (text) => text)

const connectTimeout = 5000

type PoolOptions = {
  connections?: number
  name?: string
  onConnection?: () => void
  /** Milliseconds that a statement of the pool may take; dedicated connections have no limit. */
  statementTimeout?: number | undefined
}

export function openDatabase(
  address: DatabaseAddress,
  { connections = 10, name = 'waybill', onConnection = () => {}, statementTimeout }: PoolOptions = {},
): Database {
  const config = { ...clientConfig(address), application_name: name, types, keepAlive: true }
  const clients = new Set<pg.Client>()
  const closedTraffic: Traffic = { sent: 0, received: 0 }
  let isRefusing = false

  /** Limits the time to connect. The pool's own timeout would also limit the wait for a free connection. */
  class TimedClient extends pg.Client {
    constructor() {
      super({
        ...config,
        pipeline: true,
        connectionTimeoutMillis: connectTimeout,
        ...(statementTimeout !== undefined && { statement_timeout: statementTimeout }),
      })
    }
  }
  const pool = new pg.Pool({ ...config, max: connections, idleTimeoutMillis: 600_000, Client: TimedClient })
  pool.on('connect', (client) => {
    clients.add(client)
    // A lost connection fails its queries. Without a listener the error would also end the process.
    client.on('error', () => {})
    onConnection()
  })
  pool.on('remove', (client) => {
    addTraffic(closedTraffic, client)
    clients.delete(client)
  })
  pool.on('error', () => {})

  function traffic(): Traffic {
    const sum = { ...closedTraffic }
    for (const client of clients) addTraffic(sum, client)
    return sum
  }

  async function connect(): Promise<pg.PoolClient> {
    if (isRefusing) throw unavailable()
    try {
      return await pool.connect()
    } catch (error) {
      throw withCode(error)
    }
  }

  async function withDedicatedClient<Result>(
    mode: { pipeline: boolean },
    work: (client: pg.Client) => Promise<Result>,
  ): Promise<Result> {
    if (isRefusing) throw unavailable()
    const client = new pg.Client({ ...config, ...mode, connectionTimeoutMillis: connectTimeout })
    client.on('error', () => {})
    clients.add(client)
    try {
      await client.connect().catch((error: unknown) => Promise.reject(withCode(error)))
      return await work(client)
    } finally {
      clients.delete(client)
      await client.end()
    }
  }

  const runInPool: Run = async (prepared, form) => {
    const client = await connect()
    try {
      const rows = await runOn(client)(prepared, form)
      client.release()
      return rows
    } catch (error) {
      client.release()
      throw error
    }
  }

  return Object.assign(templateOf(runInPool), {
    unsafe: async (text: string) => {
      const client = await connect()
      try {
        return (await client.query(text)).rows as unknown[]
      } catch (error) {
        throw withCode(error)
      } finally {
        client.release()
      }
    },
    async begin<Result>(work: (sql: TransactionSql) => Promise<Result>, options?: TransactionOptions): Promise<Result> {
      const client = await connect()
      try {
        return await transact(client, work, options)
      } finally {
        client.release()
      }
    },
    beginDedicated<Result>(
      work: (sql: TransactionSql) => Promise<Result>,
      options?: TransactionOptions,
    ): Promise<Result> {
      return withDedicatedClient({ pipeline: true }, (client) => transact(client, work, { ...options, named: false }))
    },
    beginCopy<Result>(work: (sql: CopySql) => Promise<Result>, options?: TransactionOptions): Promise<Result> {
      return withDedicatedClient({ pipeline: false }, (client) =>
        transact(client, (sql) => work(Object.assign(sql, copyMethods(client))), options),
      )
    },
    async end({ timeout }: { timeout?: number } = {}) {
      const ended = pool.ending ? Promise.resolve() : pool.end()
      if (timeout !== undefined) {
        await Promise.race([ended, sleep(timeout * 1000, undefined, { ref: false })])
        for (const client of clients) destroy(client)
      }
      await ended
    },
    pool: {
      counts: () => ({
        limit: connections,
        running: pool.totalCount - pool.idleCount,
        waiting: pool.waitingCount,
      }),
      traffic,
      async isUnresponsiveFor(milliseconds: number) {
        const client = new pg.Client(config)
        client.on('error', () => {})
        const probe = client.connect().then(() => client.query('select 1'))
        const before = traffic().received
        const isAlive = () => traffic().received - before + socketOf(client).bytesRead > 0
        const isUnresponsive = await isUnanswered(probe, milliseconds, isAlive)
        destroy(client)
        return isUnresponsive
      },
      refuse() {
        isRefusing = true
        for (const client of clients) destroy(client)
      },
      accept() {
        isRefusing = false
      },
    },
  }) as Database
}

type Socket = { bytesWritten: number; bytesRead: number; destroy(error?: Error): void }

function socketOf(client: pg.Client): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}

function addTraffic(sum: Traffic, client: pg.Client): void {
  const { bytesWritten, bytesRead } = socketOf(client)
  sum.sent += bytesWritten
  sum.received += bytesRead
}

function destroy(client: pg.Client): void {
  socketOf(client).destroy(Object.assign(new Error('the database does not respond'), { code: 'ECONNRESET' }))
}

function unavailable(): Error {
  return Object.assign(new Error('the database does not respond'), { code: 'ECONNREFUSED' })
}

/**
 * Whether a probe gets no response in time. A database from which anything arrives is alive, on a busy machine perhaps, and gets
 * more time. In steps: a process that was blocked reads what arrived meanwhile after the step that was late.
 */
async function isUnanswered(probe: Promise<unknown>, milliseconds: number, isAlive: () => boolean): Promise<boolean> {
  let isPending = true
  const settle = () => {
    isPending = false
  }
  const settled = probe.then(settle, settle)
  for (let step = 0; isPending && step < probeSteps * (isAlive() ? 5 : 1); step += 1) {
    await Promise.race([settled, sleep(milliseconds / probeSteps)])
  }
  return isPending
}

const probeSteps = 9
