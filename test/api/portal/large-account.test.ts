import { beforeAll, describe, expect, test } from 'vitest'
import type { PortalQuery } from '../../../src/contract/portal/operations.js'
import type { Database, TransactionSql } from '../../../src/database/database.js'
import { underWay } from '../../../src/domain/shipments/shipment-lists.js'
import { searchPurchaseOrders } from '../../../src/store/search/purchase-order-search.js'
import { updateSearchIndex } from '../../../src/store/search/search-state.js'
import { searchShipments } from '../../../src/store/search/shipment-search.js'
import { findSuppliers } from '../../../src/store/search/suppliers.js'
import { newAccount, type TestAccount } from '../../support/account.js'
import { generatedAccount, today } from '../../support/generated-account.js'
import { multiplyShipments } from '../../support/many-shipments.js'
import { newPerson, type TestPerson } from '../../support/portal.js'
import { serviceOnNewDatabase } from '../../support/round-trip.js'

/** An account of 20,000 shipments. The database itself counts the rows that are read. */

type Query = PortalQuery<'findShipments'>

// The cache is off: a cached response reads nothing.
const service = await serviceOnNewDatabase('large_account', { cacheBytes: 0 })
const { db } = service
let account: TestAccount
let person: TestPerson
const total = 20_000

beforeAll(async () => {
  account = await generatedAccount(service, 200, 'large account')
  await multiplyShipments(db, account, total / 200 - 1)
  const other = await newAccount(service)
  await other.forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S-1', name: 'Lamps' } })
  for (const { id } of [account, other]) await updateSearchIndex(db, id)
  person = await newPerson(service, account, 'viewer')
  await updateSearchIndex(db, account.id)
}, 300_000)

/** Rows that a page reads from all tables of the account. */
async function rowsRead<Result>(
  read: (sql: Database) => Promise<Result>,
  table = '%',
): Promise<{ result: Result; rows: number }> {
  return db.begin(async (sql) => {
    const before = await rowsSoFar(sql, table)
    const result = await read(sql as unknown as Database)
    return { result, rows: (await rowsSoFar(sql, table)) - before }
  })
}

async function rowsSoFar(sql: TransactionSql, table: string): Promise<number> {
  const [row] = await sql<{ rows: number }[]>`
    select sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))::bigint as rows
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname like ${table}`
  return row?.rows ?? 0
}

// Rows that a request may scan, gather and return.
const few = 2500
const shown = 250
const scanned = 11_000 + few

const sorts = ['newest', 'departure', 'arrival', 'delivery', 'name', 'late'] as const
const pages: [Query, number][] = [
  ...sorts.flatMap((sort): [Query, number][] => [
    [{ sort }, few],
    [{ sort, order: 'asc' }, few],
    [{ sort, order: 'desc' }, few],
  ]),
  // Words: common, rare, without matches.
  [{ q: 's' }, few],
  [{ q: '1' }, scanned],
  [{ q: 'a' }, scanned],
  [{ q: 'shanghai' }, scanned],
  [{ q: 'nothing has this' }, few],
  [{ q: 'zzz', sort: 'arrival' }, few],
  [{ q: 's h p' }, scanned],
  [{ q: 'shp 99', sort: 'name' }, scanned],
  // Filters that match most rows, and filters that match none.
  [{ status: 'finished' }, scanned],
  [{ status: 'finished', freight_mode: 'ocean', sort: 'delivery' }, scanned],
  [{ status: 'draft,cancelled', sort: 'late' }, 2 * 11_000],
  [{ status: 'cancelled', late: 'true' }, scanned],
  // An index has the shipments of one status in the order of arrival.
  [{ status: 'in_progress', sort: 'arrival' }, shown],
  [{ ...underWay, sort: 'arrival' }, 4 * shown],
  [{ status: 'finished', sort: 'arrival', order: 'desc' }, shown],
  [{ late: 'true', sort: 'late' }, 2 * 11_000],
  [{ late: 'true', sort: 'newest', order: 'asc' }, scanned],
  [{ origin: 'XX/XXX' }, few],
  [{ location: 1 }, scanned],
  [{ location: 1, q: 'a', sort: 'arrival' }, scanned],
  [{ location: 424_242 }, few],
  [{ departs_from: '1990-01-01', departs_to: '2190-01-01', sort: 'name' }, scanned],
  [{ departs_from: '2190-01-01' }, few],
  [{ departs_from: '1990-01-01', arrives_to: '1991-01-01', q: 's' }, few],
]

