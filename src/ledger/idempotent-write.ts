import { hash } from 'node:crypto'
import type { Quotas } from '../contract/operator/quotas.js'
import { Refusal } from '../contract/refusals.js'
import type { AccountId } from '../database/account-id.js'
import type { Database, TransactionSql } from '../database/database.js'
import { commit } from './commit.js'
import { decryptResponse, encryptResponse } from './encrypted-response.js'
import { findStoredResponse, type StoredResponse, storeResponse } from './idempotency.js'
import type { Transaction } from './transaction.js'
import { inTurn } from './write-queue.js'

type WriteResult = { status: number; body: string }
export type WriteResponse = WriteResult & { replayed: boolean }

export type WriteRequest = {
  author: string
  /** Method, path and body, which a retry must repeat: called only where there is a key. */
  content(): string
  idempotencyKey: string | undefined
  /** Quotas for an account that has none of its own. */
  quotas?: Quotas | undefined
  /** The caller's secret, with which a response that contains a secret is encrypted while it is stored. */
  encryptWith?: string | undefined
  /** The bytes of a request that may share a transaction, and so be run again; undefined: it has one of its own. */
  sharedBytes?: number | undefined
  /** Renders a refusal as a response. */
  problemBody(refusal: Refusal): string
}

/** One write to one account in one transaction. With an idempotency key, the first response is stored and replayed. */
export async function performWrite(
  db: Database,
  account: AccountId,
  request: WriteRequest,
  work: (tx: Transaction) => Promise<WriteResult>,
): Promise<WriteResponse> {
  const { author, idempotencyKey: key, quotas = {}, sharedBytes: bytes } = request
  const sharing = bytes === undefined ? undefined : { bytes, key }
  const workWithin = (tx: Transaction) => {
    tx.applyDefaultQuotas(quotas)
    return work(tx)
  }
  if (key === undefined)
    return commit(db, account, author, async (tx) => ({ ...(await workWithin(tx)), replayed: false }), { sharing })
  return withStoredRefusals(request, workWithin, (perform) =>
    commit(
      db,
      account,
      author,
      (tx, stored: StoredResponse | undefined) => respondOnce(tx.sql, account, key, request, stored, () => perform(tx)),
      { readFirst: (sql) => findStoredResponse(sql, account, key), sharing },
    ),
  )
}

// Keys of writes that belong to no customer are stored under this number.
const forwarder: AccountId = 0
// They wait for each other in a queue of their own, which is that of no account.
const forwarderQueue: AccountId = -1
// Of the advisory lock by which those of all processes wait for each other. Nothing else does: it is no row that others read.
const forwarderLock = 7_219_402_131

/** Writes of all processes that belong to no account run one after the other. Those that wait in this one hold no connection. */
export async function beginForwarderWrite<Result>(
  db: Database,
  perform: (sql: TransactionSql) => Promise<Result>,
): Promise<Result> {
  return inTurn(db, forwarderQueue, perform, {
    sharing: undefined,
    run: ([first], { lockTimeout }) =>
      db.begin(
        async (sql) => {
          // Processes of the version before lock the row for such writes.
          await sql`select pg_advisory_xact_lock(${forwarderLock}) from service for key share`
          return [await first?.(sql)]
        },
        { lockTimeout },
      ),
  })
}

/** One write that belongs to no account, such as creating one. These writes are serialised. */
export async function performForwarderWrite(
  db: Database,
  request: WriteRequest,
  work: (sql: TransactionSql) => Promise<WriteResult>,
): Promise<WriteResponse> {
  const { idempotencyKey: key } = request
  if (key === undefined) return beginForwarderWrite(db, async (sql) => ({ ...(await work(sql)), replayed: false }))
  return withStoredRefusals(request, work, (perform) =>
    beginForwarderWrite(db, async (sql) => {
      const stored = await findStoredResponse(sql, forwarder, key)
      return respondOnce(sql, forwarder, key, request, stored, () => perform(sql))
    }),
  )
}

/**
 * A refused write is rolled back, and its response is stored by a second transaction. A retry that came between them wins:
 * then its response is the stored one. Without refusals, this costs no savepoint.
 */
async function withStoredRefusals<Tx>(
  { problemBody }: WriteRequest,
  work: (tx: Tx) => Promise<WriteResult>,
  transactOnce: (perform: (tx: Tx) => Promise<WriteResult>) => Promise<WriteResponse>,
): Promise<WriteResponse> {
  try {
    return await transactOnce(work)
  } catch (error) {
    if (!(error instanceof Refusal) || !isStored(error)) throw error
    return transactOnce(async () => ({ status: error.status, body: problemBody(error) }))
  }
}

/** Not invalid requests and temporary failures: the corrected or repeated request may use the key. */
function isStored({ code, status }: Refusal): boolean {
  return status !== 400 && status < 500 && code !== 'idempotency_key_reused' && code !== 'quota_exceeded'
}

async function respondOnce(
  sql: TransactionSql,
  account: AccountId,
  key: string,
  { content, encryptWith }: WriteRequest,
  stored: StoredResponse | undefined,
  work: () => Promise<WriteResult>,
): Promise<WriteResponse> {
  const request_hash = hash('sha256', content(), 'base64url')
  if (stored) {
    if (stored.request_hash !== request_hash) throw new Refusal('idempotency_key_reused')
    const { status, body } = stored
    return { status, body: encryptWith === undefined ? body : decryptResponse(encryptWith, body), replayed: true }
  }
  const response = await work()
  const body = encryptWith === undefined ? response.body : encryptResponse(encryptWith, response.body)
  storeResponse(sql, account, key, { request_hash, status: response.status, body })
  return { ...response, replayed: false }
}
