import { hash } from 'node:crypto'
import type { MessageCounts, MessageEvent, MessageFormat, MessageOutcome } from '../contract/operator/messages.js'
import type { HandledFilter } from '../contract/operator/work-filter.js'
import type { AccountId, AccountScope } from '../database/account-id.js'
import { businessNow, businessNowInStatement } from '../database/business-now.js'
import type { Database, Reader, TransactionSql } from '../database/database.js'
import { concerning } from './account-scope.js'
import { handledAs } from './work-items.js'

/** Messages as they came in. They belong to the forwarder: which accounts they concern is found by their references. */

export type MessageRow = {
  message_id: number
  sender: string
  channel: string
  format: MessageFormat
  received_at: string
  hash: string
  size: number
  outcome: MessageOutcome
  reason: string | null
  processed_at: string | null
  counts: string
}

const utc = 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'

function columns(db: Reader) {
  return db`
    message_id, sender, channel, format, to_char(received_at at time zone 'utc', ${utc}) as received_at, hash,
    octet_length(content) as size, outcome, reason, to_char(processed_at at time zone 'utc', ${utc}) as processed_at, counts`
}

/** Stores a message that is still to be processed. */
export async function storeMessage(
  db: Database | TransactionSql,
  given: { sender: string; channel: string; format: MessageFormat; content: Buffer; feed_id?: string },
): Promise<number> {
  const digest = hash('sha256', given.content, 'hex')
  const [row] = await db<{ message_id: number }[]>`
    insert into messages (received_at, sender, channel, format, hash, content, feed_id)
    values (${businessNowInStatement(db)}, ${given.sender}, ${given.channel}, ${given.format}, ${digest}, ${given.content}, ${given.feed_id ?? null})
    returning message_id`
  return (row as { message_id: number }).message_id
}

// The first key of advisory locks of senders; the second is a hash of the name.
const senderLock = 740_119

