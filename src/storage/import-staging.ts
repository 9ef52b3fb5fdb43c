import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { ImportKind } from '../contract/import-line.js'
import type { TransactionSql } from './database.js'

/**
 * The lines of an import, set down in the database before any of them takes effect: a file of any length needs
 * no memory, may come in any order, and either stands as a whole or leaves nothing.
 */
export type StagedLine = {
  line: number
  account: string
  kind: ImportKind
  id: string
  /** The shipment it belongs to, and the order it belongs to. */
  shipment?: string | undefined
  reference?: string | undefined
  status?: string | undefined
  /** When it was first stored, where the line tells it. */
  stored_at?: string | undefined
  record: string
}

export async function openStaging(
  sql: TransactionSql,
): Promise<{ add(line: StagedLine): Promise<void>; close(): Promise<void> }> {
  await sql`
    create temporary table staged (
      line bigint not null,
      account text collate "C" not null,
      kind text collate "C" not null,
      id text collate "C" not null,
      shipment text collate "C",
      reference text collate "C",
      status text,
      stored_at text,
      record text not null
    ) on commit drop`
  const copy: Writable = await sql`copy staged from stdin`.writable()
  // A connection may be lost at any moment, also while nobody waits for the stream.
  let failure: Error | undefined
  copy.on('error', (error) => {
    failure = error
  })
  return {
    async add({ line, account, kind, id, shipment, reference, status, stored_at, record }) {
      const fields = [String(line), account, kind, id, shipment, reference, status, stored_at, record]
      if (failure) throw failure
      const accepted = copy.write(`${fields.map(copyField).join('\t')}\n`)
      if (!accepted) await once(copy, 'drain')
    },
    async close() {
      if (failure) throw failure
      copy.end()
      await once(copy, 'finish')
      await sql`create index on staged (account, kind, id, line)`
      await sql`create index on staged (account, reference) where reference is not null`
      await sql`create index on staged (account, shipment) where shipment is not null`
      await sql`analyze staged`
    },
  }
}

const special = [
  ['\\', '\\\\'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
] as const

// Split and joined: four times as fast as replacing, where a long text is full of them.
function copyField(value: string | undefined): string {
  if (value === undefined) return '\\N'
  return special.reduce((text, [from, to]) => (text.includes(from) ? text.split(from).join(to) : text), value)
}

export async function listStagedAccounts(sql: TransactionSql): Promise<string[]> {
  const rows = await sql<{ account: string }[]>`select distinct account from staged order by account`
  return rows.map((row) => row.account)
}

export async function listStagedLineNumbers(sql: TransactionSql, account: string): Promise<number[]> {
  const rows = await sql<{ line: number }[]>`select line from staged where account = ${account} order by line`
  return rows.map((row) => row.line)
}
