import { connect, type Socket } from 'node:net'
import postgres from 'postgres'

/** Where the PostgreSQL is: an address, or the Unix socket of the embedded one. */
export type DatabaseAddress = { url: string } | { socketFolder: string; user: string; database: string }

// Whole numbers of PostgreSQL's bigint reach us as numbers: revisions and sizes stay far below 2^53.
const types = { bigint: { to: 20, from: [20], parse: Number, serialize: String } }

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
  const common = {
    max: options.connections ?? 10,
    connect_timeout: 5,
    types,
    // While the database is away, every attempt is made soon: requests wait for none of them.
    backoff: () => 0.2,
    onnotice: () => {},
    ...(options.onConnection && { socket: socketsTelling(options.onConnection) }),
    connection: { application_name: options.name ?? 'waybill' },
  }
  if ('url' in address) {
    // As libpq writes it: postgres://user@localhost/database?host=/folder/of/the/socket
    const url = new URL(address.url)
    const host = url.searchParams.get('host')
    url.searchParams.delete('host')
    return postgres(url.href, { ...common, ...(host && { host }) })
  }
  return postgres({
    ...common,
    host: address.socketFolder,
    port: embeddedPort,
    user: address.user,
    database: address.database,
  })
}

type SocketAddress = { path: string | false; host: [string]; port: [number] }

// The driver does not tell of connections that it has made; but it lets us make them.
function socketsTelling(onConnection: () => void): (address: SocketAddress) => Socket & { host: string } {
  return ({ path, host: [host], port: [port] }) => {
    const socket = path ? connect(path) : connect(port, host)
    // The driver asks for a certificate of that name.
    return Object.assign(socket.once('connect', onConnection), { host })
  }
}

/** Only a part of the socket's file name: the embedded server listens on no network address. */
export const embeddedPort = 5432

// Class 08 (connection), 53 (resources), 55P03 (a lock that was not to be had in time), 57 (shutting down, starting
// up), and the driver's own codes for a connection that could not be made or was lost.
const unreachable =
  /^(?:08...|53[0-3]..|55P03|57P0[1-5]|CONNECT_TIMEOUT|CONNECTION_(?:CLOSED|DESTROYED|ENDED)|ECONN\w+|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)$/

export function isUnreachable(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown }
  // A socket that is not there, as opposed to a file.
  if (code === 'ENOENT' || code === 'EACCES') return syscall === 'connect'
  return typeof code === 'string' && unreachable.test(code)
}
