import { asJson, type Reader, type TransactionSql } from '../database/database.js'
import type { CodeMapping } from '../domain/messages/edi/edi-context.js'
import type { ForeignCode } from '../domain/messages/incoming-event.js'
import type { PendingMessage } from './messages.js'

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
