import { isUnreachable } from '../database/errors.js'
import { Failure } from './failure.js'

type Reason = { what: string; advice: string }

/**
 * Explains an error of the database at that URL in one sentence: where, what happened, and what to do. Returns undefined for
 * other errors, and for those that the operator cannot fix.
 */
export function findDatabaseFailure(error: unknown, url: string, setting = 'DATABASE_URL'): Failure | undefined {
  const reason = findReason(error, setting)
  return reason && new Failure(`the database at ${placeOf(url)} ${reason.what}`, 1, reason.advice)
}

/** Explains an error of the embedded database in that folder. */
export function findEmbeddedFailure(error: unknown, folder: string): Failure | undefined {
  if (!findReason(error, '')) return undefined
  return new Failure(`the embedded database cannot be reached (${messageOf(error)})`, 1, `see ${folder}/server.log`)
}

/** Host and port without credentials. */
function placeOf(url: string): string {
  const { hostname, port, searchParams } = new URL(url)
  return searchParams.get('host') ?? `${hostname || 'localhost'}:${port || 5432}`
}

function findReason(error: unknown, setting: string): Reason | undefined {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown }
  if (typeof code !== 'string') return undefined
  const known = reasons[code]?.(setting, messageOf(error))
  if (known) return known
  const what = `cannot be reached (${messageOf(error)})`
  if (isCertificateError(code)) {
    return { what, advice: `name its certificate authority in NODE_EXTRA_CA_CERTS, or correct sslmode in ${setting}` }
  }
  // FATAL errors close a connection before it can be used.
  if (!isUnreachable(error) && severity !== 'FATAL') return undefined
  return { what, advice: `start PostgreSQL there, or correct ${setting}` }
}

const reasons: Record<string, (setting: string, message: string) => Reason> = {
  CONNECT_TIMEOUT: (setting) => ({
    what: 'does not respond within 5 s',
    advice: `check that ${setting} has the host and port of a PostgreSQL server, and that no firewall blocks it`,
  }),
  CONNECTION_CLOSED: (setting) => ({
    what: 'has closed the connection',
    advice: `check that ${setting} names a PostgreSQL server, and read its log`,
  }),
  ENOTFOUND: (setting, message) => ({
    what: `cannot be reached (${message})`,
    advice: `correct the host name in ${setting}`,
  }),
  '08P01': (setting, message) => ({
    what: `refuses the connection (${message})`,
    advice: message.includes('startup parameter')
      ? 'list the parameter in ignore_startup_parameters of the connection pooler, and set it for the role in PostgreSQL'
      : `check that ${setting} names a PostgreSQL server`,
  }),
  '28000': (setting, message) => ({
    what: `refuses the connection (${message})`,
    advice: `correct the user in ${setting}`,
  }),
  '28P01': (setting, message) => ({
    what: `refuses the connection (${message})`,
    advice: `correct the user and the password in ${setting}`,
  }),
  '3D000': (setting, message) => ({
    what: `refuses the connection (${message})`,
    advice: `create that database, or correct ${setting}`,
  }),
  '42501': (setting, message) => ({
    what: `denies a permission (${message})`,
    advice: `grant the permission to the user in ${setting}; \`waybill doctor\` lists what is missing`,
  }),
  '25006': (setting, message) => ({
    what: `is read only (${message})`,
    advice: `name the primary in ${setting}; see \`waybill doctor\``,
  }),
  '53300': (_setting, message) => ({
    what: `refuses the connection (${message})`,
    advice: 'lower WAYBILL_DATABASE_CONNECTIONS, or raise max_connections of PostgreSQL',
  }),
  '57P03': (_setting, message) => ({
    what: `is not ready (${message})`,
    advice: 'try again later, or set WAYBILL_WAIT_FOR_DATABASE',
  }),
}

// Codes of Node and OpenSSL: DEPTH_ZERO_SELF_SIGNED_CERT, ERR_TLS_CERT_ALTNAME_INVALID, UNABLE_TO_VERIFY_LEAF_SIGNATURE.
function isCertificateError(code: string): boolean {
  return /CERT|^ERR_(?:TLS|SSL)_|^UNABLE_TO_VERIFY/.test(code)
}

function messageOf(error: unknown): string {
  // If several addresses of a host were tried, the error is an AggregateError without a message.
  const [first = error] = error instanceof AggregateError ? (error.errors as unknown[]) : []
  return (first as Error).message
}
