import { setTimeout as sleep } from 'node:timers/promises'
import type { Quotas } from '../../contract/operator/quotas.js'
import { Refusal } from '../../contract/refusals.js'
import type { Database } from '../../database/database.js'
import { isCancelled, isDeadlock, isUnreachable } from '../../database/errors.js'
import { type ReadTable, readTable } from '../../spreadsheet/table-process.js'
import {
  findOldestPending,
  listPendingSenders,
  lockSender,
  type PendingMessage,
  reopenMatched,
  setOutcome,
} from '../../store/messages.js'
import { processMessage } from './process-message.js'

/** Processes stored messages, those of one sender in the order received. */

type Inbox = { quotas: Quotas; onError(error: unknown): void }

// Waiting for the sender or an account for longer than this (ms), a message stays for later.
const lockTimeout = 5000

// One at a time in a process, so that messages hold one connection of it.
const queues = new WeakMap<Database, Promise<unknown>>()

/** Processes the messages of a sender, up to a given one. Throws while the database or an account is not available. */
export async function processSender(
  db: Database,
  sender: string,
  inbox: Inbox,
  upTo = Number.POSITIVE_INFINITY,
): Promise<void> {
  let table: PendingTable | undefined
  do {
    const unread = await inTurn(db, () => processUpTo(db, sender, inbox, { upTo, table }))
    // Not in turn: reading a table takes longer than most messages.
    table = unread && (await readPending(db, unread, inbox))
  } while (table)
}

async function inTurn<Result>(db: Database, work: () => Promise<Result>): Promise<Result> {
  const turn = (queues.get(db) ?? Promise.resolve()).then(work)
  const settled = turn.catch(() => {})
  queues.set(db, settled)
  return turn
}

/** The sheets of a table that is to be processed next; undefined if reading it failed. */
type PendingTable = { message_id: number; read: ReadTable | undefined }

/** Returns the next message if it is a table that has not been read yet. */
async function processUpTo(
  db: Database,
  sender: string,
  inbox: Inbox,
  { upTo, table }: { upTo: number; table: PendingTable | undefined },
): Promise<PendingMessage | undefined> {
  for (;;) {
    const done = await processNext(db, sender, inbox, table)
    if (typeof done === 'object') return done
    if (done === undefined || done >= upTo) return undefined
  }
}

async function readPending(
  db: Database,
  { message_id, content, sender }: PendingMessage,
  { onError }: Inbox,
): Promise<PendingTable> {
  try {
    return { message_id, read: await readTable(content, sender) }
  } catch (error) {
    // Too many tables are being read.
    if (error instanceof Refusal) throw error
    onError(error)
    await setOutcome(db, message_id, 'quarantined', internalError)
    return { message_id, read: undefined }
  }
}

const internalError = 'The service failed to process the message: an internal error.'

/** Returns the message that was processed, or that has to be read first; undefined if none is left. */
async function processNext(
  db: Database,
  sender: string,
  { quotas, onError }: Inbox,
  table: PendingTable | undefined,
): Promise<number | PendingMessage | undefined> {
  let message_id: number | undefined
  let unread: PendingMessage | undefined
  try {
    await db.begin(
      async (sql) => {
        // Pipelined: the database looks for the message after it granted the lock.
        const [, message] = await Promise.all([lockSender(sql, sender), findOldestPending(sql, sender)])
        message_id = message?.message_id
        const read = table && table.message_id === message_id ? table.read : undefined
        if (message?.format === 'table' && !read) unread = message
        else if (message) await processMessage(sql, message, { quotas, table: read })
      },
      { lockTimeout, pinsPlans: true },
    )
  } catch (error) {
    if (message_id === undefined || isTemporary(error)) throw error
    // It would fail again, and hold up all that follow.
    onError(error)
    await setOutcome(db, message_id, 'quarantined', internalError)
  }
  return unread ?? message_id
}

// Deadlocks are resolved by trying again.
function isTemporary(error: unknown): boolean {
  return isUnreachable(error) || isCancelled(error) || isDeadlock(error) || error instanceof Refusal
}

const idlePause = 1000
const pauseAfterError = 5000

/**
 * Processes what was stored but not processed, also by processes that ended, and what waited for a shipment that came
 * meanwhile. Runs until the signal aborts.
 */
export async function runInbox(db: Database, { signal, ...inbox }: Inbox & { signal: AbortSignal }): Promise<void> {
  let cursor = 0
  while (!signal.aborted) {
    let pause = idlePause
    try {
      cursor = await reopenMatched(db, cursor)
      for (const sender of await listPendingSenders(db)) {
        if (signal.aborted) return
        await processSender(db, sender, inbox)
      }
    } catch (error) {
      if (signal.aborted) return
      if (!isTemporary(error)) inbox.onError(error)
      pause = pauseAfterError
    }
    await sleep(pause, undefined, { signal }).catch(() => {})
  }
}
