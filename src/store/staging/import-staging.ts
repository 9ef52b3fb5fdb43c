import type { ImportKind } from '../../contract/import-line.js'
import { asJson, type TransactionSql } from '../../database/database.js'

/**
 * The staging table of an import: lines are written to it before any is applied, so that a file of any length is
 * imported in constant memory, in any order of lines, and completely or not at all.
 */
export type StagedLine = {
  line: number
  account: string
  kind: ImportKind
  id: string
  /** The shipment, order and invoice that the record belongs to. */
  shipment?: string | undefined
  reference?: string | undefined
  invoice?: string | undefined
  /** Names of an invoice that have the form of our number series. */
  names?: string[] | undefined
  /** When it was first stored, if the line says so. */
  stored_at?: string | undefined
  record: string
}

// Lines are inserted in batches: the cost of a statement is that of dozens of lines.
const mostLines = 500
const mostCharacters = 1024 * 1024

export type Staging = { add(line: StagedLine): Promise<void> | undefined; close(): Promise<void> }

export function openStaging(sql: TransactionSql): Staging {
  sql.send(sql`
    create temporary table staged (
      line bigint not null,
      account text collate "C" not null,
      kind text collate "C" not null,
      id text collate "C" not null,
      shipment text collate "C",
      reference text collate "C",
      invoice text collate "C",
      names text[] collate "C",
      stored_at text,
      record text not null
    ) on commit drop`)
  let lines: StagedLine[] = []
  let characters = 0
  async function send(): Promise<void> {
    const given = asJson(lines)
    lines = []
    characters = 0
    await sql`
      insert into staged
      select * from jsonb_to_recordset(${given}::text::jsonb) as given (line bigint, account text, kind text, id text,
        shipment text, reference text, invoice text, names text[], stored_at text, record text)`
  }
  return {
    add(line) {
      lines.push(line)
      characters += line.record.length
      return lines.length < mostLines && characters < mostCharacters ? undefined : send()
    },
    async close() {
      if (lines.length > 0) await send()
      sql.send(
        sql`create index on staged (account, kind, id, line desc)`,
        sql`create index on staged (account, reference) where reference is not null`,
        sql`create index on staged (account, shipment) where shipment is not null`,
        sql`create index on staged (account, invoice) where invoice is not null`,
        sql`create index on staged (account) where names is not null`,
        sql`analyze staged (line, account, kind, id, shipment, reference, invoice)`,
      )
    },
  }
}

/** The accounts of the file, sorted, and the kinds of lines that each has. */
export async function listStagedAccounts(sql: TransactionSql): Promise<{ slug: string; kinds: ImportKind[] }[]> {
  return sql<{ slug: string; kinds: ImportKind[] }[]>`
    select account as slug, array_agg(kind) as kinds
    from (select distinct account, kind from staged) as present
    group by account order by account`
}

export async function listStagedLineNumbers(sql: TransactionSql, account: string): Promise<number[]> {
  const rows = await sql<{ line: number }[]>`select line from staged where account = ${account} order by line`
  return rows.map((row) => row.line)
}
