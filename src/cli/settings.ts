import type { BlockList } from 'node:net'
import { availableParallelism } from 'node:os'
import type { Quotas } from '../contract/operator/quotas.js'
import { type DocumentsAddress, documentsAddressForm, findDocumentsAddress } from './documents-address.js'
import { findMailServer, isSender, type MailServer, mailServerForm } from './mail-server.js'
import { findNetworks } from './networks.js'

/** Settings are read from the environment once, here; no other module reads process.env. */

export type Settings = {
  port: number
  host: string
  databaseUrl: string | undefined
  databaseConnections: number
  /** Seconds to wait at the start for a database that does not respond. */
  waitForDatabase: number
  /** Read replicas. */
  databaseReadUrls: string[]
  /** How many of them have to respond for reads while there is no primary; 0: none are served. */
  readQuorum: number
  /** Number of worker processes. */
  workers: number
  dataFolder: string
  /** Storage of document files; undefined: in the data folder. */
  documents: DocumentsAddress | undefined
  /** Requests per key and minute; undefined: no limit. */
  rateLimit: number | undefined
  /** Quotas of accounts that have none of their own; 0: no limit. */
  quotas: Required<Quotas>
  /** Open connections from one address; undefined: no limit. */
  connectionsPerAddress: number | undefined
  /** Milliseconds that a statement of a request may take; undefined: no limit. */
  statementTimeout: number | undefined
  publicUrl: string | undefined
  /** The address of the office, if it differs from the public URL. */
  officeUrl: string | undefined
  /** Reverse proxies whose `X-Forwarded-For` counts. */
  trustedProxies: BlockList
  /** Where operators are served: on the customers' address, on a separate one, or not at all. */
  operators: 'with customers' | 'nowhere' | { port: number; host: string }
  /** The name on invoices. */
  forwarderName: string
  /** Mail server and sender; undefined: links are printed. */
  mail: { server: MailServer; from: string } | undefined
  /** Where replies to mails about messages go, if something gives them to `POST /ops/v1/mail`. */
  replyAddress: string | undefined
  /** The OpenID Connect provider for sign-in. */
  provider: { issuer: string; clientId: string; clientSecret: string; name: string } | undefined
  /** Size of the response cache of a process. */
  cacheBytes: number
  /** Retention of the request log in days. */
  requestLogDays: number
  /** Retention of the audit log in days. */
  auditDays: number
  /** Retention of received messages in days. */
  messageDays: number
  /** How many days back the change feed goes. */
  eventDays: number
  /** Whether feeds may be fetched from private addresses. */
  feedsFromPrivateAddresses: boolean
  /** Whether shipments can be tracked without an account. */
  offersTracking: boolean
  /** Whether webhooks may be sent to private networks. */
  webhooksToPrivateNetworks: boolean
  /** The folder whose files are taken as messages. */
  inboxFolder: string | undefined
  logLevel: string
  /** The key that backups are sealed with. */
  backupKey: string | undefined
  /** The bearer token for metrics; undefined: private networks only. */
  metricsToken: string | undefined
}

export class BadSetting extends Error {
  /** The invalid variables, or a combination that is invalid. */
  readonly variables: string[]

  constructor(name: string, value: string, expected: string, variables = [name]) {
    super(`${name} is ${JSON.stringify(value)}: it must be ${expected}`)
    this.name = 'BadSetting'
    this.variables = variables
  }
}

const databaseSchemes = ['postgres:', 'postgresql:']
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

export function isDatabaseUrl(text: string): boolean {
  return databaseSchemes.includes(schemeOf(text))
}

