import type { ExceptionRecord } from '../contract/operator/exceptions.js'
import type { ExceptionKind, Severity } from '../contract/public/exception.js'
import type { AccountId, AccountScope } from '../database/account-id.js'
import { asJson, type Fragment, type Reader } from '../database/database.js'
import { lookup } from '../database/lookup.js'
import type { RunRead } from '../database/replicas.js'
import { ordersOf } from '../domain/exceptions/episodes.js'
import { type AccountKey, accountsOf, idsOf, keysOf } from './account-key.js'
import { inScope } from './account-scope.js'
import type { WatchedKind } from './exception-watches.js'
import { newestFirst } from './list-order.js'
import { bodyFinder, type Range, readList } from './rendered.js'
import { lastOfEach, type RowWrite } from './write.js'

/** Sorted by when they were raised, which never changes: pages stay right while exceptions change. */
export function saveExceptions(
  { sql, revision }: RowWrite,
  account_id: AccountId,
  rows: { record: ExceptionRecord; body: string }[],
): void {
  sql.gathering.write(
    upsertExceptions,
    rows.map((row) => ({ ...row, account_id, revision })),
  )
}

type SavedException = { account_id: AccountId; revision: number; record: ExceptionRecord; body: string }

function upsertExceptions(sql: Reader, rows: SavedException[]): Fragment {
  const newest = lastOfEach(rows, ({ account_id, record }) => JSON.stringify([account_id, record.exception_id]))
  const given = asJson(newest, ({ account_id, revision, record, body }) => ({
    account_id,
    revision,
    exception_id: record.exception_id,
    thread: record.thread,
    episode: record.episode,
    kind: record.kind,
    severity: record.severity,
    state: record.state,
    visible: record.visible,
    svc_shipment_id: record.svc_shipment_id,
    reference: record.po_number,
    invoice: record.invoice_reference,
    orders: ordersOf(record),
    owner: record.owner,
    newest_first: newestFirst(record.raised_at),
    body,
  }))
  return sql`
    insert into exceptions (
      account_id, exception_id, thread, episode, kind, severity, state, visible, svc_shipment_id, reference, invoice,
      orders, owner, newest_first, revision, body)
    select account_id, exception_id, thread, episode, kind, severity, state, visible, svc_shipment_id, reference, invoice,
      orders, owner, newest_first, revision, body
    from jsonb_to_recordset(${given}::text::jsonb) as saved (
      account_id integer, revision bigint, exception_id text, thread text, episode integer, kind text, severity text, state text, visible boolean,
      svc_shipment_id text, reference text, invoice text, orders text[], owner text, newest_first bigint, body text)
    on conflict (account_id, exception_id) do update
    set severity = excluded.severity, state = excluded.state, visible = excluded.visible, orders = excluded.orders,
      owner = excluded.owner, revision = excluded.revision, body = excluded.body`
}

/** What the account may see. */
export const findException = bodyFinder(
  (db, accounts, ids) => db`
    select place, body, revision
    from unnest((select ${accounts}::integer[]), (select ${ids}::text[]))
      with ordinality as wanted (account_id, exception_id, place)
    join exceptions using (account_id, exception_id)
    where visible`,
)

export type ExceptionFilter = {
  kind?: ExceptionKind | undefined
  severity?: Severity | undefined
  svc_shipment_id?: string | undefined
  po_number?: string | undefined
  state?: 'open' | 'closed' | undefined
}

function matching(db: Reader, { kind, severity, svc_shipment_id, po_number, state }: ExceptionFilter): Fragment {
  return db`
    ${kind === undefined ? db`` : db`and kind = ${kind}`}
    ${severity === undefined ? db`` : db`and severity = ${severity}`}
    ${svc_shipment_id === undefined ? db`` : db`and svc_shipment_id = ${svc_shipment_id}`}
    ${po_number === undefined ? db`` : db`and orders @> array[${po_number}]::text[]`}
    ${state === undefined ? db`` : state === 'closed' ? db`and state = 'closed'` : db`and state <> 'closed'`}`
}

