import type { HandledFilter } from '../contract/operator/work-filter.js'
import type { MessageFileRecord, MessagePerson, MessageRecord } from '../contract/public/message.js'
import { type AccountId, type AccountScope, forwarderAccount } from '../database/account-id.js'
import { asJson, type Fragment, type Reader, type TransactionSql } from '../database/database.js'
import { inScope } from './account-scope.js'
import { handledAs, wakeConversations } from './work-items.js'

/** Messages about shipments and orders, and the conversations that they make. */

export type SubjectKey = { kind: 'shipment' | 'purchase_order'; id: string }

type Named = { svc_shipment_id?: string | undefined; po_number?: string | undefined }

export function subjectOf({ svc_shipment_id, po_number }: Named): SubjectKey {
  return svc_shipment_id === undefined
    ? { kind: 'purchase_order', id: po_number ?? '' }
    : { kind: 'shipment', id: svc_shipment_id }
}

type Write = { sql: TransactionSql; at: string; author: string }

/** A message of the account waits for an answer; one of the forwarder is the answer to all before it. */
export function saveMessages({ sql, at, author }: Write, account: AccountId, records: MessageRecord[]): Fragment[] {
  const time = new Date(at).toISOString()
  const rows = asJson(records, (record) => {
    const { kind, id } = subjectOf(record)
    const { side, person_id } = record.author
    return {
      message_id: record.message_id,
      kind,
      id,
      // What an import brings was sent before, by somebody else.
      ...(record.sent_at === time
        ? { sent_at: at, author }
        : {
            sent_at: record.sent_at,
            author: person_id === undefined ? author : `${side === 'account' ? 'person' : 'operator'}:${person_id}`,
          }),
      mail_hash: record.mail_hash ?? null,
      waits: record.author.side === 'account',
      record: JSON.stringify(record),
    }
  })
  return [
    sql`
      insert into conversation_messages (
        account_id, message_id, subject_kind, subject_id, sent_at, author, mail_hash, record)
      select ${account}, message_id, kind, id, sent_at, author, mail_hash, record
      from jsonb_to_recordset(${rows}::text::jsonb) as saved (
        message_id text, kind text, id text, sent_at timestamptz, author text, mail_hash text, record text)`,
    records.every(({ sent_at }) => sent_at === time)
      ? addToConversations(sql, account, rows, at)
      : countConversations(sql, account, rows),
    ...(records.some(({ author: { side } }) => side === 'account') ? [wakeConversations(sql, account, rows)] : []),
  ]
}

function addToConversations(sql: TransactionSql, account: AccountId, rows: string, at: string): Fragment {
  return sql`
      insert into conversations (
        account_id, subject_kind, subject_id, messages, last_at, last_message, unanswered_since)
      select ${account}, kind, id, 1, ${at}::text::timestamptz, message_id,
        case when waits then ${at}::text::timestamptz end
      from jsonb_to_recordset(${rows}::text::jsonb) as saved (message_id text, kind text, id text, waits boolean)
      on conflict (account_id, subject_kind, subject_id) do update
      set messages = conversations.messages + 1, last_at = excluded.last_at, last_message = excluded.last_message,
        unanswered_since = case when excluded.unanswered_since is not null
          then coalesce(conversations.unanswered_since, excluded.unanswered_since) end`
}

/** Of messages that come in any order: what all messages of their conversations come to. */
function countConversations(sql: TransactionSql, account: AccountId, rows: string): Fragment {
  return sql`
    insert into conversations (account_id, subject_kind, subject_id, messages, last_at, last_message, unanswered_since)
    select ${account}, kind, id, count(*), max(sent_at), (array_agg(message_id order by sent_at desc, message_id desc))[1],
      min(sent_at) filter (where waits and sent_at > coalesce(answered_at, '-infinity'))
    from (
      select kind, id, message_id, sent_at, side = 'account' as waits,
        max(sent_at) filter (where side = 'forwarder') over (partition by kind, id) as answered_at
      from (select distinct kind, id from jsonb_to_recordset(${rows}::text::jsonb) as saved (kind text, id text)) as saved
      join conversation_messages on account_id = ${account} and subject_kind = kind and subject_id = id
      cross join lateral (select record::jsonb #>> '{author,side}' as side) as author
    ) as message
    group by kind, id, answered_at
    on conflict (account_id, subject_kind, subject_id) do update
    set messages = excluded.messages, last_at = excluded.last_at, last_message = excluded.last_message,
      unanswered_since = excluded.unanswered_since`
}

