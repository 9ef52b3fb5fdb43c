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
import type { Database, TransactionSql } from '../storage/database.js'
import type { DocumentFiles, Intake, StoredContent } from '../storage/document-files.js'
import type { OperatorHolder } from '../storage/operators.js'
import type { AccountId, Transaction } from '../storage/transaction.js'

/** Signs the address under which a document's bytes can be downloaded for a while. */
export type SignLink = (document: { id: string; account: AccountId }) => string

/** What any operation has at hand. */
export type ForwarderContext = {
  db: Database
  files: DocumentFiles
  operator: OperatorHolder
  author: string
  /** As it stands on invoices. */
  forwarderName: string
}

export type AccountReadContext = ForwarderContext & { account: AccountId; accountRow: AccountRow; signLink: SignLink }

/** A write has its transaction, and nothing to go around it with. */
export type AccountWriteContext = Omit<AccountReadContext, 'db'> & { tx: Transaction }
export type ForwarderWriteContext = Omit<ForwarderContext, 'db'> & { sql: TransactionSql }

/** A file that came with a form: its bytes wait in the intake until they are kept. */
export type Upload = StoredContent & { name: string; intake: Intake }

/** A file to be sent. */
export type FileAnswer = { name: string; mediaType: string; size: number; content: Buffer | Readable }

export type OperatorInput<Name extends OperatorOperationName> = {
  params: OperatorParams<Name>
  query: OperatorQuery<Name>
  body: OperatorBody<Name>
}

type Op<Name extends OperatorOperationName> = OperatorOperations[Name]

type Handler<Name extends OperatorOperationName> =
  Op<Name> extends { answers: 'file' }
    ? (context: AccountReadContext, input: OperatorInput<Name>) => Promise<FileAnswer>
    : Op<Name> extends { accepts: 'lines' }
      ? (
          context: ForwarderContext,
          input: OperatorInput<Name> & { lines: AsyncIterable<Buffer> },
        ) => Promise<OperatorAnswer<Name>>
      : Op<Name> extends { accepts: 'form' }
        ? (
            context: AccountWriteContext,
            input: OperatorInput<Name> & { upload: Upload },
          ) => Promise<OperatorAnswer<Name>>
        : (context: ContextOf<Op<Name>>, input: OperatorInput<Name>) => Promise<OperatorAnswer<Name>>

type ContextOf<Operation extends { method: string; path: string }> =
  Operation['path'] extends `${string}{account}${string}`
    ? Operation['method'] extends 'GET'
      ? AccountReadContext
      : AccountWriteContext
    : Operation['method'] extends 'GET'
      ? ForwarderContext
      : ForwarderWriteContext

/** Every operation has its handler: a missing one is a type error. */
export type OperatorHandlers<Name extends OperatorOperationName = OperatorOperationName> = {
  [Key in Name]: Handler<Key>
}
