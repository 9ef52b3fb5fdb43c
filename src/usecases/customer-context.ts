import type { BodyOf, OperationName, Operations, ParamsOf, QueryOf, ResponseOf } from '../contract/public/operations.js'
import type { AccountId } from '../database/account-id.js'
import type { Database, TextRow } from '../database/database.js'
import type { RunRead } from '../database/replicas.js'
import { Transaction } from '../ledger/transaction.js'
import type { Actor } from '../store/audit.js'
import type { Principal } from '../store/keys.js'
import type { RenderedBody } from '../store/rendered.js'
import type { Upload } from './upload.js'

/** Returns a signed URL from which the content of a document can be downloaded for a limited time. */
export type SignLink = (document: { id: string; account: AccountId }) => string

export type ReadContext = {
  ask: RunRead
  account: AccountId
  signLink: SignLink
  caller: Principal
  /** The primary: for what happened after the caller was looked up. */
  db: Database
  /** Aborts when the client disconnects or the service stops; absent for operations that do not wait. */
  signal: AbortSignal | undefined
  /** How many days back the change feed goes. */
  eventDays: number
}
export type WriteContext = {
  tx: Transaction
  account: AccountId
  actor: Actor
  /** The base URL of links that are passed on. */
  base: string
  /** How many days back the change feed goes. */
  eventDays: number
  /** What was checked before the account was locked; the handler awaits it. */
  prepared: Promise<void>
}

/** The result of a read: one body, the bodies of a page, or the bodies of a list in chunks. */
export type Rendered = RenderedBody | { page: (string | Buffer)[] } | { chunks: AsyncIterable<string[]> }

export type CustomerInput<Name extends OperationName> = {
  params: ParamsOf<Name>
  query: QueryOf<Name>
  body: BodyOf<Name>
}

/** The file of a form, which is validated before the account is locked. */
export type ProposedFile = { upload: Upload; prepared: Promise<void> }

type WithFile<Operation> = Operation extends { accepts: 'form' } ? ProposedFile : unknown

export type CustomerHandler<Name extends OperationName> = Operations[Name]['method'] extends 'GET'
  ? (context: ReadContext, input: CustomerInput<Name>) => Promise<Rendered>
  : (context: WriteContext, input: CustomerInput<Name> & WithFile<Operations[Name]>) => Promise<ResponseOf<Name>>

/** A handler for every operation: a missing one is a type error. */
export type CustomerHandlers = { [Name in OperationName]: CustomerHandler<Name> }

/** The bodies in the rows of a list query. */
export function bodiesOf(rows: AsyncIterable<TextRow[]>): Rendered {
  return { chunks: bodies(rows) }
}

async function* bodies(chunks: AsyncIterable<TextRow[]>): AsyncGenerator<string[]> {
  for await (const rows of chunks) yield rows.map(([body]) => body as string)
}