describe.each(['before the tables are analyzed', 'after the tables are analyzed'])('%s', (when) => {
  beforeAll(async () => {
    if (when === 'after the tables are analyzed') await db`vacuum analyze`
  }, 60_000)

  test.each(pages)('a page of %j reads at most %i rows', async (query, most) => {
    // The first executions use custom plans, later ones a generic plan.
    for (let turn = 0; turn < 7; turn += 1) {
      const { rows } = await rowsRead((sql) => searchShipments(sql, account.id, { ...query, take: 50 }, today()))
      expect(rows).toBeLessThan(most)
    }
  })

  test('a page of purchase orders reads a bounded number of rows', async () => {
    for (const query of [
      {},
      { q: 's' },
      { q: 'nothing has this' },
      { state: 'open' },
      { supplier: 'x' },
      { sort: 'supplier' },
      { late: 'true' },
      { late: 'now', sort: 'delivery' },
    ] as const) {
      const { rows } = await rowsRead((sql) => searchPurchaseOrders(sql, account.id, { ...query, take: 50 }, today()))
      expect(rows, JSON.stringify(query)).toBeLessThan(scanned)
    }
  })
})

test('the word index is used to count and to gather, however often a word occurs', async () => {
  const [vessel] = await db<{ q: string; count: number }[]>`
    select body::jsonb #>> '{booking_information,ocean_booking,vessel}' as q, count(*) from shipments
    where account_id = ${account.id} group by 1 having count(*) between 200 and 900 order by 1 limit 1`
  const { q = '', count = 0 } = vessel ?? {}
  const { result, rows } = await rowsRead(
    (sql) => searchShipments(sql, account.id, { q, take: 10 }, today()),
    'search_texts',
  )
  expect(result.count).toEqual({ value: count, exact: true })
  expect(rows).toBeLessThanOrEqual(2 * count)
})

test('suppliers are listed by skip scan, not by reading their orders', async () => {
  const [counted] = await db<{ orders: number; suppliers: number }[]>`
    select count(*) as orders, count(distinct supplier_key) as suppliers from purchase_order_search
    where account_id = ${account.id}`
  const { orders = 0, suppliers = 0 } = counted ?? {}
  expect(orders).toBeGreaterThan(50 * suppliers)
  for (const q of [undefined, 'a', 'nobody']) {
    const { rows } = await rowsRead((sql) => findSuppliers(sql, account.id, q, 51))
    expect(rows).toBeLessThan(10 * suppliers + 100)
  }
})

const scans: Query[] = [
  { q: 'a', status: 'booked', sort: 'arrival' },
  { status: 'in_progress', sort: 'arrival' },
  { ...underWay, sort: 'arrival' },
  { status: 'booked', sort: 'arrival', order: 'desc' },
  { late: 'true', sort: 'late' },
  { status: 'in_progress,booked', sort: 'late', order: 'asc' },
  { q: '11', sort: 'name', order: 'desc' },
  { freight_mode: 'air', sort: 'delivery', order: 'desc' },
  { q: 's', late: 'true' },
]

