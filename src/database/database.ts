import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { clientConfig, type DatabaseAddress } from './address.js'
import { enableByteRows } from './byte-rows.js'
import { isReadOnly, readOnlyTransaction, withCode } from './errors.js'
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

export type { SqlStatement as Fragment, TextRow } from './statement.js'
export type { CopySql, Reader, TransactionSql } from './transact.js'
export type { DatabaseAddress }

export type Database = Reader & {
  begin<Result>(work: (sql: TransactionSql) => Promise<Result>, options?: TransactionOptions): Promise<Result>
  /** `begin` on a connection outside the limit of the pool, for long transactions. Statements are unnamed: each is planned again, as tables grow. */
  beginLong<Result>(work: (sql: TransactionSql) => Promise<Result>, options?: TransactionOptions): Promise<Result>
  /** `begin` on a dedicated connection that supports COPY and does not pipeline. */
  beginCopy<Result>(work: (sql: CopySql) => Promise<Result>, options?: TransactionOptions): Promise<Result>
  /** One statement outside of a transaction and without a time limit, such as `create index concurrently`. */
  runAlone(text: string): Promise<unknown[]>
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
  /**
   * Refuses standbys from now on, as a load balancer may still lead to a former primary: it accepts no writes, and its revisions are
   * out of date.
   */
  requirePrimary(): void
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
const unlimited = 1000

type PoolOptions = {
  connections?: number
  name?: string
  onConnection?: () => void
  /** Milliseconds that a statement of the pool may take; other connections have no limit. */
  statementTimeout?: number | undefined
}

export function openDatabase(
  address: DatabaseAddress,
  { connections = 10, name = 'waybill', onConnection = () => {}, statementTimeout }: PoolOptions = {},
): Database {
  const config = { ...clientConfig(address), application_name: name, types, keepAlive: true }
  const clients = new Set<pg.Client>()
  const closedTraffic: Traffic = { sent: 0, received: 0 }
  const standbys = new WeakSet<pg.Client>()
  let isRefusing = false
  let mustBePrimary = false

  /** PostgreSQL reports to each connection whether it is a standby, and when it is promoted. */
  function watchRole(client: pg.Client): pg.Client {
    connectionOf(client).on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName !== 'in_hot_standby') return
      if (parameterValue === 'off') standbys.delete(client)
      else if (mustBePrimary) destroy(client, standbyRefused())
      else standbys.add(client)
    })
    return client
  }

  const pool = newPool(connections, 600_000, statementTimeout)
  // Kept for a moment: with a new connection, which has to read the catalog, an import of a few lines takes 70 ms instead of 43.
  const longPool = newPool(unlimited, 5000)

  function newPool(max: number, idleTimeoutMillis: number, timeout?: number): pg.Pool {
    /** Limits the time to connect. The pool's own timeout would also limit the wait for a free connection. */
    class TimedClient extends pg.Client {
      constructor() {
        super({
          ...config,
          pipeline: true,
          connectionTimeoutMillis: connectTimeout,
          ...(timeout !== undefined && { statement_timeout: timeout }),
        })
        watchRole(enableByteRows(this))
      }
    }
    const created = new pg.Pool({ ...config, max, idleTimeoutMillis, Client: TimedClient })
    created.on('connect', (client) => {
      clients.add(client)
      // A lost connection fails its queries. Without a listener the error would also end the process.
      client.on('error', () => {})
      onConnection()
    })
    created.on('remove', (client) => {
      addTraffic(closedTraffic, client)
      clients.delete(client)
    })
    created.on('error', () => {})
    return created
  }

  function traffic(): Traffic {
    const sum = { ...closedTraffic }
    for (const client of clients) addTraffic(sum, client)
    return sum
  }

  async function connect(from: pg.Pool): Promise<pg.PoolClient> {
    if (isRefusing) throw unavailable()
    try {
      return await from.connect()
    } catch (error) {
      throw withCode(error)
    }
  }

  async function withDedicatedClient<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    if (isRefusing) throw unavailable()
    const client = watchRole(
      enableByteRows(new pg.Client({ ...config, pipeline: false, connectionTimeoutMillis: connectTimeout })),
    )
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

  async function withClient<Result>(from: pg.Pool, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await connect(from)
    try {
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      // The next connection may lead to a server that accepts writes.
      client.release(isReadOnly(error))
      throw error
    }
  }

  const runInPool: Run = (prepared, form) => withClient(pool, (client) => runOn(client)(prepared, form))

  return Object.assign(templateOf(runInPool), {
    unsafe: async (text: string) => {
      const client = await connect(pool)
      try {
        return (await client.query(text)).rows as unknown[]
      } catch (error) {
        throw withCode(error)
      } finally {
        client.release()
      }
    },
    begin<Result>(work: (sql: TransactionSql) => Promise<Result>, options?: TransactionOptions): Promise<Result> {
      return withClient(pool, (client) => transact(client, work, options))
    },
    beginLong<Result>(work: (sql: TransactionSql) => Promise<Result>, options?: TransactionOptions): Promise<Result> {
      return withClient(longPool, (client) => transact(client, work, { ...options, named: false }))
    },
    beginCopy<Result>(work: (sql: CopySql) => Promise<Result>, options?: TransactionOptions): Promise<Result> {
      return withDedicatedClient((client) =>
        transact(client, (sql) => work(Object.assign(sql, copyMethods(client))), options),
      )
    },
    runAlone(text: string): Promise<unknown[]> {
      return withClient(longPool, async (client) => {
        try {
          return (await client.query(text)).rows as unknown[]
        } catch (error) {
          throw withCode(error)
        }
      })
    },
    async end({ timeout }: { timeout?: number } = {}) {
      const ended = Promise.all([pool, longPool].filter((open) => !open.ending).map((open) => open.end()))
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
      requirePrimary() {
        mustBePrimary = true
        for (const client of clients) if (standbys.has(client)) destroy(client, standbyRefused())
      },
    },
  }) as Database
}

type Socket = { bytesWritten: number; bytesRead: number; destroy(error?: Error): void }

type Parameter = { parameterName: string; parameterValue: string }
type Connection = { stream: Socket; on(event: 'parameterStatus', listener: (parameter: Parameter) => void): void }

function connectionOf(client: pg.Client): Connection {
  return (client as unknown as { connection: Connection }).connection
}

function socketOf(client: pg.Client): Socket {
  return connectionOf(client).stream
}

function addTraffic(sum: Traffic, client: pg.Client): void {
  const { bytesWritten, bytesRead } = socketOf(client)
  sum.sent += bytesWritten
  sum.received += bytesRead
}

function destroy(client: pg.Client, reason: Error = unresponsive('ECONNRESET')): void {
  socketOf(client).destroy(reason)
}

function unavailable(): Error {
  return unresponsive('ECONNREFUSED')
}

function unresponsive(code: string): Error {
  return Object.assign(new Error('the database does not respond'), { code })
}

function standbyRefused(): Error {
  return Object.assign(new Error('the server is a standby'), { code: readOnlyTransaction })
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
