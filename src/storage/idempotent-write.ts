import { hash } from 'node:crypto'
import { Refusal } from '../contract/refusals.js'
import type { Database, TransactionSql } from './database.js'
import { findRememberedAnswer, rememberAnswer } from './idempotency.js'
import { asOwnWrite } from './own-writes.js'
import { openAnswer, sealAnswer } from './sealed-answer.js'
import { type AccountId, type Transaction, transaction } from './transaction.js'

type Answer = { status: number; body: string }
export type WriteAnswer = Answer & { replayed: boolean }

export type WriteRequest = {
  author: string
  /** What a retry must repeat: method, path and body. */
  content: string
  idempotencyKey: string | undefined
  /** Known to the caller alone: what an answer that holds a secret is sealed with while it is remembered. */
  sealedWith?: string | undefined
  /** How a refusal is answered. */
  problemBody(refusal: Refusal): string
}

/** One write to one account, one transaction. With an idempotency key the first answer is kept and replayed. */
export async function performWrite(
  db: Database,
  account: AccountId,
  request: WriteRequest,
  work: (tx: Transaction) => Promise<Answer>,
): Promise<WriteAnswer> {
  return transaction(db, account, request.author, (tx) =>
    answerOnce(tx.sql, account, request, (sql) => work({ ...tx, sql })),
  )
}

// What belongs to no account is remembered under a number that no account has.
const forwarder: AccountId = 0

/** One write of the forwarder's own, such as a new account. They happen one after another. */
export async function performForwarderWrite(
  db: Database,
  request: WriteRequest,
  work: (sql: TransactionSql) => Promise<Answer>,
): Promise<WriteAnswer> {
  return asOwnWrite(db, 'any', () =>
    db.begin(async (sql) => {
      await sql`select from service for update`
      return answerOnce(sql, forwarder, request, work)
    }),
  )
}

async function answerOnce(
  sql: TransactionSql,
  account: AccountId,
  request: WriteRequest,
  work: (sql: TransactionSql) => Promise<Answer>,
): Promise<WriteAnswer> {
  const { idempotencyKey, sealedWith } = request
  if (idempotencyKey === undefined) return { ...(await work(sql)), replayed: false }
  const request_hash = hash('sha256', request.content, 'base64url')
  const remembered = await findRememberedAnswer(sql, account, idempotencyKey)
  if (remembered) {
    if (remembered.request_hash !== request_hash) throw new Refusal('idempotency_key_reused')
    const { status, body } = remembered
    return { status, body: sealedWith === undefined ? body : openAnswer(sealedWith, body), replayed: true }
  }
  const answer = await refusalAsAnswer(sql, request, work)
  const body = sealedWith === undefined ? answer.body : sealAnswer(sealedWith, answer.body)
  await rememberAnswer(sql, account, idempotencyKey, { request_hash, status: answer.status, body })
  return { ...answer, replayed: false }
}

// A refusal undoes what its work did, but not the transaction that remembers it.
async function refusalAsAnswer(
  sql: TransactionSql,
  { problemBody }: WriteRequest,
  work: (sql: TransactionSql) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await sql.savepoint((inner) => work(inner))
  } catch (error) {
    // What is not valid in itself is not an answer worth keeping: the corrected request may use the key. Nor is what
    // is to be tried again later.
    if (!(error instanceof Refusal) || error.status === 400 || error.status >= 500) throw error
    return { status: error.status, body: problemBody(error) }
  }
}