test.each(scans)(
  'pages of %j that end early continue where they ended: everything is found once, in order',
  async (query) => {
    const found: string[] = []
    let last: { value: number; exact: boolean } | undefined
    for (let after: string | undefined; ; ) {
      const page = { ...query, take: 100, ...(after !== undefined && { after }) }
      const { body } = await person.ask('findShipments', { query: page })
      found.push(...body.shipments.map(({ svc_shipment_id }) => svc_shipment_id))
      last = body.count
      // The count grows until all rows were scanned, and never exceeds the total.
      if (!last.exact) expect(last.value).toBeLessThanOrEqual(total)
      if (body.next === undefined) break
      after = body.next
    }
    const expected = await findByScan(query)
    expect(expected.length).toBeGreaterThan(500)
    expect(found).toEqual(expected)
    expect(last).toEqual({ value: found.length, exact: true })
  },
  120_000,
)

const columns = { newest: 'newest_first', arrival: 'arrives_on', delivery: 'delivered_on', name: 'name_key' } as const

/** By reading and sorting all rows. */
async function findByScan({ q, status, freight_mode, late, sort = 'newest', order }: Query): Promise<string[]> {
  const day = Date.parse(today()) / 86_400_000
  const isDown = sort === 'late' ? order !== 'asc' : order === 'desc'
  const key =
    sort === 'late'
      ? db`greatest(late_days, case when overdue_since > ${-day} then overdue_since + ${day}::integer end)`
      : db`${db(columns[sort as keyof typeof columns])}`
  const rows = await db<{ id: string }[]>`
    select svc_shipment_id as id from shipment_search
    where account_id = ${account.id} and (${status ?? null}::text is null or status = any(string_to_array(${status ?? null}, ',')))
      and (${freight_mode ?? null}::text is null or freight_mode = ${freight_mode ?? null})
      and (${late ?? null}::text is null or late_days > 0 or overdue_since > ${-day})
      and (${q ?? null}::text is null or words @@ ${`'${q}':*`}::text::tsquery)
    order by ${isDown ? db`${key} desc nulls last, svc_shipment_id desc` : db`${key} nulls last, svc_shipment_id`}`
  return rows.map(({ id }) => id)
}

test('rare matches far down the list are found by paging: pages in between are empty', async () => {
  const [row] = await db<{ day: string }[]>`
    select departs_on::text as day from shipment_search
    where account_id = ${account.id} and departs_on is not null order by departs_on offset 6000 limit 1`
  const departs_to = row?.day ?? ''
  const lengths: number[] = []
  const found: string[] = []
  for (let after: string | undefined; ; ) {
    const query = { departs_to, take: 100, ...(after !== undefined && { after }) }
    const { body } = await person.ask('findShipments', { query })
    lengths.push(body.shipments.length)
    found.push(...body.shipments.map(({ svc_shipment_id }) => svc_shipment_id))
    if (body.next === undefined) break
    after = body.next
  }
  expect(lengths.slice(0, 2)).toEqual([0, 0])
  const rows = await db<{ id: string }[]>`
    select svc_shipment_id as id from shipment_search where account_id = ${account.id} and departs_on <= ${departs_to}::text::date
    order by newest_first, svc_shipment_id`
  expect(found).toEqual(rows.map(({ id }) => id))
})

test('the overview and the global search read a bounded number of rows', async () => {
  for (const q of ['s', '1', 'a', 'shanghai', 'nothing has this']) {
    const before = await rowsOfAll()
    expect((await person.ask('search', { query: { q } })).status).toBe(200)
    // Statistics of other connections arrive late and together, so the bound is for all of them.
    expect((await rowsOfAll()) - before).toBeLessThan(5 * scanned)
  }
  expect(
    (await person.ask('getOverview')).body.shipments_by_status.reduce((sum, { count }) => sum + count, 0),
  ).toBeGreaterThan(19_000)
})

async function rowsOfAll(): Promise<number> {
  await db`select pg_stat_force_next_flush()`
  const [row] = await db<{ rows: number }[]>`
    select coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::bigint as rows from pg_stat_user_tables`
  return row?.rows ?? 0
}