/** The forwarder needs not answer it. False if nothing waited. */
export async function markAnswered(
  sql: TransactionSql,
  account: AccountId,
  { kind, id }: SubjectKey,
): Promise<boolean> {
  const rows = await sql`
    update conversations set unanswered_since = null
    where account_id = ${account} and subject_kind = ${kind} and subject_id = ${id} and unanswered_since is not null
    returning 1`
  return rows.length > 0
}

type Row = { record: string }

export async function findMessage(
  db: Reader,
  account: AccountId,
  message_id: string,
): Promise<MessageRecord | undefined> {
  const [row] = await db<Row[]>`
    select record from conversation_messages where account_id = ${account} and message_id = ${message_id}`
  return row && recordOf(row)
}

/** Of one subject or of the account; the newest first. */
export async function listMessageRecords(
  db: Reader,
  account: AccountId,
  { subject, skip, take }: { subject: SubjectKey | undefined; skip: number; take: number },
): Promise<MessageRecord[]> {
  const rows = await db<Row[]>`
    select record from conversation_messages
    where account_id = ${account}
      ${subject ? db`and subject_kind = ${subject.kind} and subject_id = ${subject.id}` : db``}
    order by sent_at desc, message_id offset ${skip} limit ${take}`
  return rows.map(recordOf)
}

export type ConversationRow = SubjectKey & {
  account: string
  account_name: string
  messages: number
  /** With microseconds: the cursor has to be exact. */
  last_at: string
  unanswered_since: Date | null
  last: MessageRecord
}

export type ConversationCursor = { at: string; account: string; kind: string; id: string }

/** Over accounts: those that wait longest first, or the newest first. */
export async function listConversationRows(
  db: Reader,
  scope: AccountScope,
  {
    isUnanswered,
    after,
    take,
    ...handled
  }: HandledFilter & { isUnanswered: boolean; after: ConversationCursor | undefined; take: number },
): Promise<ConversationRow[]> {
  const order = isUnanswered ? db`unanswered_since` : db`last_at desc`
  const position = after
    ? isUnanswered
      ? db`and (unanswered_since, slug, conversation.subject_kind, conversation.subject_id)
          > (${after.at}::text::timestamptz, ${after.account}, ${after.kind}, ${after.id})`
      : db`and (last_at < ${after.at}::text::timestamptz or (last_at = ${after.at}::text::timestamptz
          and (slug, conversation.subject_kind, conversation.subject_id) > (${after.account}, ${after.kind}, ${after.id})))`
    : db``
  const rows = await db<(Omit<ConversationRow, 'last'> & Row)[]>`
    select slug as account, accounts.name as account_name, conversation.subject_kind as kind,
      conversation.subject_id as id, messages,
      to_char(${isUnanswered ? db`unanswered_since` : db`last_at`} at time zone 'UTC',
        'YYYY-MM-DD HH24:MI:SS.US"+00"') as last_at, unanswered_since, record
    from conversations conversation
    join accounts on accounts.account_id = conversation.account_id
    join conversation_messages message
      on message.account_id = conversation.account_id and message_id = last_message
    where ${inScope(db, scope, db`conversation.account_id`)}
      ${isUnanswered ? db`and unanswered_since is not null` : db``}
      ${handledAs(db, 'conversation', handled)}
      ${position}
    order by ${order}, slug, conversation.subject_kind, conversation.subject_id limit ${take}`
  return rows.map(({ record, ...row }) => ({ ...row, last: recordOf({ record }) }))
}

export async function findUnansweredSince(
  db: Reader,
  account: AccountId,
  { kind, id }: SubjectKey,
): Promise<Date | undefined> {
  const [row] = await db<{ unanswered_since: Date | null }[]>`
    select unanswered_since from conversations
    where account_id = ${account} and subject_kind = ${kind} and subject_id = ${id}`
  return row?.unanswered_since ?? undefined
}

/** Who has written in it: the identifiers of people, and of keys. */
export async function listParticipants(db: Reader, account: AccountId, { kind, id }: SubjectKey): Promise<string[]> {
  const rows = await db<{ author: string }[]>`
    select distinct author from conversation_messages
    where account_id = ${account} and subject_kind = ${kind} and subject_id = ${id} limit 1000`
  return rows.map(({ author }) => author.slice(author.indexOf(':') + 1))
}

/** The message that a mail became. */
export async function findMessageByMail(
  db: Reader,
  account: AccountId,
  mail_hash: string,
): Promise<string | undefined> {
  const [row] = await db<{ message_id: string }[]>`
    select message_id from conversation_messages where account_id = ${account} and mail_hash = ${mail_hash}`
  return row?.message_id
}

