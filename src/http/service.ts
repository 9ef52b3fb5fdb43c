import type { Database } from '../storage/database.js'
import type { DocumentFiles } from '../storage/document-files.js'
import type { ServiceSecrets } from '../storage/service.js'

/** All that the edge needs to serve: composed by the command line, and by tests. */
export type Service = {
  db: Database
  files: DocumentFiles
  secrets: ServiceSecrets
  /** Requests per key and minute; undefined: no limit. */
  rateLimit: number | undefined
  /** The address customers reach the service by; undefined: the host that was asked. */
  publicUrl: string | undefined
  /** The account that answers requests without a key from this machine: the sandbox's. */
  demoAccount: string | undefined
  logLevel: string
}
