import type { AnswerOf, BodyOf, OperationName, Operations, ParamsOf, QueryOf } from '../contract/operations.js'
import type { Database } from '../storage/database.js'
import type { RenderedBody } from '../storage/rendered.js'
import type { AccountId, Transaction } from '../storage/transaction.js'

/** Signs the address under which a document's bytes can be downloaded for a while. */
export type SignLink = (document: { id: string; account: AccountId }) => string

export type ReadContext = { db: Database; account: AccountId; signLink: SignLink }
export type WriteContext = { tx: Transaction; account: AccountId }

/** A list as it is sent: stored bodies, a stretch at a time. */
export type RenderedList = { stretches: AsyncIterable<Buffer[]> }

export type Input<Name extends OperationName> = {
  params: ParamsOf<Name>
  query: QueryOf<Name>
  body: BodyOf<Name>
}

type Handler<Name extends OperationName> = Operations[Name]['method'] extends 'GET'
  ? (context: ReadContext, input: Input<Name>) => Promise<RenderedBody | RenderedList>
  : (context: WriteContext, input: Input<Name>) => Promise<AnswerOf<Name>>

/** Every operation has its handler: a missing one is a type error. */
export type Handlers<Name extends OperationName = OperationName> = { [Key in Name]: Handler<Key> }

/** Bodies out of the rows of a list query. */
export function bodiesOf(rows: AsyncIterable<Buffer[][]>): RenderedList {
  return { stretches: bodies(rows) }
}

async function* bodies(stretches: AsyncIterable<Buffer[][]>): AsyncGenerator<Buffer[]> {
  for await (const rows of stretches) yield rows.map((row) => row[0] as Buffer)
}
