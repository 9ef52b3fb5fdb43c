import { hash } from 'node:crypto'
import { Refusal } from '../contract/refusals.js'
import type { Database } from '../storage/database.js'
import { findRememberedAnswer, rememberAnswer } from '../storage/idempotency.js'
import { type AccountId, type Transaction, transaction } from '../storage/transaction.js'

export type WriteAnswer = { status: number; body: string; replayed: boolean }

export type WriteRequest = {
  account: AccountId
  author: string
  /** What a retry must repeat: method, path and body. */
  content: string
  idempotencyKey: string | undefined
  /** How a refusal is answered. */
  problemBody(refusal: Refusal): string
}

/** One write, one transaction. With an idempotency key the first answer, a refusal too, is kept and replayed. */
export async function performWrite(
  db: Database,
  request: WriteRequest,
  work: (tx: Transaction) => Promise<{ status: number; body: string }>,
): Promise<WriteAnswer> {
  const { account, author, idempotencyKey } = request
  return transaction(db, account, author, async (tx) => {
    if (idempotencyKey === undefined) return { ...(await work(tx)), replayed: false }
    const request_hash = hash('sha256', request.content, 'base64url')
    const remembered = await findRememberedAnswer(tx, account, idempotencyKey)
    if (remembered) {
      if (remembered.request_hash !== request_hash) throw new Refusal('idempotency_key_reused')
      return { status: remembered.status, body: remembered.body, replayed: true }
    }
    const answer = await refusalAsAnswer(tx, request, work)
    await rememberAnswer(tx, account, idempotencyKey, { request_hash, ...answer })
    return { ...answer, replayed: false }
  })
}

// A refusal undoes what its work did, but not the transaction that remembers it.
async function refusalAsAnswer(
  tx: Transaction,
  { problemBody }: WriteRequest,
  work: (tx: Transaction) => Promise<{ status: number; body: string }>,
): Promise<{ status: number; body: string }> {
  try {
    return await tx.sql.savepoint((sql) => work({ ...tx, sql }))
  } catch (error) {
    // What is not valid in itself is not an answer worth keeping: the corrected request may use the key.
    if (!(error instanceof Refusal) || error.code === 'invalid_request') throw error
    return { status: error.status, body: problemBody(error) }
  }
}
