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
  /** The shipment, the order and the invoice that it belongs to. */
  shipment?: string | undefined
  reference?: string | undefined
  invoice?: string | undefined
  status?: string | undefined
  /** Those of the names of an invoice that are numbers of our series, or could be. */
  names?: string[] | undefined
  /** When it was first stored, where the line tells it. */
  stored_at?: string | undefined
  record: string
  /** What its table holds, as JSON, and its body, where they follow from the line alone and it differs from the record. */
  fields?: string | undefined
  body?: string | undefined
}

// Lines go to the database together: each write costs more than many a line.
const chunkLength = 64 * 1024

export async function openStaging(
  sql: TransactionSql,
): Promise<{ add(line: StagedLine): Promise<void> | undefined; close(): Promise<void>; abandon(): Promise<void> }> {
  // Bodies are laid down as their tables will hold them, so that they can be taken over as they are.
  await sql`
    create temporary table staged (
      line bigint not null,
      account text collate "C" not null,
      kind text collate "C" not null,
      id text collate "C" not null,
      shipment text collate "C",
      reference text collate "C",
      invoice text collate "C",
      status text,
      names text[] collate "C",
      stored_at text,
      record text not null,
      fields text,
      body text
    ) with (toast_tuple_target = 8160) on commit drop`
  await sql`alter table staged alter column body set storage external`
  const copy: Writable = await sql`copy staged from stdin`.writable()
  // A connection may be lost at any moment, also while nobody waits for the stream.
  let failure: Error | undefined
  copy.on('error', (error) => {
    failure = error
  })
  let chunk = ''
  async function send(): Promise<void> {
    if (failure) throw failure
    const accepted = copy.write(chunk)
    chunk = ''
    if (!accepted) await once(copy, 'drain')
  }
  return {
    add(line) {
      chunk += copyLine(line)
      return chunk.length < chunkLength ? undefined : send()
    },
    // While lines are on their way to it, the connection takes nothing else: not even the end of its transaction.
    async abandon() {
      if (failure || copy.destroyed) return
      copy.end()
      await once(copy, 'finish').catch(() => {})
    },
    async close() {
      if (chunk !== '') await send()
      if (failure) throw failure
      copy.end()
      await once(copy, 'finish')
      await sql`create index on staged (account, kind, id, line desc)`
      await sql`create index on staged (account, reference) where reference is not null`
      await sql`create index on staged (account, shipment) where shipment is not null`
      await sql`create index on staged (account, invoice) where invoice is not null`
      await sql`create index on staged (account) where names is not null`
      await sql`analyze staged (line, account, kind, id, shipment, reference, invoice, status)`
    },
  }
}

function copyLine(line: StagedLine): string {
  const { account, kind, id, shipment, reference, invoice, status, stored_at, record, fields, body } = line
  // Names of such a form hold nothing that an array would have to escape.
  const names = line.names && `{${line.names.join(',')}}`
  const words = [String(line.line), account, kind, id, shipment, reference, invoice, status, names, stored_at]
  return `${words.map(copyWord).join('\t')}\t${copyJson(record)}\t${copyJson(fields)}\t${copyJson(body)}\n`
}

const special = [
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
] as const

function copyWord(value: string | undefined): string {
  return special.reduce((text, [from, to]) => (text.includes(from) ? text.split(from).join(to) : text), copyJson(value))
}

// JSON has only backslashes to double. Split and joined: four times as fast as replacing, where a long text is full
// of them.
function copyJson(value: string | undefined): string {
  if (value === undefined) return '\\N'
  return value.includes('\\') ? value.split('\\').join('\\\\') : value
}

export async function listStagedAccounts(sql: TransactionSql): Promise<string[]> {
  const rows = await sql<{ account: string }[]>`select distinct account from staged order by account`
  return rows.map((row) => row.account)
}

export async function listStagedLineNumbers(sql: TransactionSql, account: string): Promise<number[]> {
  const rows = await sql<{ line: number }[]>`select line from staged where account = ${account} order by line`
  return rows.map((row) => row.line)
}

/** Takes out every line for something that an earlier line is for; answers both. */
export async function removeRepeated(sql: TransactionSql): Promise<{ line: number; earlier: number }[]> {
  return sql<{ line: number; earlier: number }[]>`
    with firsts as (
      select account, kind, id, min(line) as earlier from staged group by account, kind, id having count(*) > 1
    ), removed as (
      delete from staged using firsts
      where staged.account = firsts.account and staged.kind = firsts.kind and staged.id = firsts.id
        and staged.line > firsts.earlier
      returning staged.line, firsts.earlier
    )
    select line, earlier from removed order by line`
}
