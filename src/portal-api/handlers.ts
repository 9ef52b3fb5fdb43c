import type { Readable } from 'node:stream'
import type {
  PortalAnswer,
  PortalBody,
  PortalOperationName,
  PortalOperations,
  PortalParams,
  PortalQuery,
} from '../contract/portal/operations.js'
import type { Database } from '../storage/database.js'
import type { DocumentFiles } from '../storage/document-files.js'
import type { KeyHolder } from '../storage/keys.js'
import type { PersonRow } from '../storage/people.js'
import type { SessionHolder } from '../storage/sessions.js'
import type { AccountId } from '../storage/transaction.js'
import type { SendMail } from './mail.js'

/** What any operation of the portal has at hand. */
type CommonContext = {
  db: Database
  files: DocumentFiles
  /** As it stands on invoices and in mails. */
  forwarderName: string
  /** What links in mails begin with. */
  base: string
  sendMail: SendMail
}

/** Nobody needs to be signed in. */
export type VisitorContext = CommonContext & {
  /** The address of the machine that is asking. */
  address: string
  /** The account that a click signs in to: the sandbox's, asked from the same machine. */
  demoAccount: string | undefined
  /** The company's sign-in, if there is one. */
  provider: { name: string } | undefined
  /** Who is signed in after all, where an operation tells that. */
  signedIn: { session: SessionHolder; token: string } | undefined
  /** Does what the answer does not wait for. */
  afterwards(work: () => Promise<void>): void
}

export type PersonContext = CommonContext & {
  account: AccountId
  /** Who is signed in, and what they come to as a caller of the public interface. */
  session: SessionHolder
  person: PersonRow
  caller: KeyHolder
  /** What the browser sends: only who ends other sessions needs it. */
  token: string
  /** What the change log calls them. */
  author: string
  signLink(document: { id: string; account: AccountId }): string
  /** Today, as the person's clock tells it: `YYYY-MM-DD`. */
  today: string
}

/** An answer that is written already: bodies as they are stored. */
export class Written {
  readonly json: string

  constructor(json: string) {
    this.json = json
  }
}

/** A file to be sent; its size, where it is known before. A PDF may be shown within a page. */
export type PortalFile = {
  name: string
  mediaType: string
  size?: number
  content: Buffer | Readable
  isShown?: boolean
}

/** One event of a stream. */
export type StreamedEvent = { id: string; data: unknown } | 'nothing new'

/** Who has signed in by it: the browser is given what it sends from then on. */
export type SignedIn = { token: string }

export type PortalInput<Name extends PortalOperationName> = {
  params: PortalParams<Name>
  query: PortalQuery<Name>
  body: PortalBody<Name>
}

type Op<Name extends PortalOperationName> = PortalOperations[Name]

type ContextOf<Operation> = Operation extends { access: 'anyone' } ? VisitorContext : PersonContext

type Sent<Operation> = Operation extends { accepts: 'form' } ? { upload: { name: string; content: Buffer } } : unknown

/** Where a stream goes on, and when it ends. */
type Resumed = { signal: AbortSignal; lastEventId: string | undefined }

type ResultOf<Name extends PortalOperationName> =
  Op<Name> extends { startsSession: true }
    ? SignedIn
    : Op<Name> extends { answers: 'file' }
      ? PortalFile
      : Op<Name> extends { answers: 'events' }
        ? AsyncIterable<StreamedEvent>
        : PortalAnswer<Name> | Written

type Handler<Name extends PortalOperationName> = (
  context: ContextOf<Op<Name>>,
  input: PortalInput<Name> & Sent<Op<Name>> & (Op<Name> extends { answers: 'events' } ? Resumed : unknown),
) => Promise<ResultOf<Name>>

/** Every operation has its handler: a missing one is a type error. */
export type PortalHandlers<Name extends PortalOperationName = PortalOperationName> = { [Key in Name]: Handler<Key> }
