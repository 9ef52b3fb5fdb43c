import { availableParallelism } from 'node:os'
import { type DocumentsAddress, documentsAddressForm, findDocumentsAddress } from './documents-address.js'
import { findMailServer, isSender, type MailServer, mailServerForm } from './mail-server.js'

/** Settings are read once, here, from the environment; nothing below the command line knows where they came from. */

export type Settings = {
  port: number
  host: string
  databaseUrl: string | undefined
  databaseConnections: number
  /** Servers that follow the database, and may be read from. */
  databaseReadUrls: string[]
  /** Processes that serve. */
  workers: number
  dataFolder: string
  /** Where the bytes of documents lie; undefined: in the data folder. */
  documents: DocumentsAddress | undefined
  /** Requests per key and minute; undefined: no limit. */
  rateLimit: number | undefined
  publicUrl: string | undefined
  /** Where operators are served: with the customers, on an address of their own, or not at all. */
  operators: 'with customers' | 'nowhere' | { port: number; host: string }
  /** As it stands on invoices. */
  forwarderName: string
  /** What sends mails, and from whom; undefined: their links are printed. */
  mail: { server: MailServer; from: string } | undefined
  /** The company's own sign-in. */
  provider: { issuer: string; clientId: string; clientSecret: string; name: string } | undefined
  /** Bytes of answers that a process keeps to send again. */
  answerMemory: number
  /** Bytes of a file for those that there is no more room for. */
  answerFile: number
  /** For how many days is kept what was asked with keys. */
  requestLogDays: number
  logLevel: string
  /** For whoever reads the metrics from afar; undefined: nobody does. */
  metricsToken: string | undefined
}

export class BadSetting extends Error {
  /** The variables that are bad, or make no sense together. */
  readonly variables: string[]

  constructor(name: string, value: string, expected: string, variables = [name]) {
    super(`${name} is ${JSON.stringify(value)}: it must be ${expected}`)
    this.name = 'BadSetting'
    this.variables = variables
  }
}

