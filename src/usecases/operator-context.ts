import type { Readable } from 'node:stream'
import type {
  OperatorBody,
  OperatorOperationName,
  OperatorOperations,
  OperatorParams,
  OperatorQuery,
  OperatorResponse,
} from '../contract/operator/operations.js'
import type { Quotas } from '../contract/operator/quotas.js'
import type { Warning } from '../contract/operator/version.js'
import type { AccountId } from '../database/account-id.js'
import type { Database, Reader, TransactionSql } from '../database/database.js'
import type { DocumentFiles } from '../documents/document-files.js'
import { Transaction } from '../ledger/transaction.js'
import type { SendMail } from '../mail/messages.js'
import type { ReadTable } from '../spreadsheet/table-process.js'
import type { AccountRow } from '../store/accounts.js'
import type { Actor } from '../store/audit.js'
import type { OperatorPrincipal } from '../store/operators.js'
import type { SignLink } from './customer-context.js'
import type { Upload } from './upload.js'

type CommonContext = {
  files: DocumentFiles
  operator: OperatorPrincipal
  author: string
  /** The operator as an actor of the audit log. */
  actor: Actor
  /** As printed on invoices. */
  forwarderName: string
  /** Quotas of accounts that have none of their own. */
  quotas: Quotas
  /** The base URL of links in mails: of the portal, and of the office. */
  base: string
  officeBase: string
  sendMail: SendMail
  /** False without a mail server: links are in the response instead. */
  sendsMail: boolean
  /** The address that replies by mail come to, if they are received. */
  replyAddress: string | undefined
  /** Whether people can sign in with the company's provider. */
  hasProvider: boolean
  /** Logs a failure that is not reported to the caller. */
  reportError(error: unknown): void
}

export type ForwarderContext = CommonContext & { db: Database }

/** A read sees one snapshot of the database. */
export type ForwarderReadContext = CommonContext & { db: Reader }
export type AccountReadContext = ForwarderReadContext & {
  account: AccountId
  accountRow: AccountRow
  signLink: SignLink
}

/** Runs work after the transaction was committed. */
type AfterCommit = (work: () => Promise<void>) => void

/** A write has its transaction and no other connection. */
export type AccountWriteContext = Omit<AccountReadContext, 'db'> & { tx: Transaction; afterCommit: AfterCommit }
/** A read that may wait has no snapshot. */
type FeedContext = ForwarderContext & { signLink: SignLink; signal: AbortSignal; eventDays: number }
export type ForwarderWriteContext = CommonContext & { sql: TransactionSql; afterCommit: AfterCommit }

/**
 * Operations with slow work that needs no lock, and its result. It is done before the transaction begins, so that other
 * writes of the account do not wait; the handler awaits it, so that a replayed or refused request does not depend on it.
 */
type PreparedResults = {
  uploadDocument: void
  uploadMessageFile: void
  replaceDocument: void
  /** The hash of the content that was checked against the new name. */
  updateDocument: string | undefined
  /** The sheets of a message that is a table. */
  replayMessage: ReadTable | undefined
  matchMessage: ReadTable | undefined
}

export type OperatorPreparation<Name extends keyof PreparedResults> = (
  context: Op<Name>['path'] extends `${string}{account}${string}` ? AccountReadContext : ForwarderReadContext,
  input: OperatorInput<Name> & WithUpload<Op<Name>>,
) => Promise<PreparedResults[Name]>

export type OperatorPreparations = { [Name in keyof PreparedResults]: OperatorPreparation<Name> }

type WithPrepared<Name> = Name extends keyof PreparedResults ? { prepared: Promise<PreparedResults[Name]> } : unknown
type WithUpload<Operation> = Operation extends { accepts: 'form' } ? { upload: Upload } : unknown

/** A file that is sent as the response. The size of a stream may be unknown. */
export type FileResponse = { name: string; mediaType: string; size?: number; content: Buffer | Readable }

/** Opens or renders the file after the snapshot has been released. */
export type DeferredFile = (db: Database) => Promise<FileResponse>

export type OperatorInput<Name extends OperatorOperationName> = {
  params: OperatorParams<Name>
  query: OperatorQuery<Name>
  body: OperatorBody<Name>
  /** Values of the body that were read in another form than they were sent. */
  normalized?: Warning[]
}

type Op<Name extends OperatorOperationName> = OperatorOperations[Name]

export type OperatorHandler<Name extends OperatorOperationName> =
  Op<Name> extends { returns: 'file' }
    ? (context: ContextOf<Op<Name>>, input: OperatorInput<Name>) => Promise<DeferredFile>
    : Op<Name> extends { accepts: 'message' }
      ? (context: ForwarderContext, input: OperatorInput<Name> & { content: Buffer }) => Promise<OperatorResponse<Name>>
      : Op<Name> extends { accepts: 'lines' }
        ? (
            context: ForwarderContext,
            // The signal aborts when the client disconnects.
            input: OperatorInput<Name> & { lines: AsyncIterable<Buffer>; signal: AbortSignal },
          ) => Promise<OperatorResponse<Name>>
        : (
            context: ContextOf<Op<Name>>,
            input: OperatorInput<Name> & WithUpload<Op<Name>> & WithPrepared<Name>,
          ) => Promise<OperatorResponse<Name>>

type ContextOf<Operation extends { method: string; path: string }> = Operation extends { isFeed: true }
  ? Operation['path'] extends `${string}{account}${string}`
    ? FeedContext & Pick<AccountReadContext, 'account'>
    : FeedContext
  : Operation['path'] extends `${string}{account}${string}`
    ? Operation['method'] extends 'GET'
      ? AccountReadContext
      : AccountWriteContext
    : Operation['method'] extends 'GET'
      ? ForwarderReadContext
      : Operation extends { readsOnly: true }
        ? ForwarderContext
        : ForwarderWriteContext

/** A handler for every operation: a missing one is a type error. */
export type OperatorHandlers = { [Name in OperatorOperationName]: OperatorHandler<Name> }
