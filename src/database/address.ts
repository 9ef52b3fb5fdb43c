import type { ClientConfig } from 'pg'

/** A PostgreSQL server: a URL, or the Unix socket of the embedded server. */
export type DatabaseAddress = { url: string } | { socketFolder: string; user: string; database: string }

/** Part of the socket's file name only: the embedded server does not listen on TCP. */
export const embeddedPort = 5432

/** Parses a URL in libpq format: postgres://user@localhost/database?host=/folder/of/the/socket&sslmode=require */
export function clientConfig(address: DatabaseAddress): ClientConfig {
  if ('socketFolder' in address) {
    const { socketFolder, user, database } = address
    return { host: socketFolder, port: embeddedPort, user, database }
  }
  const url = new URL(address.url)
  const { searchParams } = url
  const mode = searchParams.get('sslmode') ?? searchParams.get('ssl') ?? 'disable'
  return {
    host: searchParams.get('host') ?? (decodeURIComponent(url.hostname).replace(/^\[|\]$/g, '') || 'localhost'),
    port: Number(url.port || embeddedPort),
    user: decodeURIComponent(url.username) || searchParams.get('user') || 'postgres',
    password: decodeURIComponent(url.password) || undefined,
    database: decodeURIComponent(url.pathname.slice(1)) || undefined,
    ...(mode !== 'disable' && mode !== 'false' && { ssl: tlsOptions(mode) }),
    ...(searchParams.get('sslnegotiation') === 'direct' && { sslnegotiation: 'direct' }),
  }
}

// As in libpq, `require` encrypts without verifying the certificate.
function tlsOptions(mode: string): ClientConfig['ssl'] {
  const isUnverified = mode === 'require' || mode === 'prefer' || mode === 'allow'
  return isUnverified ? { rejectUnauthorized: false } : true
}