const databaseSchemes = ['postgres:', 'postgresql:']
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** Reads all settings; the first bad one is named. An empty variable counts as absent. */
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
    // A database address holds a password: it is not repeated.
    throw new BadSetting(
      name,
      name === 'DATABASE_URL' ? '...' : text,
      `a valid address that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
    )
  }
  const readUrls = () => {
    const urls = value('DATABASE_READ_URLS')?.split(',') ?? []
    const bad = urls.findIndex((url) => !databaseSchemes.includes(schemeOf(url.trim())))
    if (bad < 0) return urls.map((url) => url.trim())
    const wanted = 'valid addresses that start with postgres:// or postgresql://, separated by commas'
    throw new BadSetting('DATABASE_READ_URLS', '...', `${wanted}: number ${bad + 1} is none`)
  }
  const documents = () => {
    const text = value('WAYBILL_DOCUMENTS')
    const found = text === undefined ? undefined : findDocumentsAddress(text)
    if (text === undefined || found) return found
    // It holds a secret: it is not repeated.
    throw new BadSetting('WAYBILL_DOCUMENTS', '...', documentsAddressForm)
  }
  const operators = (): Settings['operators'] => {
    const wanted = value('WAYBILL_OPS') ?? 'on'
    if (wanted !== 'on' && wanted !== 'off') throw new BadSetting('WAYBILL_OPS', wanted, 'on or off')
    const port = integer('WAYBILL_OPS_PORT', 0, 65535, -1)
    const host = value('WAYBILL_OPS_HOST')
    // Taken silently, it would leave the forwarder's side where the customers are.
    if (host !== undefined && port < 0) {
      throw new BadSetting('WAYBILL_OPS_HOST', host, 'set together with WAYBILL_OPS_PORT')
    }
    if (wanted === 'off') return 'nowhere'
    // On this machine only, unless somebody says otherwise: whoever moves it wants it out of reach.
    return port < 0 ? 'with customers' : { port, host: host ?? '127.0.0.1' }
  }
  /** Values that make sense together alone: all of them, or none. */
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
    // Without it, nobody outside of this machine could follow the links in them.
    together('WAYBILL_PUBLIC_URL', 'WAYBILL_SMTP_URL')
    const [serverUrl, from] = given
    const server = findMailServer(serverUrl)
    // It holds a password: it is not repeated.
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
    const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
    if (protocol !== 'https:' && !(protocol === 'http:' && isHere)) {
      const wanted = 'the address of an OpenID Connect provider: https://, or http:// on this machine'
      throw new BadSetting('WAYBILL_OIDC_ISSUER', issuer, wanted)
    }
    return { issuer, clientId, clientSecret, name }
  }
  const forwarderName = value('WAYBILL_FORWARDER_NAME') ?? 'Waybill'
  if (forwarderName.trim() === '' || forwarderName.length > 255)
    throw new BadSetting('WAYBILL_FORWARDER_NAME', forwarderName, 'a name of 1 to 255 characters')
  const logLevel = value('WAYBILL_LOG_LEVEL') ?? 'info'
  if (!logLevels.includes(logLevel))
    throw new BadSetting('WAYBILL_LOG_LEVEL', logLevel, `one of ${logLevels.join(', ')}`)
  const metricsToken = value('WAYBILL_METRICS_TOKEN')
  // It is a secret: it is not repeated.
  if (metricsToken !== undefined && !/^[\x21-\x7e]{16,}$/.test(metricsToken))
    throw new BadSetting('WAYBILL_METRICS_TOKEN', '...', 'at least 16 printable ASCII characters without spaces')
  const databaseUrl = address('DATABASE_URL', databaseSchemes)
  const databaseConnections = integer('WAYBILL_DATABASE_CONNECTIONS', 2, 1000, 10)
  return {
    port: integer('PORT', 0, 65535, 4010),
    host: value('HOST') ?? '127.0.0.1',
    databaseUrl,
    databaseConnections,
    databaseReadUrls: readUrls(),
    workers: workersOf(value('WAYBILL_WORKERS'), databaseUrl ? undefined : databaseConnections),
    dataFolder: value('WAYBILL_DATA_DIR') ?? '.waybill',
    documents: documents(),
    rateLimit: integer('WAYBILL_RATE_LIMIT', 0, 1_000_000_000, 1200) || undefined,
    publicUrl: address('WAYBILL_PUBLIC_URL', ['http:', 'https:'])?.replace(/\/+$/, ''),
    operators: operators(),
    mail: mail(),
    provider: provider(),
    answerMemory: integer('WAYBILL_ANSWER_MEMORY', 0, 1_000_000, 64) * 1024 * 1024,
    answerFile: integer('WAYBILL_ANSWER_FILE', 0, 1_000_000, 512) * 1024 * 1024,
    requestLogDays: integer('WAYBILL_REQUEST_LOG_DAYS', 0, 365, 7),
    forwarderName,
    logLevel,
    metricsToken,
  }
}

/** The variables that are read, asked of the reading itself: none can be forgotten here. */
export function settingNames(): string[] {
  const asked = new Set<string>()
  const nothing = new Proxy<NodeJS.ProcessEnv>({}, { get: (_, name) => void asked.add(String(name)) })
  readSettings(nothing)
  return [...asked]
}

// Waybill's own database takes 100 connections: these, and some for commands that are run beside the service.
const ownConnections = 90

/** How many; each with that many connections to our own database, if it is that. */
function workersOf(text: string | undefined, connections: number | undefined): number {
  const most = connections === undefined ? 256 : Math.max(1, Math.floor(ownConnections / connections))
  if (text === undefined) return 1
  if (text === 'auto') return Math.min(most, availableParallelism())
  if (/^[1-9]\d*$/.test(text) && Number(text) <= most) return Number(text)
  const reason = connections === undefined ? '' : ` (${ownConnections} connections, ${connections} for each)`
  throw new BadSetting('WAYBILL_WORKERS', text, `auto or a whole number from 1 to ${most}${reason}`)
}

function schemeOf(text: string): string {
  try {
    // A broken percent-escape would come up later, far from its name. (The outcome is used, so that no bundler takes
    // the call for one without effect.)
    return decodeURIComponent(text) === '' ? '' : new URL(text).protocol
  } catch {
    return ''
  }
}