/** The shipments that messages are about. */
export async function shipmentsOfMessages(db: Reader, account: AccountId, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db<{ subject_id: string }[]>`
    select distinct subject_id from conversation_messages
    where account_id = ${account} and message_id = any(${ids}::text[]) and subject_kind = 'shipment'`
  return rows.map(({ subject_id }) => subject_id)
}

/** People who can be mentioned: of the account, and the forwarder's staff; by name. All of them, or these. */
export async function listMentionable(db: Reader, account: AccountId, ids?: string[]): Promise<MessagePerson[]> {
  return db<MessagePerson[]>`
    select person_id, name, case account_id when ${forwarderAccount} then 'forwarder' else 'account' end as side
    from people
    where account_id in (${account}, ${forwarderAccount}) and disabled_at is null
      ${ids ? db`and person_id = any(${ids}::text[])` : db``}
    order by lower(name), person_id limit 500`
}

/** The name of who writes: a person, a key or an operator. */
export async function findAuthorName(db: Reader, account: AccountId, author: string): Promise<string | undefined> {
  const id = author.slice(author.indexOf(':') + 1)
  const [row] = await db<{ name: string }[]>`
    select name from people where account_id = ${account} and person_id = ${id}
    union all select name from keys where account_id = ${account} and key_id = ${id}`
  return row?.name
}

export function saveMessageFiles(sql: TransactionSql, account: AccountId, records: MessageFileRecord[]): Fragment {
  return sql`
    insert into message_files (account_id, file_id, author, name, content_hash, size, uploaded_at, message_id)
    select ${account}, file_id, author, name, content_hash, size, uploaded_at, message_id
    from jsonb_to_recordset(${asJson(records)}::text::jsonb) as saved (
      file_id uuid, author text, name text, content_hash text, size bigint, uploaded_at timestamptz, message_id text)
    on conflict (account_id, file_id) do update set message_id = excluded.message_id`
}

export async function findMessageFiles(db: Reader, account: AccountId, ids: string[]): Promise<MessageFileRecord[]> {
  type FileRow = Omit<MessageFileRecord, 'uploaded_at' | 'message_id'> & {
    uploaded_at: Date
    message_id: string | null
  }
  const rows = await db<FileRow[]>`
    select file_id, file.name, size, content_hash, author, uploaded_at, message_id
    from unnest(${ids}::uuid[]) with ordinality as wanted (file_id, place)
    cross join lateral (
      select name, size, content_hash, author, uploaded_at, message_id from message_files
      where account_id = ${account} and message_files.file_id = wanted.file_id
    ) file
    order by place`
  return rows.map(({ uploaded_at, message_id, ...row }) => ({
    ...row,
    uploaded_at: uploaded_at.toISOString(),
    ...(message_id !== null && { message_id }),
  }))
}

export async function countUnsentFiles(db: Reader, account: AccountId): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from message_files where account_id = ${account} and message_id is null`
  return row?.count ?? 0
}

/** What a link to a file of a message downloads. */
export async function findMessageFileContent(
  db: Reader,
  account: AccountId,
  file_id: string,
): Promise<{ name: string; content_hash: string; is_suspended: boolean } | undefined> {
  const [row] = await db<{ name: string; content_hash: string; is_suspended: boolean }[]>`
    select file.name, content_hash, suspended_at is not null as is_suspended
    from message_files file join accounts using (account_id)
    where account_id = ${account} and file_id = ${file_id} and message_id is not null`
  return row
}

export async function saveRead(
  db: Reader,
  account: AccountId,
  { kind, id }: SubjectKey,
  person_id: string,
  message_id: string,
): Promise<void> {
  await db`
    insert into conversation_reads (account_id, subject_kind, subject_id, person_id, read_at)
    select ${account}, ${kind}, ${id}, ${person_id}, sent_at from conversation_messages
    where account_id = ${account} and message_id = ${message_id} and subject_kind = ${kind} and subject_id = ${id}
    on conflict (account_id, subject_kind, subject_id, person_id) do update
    set read_at = greatest(conversation_reads.read_at, excluded.read_at)`
}

/** How many messages of others the person has not read. */
export async function countUnreadMessages(
  db: Reader,
  account: AccountId,
  { kind, id }: SubjectKey,
  person_id: string,
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from conversation_messages
    where account_id = ${account} and subject_kind = ${kind} and subject_id = ${id}
      and author <> ${`person:${person_id}`}
      and sent_at > coalesce((
        select read_at from conversation_reads
        where account_id = ${account} and subject_kind = ${kind} and subject_id = ${id} and person_id = ${person_id}),
        '-infinity')`
  return row?.count ?? 0
}

function recordOf({ record }: Row): MessageRecord {
  return JSON.parse(record) as MessageRecord
}
