import type { CodeFormat, CodeMapping as Mapping } from '../contract/operator/codes.js'
import type { HandledFilter } from '../contract/operator/work-filter.js'
import type { EventCode } from '../contract/public/event-codes.js'
import { businessNowInStatement } from '../database/business-now.js'
import { asJson, type Reader, type TransactionSql } from '../database/database.js'
import type { CodeMapping } from '../domain/messages/edi/edi-context.js'
import type { ForeignCode } from '../domain/messages/incoming-event.js'
import type { PendingMessage } from './messages.js'
import { handledAs } from './work-items.js'

/** Status codes of senders that our tables do not have, and what operators say that they mean. */

/** What the codes of a sender mean, by format and code. */
export async function findCodeMappings(db: Reader, sender: string): Promise<Map<string, CodeMapping>> {
  const rows = await db<{ format: string; code: string; mapped_to: string; mapped_status: string | null }[]>`
    select format, code, mapped_to, mapped_status from sender_codes where sender = ${sender} and mapped_to is not null`
  return new Map(
    rows.map(({ format, code, mapped_to, mapped_status }) => [
      `${format} ${code}`,
      { code: mapped_to, ...(mapped_status !== null && { status: mapped_status }) } as CodeMapping,
    ]),
  )
}

// A message with more different ones is not worth reading.
const mostCodes = 500

/** Notes which of its codes a message brought. Done again, it changes nothing. */
export async function saveCodeUses(
  sql: TransactionSql,
  { sender, message_id }: PendingMessage,
  foreign: ForeignCode[],
): Promise<void> {
  const counted = new Map<string, ForeignCode & { uses: number }>()
  for (const each of foreign) {
    const key = `${each.format} ${each.code}`
    const known = counted.get(key)
    if (known) known.uses += 1
    else if (counted.size < mostCodes) counted.set(key, { ...each, uses: 1 })
  }
  if (counted.size === 0) return
  await sql`
    with given as materialized (
      select format, code, text, uses
      from jsonb_to_recordset(${asJson([...counted.values()])}::text::jsonb) as given (format text, code text, text text, uses integer)
    ), codes as (
      insert into sender_codes (sender, format, code, text)
      select ${sender}, format, code, text from given
      on conflict (sender, format, code) do update
      set text = excluded.text where excluded.text <> '' and sender_codes.text <> excluded.text
    )
    insert into sender_code_uses (sender, format, code, message_id, uses)
    select ${sender}, format, code, ${message_id}, uses from given
    on conflict (sender, format, code, message_id) do update set uses = excluded.uses
    where sender_code_uses.uses <> excluded.uses`
}

export type CodeKey = { sender: string; format: CodeFormat; code: string }

export type SenderCodeRow = CodeKey & {
  text: string
  count: number
  first_message_id: number | null
  last_message_id: number | null
  mapped_to: EventCode | null
  mapped_status: Mapping['mapped_status'] | null
  mapped_by: string | null
  mapped_at: string | null
}

type CodeFilter = Partial<CodeKey> &
  HandledFilter & { state?: 'unknown' | 'mapped' | undefined; after?: CodeKey | undefined }

/** In the order of sender, format and code. */
export async function listCodeRows(
  db: Reader,
  { sender, format, code, state, after, ...handled }: { [Name in keyof CodeFilter]: CodeFilter[Name] | undefined },
  most: number,
): Promise<SenderCodeRow[]> {
  const filter = db`
    ${sender === undefined ? db`` : db`and sender = ${sender}`} ${format === undefined ? db`` : db`and format = ${format}`}
    ${code === undefined ? db`` : db`and code = ${code}`}
    ${state === undefined ? db`` : state === 'mapped' ? db`and mapped_to is not null` : db`and mapped_to is null`}
    ${after === undefined ? db`` : db`and (sender, format, code) > (${after.sender}, ${after.format}, ${after.code})`}
    ${handledAs(db, 'code', handled)}`
  return db<SenderCodeRow[]>`
    select sender, format, code, text, mapped_to, mapped_status, mapped_by,
      to_char(mapped_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as mapped_at, count, first_message_id, last_message_id
    from sender_codes cross join lateral (
      select coalesce(sum(uses), 0)::integer as count, min(message_id) as first_message_id, max(message_id) as last_message_id
      from sender_code_uses
      where (sender_code_uses.sender, sender_code_uses.format, sender_code_uses.code)
        = (sender_codes.sender, sender_codes.format, sender_codes.code)
    ) used
    where (count > 0 or mapped_to is not null) ${filter}
    order by sender, format, code limit ${most}`
}

export async function findCode(db: Reader, key: CodeKey): Promise<SenderCodeRow | undefined> {
  const [row] = await listCodeRows(db, { ...key, state: undefined, after: undefined }, 1)
  return row
}

export async function setMapping(
  sql: TransactionSql,
  { sender, format, code }: CodeKey,
  { mapped_to, mapped_status }: Mapping,
  author: string,
): Promise<void> {
  await sql`
    insert into sender_codes (sender, format, code, text, mapped_to, mapped_status, mapped_by, mapped_at)
    values (${sender}, ${format}, ${code}, '', ${mapped_to}, ${mapped_status ?? null}, ${author}, ${businessNowInStatement(sql)})
    on conflict (sender, format, code) do update
    set mapped_to = excluded.mapped_to, mapped_status = excluded.mapped_status, mapped_by = excluded.mapped_by,
      mapped_at = excluded.mapped_at`
}

/** Returns whether there was one. */
export async function removeMapping(sql: TransactionSql, { sender, format, code }: CodeKey): Promise<boolean> {
  const rows = await sql`
    update sender_codes set mapped_to = null, mapped_status = null, mapped_by = null, mapped_at = null
    where sender = ${sender} and format = ${format} and code = ${code} and mapped_to is not null
    returning code`
  return rows.length > 0
}

// Older ones are replayed one by one, if anybody wants to.
const mostReopened = 10_000

/** Puts the messages with a code back for processing, the newest of them if there are very many. Returns how many. */
export async function reopenMessagesWith(sql: TransactionSql, { sender, format, code }: CodeKey): Promise<number> {
  const rows = await sql`
    update messages set outcome = 'received'
    where outcome not in ('received', 'dropped') and message_id = any (array(
      select message_id from sender_code_uses
      where sender = ${sender} and format = ${format} and code = ${code}
      order by message_id desc limit ${mostReopened}))
    returning message_id`
  return rows.length
}
