import { setTimeout as sleep } from 'node:timers/promises'
import type { Quotas } from '../../contract/operator/quotas.js'
import { Refusal } from '../../contract/refusals.js'
import type { Database } from '../../database/database.js'
import { isCancelled, isUnreachable } from '../../database/errors.js'
import { groupedBy } from '../../domain/records/grouping.js'
import { type ReadTable, readTable } from '../../spreadsheet/table-process.js'
import {
  findOldestPending,
  listOldestPending,
  listPendingSenders,
  lockSender,
  type PendingMessage,
  reopenMatched,
  setOutcome,
  tryLockSenders,
} from '../../store/messages.js'
import { processMessage, processMessages, RefusedBatch } from './process-message.js'

/** Processes stored messages, those of one sender in the order received. */

type Inbox = { quotas: Quotas; onError(error: unknown): void }

// Waiting for the sender or an account for longer than this (ms), a message stays for later.
const lockTimeout = 5000

/** Processes the messages of a sender, up to a given one. Throws while the database or an account is not available. */
export async function processSender(
  db: Database,
  sender: string,
  inbox: Inbox,
  upTo = Number.POSITIVE_INFINITY,
): Promise<void> {
  let table: PendingTable | undefined
  do {
    const unread = await inTurn(db, { sender, upTo, table, inbox })
    // Not in turn: reading a table takes longer than most messages.
    table = unread && (await readPending(db, unread, inbox))
  } while (table)
}

/** The sheets of a table that is to be processed next; undefined if reading it failed. */
type PendingTable = { message_id: number; read: ReadTable | undefined }

type Wanted = { sender: string; upTo: number; table: PendingTable | undefined; inbox: Inbox }
type Waiting = Wanted & {
  /** With the next message, if it is a table that has not been read yet. */
  resolve(unread: PendingMessage | undefined): void
  reject(error: unknown): void
}

// One transaction at a time in a process, so that messages hold one connection of it: it takes what waits of all senders.
const queues = new WeakMap<Database, Waiting[]>()

function inTurn(db: Database, wanted: Wanted): Promise<PendingMessage | undefined> {
  return new Promise((resolve, reject) => {
    const waiting = { ...wanted, resolve, reject }
    const queue = queues.get(db)
    if (queue) queue.push(waiting)
    else {
      const started = [waiting]
      queues.set(db, started)
      void runQueue(db, started)
    }
  })
}

async function runQueue(db: Database, queue: Waiting[]): Promise<void> {
  while (queue.length > 0) {
    const [first] = queue as [Waiting]
    if (first.table) {
      queue.shift()
      await processAlone(db, first.sender, [first])
      continue
    }
    const waiting = queue.filter(({ table }) => !table)
    const others = queue.filter(({ table }) => table)
    queue.splice(0, queue.length, ...others)
    const bySender = groupedBy(waiting, ({ sender }) => sender)
    const progress = await processTogether(db, [...bySender.keys()], first.inbox)
    for (const [sender, ofSender] of bySender) {
      const done = progress.get(sender)
      if (done === 'failed') await processAlone(db, sender, ofSender)
      else queue.push(...ofSender.filter((each) => !settles(each, done)))
    }
    // Those that others are processing are waited for, before anything else is done.
    queue.sort((one, other) => Number(progress.has(one.sender)) - Number(progress.has(other.sender)))
  }
  queues.delete(db)
}

/** The newest message that was processed; a table that has to be read first; or that nothing is left. */
type Progress = { last: number } | { unread: PendingMessage } | 'empty' | 'failed'

function settles({ upTo, resolve }: Waiting, progress: Progress | undefined): boolean {
  if (progress === undefined || progress === 'failed') return false
  if (progress === 'empty') resolve(undefined)
  else if ('unread' in progress) resolve(progress.unread)
  else if (progress.last >= upTo) resolve(undefined)
  else return false
  return true
}

/** Processes the oldest messages of some senders in one transaction. Those of which nothing is returned have to wait. */
async function processTogether(
  db: Database,
  [first, ...others]: string[],
  { quotas, onError }: Inbox,
): Promise<Map<string, Progress>> {
  const progress = new Map<string, Progress>()
  const all = [first as string, ...others]
  try {
    await db.begin(
      async (sql) => {
        // Waiting for one while holding none: processes do not wait for each other.
        await lockSender(sql, first as string)
        const locked = [first as string, ...(others.length > 0 ? await tryLockSenders(sql, others) : [])]
        const pending = await listOldestPending(sql, locked)
        if (pending.length === 0) for (const sender of locked) progress.set(sender, 'empty')
        const tables = new Map<string, PendingMessage>()
        for (const message of pending)
          if (message.format === 'table' && !tables.has(message.sender)) tables.set(message.sender, message)
        const isBeforeTable = ({ sender, message_id }: PendingMessage) =>
          message_id < (tables.get(sender)?.message_id ?? Number.POSITIVE_INFINITY)
        const messages = pending.filter(isBeforeTable)
        for (const [sender, unread] of tables) progress.set(sender, { unread })
        if (messages.length === 0) return
        for (const { sender, message_id } of await processMessages(sql, messages, { quotas }))
          progress.set(sender, { last: message_id })
      },
      { lockTimeout, pinsPlans: true },
    )
  } catch (error) {
    // One by one, only those that it concerns fail.
    if (!isTemporary(error) && !(error instanceof RefusedBatch)) onError(error)
    return new Map(all.map((sender) => [sender, 'failed']))
  }
  return progress
}

/** Processes the messages of one sender one by one. */
async function processAlone(db: Database, sender: string, waiting: Waiting[]): Promise<void> {
  const upTo = Math.max(...waiting.map((each) => each.upTo))
  const { inbox, table } = waiting[0] as Waiting
  try {
    for (;;) {
      const done = await processNext(db, sender, inbox, table)
      if (typeof done === 'object') return waiting.forEach(({ resolve }) => resolve(done))
      if (done === undefined || done >= upTo) return waiting.forEach(({ resolve }) => resolve(undefined))
    }
  } catch (error) {
    for (const { reject } of waiting) reject(error)
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
        await lockSender(sql, sender)
        const message = await findOldestPending(sql, sender)
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
  return (
    isUnreachable(error) ||
    isCancelled(error) ||
    error instanceof Refusal ||
    (error as { code?: unknown }).code === '40P01'
  )
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
