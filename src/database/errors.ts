/** Recognizes driver errors that mean the database is unreachable. */

// Class 08 (connection), 25006 (read only: a former primary), 53 (resources), 55P03 (lock timeout), 57 (shutdown, startup), and
// socket errors.
const unreachable =
  /^(?:08...|25006|53[0-3]..|55P03|57P0[1-5]|CONNECT_TIMEOUT|CONNECTION_(?:CLOSED|ENDED)|ECONN\w+|E(?:HOST|NET)(?:UNREACH|DOWN)|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)$/

export function isUnreachable(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown }
  // These codes also occur for files: only a failed connect to a Unix socket counts.
  if (code === 'ENOENT' || code === 'EACCES') return syscall === 'connect'
  return typeof code === 'string' && unreachable.test(code)
}

export const readOnlyTransaction = '25006'

/** The server accepts no writes, or none any more: it is a standby, or was made read only. */
export function isReadOnly(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === readOnlyTransaction
}

/** A statement waited for a lock longer than `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === '55P03'
}

/** The server refused a statement, so that its transaction was rolled back. */
export function isFromServer(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !(error as { syscall?: unknown }).syscall
}

/** PostgreSQL rolled the transaction back since it waited for another one that waited for it. */
export function isDeadlock(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === '40P01'
}

/** A statement was cancelled because it took longer than `statement_timeout`. */
export function isCancelled(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === '57014'
}

// The driver reports these by message only.
const codes: [RegExp, string][] = [
  [/timeout expired|connection timeout/i, 'CONNECT_TIMEOUT'],
  [/^Cannot use a pool after|^Client was closed/, 'CONNECTION_ENDED'],
  [/^Connection terminated|connection error and is not queryable/, 'CONNECTION_CLOSED'],
  [/does not support SSL|establishing an SSL connection/, 'ECONNREFUSED'],
]

/** Adds a code to driver errors that have none. */
export function withCode(error: unknown): unknown {
  if (!(error instanceof Error) || 'code' in error) return error
  const code = codes.find(([message]) => message.test(error.message))?.[1]
  return code === undefined ? error : Object.assign(error, { code })
}