export function streamExceptionBodies(ask: RunRead<Reader>, account: AccountId, filter: ExceptionFilter, range: Range) {
  return readList(
    ask,
    range,
    (db, { after, id, skip, limit }) => db`
    select body, newest_first, exception_id from exceptions
    where account_id = ${account} and visible and (newest_first, exception_id) > (${after}::bigint, ${id})
      ${matching(db, filter)}
    order by newest_first, exception_id offset ${skip} limit ${limit}`,
  )
}

/** A page of an account, also of what it does not see itself. */
export async function listAccountExceptionIds(
  db: Reader,
  account: AccountId,
  filter: ExceptionFilter,
  { skip, take }: { skip: number; take: number },
): Promise<string[]> {
  const rows = await db<{ exception_id: string }[]>`
    select exception_id from exceptions where account_id = ${account} ${matching(db, filter)}
    order by newest_first, exception_id offset ${skip} limit ${take}`
  return rows.map(({ exception_id }) => exception_id)
}

type ForwarderFilter = Omit<ExceptionFilter, 'state'> & {
  state?: ExceptionFilter['state'] | 'new' | 'acknowledged' | 'snoozed' | undefined
  owner?: string | undefined
}

/** As operators filter: also by what was done about it. */
export function matchingForForwarder(db: Reader, { owner, state, ...filter }: ForwarderFilter): Fragment {
  const isGeneral = state === undefined || state === 'open' || state === 'closed'
  return db`
    ${owner === undefined ? db`` : owner === '' ? db`and owner is null` : db`and owner = ${owner}`}
    ${isGeneral ? db`` : db`and state = ${state === 'new' ? 'open' : state}`}
    ${matching(db, { ...filter, state: isGeneral ? state : undefined })}`
}

/** Where a page over all accounts begins: after this one. */
export type ExceptionPosition = { newest_first: string; account_id: AccountId; exception_id: string }

export type ExceptionPlace = {
  newest_first: string
  account_id: AccountId
  slug: string
  exception_id: string
  shipment_name: string | null
}

/** A page over accounts. */
export async function listExceptionPlaces(
  db: Reader,
  scope: AccountScope,
  filter: ForwarderFilter,
  { after, take }: { after: ExceptionPosition | undefined; take: number },
): Promise<ExceptionPlace[]> {
  return db<ExceptionPlace[]>`
    select newest_first::text, exceptions.account_id, slug, exception_id, (
      select body::jsonb ->> 'name' from shipments
      where account_id = exceptions.account_id and svc_shipment_id = exceptions.svc_shipment_id
    ) as shipment_name
    from exceptions join accounts on accounts.account_id = exceptions.account_id
    where ${inScope(db, scope, db`exceptions.account_id`)}
      ${matchingForForwarder(db, filter)}
      ${
        after === undefined
          ? db``
          : db`and (newest_first, exceptions.account_id, exception_id)
              > (${after.newest_first}::bigint, ${after.account_id}, ${after.exception_id})`
      }
    order by exceptions.newest_first, exceptions.account_id, exception_id limit ${take}`
}

/** The last episode of every thread of some subjects. */
export async function findLastEpisodes(
  db: Reader,
  account: AccountId,
  kind: WatchedKind,
  ids: string[],
): Promise<{ record: string }[]> {
  return lookUpLastEpisodes[kind](db, keysOf(account, ids))
}

const lookUpLastEpisodes = {
  shipment: lastEpisodes('svc_shipment_id', (db) => db`and invoice is null`),
  purchase_order: lastEpisodes('reference', (db) => db``),
  invoice: lastEpisodes('invoice', (db) => db``),
}

function lastEpisodes(column: string, condition: (db: Reader) => Fragment) {
  return lookup<AccountKey, { record: string }>(
    (db, keys) => db`
      with last as materialized (
        select distinct on (place, found.thread) place, account_id, found.exception_id
        from unnest(${accountsOf(keys)}::integer[], ${idsOf(keys)}::text[]) with ordinality as wanted (account_id, id, place)
        cross join lateral (
          select thread, episode, exception_id from exceptions
          where account_id = wanted.account_id and ${db(column)} = wanted.id ${condition(db)} offset 0
        ) found
        order by place, found.thread, found.episode desc
      )
      select place, newest.record
      from last cross join lateral (
        select record from changes
        where account_id = last.account_id and kind = 'exception' and id = last.exception_id and what <> 'derived'
        order by revision desc limit 1
      ) newest
      where newest.record is not null`,
  )
}
