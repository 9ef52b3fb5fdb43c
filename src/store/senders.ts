import type { SenderSettings } from '../contract/operator/messages.js'
import type { Party } from '../contract/public/tracking.js'
import type { Reader, TransactionSql } from '../database/database.js'

/** What operators have said of the senders of messages. Senders belong to the forwarder, not to an account. */

type SenderRow = { sender: string; party: Party; name: string | null }

/** What kind of party each sender is, of those of which it is known. */
export async function findParties(db: Reader, senders: string[]): Promise<Map<string, Party>> {
  const rows = await db<SenderRow[]>`select sender, party from senders where sender = any(${senders}::text[])`
  return new Map(rows.map(({ sender, party }) => [sender, party]))
}

export async function listSenders(db: Reader): Promise<SenderRow[]> {
  return db<SenderRow[]>`select sender, party, name from senders order by sender`
}

export async function saveSender(sql: TransactionSql, sender: string, { party, name }: SenderSettings): Promise<void> {
  await sql`
    insert into senders (sender, party, name) values (${sender}, ${party}, ${name ?? null})
    on conflict (sender) do update set party = excluded.party, name = excluded.name`
}

export async function deleteSender(sql: TransactionSql, sender: string): Promise<boolean> {
  const rows = await sql`delete from senders where sender = ${sender} returning 1`
  return rows.length > 0
}
