import type { TransactionSql } from './database.js'
import type { StagedKind } from './staged-records.js'
import type { AccountId, Transaction } from './transaction.js'

/**
 * What an import has set down goes from there to its place inside the database: to the change log, and, where it does
 * not depend on anything else, to the table of its kind. Of several lines for one thing the last one counts.
 */
export type StagedResult = { id: string; result: 'created' | 'updated' | 'unchanged' }

/** Appends those that differ from what is stored to the change log. */
export async function recordStaged(
  tx: Transaction,
  account: AccountId,
  slug: string,
  kind: StagedKind,
  ids: string[],
): Promise<StagedResult[]> {
  const results = await tx.sql<StagedResult[]>`
    with last as (
      select distinct on (id) id, record from staged
      where account = ${slug} and kind = ${kind} and id = any(${ids})
      order by id, line desc
    ), compared as (
      select last.id, last.record,
        case when stored.record is null then 'created' when stored.record = last.record then 'unchanged' else 'updated' end
          as result
      from last left join lateral (
        select record from changes
        where account_id = ${account} and kind = ${kind} and changes.id = last.id and what <> 'derived'
        order by revision desc limit 1
      ) stored on true
    ), recorded as (
      insert into changes (account_id, kind, id, revision, at, author, what, record)
      select ${account}, ${kind}, id, ${tx.revision}, ${tx.at}::text::timestamptz, ${tx.author}, result, record
      from compared where result <> 'unchanged'
    )
    select id, result from compared`
  if (results.some(({ result }) => result !== 'unchanged')) tx.recorded(kind)
  return results
}

export async function saveStagedLocations(tx: Transaction, account: AccountId, slug: string, ids: string[]) {
  await tx.sql`
    insert into locations (account_id, location_id, retired, revision, body)
    select distinct on (staged.id) ${account}, fields.location_id, fields.retired, ${tx.revision},
      coalesce(staged.body, staged.record)
    from staged, jsonb_to_record(staged.fields::jsonb) as fields (location_id bigint, retired boolean)
    where staged.account = ${slug} and staged.kind = 'location' and staged.id = any(${ids})
    order by staged.id, staged.line desc
    on conflict (account_id, location_id) do update
    set retired = excluded.retired, revision = excluded.revision, body = excluded.body`
}

export async function saveStagedTracking(tx: Transaction, account: AccountId, slug: string, ids: string[]) {
  await tx.sql`
    insert into tracking (account_id, svc_shipment_id, main_tracking_dates, revision, body)
    select distinct on (id) ${account}, id, fields, ${tx.revision}, coalesce(body, record)
    from staged
    where account = ${slug} and kind = 'tracking' and id = any(${ids})
    order by id, line desc
    on conflict (account_id, svc_shipment_id) do update
    set main_tracking_dates = excluded.main_tracking_dates, revision = excluded.revision, body = excluded.body`
}

export async function saveStagedEntries(
  tx: Transaction,
  account: AccountId,
  slug: string,
  kind: 'tracking_event' | 'tracking_position',
  ids: string[],
) {
  await tx.sql`
    insert into tracking_entries (account_id, svc_shipment_id, kind, entry_id, sequence, record, revision)
    select distinct on (staged.id) ${account}, staged.shipment, staged.kind, fields.entry_id, fields.sequence,
      staged.record, ${tx.revision}
    from staged, jsonb_to_record(staged.fields::jsonb) as fields (entry_id text, sequence integer)
    where staged.account = ${slug} and staged.kind = ${kind} and staged.id = any(${ids})
    order by staged.id, staged.line desc
    on conflict (account_id, svc_shipment_id, kind, entry_id) do update
    set sequence = excluded.sequence, record = excluded.record, revision = excluded.revision`
}

/** Answers what is to be told of them: their numbers. */
export async function saveStagedInvoices(
  tx: Transaction,
  account: AccountId,
  slug: string,
  ids: string[],
): Promise<string[]> {
  const rows = await tx.sql<{ number: string | null }[]>`
    insert into invoices (
      account_id, reference, number, svc_shipment_id, type, status, draft, credited_invoice, newest_first, revision, body)
    select distinct on (staged.id) ${account}, staged.id, fields.number, staged.shipment, fields.type, fields.status,
      fields.draft, staged.invoice,
      coalesce(fields.newest_first, stored.newest_first, fields.first_stored, newest_first(now())), ${tx.revision},
      coalesce(staged.body, staged.record)
    from staged
    cross join jsonb_to_record(staged.fields::jsonb) as fields (
      number text, type text, status text, draft boolean, newest_first bigint, first_stored bigint)
    left join invoices stored on stored.account_id = ${account} and stored.reference = staged.id
    where staged.account = ${slug} and staged.kind = 'invoice' and staged.id = any(${ids})
    order by staged.id, staged.line desc
    on conflict (account_id, reference) do update
    set number = excluded.number, svc_shipment_id = excluded.svc_shipment_id, type = excluded.type,
      status = excluded.status, draft = excluded.draft, credited_invoice = excluded.credited_invoice,
      newest_first = excluded.newest_first, revision = excluded.revision, body = excluded.body
    returning number`
  return rows.flatMap(({ number }) => number ?? [])
}

