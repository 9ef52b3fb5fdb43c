import type { BlockList } from 'node:net'
import type { Quotas } from '../contract/operator/quotas.js'
import type { Database } from '../database/database.js'
import type { Replica } from '../database/replicas.js'
import type { DocumentFiles } from '../documents/document-files.js'
import type { SendMail } from '../mail/messages.js'
import type { WorkerChannel } from './limits/worker-channel.js'
import type { World } from './sandbox/world.js'
import type { RequestTimeouts } from './transport/timeouts.js'

/** The OpenID Connect provider of the company. */
export type ProviderSettings = {
  issuer: string
  clientId: string
  clientSecret: string
  /** The label of the sign-in button. */
  name: string
}

/** Everything that the HTTP application needs: composed by the command line and by tests. */
export type Service = {
  db: Database
  /** Read replicas of `db`. */
  replicas?: Replica[]
  /** How many of them have to respond for reads while there is no primary; absent: there are none then. */
  readQuorum?: number | undefined
  files: DocumentFiles
  /** Requests per key and minute; undefined: no limit. */
  rateLimit: number | undefined
  /** Quotas of accounts that have none of their own. */
  quotas?: Quotas
  /** Open connections from one address; undefined: no limit. */
  connectionsPerAddress?: number | undefined
  /** The address customers reach the service by; undefined: the Host header of the request. */
  publicUrl: string | undefined
  /** The address operators reach the office by; absent: the Host header of the request. */
  officeUrl?: string | undefined
  /** Reverse proxies whose `X-Forwarded-For` counts. */
  trustedProxies: BlockList
  /** The account for requests from this machine without a key: the sandbox's. */
  demoAccount: string | undefined
  /** Keys of the sandbox, which its references and guides use for requests from this machine. */
  demoKeys?: { customers: string; operators: string } | undefined
  /** The simulated world of the sandbox; absent elsewhere. */
  world?: World | undefined
  /** Which interfaces are served: operators may have a separate address. */
  serves: { customers: boolean; operators: boolean }
  /** The name on invoices. */
  forwarderName: string
  /** The address that replies by mail come to, if they are received. */
  replyAddress?: string | undefined
  /** Size of the response cache. */
  cacheBytes: number
  logLevel: string
  /** The program version, for metrics. */
  version?: string
  /** The bearer token for metrics; absent: private networks can read them without one. */
  metricsToken?: string | undefined
  /** Retention of the request log in days; 0 disables it. Absent: another process maintains it. */
  requestLogDays?: number
  /** Retention of the audit log in days. Absent: another process removes old entries. */
  auditDays?: number
  /** Retention of received messages in days. Absent: another process removes old ones. */
  messageDays?: number
  /** How many days back the change feed goes. */
  eventDays: number
  portal: {
    sendMail: SendMail
    sendsMail?: boolean
    /** Whether shipments can be tracked without an account. */
    offersTracking?: boolean
    provider?: ProviderSettings | undefined
  }
  /** Whether webhooks may be sent to private networks and this machine. */
  webhooksToPrivateNetworks?: boolean
  /** The channel to the other workers of this service; absent: a single process. */
  workerChannel?: WorkerChannel
  /** Overrides of the default timeouts. */
  timeouts?: Partial<RequestTimeouts>
}
