import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { ImportKind } from '../contract/import-line.js'
import type { ShipmentStatus } from '../contract/shipment.js'
import type { TransactionSql } from './database.js'
import type { AccountId } from './transaction.js'

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

export type StagedRecord = { line: number; id: string; record: string; stored_at: string | null }

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
  return {
    async add({ line, account, kind, id, shipment, reference, status, stored_at, record }) {
      const fields = [String(line), account, kind, id, shipment, reference, status, stored_at, record]
      const accepted = copy.write(`${fields.map(copyField).join('\t')}\n`)
      if (!accepted) await once(copy, 'drain')
    },
    async close() {
      copy.end()
      await once(copy, 'finish')
      await sql`create index on staged (account, kind, id, line)`
      await sql`create index on staged (account, reference) where reference is not null`
      await sql`create index on staged (account, shipment) where shipment is not null`
      await sql`analyze staged`
    },
  }
}

const special: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function copyField(value: string | undefined): string {
  return value === undefined ? '\\N' : value.replaceAll(/[\\\t\n\r]/g, (character) => special[character] as string)
}

export async function listStagedAccounts(sql: TransactionSql): Promise<string[]> {
  const rows = await sql<{ account: string }[]>`select distinct account from staged order by account`
  return rows.map((row) => row.account)
}

export async function listStagedLineNumbers(sql: TransactionSql, account: string): Promise<number[]> {
  const rows = await sql<{ line: number }[]>`select line from staged where account = ${account} order by line`
  return rows.map((row) => row.line)
}

// Large enough to make round trips cheap, small enough to hold.
const batchLength = 500

async function* inBatches<Row>(
  keyOf: (row: Row) => string,
  read: (after: string) => PromiseLike<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const batch: Row[] = await read(after)
    if (batch.length > 0) yield batch
    const last: Row | undefined = batch.at(-1)
    after = last !== undefined && batch.length === batchLength ? keyOf(last) : undefined
  }
}

/** The lines of a kind, by identifier. Of several lines for one thing the last one counts. */
export function readStaged(sql: TransactionSql, account: string, kind: ImportKind): AsyncGenerator<StagedRecord[]> {
  return inBatches(
    ({ id }) => id,
    (after) => sql<StagedRecord[]>`
      select distinct on (id) line, id, record, stored_at from staged
      where account = ${account} and kind = ${kind} and id > ${after}
      order by id, line desc limit ${batchLength}`,
  )
}

type ReferenceRow = { reference: string }

/** All orders that the file says something of. */
export function readStagedReferences(sql: TransactionSql, account: string): AsyncGenerator<ReferenceRow[]> {
  return inBatches(
    ({ reference }) => reference,
    (after) => sql<ReferenceRow[]>`
      select distinct reference from staged
      where account = ${account} and reference > ${after}
      order by reference limit ${batchLength}`,
  )
}

/** Shipments that the file says something of, but does not contain. */
export function readShipmentsBesideFile(sql: TransactionSql, account: string): AsyncGenerator<{ shipment: string }[]> {
  return inBatches(
    ({ shipment }) => shipment,
    (after) => sql<{ shipment: string }[]>`
      select distinct shipment from staged
      where account = ${account} and shipment > ${after} and not exists (
        select from staged own where own.account = staged.account and own.kind = 'shipment' and own.id = staged.shipment)
      order by shipment limit ${batchLength}`,
  )
}

/** Orders that show the status of a shipment in the file, but are not in the file themselves. */
export function readOrdersBesideFile(
  sql: TransactionSql,
  slug: string,
  account: AccountId,
): AsyncGenerator<ReferenceRow[]> {
  return inBatches(
    ({ reference }) => reference,
    (after) => sql<ReferenceRow[]>`
      select distinct assignments.reference
      from assignments join staged on staged.account = ${slug} and staged.kind = 'shipment'
        and staged.id = assignments.svc_shipment_id
      where assignments.account_id = ${account} and assignments.reference > ${after} and not exists (
        select from staged own where own.account = ${slug} and own.reference = assignments.reference)
      order by assignments.reference limit ${batchLength}`,
  )
}

export async function findStagedOfOrders(
  sql: TransactionSql,
  account: string,
  kind: 'purchase_order' | 'assignment',
  references: string[],
): Promise<StagedRecord[]> {
  return sql<StagedRecord[]>`
    select distinct on (id) line, id, record, stored_at from staged
    where account = ${account} and kind = ${kind} and reference = any(${references})
    order by id, line desc`
}

/** The statuses that the file gives to shipments. */
export async function findStagedStatuses(
  sql: TransactionSql,
  account: string,
  shipments: string[],
): Promise<Map<string, ShipmentStatus | undefined>> {
  const rows = await sql<{ id: string; status: ShipmentStatus | null }[]>`
    select distinct on (id) id, status from staged
    where account = ${account} and kind = 'shipment' and id = any(${shipments})
    order by id, line desc`
  return new Map(rows.map((row) => [row.id, row.status ?? undefined]))
}
