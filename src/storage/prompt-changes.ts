import { batchStatement, mostInBatch, unlessRefused } from './batch-statement.js'
import { askedTogether } from './coalesced.js'
import type { Database } from './database.js'
import { type KnownCaller, mayWrite } from './known-caller.js'
import type { PurchaseOrderRow } from './purchase-orders.js'
import { type AccountId, inTurn } from './transaction.js'

type Wanted = { account: AccountId; caller: KnownCaller; reference: string }
type Stored = { revision: number; record: string; isAssigned: boolean }
type Revised = Wanted & { known: number; record: string; body: string }

/**
 * A change of an order as two statements, for a caller whose key was known before: the first reads the order and looks
 * whether the key still may, the second writes if the account has not gone on since, in whatever way. Those of several
 * accounts that come at once share both. Undefined when it may not, there is no such order, or somebody else writes to the
 * account: nothing has happened then. Otherwise the revision that it is at.
 */
export async function changePurchaseOrderAtOnce(
  db: Database,
  account: AccountId,
  caller: KnownCaller,
  reference: string,
  revise: (stored: Stored) => Omit<PurchaseOrderRow, 'reference'>,
): Promise<number | undefined> {
  const wanted = { account, caller, reference }
  return inTurn(db, account, async () => {
    const stored = await readTogether(db, wanted)
    if (!stored) return undefined
    const { record, body } = revise(stored)
    if (record === stored.record) return stored.revision
    return changeTogether(db, { ...wanted, known: stored.revision, record, body })
  })
}

// Of an account there is one at a time, so that two batches never meet.
const batching = { atOnce: 2, most: mostInBatch }
const readTogether = askedTogether<Wanted, Stored>(readOrders, batching)
const changeTogether = askedTogether<Revised, number>(changeOrders, batching)

async function readOrders(db: Database, wanted: Wanted[]): Promise<(Stored | undefined)[]> {
  const epoch = wanted[0]?.caller.secrets.epoch as string
  const rows = wanted.map(({ account, caller, reference }) => [
    // One that was known before a restore is for the usual way.
    caller.secrets.epoch === epoch ? account : null,
    caller.key_id,
    reference,
  ])
  return inPlace(await reading(db, [epoch], rows), wanted.length)
}

const reading = batchStatement<Stored & { place: number }>(
  ['integer', 'text', 'text'],
  1,
  (rows) => `
  select place, account.revision, newest.record, exists (
    select from assignments where account_id = asked.account_id and assignments.reference = asked.reference
  ) as "isAssigned"
  from (${rows}) as asked (place, account_id, key_id, reference) cross join lateral (
    select revision from accounts
    where account_id = asked.account_id and suspended_at is null
      and (select epoch || '.' || 'accounts'::regclass::oid from service) = $1 offset 0
  ) account cross join lateral (
    select record from changes
    where account_id = asked.account_id and kind = 'purchase_order' and id = asked.reference and what <> 'derived'
    order by changes.revision desc limit 1
  ) newest
  where newest.record is not null and ${mayWrite('asked.account_id', 'asked.key_id')}`,
)

async function changeOrders(db: Database, revised: Revised[]): Promise<(number | undefined)[]> {
  const rows = revised.map(({ account, caller, known, reference, record, body }) => [
    account,
    known,
    `key:${caller.key_id}`,
    reference,
    record,
    body,
  ])
  const accounts = `{${revised.map(({ account }) => account).join()}}`
  const changed = await unlessRefused(() => changing(db, [accounts], rows))
  return inPlace(changed ?? [], revised.length).map((row) => row?.revision)
}

// Nobody is waited for: an account that somebody else writes to is left out.
const changing = batchStatement<{ place: number; revision: number }>(
  ['integer', 'bigint', 'text', 'text', 'text', 'text'],
  1,
  (rows) => `
  with given (place, account_id, known, author, reference, record, body) as (${rows}
  ), locked as materialized (
    select account_id, revision from accounts where account_id = any($1::text::integer[])
    order by account_id
    for no key update skip locked
  ), admitted as materialized (
    select given.* from given join locked using (account_id) where locked.revision = given.known
  ), raised as (
    update accounts set revision = revision + 1, purchase_order_revision = revision + 1,
      changed_at = greatest(clock_timestamp(), changed_at + interval '1 microsecond')
    where account_id = any(array(select account_id from admitted))
    returning account_id, revision, changed_at
  ), changed as (
    select place, account_id, author, reference, record, body, raised.revision, changed_at
    from admitted join raised using (account_id)
  ), recorded as (
    insert into changes (account_id, kind, id, revision, at, author, what, record)
    select account_id, 'purchase_order', reference, revision, changed_at, author, 'updated', record from changed
  )
  update purchase_orders set revision = changed.revision, body = changed.body
  from changed
  where purchase_orders.account_id = changed.account_id and purchase_orders.reference = changed.reference
  returning place, changed.revision`,
)

function inPlace<Row extends { place: number }>(rows: Row[], count: number): (Row | undefined)[] {
  const places = new Map(rows.map((row) => [row.place, row]))
  return Array.from({ length: count }, (_, place) => places.get(place))
}
