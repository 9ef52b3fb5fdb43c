import type { SendMail } from '../portal-api/mail.js'
import type { Database } from '../storage/database.js'
import type { DocumentFiles } from '../storage/document-files.js'
import type { Replica } from '../storage/readers.js'
import type { AnswerFile } from './answer-file.js'
import type { Colleagues } from './colleagues.js'
import type { Patience } from './patience.js'

/** The company's own sign-in: an OpenID Connect provider. */
export type ProviderSettings = {
  issuer: string
  clientId: string
  clientSecret: string
  /** What the button says. */
  name: string
}

/** All that the edge needs to serve: composed by the command line, and by tests. */
export type Service = {
  db: Database
  /** Copies of it that follow it, each of them one server. */
  replicas?: Replica[]
  files: DocumentFiles
  /** Requests per key and minute; undefined: no limit. */
  rateLimit: number | undefined
  /** The address customers reach the service by; undefined: the host that was asked. */
  publicUrl: string | undefined
  /** The account that answers requests without a key from this machine: the sandbox's. */
  demoAccount: string | undefined
  /** Who is served here: a forwarder may keep its own side on an address of its own. */
  serves: { customers: boolean; operators: boolean }
  /** As it stands on invoices. */
  forwarderName: string
  /** How many bytes of answers are kept to be sent again. */
  answerMemory: number
  /** Where long ones go that there is no more room for; closed with the service. */
  answerFile?: AnswerFile | undefined
  logLevel: string
  /** Of the program, as its metrics tell. */
  version?: string
  /** What whoever reads the metrics has to send; absent: machines nearby need nothing. */
  metricsToken?: string | undefined
  /** For how many days is kept what was asked with keys; 0: not at all. Absent: somebody else sees to that. */
  requestLogDays?: number
  /** What the portal needs beside it. */
  portal: { sendMail: SendMail; provider?: ProviderSettings | undefined }
  /** The workers that it shares its address with; undefined: it is alone. */
  colleagues?: Colleagues
  /** How long clients are waited for, where it is not the usual. */
  patience?: Partial<Patience>
}
