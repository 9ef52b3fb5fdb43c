import type { Readable } from 'node:stream'
import type { Quotas } from '../contract/operator/quotas.js'
import type {
  PortalBody,
  PortalOperationName,
  PortalOperations,
  PortalParams,
  PortalQuery,
  PortalResponse,
} from '../contract/portal/operations.js'
import type { Site } from '../contract/portal/sites.js'
import type { AccountId } from '../database/account-id.js'
import type { Database } from '../database/database.js'
import type { DocumentFiles } from '../documents/document-files.js'
import type { SendMail } from '../mail/messages.js'
import type { Actor } from '../store/audit.js'
import type { OpenCalendar } from '../store/calendars.js'
import type { Principal } from '../store/keys.js'
import type { PersonRow } from '../store/people.js'
import type { OpenSession } from '../store/sessions.js'
import type { OpenSharedLink } from '../store/shared-links.js'
import type { OpenSupplierLink } from '../store/supplier-links.js'
import type { ProposedFile, SignLink } from './customer-context.js'

/** The client of a request, as far as it is known. */
export type Visitor = {
  /** Its IP address. */
  address: string
  userAgent: string | undefined
}

type CommonContext = {
  db: Database
  /** Where the request was sent to. */
  site: Site
  files: DocumentFiles
  /** As printed on invoices and in mails. */
  forwarderName: string
  /** Quotas of accounts that have none of their own. */
  quotas: Quotas
  /** The base URL of links in mails. */
  base: string
  sendMail: SendMail
  /** False without a mail server: links are printed instead. */
  sendsMail: boolean
  /** Whether shipments can be tracked without an account. */
  offersTracking: boolean
  /** The company's identity provider, if one is configured. */
  provider: { name: string } | undefined
  client: Visitor
  /** Runs work after the response was sent. */
  defer(work: () => Promise<void>): void
}

/** The context of operations that need no session. */
export type VisitorContext = CommonContext & {
  /** The network of the client, by which attempts are counted. */
  address: string
  /** The visitor as an actor of the audit log. */
  visitor: Actor
  /** The sandbox's account, which clients on the same machine can sign in to without a password. */
  demoAccount: string | undefined
  /** Whether the visitor may move the clock of the sandbox. */
  simulatesTime: boolean
  /** The token of the pending sign-in of the browser. */
  pendingToken: string | undefined
  /** The session of the request, if there is one and the operation reads it. */
  authenticated: { session: OpenSession; token: string } | undefined
  /** The link for suppliers that the request has, if the operation needs one. */
  supplierLink: OpenSupplierLink | undefined
  /** The link of a shared shipment, likewise. */
  sharedLink: OpenSharedLink | undefined
  /** The calendar whose address was requested, likewise. */
  calendar: OpenCalendar | undefined
  /** Identifies the device of the request if the person has signed in on it before. */
  deviceOf(person_id: string): Promise<string | undefined>
}

export type PersonContext = CommonContext & {
  account: AccountId
  session: OpenSession
  person: PersonRow
  /** The person as a caller of the public interface. */
  caller: Principal
  /** The session token: needed to end all sessions but this one. */
  token: string
  /** The author that the change log records. */
  author: string
  /** The person as an actor of the audit log. */
  actor: Actor
  signLink: SignLink
  /** Today in the person's time zone: `YYYY-MM-DD`. */
  today: string
}

/** A response that is already serialized, from stored bodies. */
export class SerializedJson {
  readonly json: string

  constructor(json: string) {
    this.json = json
  }
}

/** A file that is sent as the response. Its size may be unknown; a PDF may be displayed inline. */
export type PortalFile = {
  name: string
  mediaType: string
  size?: number
  content: Buffer | Readable
  isInline?: boolean
}

export type StreamedEvent = { id: string; data: unknown } | 'keep-alive'

/** A session that an operation has started. */
export type NewSession = {
  token: string
  session_id: string
  /** By a mailed link, which needs no notice of a new device. */
  isByLink?: true
}

/** The token of a sign-in that needs a second factor. */
export type PendingSignIn = { pending: string }

export type PortalInput<Name extends PortalOperationName> = {
  params: PortalParams<Name>
  query: PortalQuery<Name>
  body: PortalBody<Name>
}

type Op<Name extends PortalOperationName> = PortalOperations[Name]

type ContextOf<Operation> = Operation extends { access: 'anyone' } ? VisitorContext : PersonContext

/** The signal aborts when the client disconnects. */
type WithUpload<Operation> = Operation extends { accepts: 'form' }
  ? { upload: { name: string; content: Buffer }; signal: AbortSignal }
  : Operation extends { accepts: 'file' }
    ? ProposedFile
    : unknown

/** Where a stream resumes, and the signal that ends it. */
type WithStream<Operation> = Operation extends { returns: 'events' }
  ? { signal: AbortSignal; lastEventId: string | undefined }
  : unknown

type ResultOf<Name extends PortalOperationName> =
  Op<Name> extends { startsSession: true }
    ? NewSession | PendingSignIn
    : Op<Name> extends { returns: 'file' }
      ? PortalFile
      : Op<Name> extends { returns: 'events' }
        ? AsyncIterable<StreamedEvent>
        : PortalResponse<Name> | SerializedJson

export type PortalHandler<Name extends PortalOperationName> = (
  context: ContextOf<Op<Name>>,
  input: PortalInput<Name> & WithUpload<Op<Name>> & WithStream<Op<Name>>,
) => Promise<ResultOf<Name>>

/** A handler for every operation: a missing one is a type error. */
export type PortalHandlers = { [Name in PortalOperationName]: PortalHandler<Name> }
