import { batchStatement, mostInBatch, unlessRefused } from './batch-statement.js'
import { askedTogether } from './coalesced.js'
import type { Database } from './database.js'
import { type KnownCaller, mayWrite } from './known-caller.js'
import { asOwnWrite } from './own-writes.js'
import type { PurchaseOrderRow } from './purchase-orders.js'
import type { AccountId } from './transaction.js'

type Creation = { account: AccountId; caller: KnownCaller; order: PurchaseOrderRow }

// One batch at a time: two would find each other's accounts locked.
const createTogether = askedTogether<Creation, number>(createOrders, { atOnce: 1, most: mostInBatch })

/**
 * Creates an order in one statement, for a caller whose key was known before: whether the key still may is looked at along
 * with the write. Answers the new revision. Undefined when it may not, the reference is taken, or the account is being
 * written to by somebody else: nothing has happened then.
 */
export function createPurchaseOrderAtOnce(
  db: Database,
  account: AccountId,
  caller: KnownCaller,
  order: PurchaseOrderRow,
): Promise<number | undefined> {
  return createTogether(db, { account, caller, order })
}

// Orders that come at once are stored together, as one transaction: what takes most of the time is to make it last. Each
// stands for itself all the same, with a revision and a time of its own.
async function createOrders(db: Database, wanted: Creation[]): Promise<(number | undefined)[]> {
  const [first, ...others] = wanted
  // Each counts: who knows of one of them must not take it for the only one.
  const accounts = wanted.map(({ account }) => account)
  return asOwnWrite(db, accounts, async () => {
    if (first && others.length === 0) return [await unlessRefused(() => createAlone(db, first))]
    return (await unlessRefused(() => createTogetherNow(db, wanted))) ?? []
  })
}

async function createTogetherNow(db: Database, wanted: Creation[]): Promise<(number | undefined)[]> {
  const epoch = wanted[0]?.caller.secrets.epoch as string
  const seen = new Set<string>()
  // One that was known before a restore, and the second of two with one reference, are for the usual way.
  const given = wanted.filter(({ account, caller, order }) => {
    const name = nameOf(account, order.reference)
    if (caller.secrets.epoch !== epoch || seen.has(name)) return false
    seen.add(name)
    return true
  })
  const rows = await creation(
    db,
    [epoch, `{${[...new Set(given.map(({ account }) => account))].join()}}`],
    given.map(({ account, caller, order }) => [account, caller.key_id, order.reference, order.record, order.body]),
  )
  const revisions = new Map(rows.map((row) => [nameOf(row.account_id, row.reference), row.revision]))
  const answers = new Map(given.map((each) => [each, revisions.get(nameOf(each.account, each.order.reference))]))
  return wanted.map((each) => answers.get(each))
}

function nameOf(account: AccountId, reference: string): string {
  return `${account} ${reference}`
}

// Nobody is waited for: an account that somebody else writes to is left out.
const creation = batchStatement<{ account_id: AccountId; reference: string; revision: number }>(
  ['integer', 'text', 'text', 'text', 'text'],
  2,
  (rows) => `
  with wanted (place, account_id, key_id, reference, record, body) as (${rows}
  ), locked as materialized (
    select account_id from accounts
    where account_id = any($2::text::integer[]) and suspended_at is null
      and (select epoch || '.' || 'accounts'::regclass::oid from service) = $1
    order by account_id
    for no key update skip locked
  ), admitted as materialized (
    select wanted.*, count(*) over (partition by account_id)
        - row_number() over (partition by account_id order by place) as followers
    from wanted join locked using (account_id)
    where ${mayWrite('wanted.account_id', 'wanted.key_id')} and not exists (
      select from purchase_orders where account_id = wanted.account_id and reference = wanted.reference offset 0
    )
  ), raised as (
    update accounts set (revision, purchase_order_revision, changed_at) = (
      select accounts.revision + count(*), accounts.revision + count(*),
        greatest(clock_timestamp(), accounts.changed_at + interval '1 microsecond')
          + (count(*) - 1) * interval '1 microsecond'
      from admitted where admitted.account_id = accounts.account_id
    )
    where account_id = any(array(select account_id from admitted))
    returning account_id, revision, changed_at
  ), created as (
    select account_id, reference, 'key:' || key_id as author, record, body, revision - followers as revision,
      changed_at - followers * interval '1 microsecond' as at
    from admitted join raised using (account_id)
  ), recorded as (
    insert into changes (account_id, kind, id, revision, at, author, what, record)
    select account_id, 'purchase_order', reference, revision, at, author, 'created', record from created
  )
  insert into purchase_orders (account_id, reference, newest_first, revision, body)
  select account_id, reference, newest_first(at), revision, body from created
  returning account_id, reference, revision`,
)

/** The same for a single one, which takes half the time without what puts several together. */
async function createAlone(db: Database, { account, caller, order }: Creation): Promise<number | undefined> {
  const { key_id, secrets } = caller
  const { reference, record, body } = order
  const given = [account, secrets.epoch, key_id, reference, `key:${key_id}`, record, body]
  const [row] = await db.unsafe<{ revision: number }[]>(oneCreation, given, { prepare: true })
  return row?.revision
}

const oneCreation = `
  with raised as (
    update accounts set revision = revision + 1, purchase_order_revision = revision + 1,
      changed_at = greatest(clock_timestamp(), changed_at + interval '1 microsecond')
    where account_id = (
      select account_id from accounts
      where account_id = $1 and suspended_at is null
        and (select epoch || '.' || 'accounts'::regclass::oid from service) = $2
        and ${mayWrite('$1', '$3')}
      for no key update skip locked
    )
    returning revision, changed_at
  ), recorded as (
    insert into changes (account_id, kind, id, revision, at, author, what, record)
    select $1, 'purchase_order', $4, revision, changed_at, $5, 'created', $6 from raised
  )
  insert into purchase_orders (account_id, reference, newest_first, revision, body)
  select $1, $4, newest_first(changed_at), revision, $7 from raised
  returning revision`