/** Reads all settings; throws at the first invalid one. An empty variable counts as absent. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const value = (name: string) => environment[name] || undefined
  const integer = (name: string, lowest: number, highest: number, absent: number) => {
    const text = value(name)
    if (text === undefined) return absent
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= lowest && number <= highest) return number
    throw new BadSetting(name, text, `a whole number from ${lowest} to ${highest}`)
  }
  const address = (name: string, schemes: string[]) => {
    const text = value(name)
    if (text === undefined || schemes.includes(schemeOf(text))) return text
    // A database URL contains a password: do not print it.
    throw new BadSetting(
      name,
      name === 'DATABASE_URL' ? '...' : text,
      `a valid address that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
    )
  }
  const readUrls = () => {
    const urls = value('DATABASE_READ_URLS')?.split(',') ?? []
    const bad = urls.findIndex((url) => !isDatabaseUrl(url.trim()))
    if (bad < 0) return urls.map((url) => url.trim())
    const expected = 'valid addresses that start with postgres:// or postgresql://, separated by commas'
    throw new BadSetting('DATABASE_READ_URLS', '...', `${expected}; number ${bad + 1} is not valid`)
  }
  const trustedProxies = () => {
    const text = value('WAYBILL_TRUSTED_PROXIES')
    const found = findNetworks(text ?? '')
    if (found) return found
    const expected = 'addresses or networks, separated by commas, such as 10.0.0.5, 10.1.0.0/16 or fd00::/8'
    throw new BadSetting('WAYBILL_TRUSTED_PROXIES', text ?? '', expected)
  }
  const documents = () => {
    const text = value('WAYBILL_DOCUMENTS')
    const found = text === undefined ? undefined : findDocumentsAddress(text)
    if (text === undefined || found) return found
    // It contains a secret: do not print it.
    throw new BadSetting('WAYBILL_DOCUMENTS', '...', documentsAddressForm)
  }
  const operators = (): Settings['operators'] => {
    const mode = value('WAYBILL_OPS') ?? 'on'
    if (mode !== 'on' && mode !== 'off') throw new BadSetting('WAYBILL_OPS', mode, 'on or off')
    const port = integer('WAYBILL_OPS_PORT', 0, 65535, -1)
    const host = value('WAYBILL_OPS_HOST')
    // If ignored, operators would silently be served on the customers' address.
    if (host !== undefined && port < 0) {
      throw new BadSetting('WAYBILL_OPS_HOST', host, 'set together with WAYBILL_OPS_PORT')
    }
    if (mode === 'off') return 'nowhere'
    // Loopback by default: a separate port is used to keep the operator interface unreachable for customers.
    return port < 0 ? 'with customers' : { port, host: host ?? '127.0.0.1' }
  }
  /** Requires all of the variables or none. */
  const together = <Names extends readonly string[]>(...names: Names) => {
    const values = names.map(value)
    const missing = names.find((_, index) => values[index] === undefined)
    if (missing === undefined) return values as { [Index in keyof Names]: string }
    if (values.every((each) => each === undefined)) return undefined
    const others = names.filter((name) => name !== missing)
    throw new BadSetting(missing, '', `set together with ${others.join(', ')}`, [...names])
  }
  const mail = (): Settings['mail'] => {
    const given = together('WAYBILL_SMTP_URL', 'WAYBILL_MAIL_FROM')
    if (!given) return undefined
    // Links in mails need the public URL.
    together('WAYBILL_PUBLIC_URL', 'WAYBILL_SMTP_URL')
    const [serverUrl, from] = given
    const server = findMailServer(serverUrl)
    // It contains a password: do not print it.
    if (!server) throw new BadSetting('WAYBILL_SMTP_URL', '...', mailServerForm)
    if (!isSender(from)) throw new BadSetting('WAYBILL_MAIL_FROM', from, 'an e-mail address, or NAME <ADDRESS>')
    return { server, from }
  }
  const provider = (): Settings['provider'] => {
    const given = together(
      'WAYBILL_OIDC_ISSUER',
      'WAYBILL_OIDC_CLIENT_ID',
      'WAYBILL_OIDC_CLIENT_SECRET',
      'WAYBILL_OIDC_NAME',
    )
    if (!given) return undefined
    const [issuer, clientId, clientSecret, name] = given
    const { protocol, hostname } = URL.canParse(issuer) ? new URL(issuer) : { protocol: '', hostname: '' }
    const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
    if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback)) {
      const expected = 'the address of an OpenID Connect provider: https://, or http:// on this machine'
      throw new BadSetting('WAYBILL_OIDC_ISSUER', issuer, expected)
    }
    return { issuer, clientId, clientSecret, name }
  }
  // The token is added to the part before the @, which has 64 characters at most.
  function replyAddress(): string | undefined {
    const given = value('WAYBILL_REPLY_ADDRESS')
    if (given === undefined || /^[\w.-]{1,20}@[\w-]+(?:\.[\w-]+)+$/.test(given)) return given
    throw new BadSetting('WAYBILL_REPLY_ADDRESS', given, 'an e-mail address with at most 20 characters before the @')
  }

  const forwarderName = value('WAYBILL_FORWARDER_NAME') ?? 'Waybill'
  if (forwarderName.trim() === '' || forwarderName.length > 255)
    throw new BadSetting('WAYBILL_FORWARDER_NAME', forwarderName, 'a name of 1 to 255 characters')
  const logLevel = value('WAYBILL_LOG_LEVEL') ?? 'info'
  if (!logLevels.includes(logLevel))
    throw new BadSetting('WAYBILL_LOG_LEVEL', logLevel, `one of ${logLevels.join(', ')}`)
  const onOrOff = (name: string, absent: 'on' | 'off') => {
    const text = value(name) ?? absent
    if (text !== 'on' && text !== 'off') throw new BadSetting(name, text, 'on or off')
    return text === 'on'
  }
  const metricsToken = value('WAYBILL_METRICS_TOKEN')
  // It is a secret: do not print it.
  if (metricsToken !== undefined && !/^[\x21-\x7e]{16,}$/.test(metricsToken))
    throw new BadSetting('WAYBILL_METRICS_TOKEN', '...', 'at least 16 printable ASCII characters without spaces')
  const backupKey = value('WAYBILL_BACKUP_KEY')
  // It is a secret: do not print it.
  if (backupKey !== undefined && !/^[\x21-\x7e]{32,}$/.test(backupKey))
    throw new BadSetting('WAYBILL_BACKUP_KEY', '...', 'at least 32 printable ASCII characters without spaces')
  const databaseUrl = address('DATABASE_URL', databaseSchemes)
  const databaseConnections = integer('WAYBILL_DATABASE_CONNECTIONS', 2, 1000, 10)
  const rateLimit = integer('WAYBILL_RATE_LIMIT', 0, 1_000_000_000, 1200)
  return {
    port: integer('PORT', 0, 65535, 4010),
    host: value('HOST') ?? '127.0.0.1',
    databaseUrl,
    databaseConnections,
    waitForDatabase: integer('WAYBILL_WAIT_FOR_DATABASE', 0, 86_400, 0),
    databaseReadUrls: readUrls(),
    readQuorum: integer('DATABASE_READ_QUORUM', 0, readUrls().length, 0),
    workers: workersOf(value('WAYBILL_WORKERS'), databaseUrl ? undefined : databaseConnections),
    dataFolder: value('WAYBILL_DATA_DIR') ?? '.waybill',
    documents: documents(),
    rateLimit: rateLimit || undefined,
    quotas: {
      requests_per_minute: integer('WAYBILL_ACCOUNT_RATE_LIMIT', 0, 1_000_000_000, 5 * rateLimit),
      concurrent_requests: integer('WAYBILL_ACCOUNT_CONCURRENCY', 0, 1_000_000, 100),
      stored_bytes: integer('WAYBILL_ACCOUNT_STORAGE', 0, 1_000_000_000, 0) * 1024 * 1024,
      documents: integer('WAYBILL_ACCOUNT_DOCUMENTS', 0, 1_000_000_000, 0),
    },
    connectionsPerAddress: integer('WAYBILL_CONNECTIONS_PER_ADDRESS', 0, 1_000_000, 1000) || undefined,
    statementTimeout: integer('WAYBILL_STATEMENT_TIMEOUT', 0, 3600, 30) * 1000 || undefined,
    publicUrl: address('WAYBILL_PUBLIC_URL', ['http:', 'https:'])?.replace(/\/+$/, ''),
    officeUrl: address('WAYBILL_OFFICE_URL', ['http:', 'https:'])?.replace(/\/+$/, ''),
    trustedProxies: trustedProxies(),
    operators: operators(),
    mail: mail(),
    replyAddress: replyAddress(),
    provider: provider(),
    cacheBytes: integer('WAYBILL_RESPONSE_CACHE', 0, 1_000_000, 64) * 1024 * 1024,
    requestLogDays: integer('WAYBILL_REQUEST_LOG_DAYS', 0, 365, 7),
    auditDays: integer('WAYBILL_AUDIT_DAYS', 1, 36_500, 365),
    inboxFolder: value('WAYBILL_INBOX_DIR'),
    messageDays: integer('WAYBILL_MESSAGE_DAYS', 1, 36_500, 365),
    eventDays: integer('WAYBILL_EVENT_DAYS', 1, 36_500, 90),
    feedsFromPrivateAddresses: onOrOff('WAYBILL_FEED_PRIVATE_ADDRESSES', 'off'),
    offersTracking: onOrOff('WAYBILL_PUBLIC_TRACKING', 'off'),
    webhooksToPrivateNetworks: onOrOff('WAYBILL_WEBHOOK_PRIVATE_NETWORKS', 'off'),
    forwarderName,
    logLevel,
    backupKey,
    metricsToken,
  }
}

