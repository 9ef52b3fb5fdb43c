import type { SenderSettings } from '../contract/operator/messages.js'
import type { Party } from '../contract/public/tracking.js'
import type { Reader, TransactionSql } from '../database/database.js'

/** What operators have set for the senders of messages. Senders belong to the forwarder, not to an account. */

type SenderRow = { sender: string; party: Party; name: string | null }

export async function findSender(db: Reader, sender: string): Promise<SenderRow | undefined> {
  const [row] = await db<SenderRow[]>`select sender, party, name from senders where sender = ${sender}`
  return row
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