/** The shipments that invoices of the file are to be moved away from. */
export async function findShipmentsToLeave(
  sql: TransactionSql,
  account: AccountId,
  slug: string,
  invoices: string[],
): Promise<string[]> {
  const rows = await sql<{ svc_shipment_id: string }[]>`
    select distinct stored.svc_shipment_id
    from invoices stored
    cross join lateral (
      select shipment from staged
      where account = ${slug} and kind = 'invoice' and id = stored.reference
      order by line desc limit 1
    ) given
    where stored.account_id = ${account} and stored.reference = any(${invoices})
      and stored.svc_shipment_id is not null and stored.svc_shipment_id is distinct from given.shipment`
  return rows.map((row) => row.svc_shipment_id)
}

export async function saveStagedPayments(tx: Transaction, account: AccountId, slug: string, ids: string[]) {
  await tx.sql`
    insert into payments (account_id, payment_id, reference, record, revision)
    select distinct on (id) ${account}, id, invoice, record, ${tx.revision}
    from staged
    where account = ${slug} and kind = 'payment' and id = any(${ids})
    order by id, line desc
    on conflict (account_id, payment_id) do update
    set reference = excluded.reference, record = excluded.record, revision = excluded.revision`
}

export async function saveStagedDocuments(tx: Transaction, account: AccountId, slug: string, ids: string[]) {
  await tx.sql`
    insert into documents (account_id, id, svc_shipment_id, type, name, content_hash, newest_first, revision, body)
    select distinct on (staged.id) ${account}, staged.id::uuid, staged.shipment, fields.type, fields.name,
      fields.content_hash,
      coalesce(fields.newest_first, stored.newest_first, fields.first_stored, newest_first(now())), ${tx.revision},
      staged.body
    from staged
    cross join jsonb_to_record(staged.fields::jsonb) as fields (
      type text, name text, content_hash text, newest_first bigint, first_stored bigint)
    left join documents stored on stored.account_id = ${account} and stored.id = staged.id::uuid
    where staged.account = ${slug} and staged.kind = 'document' and staged.id = any(${ids})
    order by staged.id, staged.line desc
    on conflict (account_id, id) do update
    set svc_shipment_id = excluded.svc_shipment_id, type = excluded.type, name = excluded.name,
      content_hash = excluded.content_hash, newest_first = excluded.newest_first, revision = excluded.revision,
      body = excluded.body`
}

/** The hashes of the bytes of documents. */
export async function findStagedContents(sql: TransactionSql, slug: string, ids: string[]): Promise<string[]> {
  const rows = await sql<{ content_hash: string }[]>`
    select distinct on (id) fields::jsonb ->> 'content_hash' as content_hash
    from staged
    where account = ${slug} and kind = 'document' and id = any(${ids})
    order by id, line desc`
  return rows.map(({ content_hash }) => content_hash)
}

export async function saveStagedAssignments(tx: Transaction, account: AccountId, slug: string, ids: string[]) {
  await tx.sql`
    insert into assignments
      (account_id, reference, line, svc_shipment_id, assigned_quantity, shipped_order_lines, revision)
    select distinct on (staged.id) ${account}, staged.reference, fields.line, staged.shipment, fields.assigned_quantity,
      fields.shipped_order_lines, ${tx.revision}
    from staged
    cross join jsonb_to_record(staged.fields::jsonb) as fields (
      line text, assigned_quantity double precision, shipped_order_lines text)
    where staged.account = ${slug} and staged.kind = 'assignment' and staged.id = any(${ids})
    order by staged.id, staged.line desc
    on conflict (account_id, reference, line, svc_shipment_id) do update
    set assigned_quantity = excluded.assigned_quantity, shipped_order_lines = excluded.shipped_order_lines,
      revision = excluded.revision`
}