export type Flags = { port?: string; host?: string; workers?: string; waitForDatabase?: string }

/** Command-line flags take precedence over variables. */
export function withFlags(environment: NodeJS.ProcessEnv, flags: Flags): NodeJS.ProcessEnv {
  const { port, host, workers, waitForDatabase } = flags
  return {
    ...environment,
    ...(port !== undefined && { PORT: port }),
    ...(host !== undefined && { HOST: host }),
    ...(workers !== undefined && { WAYBILL_WORKERS: workers }),
    ...(waitForDatabase !== undefined && { WAYBILL_WAIT_FOR_DATABASE: waitForDatabase }),
  }
}

/** The names of all settings, recorded by a proxy while the settings are read: the list is always complete. */
export function settingNames(): string[] {
  const names = new Set<string>()
  const recorder = new Proxy<NodeJS.ProcessEnv>({}, { get: (_, name) => void names.add(String(name)) })
  readSettings(recorder)
  return [...names]
}

// The embedded database allows 100 connections: some are left for other commands.
const embeddedConnections = 90

/** `connections`: connections per worker, if the embedded database limits them. */
function workersOf(text: string | undefined, connections: number | undefined): number {
  const max = connections === undefined ? 256 : Math.max(1, Math.floor(embeddedConnections / connections))
  if (text === undefined) return 1
  if (text === 'auto') return Math.min(max, availableParallelism())
  if (/^[1-9]\d*$/.test(text) && Number(text) <= max) return Number(text)
  const reason = connections === undefined ? '' : ` (${embeddedConnections} connections, ${connections} for each)`
  throw new BadSetting('WAYBILL_WORKERS', text, `auto or a whole number from 1 to ${max}${reason}`)
}

function schemeOf(text: string): string {
  try {
    // Fails early for invalid percent-encoding. The result is used so that bundlers do not remove the call.
    return decodeURIComponent(text) === '' ? '' : new URL(text).protocol
  } catch {
    return ''
  }
}