/** Until the transaction ends, no other processes messages of the sender. */
export async function lockSender(sql: TransactionSql, sender: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${senderLock}, hashtext(${sender}))`
}

// The first key of advisory locks of files of the watched folder; the second is a hash of sender and name.
const fileLock = 740_120

/** Whether nobody else takes the file; until the transaction ends, nobody else does. */
export async function tryFileLock(sql: TransactionSql, file: string): Promise<boolean> {
  const [row] = await sql<{ isLocked: boolean }[]>`
    select pg_try_advisory_xact_lock(${fileLock}, hashtext(${file})) as "isLocked"`
  return row?.isLocked ?? false
}

/** A message to be processed. */
export type PendingMessage = Pick<MessageRow, 'message_id' | 'sender' | 'format' | 'received_at' | 'hash'> & {
  content: Buffer
  /** The shipment that an operator chose. */
  matched_account_id: AccountId | null
  matched_account: string | null
  matched_shipment: string | null
}

function pendingColumns(db: Reader) {
  return db`
    message_id, sender, format, to_char(received_at at time zone 'utc', ${utc}) as received_at, hash, content,
    matched_account_id, slug as matched_account, matched_shipment`
}

export async function findOldestPending(sql: TransactionSql, sender: string): Promise<PendingMessage | undefined> {
  const [row] = await sql<PendingMessage[]>`
    select ${pendingColumns(sql)}
    from messages left join accounts on account_id = matched_account_id
    where sender = ${sender} and outcome = 'received' order by message_id limit 1`
  return row
}

export async function findMessageToProcess(
  sql: TransactionSql,
  message_id: number,
): Promise<PendingMessage | undefined> {
  const [row] = await sql<PendingMessage[]>`
    select ${pendingColumns(sql)}
    from messages left join accounts on account_id = matched_account_id
    where message_id = ${message_id}`
  return row
}

/** The senders of messages that are still to be processed. */
export async function listPendingSenders(db: Reader): Promise<string[]> {
  const rows = await db<{ sender: string }[]>`
    select distinct sender from messages where outcome = 'received' order by sender limit 1000`
  return rows.map(({ sender }) => sender)
}

/** An earlier message of the sender with the same bytes. A table may be read in another way since. */
export async function findSameMessage(
  sql: Reader,
  { message_id, sender, hash: same }: PendingMessage,
): Promise<number | undefined> {
  const [row] = await sql<{ message_id: number }[]>`
    select message_id from messages
    where sender = ${sender} and hash = ${same} and message_id < ${message_id} and outcome <> 'dropped'
      and not (format = 'table' and outcome in ('quarantined', 'unreadable'))
    order by message_id limit 1`
  return row?.message_id
}

export type ProcessedMessage = {
  outcome: MessageOutcome
  reason: string | undefined
  counts: MessageCounts
  events: MessageEvent[]
  warnings: string[]
  /** The accounts that it concerns; none if an event concerns none. */
  accounts: AccountId[]
  /** All references that the message names, and those that no shipment has yet. */
  refs: string[]
  waiting: string[]
}

export function saveProcessed(sql: TransactionSql, message_id: number, done: ProcessedMessage): void {
  sql.send(sql`
    update messages
    set outcome = ${done.outcome}, reason = ${done.reason ?? null}, counts = ${JSON.stringify(done.counts)},
      events = ${JSON.stringify(done.events)}, warnings = ${JSON.stringify(done.warnings)}, refs = ${done.refs}::text[], waiting = ${done.waiting}::text[], accounts = ${done.accounts}::integer[],
      processed_at = ${businessNowInStatement(sql)}
    where message_id = ${message_id}`)
}

/** Sets the outcome alone: what the message did before stays. */
export async function setOutcome(
  sql: Database | TransactionSql,
  message_id: number,
  outcome: MessageOutcome,
  reason: string,
): Promise<void> {
  await sql`
    update messages set outcome = ${outcome}, reason = ${reason}, waiting = '{}', processed_at = ${businessNowInStatement(sql)}
    where message_id = ${message_id}`
}

export async function setMatch(
  sql: TransactionSql,
  message_id: number,
  account: AccountId,
  shipment: string,
): Promise<void> {
  await sql`
    update messages set matched_account_id = ${account}, matched_shipment = ${shipment} where message_id = ${message_id}`
}

const pageLength = 2000

/**
 * Puts unmatched messages back for processing that wait for a reference which a shipment has meanwhile. Reads a page of them,
 * and returns the cursor of the next page; 0 after the last.
 */
export async function reopenMatched(db: Database, after: number): Promise<number> {
  const rows = await db<{ message_id: number }[]>`
    with page as materialized (
      select message_id, waiting from messages
      where outcome = 'unmatched' and message_id > ${after} order by message_id limit ${pageLength}
    ), reopened as (
      update messages set outcome = 'received'
      from page
      where messages.message_id = page.message_id and messages.outcome = 'unmatched' and exists (
        select from unnest(page.waiting) as waiting (reference)
        join shipment_references using (reference))
    )
    select message_id from page order by message_id`
  return rows.length < pageLength ? 0 : (rows.at(-1)?.message_id ?? 0)
}

export async function findMessage(
  db: Reader,
  scope: AccountScope,
  message_id: number,
): Promise<(MessageRow & { events: string; warnings: string }) | undefined> {
  const [row] = await db<(MessageRow & { events: string; warnings: string })[]>`
    select ${columns(db)}, events, warnings from messages where message_id = ${message_id} ${concerning(db, scope)}`
  return row
}

export async function findContent(
  db: Reader,
  scope: AccountScope,
  message_id: number,
): Promise<Pick<PendingMessage, 'format' | 'received_at' | 'content'> | undefined> {
  const [row] = await db<Pick<PendingMessage, 'format' | 'received_at' | 'content'>[]>`
    select format, to_char(received_at at time zone 'utc', ${utc}) as received_at, content
    from messages where message_id = ${message_id} ${concerning(db, scope)}`
  return row
}

type MessageFilter = HandledFilter & {
  outcome?: MessageOutcome | undefined
  sender?: string | undefined
  reference?: string | undefined
  before: number
  take: number
}

/** The newest first. */
export async function listMessageRows(
  db: Reader,
  scope: AccountScope,
  { outcome, sender, reference, before, take, ...handled }: MessageFilter,
): Promise<MessageRow[]> {
  const filter = db`
    ${outcome === undefined ? db`` : db`and outcome = ${outcome}`} ${sender === undefined ? db`` : db`and sender = ${sender}`}`
  // A reference is in few messages: they are found by its index, and then sorted.
  const source =
    reference === undefined
      ? db`messages`
      : db`(select * from messages where refs @> array[${reference}]::text[] offset 0) as messages`
  return db<MessageRow[]>`
    select ${columns(db)} from ${source}
    where message_id < ${before} ${filter} ${concerning(db, scope)} ${handledAs(db, 'message', handled)}
    order by message_id desc limit ${take}`
}

// The key of an advisory lock.
const removalLock = 7_401_126_919

/** Deletes up to `most` processed messages that are older than `days`, and returns how many. */
export async function removeOldMessages(db: Database, days: number, most: number): Promise<number> {
  const removed = await db`
    with removed as (
      delete from messages where message_id = any (array(
        select message_id from messages
        where received_at < ${businessNow(db)} - ${`${days} days`}::text::interval and outcome <> 'received'
          and (select pg_try_advisory_xact_lock(${removalLock}))
        order by message_id limit ${most}))
      returning message_id
    ), uses as (
      delete from sender_code_uses using removed where sender_code_uses.message_id = removed.message_id
    )
    select message_id from removed`
  return removed.length
}

const mostCounted = 100_000
const mostSenders = 200

/** How far the processing of messages is behind: how many wait (at most 100,000), since when, and when each of 200 senders last sent one. */
export type MessageLag = { waiting: number; seconds: number; newest: { sender: string; received_at: Date }[] }

export async function findMessageLag(db: Database): Promise<MessageLag> {
  const [row] = await db<{ waiting: number; seconds: number }[]>`
    select (
        select count(*)::integer from (select from messages where outcome = 'received' limit ${mostCounted}) counted
      ) as waiting,
      coalesce((
        select greatest(extract(epoch from ${businessNow(db)} - received_at)::double precision, 0)
        from messages where outcome = 'received' order by message_id limit 1
      ), 0) as seconds`
  // From one sender to the next by the index: there may be millions of messages.
  const newest = await db<{ sender: string; received_at: Date }[]>`
    with recursive senders as (
      (select sender from messages order by sender limit 1)
      union all
      select (select sender from messages where sender > senders.sender order by sender limit 1)
      from senders where senders.sender is not null
    )
    select sender, received_at
    from (select sender from senders where sender is not null limit ${mostSenders}) known
    cross join lateral (
      select received_at from messages where messages.sender = known.sender order by message_id desc limit 1
    ) newest
    order by sender`
  return { waiting: row?.waiting ?? 0, seconds: row?.seconds ?? 0, newest }
}
