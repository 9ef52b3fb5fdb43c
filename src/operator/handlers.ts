import type { Readable } from 'node:stream'
import type {
  OperatorAnswer,
  OperatorBody,
  OperatorOperationName,
  OperatorOperations,
  OperatorParams,
  OperatorQuery,
} from '../contract/ops/operations.js'
import type { AccountRow } from '../storage/accounts.js'
import type { Database, Reader, TransactionSql } from '../storage/database.js'
import type { DocumentFiles, Intake, StoredContent } from '../storage/document-files.js'
import type { OperatorHolder } from '../storage/operators.js'
import type { AccountId, Transaction } from '../storage/transaction.js'

/** Signs the address under which a document's bytes can be downloaded for a while. */
export type SignLink = (document: { id: string; account: AccountId }) => string

/** What any operation has at hand. */
type CommonContext = {
  files: DocumentFiles
  operator: OperatorHolder
  author: string
  /** As it stands on invoices. */
  forwarderName: string
}

export type ForwarderContext = CommonContext & { db: Database }

/** All that a read reads is of one moment. */
export type ForwarderReadContext = CommonContext & { db: Reader }
export type AccountReadContext = ForwarderReadContext & {
  account: AccountId
  accountRow: AccountRow
  signLink: SignLink
}

/** A write has its transaction, and nothing to go around it with. */
export type AccountWriteContext = Omit<AccountReadContext, 'db'> & { tx: Transaction }
export type ForwarderWriteContext = CommonContext & { sql: TransactionSql }

/** A file that came with a form: its bytes wait in the intake until they are kept. */
export type Upload = StoredContent & { name: string; intake: Intake }

/**
 * Writes with long work that needs no lock, and what it comes to: done before their transaction begins, so that nobody
 * waits for it, and looked at inside, so that what is replayed or refused anyway does not depend on it.
 */
type PreparedResults = {
  uploadDocument: void
  replaceDocument: void
  /** The hash of the content that the new name fits. */
  updateDocument: string | undefined
}

export type OperatorPreparations = {
  [Name in keyof PreparedResults]: (
    context: AccountReadContext,
    input: OperatorInput<Name> & WithUpload<Op<Name>>,
  ) => Promise<PreparedResults[Name]>
}

type WithPrepared<Name> = Name extends keyof PreparedResults ? { prepared: Promise<PreparedResults[Name]> } : unknown
type WithUpload<Operation> = Operation extends { accepts: 'form' } ? { upload: Upload } : unknown

/** A file to be sent. */
export type FileAnswer = { name: string; mediaType: string; size: number; content: Buffer | Readable }

/** Opens or prints a file when all is read that it takes: nothing of the database waits for it. */
export type FileMaking = () => Promise<FileAnswer>

export type OperatorInput<Name extends OperatorOperationName> = {
  params: OperatorParams<Name>
  query: OperatorQuery<Name>
  body: OperatorBody<Name>
}

type Op<Name extends OperatorOperationName> = OperatorOperations[Name]

type Handler<Name extends OperatorOperationName> =
  Op<Name> extends { answers: 'file' }
    ? (context: AccountReadContext, input: OperatorInput<Name>) => Promise<FileMaking>
    : Op<Name> extends { accepts: 'lines' }
      ? (
          context: ForwarderContext,
          input: OperatorInput<Name> & { lines: AsyncIterable<Buffer> },
        ) => Promise<OperatorAnswer<Name>>
      : (
          context: ContextOf<Op<Name>>,
          input: OperatorInput<Name> & WithUpload<Op<Name>> & WithPrepared<Name>,
        ) => Promise<OperatorAnswer<Name>>

type ContextOf<Operation extends { method: string; path: string }> =
  Operation['path'] extends `${string}{account}${string}`
    ? Operation['method'] extends 'GET'
      ? AccountReadContext
      : AccountWriteContext
    : Operation['method'] extends 'GET'
      ? ForwarderReadContext
      : ForwarderWriteContext

/** Every operation has its handler: a missing one is a type error. */
export type OperatorHandlers<Name extends OperatorOperationName = OperatorOperationName> = {
  [Key in Name]: Handler<Key>
}
