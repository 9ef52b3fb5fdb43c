import postgres from 'postgres'
import { arrayTypes } from './array-types.js'
import type { Security } from './database-socket.js'
import { type DriverOptions, lastingPool } from './lasting-pool.js'
import { followTransactions } from './pool.js'

/** Where the PostgreSQL is: an address, or the Unix socket of the embedded one. */
export type DatabaseAddress = { url: string } | { socketFolder: string; user: string; database: string }

// Whole numbers of PostgreSQL's bigint reach us as numbers: revisions and sizes stay far below 2^53.
const types = { bigint: { to: 20, from: [20], parse: Number, serialize: String }, ...arrayTypes }

export type Sql = postgres.Sql<{ bigint: number }>
export type TransactionSql = postgres.TransactionSql<{ bigint: number }>

/** What a storage function reads with: a pool, or one transaction. */
export type Reader = Sql | TransactionSql

export type Database = Sql

/** A part of a statement, such as a condition: what several statements have in common. */
export type Fragment = postgres.Fragment

/**
 * Rows for `jsonb_to_recordset(...::text::jsonb)`: one parameter, one plan, however many there are; twice as fast as an array for
 * each column.
 */
export function asJson<Row>(rows: Row[], fieldsOf?: (row: Row) => object): string {
  return JSON.stringify(fieldsOf ? rows.map(fieldsOf) : rows)
}

export function openDatabase(
  address: DatabaseAddress,
  options: { connections?: number; name?: string; onConnection?: () => void } = {},
): Database {
  const { connections = 10 } = options
  const common = {
    connect_timeout: 5,
    types,
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: options.name ?? 'waybill' },
  }
  const given = 'url' in address ? readUrl(address.url) : undefined
  const open = (own: DriverOptions) => {
    if (given) return postgres(given.href, { ...common, ...own, ...(given.host && { host: given.host }) })
    const { socketFolder, user, database } = address as Exclude<DatabaseAddress, { url: string }>
    return postgres({ ...common, ...own, host: socketFolder, port: embeddedPort, user, database })
  }
  const { onConnection } = options
  return followTransactions(
    lastingPool({ open, max: connections, security: given?.security, onConnection }),
    connections,
  )
}

/** As libpq writes it: postgres://user@localhost/database?host=/folder/of/the/socket&sslmode=require */
function readUrl(text: string): { href: string; host: string | null; security: Security | undefined } {
  const url = new URL(text)
  const take = (name: string) => {
    const value = url.searchParams.get(name)
    url.searchParams.delete(name)
    return value
  }
  const host = take('host')
  const mode = take('sslmode') ?? take('ssl') ?? 'disable'
  const isDirect = take('sslnegotiation') === 'direct'
  const isOff = mode === 'disable' || mode === 'false'
  return { href: url.href, host, security: isOff ? undefined : { mode, isDirect } }
}

/** Only a part of the socket's file name: the embedded server listens on no network address. */
export const embeddedPort = 5432

// Class 08 (connection), 53 (resources), 55P03 (a lock that was not to be had in time), 57 (shutting down, starting
// up), and the driver's own codes for a connection that could not be made or was lost.
const unreachable =
  /^(?:08...|53[0-3]..|55P03|57P0[1-5]|CONNECT_TIMEOUT|CONNECTION_(?:CLOSED|DESTROYED|ENDED)|ECONN\w+|E(?:HOST|NET)(?:UNREACH|DOWN)|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)$/

export function isUnreachable(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown }
  // A socket that is not there, as opposed to a file.
  if (code === 'ENOENT' || code === 'EACCES') return syscall === 'connect'
  return typeof code === 'string' && unreachable.test(code)
}
