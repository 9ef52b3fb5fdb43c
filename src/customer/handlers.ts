import type { AnswerOf, BodyOf, OperationName, Operations, ParamsOf, QueryOf } from '../contract/operations.js'
import type { Database } from '../storage/database.js'
import type { KeyHolder } from '../storage/keys.js'
import type { Ask } from '../storage/readers.js'
import type { RenderedBody } from '../storage/rendered.js'
import type { AccountId, Transaction } from '../storage/transaction.js'

/** Signs the address under which a document's bytes can be downloaded for a while. */
export type SignLink = (document: { id: string; account: AccountId }) => string

export type ReadContext = { ask: Ask; account: AccountId; signLink: SignLink }
export type WriteContext = { tx: Transaction; account: AccountId }

/** A page as it is sent: stored bodies, joined by commas. */
export type RenderedPage = { bodies: Buffer }

/** A list as it is sent: stored bodies, a stretch at a time. */
export type RenderedList = { stretches: AsyncIterable<Buffer[]> }

/** What a read comes to. */
export type Rendered = RenderedBody | RenderedPage | RenderedList

export type Input<Name extends OperationName> = {
  params: ParamsOf<Name>
  query: QueryOf<Name>
  body: BodyOf<Name>
}

type Handler<Name extends OperationName> = Operations[Name]['method'] extends 'GET'
  ? (context: ReadContext, input: Input<Name>) => Promise<Rendered>
  : (context: WriteContext, input: Input<Name>) => Promise<AnswerOf<Name>>

/** Every operation has its handler: a missing one is a type error. */
export type Handlers<Name extends OperationName = OperationName> = { [Key in Name]: Handler<Key> }

/**
 * Writes that are a statement or two. These look themselves whether the caller, who was known before, still may. Where
 * nothing has happened there is no answer, and the usual way does it or tells why not.
 */
export type PromptHandlers<Name extends OperationName = OperationName> = {
  [Key in Name]: (
    context: { db: Database; caller: KeyHolder },
    input: Input<Key>,
  ) => Promise<{ answer: AnswerOf<Key>; revision: number } | undefined>
}

/** Bodies out of the rows of a list query. */
export function bodiesOf(rows: AsyncIterable<Buffer[][]>): RenderedList {
  return { stretches: bodies(rows) }
}

async function* bodies(stretches: AsyncIterable<Buffer[][]>): AsyncGenerator<Buffer[]> {
  for await (const rows of stretches) yield rows.map((row) => row[0] as Buffer)
}
