import { randomBytes } from 'node:crypto'
import type { AccountId } from '../src/database/account-id.js'
import type { Database } from '../src/database/database.js'
import { migrate } from '../src/database/migrate.js'
import { commitWithin } from '../src/ledger/commit.js'
import { createAccountIn } from '../src/usecases/accounts/create-account.js'
import { issueKeyIn } from '../src/usecases/accounts/create-key.js'
import { finishBackgroundWork } from './background-work.js'
import type { DatabaseServer } from './database-server.js'
import { createPatterns, fillOrders, fillShipments } from './dataset-rows.js'
import type { BenchAccount } from './queries.js'

/** The first account is the large one, the others share the remaining shipments by a Zipf distribution. */
export type DataSize = {
  accounts: number
  shipments: number
  large: number
  largeOrders: number
  orders: number
  /** How many different shipments there are: the others are copies of them. */
  patterns: number
}

export const fullSize: DataSize = {
  accounts: 1000,
  shipments: 200_000,
  large: 20_000,
  largeOrders: 20_000,
  orders: 20,
  patterns: 1000,
}
export const quickSize: DataSize = {
  accounts: 100,
  shipments: 20_000,
  large: 12_000,
  largeOrders: 2000,
  orders: 20,
  patterns: 100,
}

export type DataAccount = BenchAccount & {
  account_id: AccountId
  /** Newest first, as they are listed. */
  shipments: string[]
  /** None is assigned to a shipment, so that all can be updated. */
  orders: string[]
}

/** The databases that are made once and not written again: servers run on copies. The second has the accounts alone. */
export const sources = { full: 'waybill', empty: 'waybill_empty' }

/** The same rows in normalised tables, for the comparison servers. */
export const normalised = { full: 'normalised', empty: 'normalised_empty' }

export async function makeDataset(server: DatabaseServer, size: DataSize): Promise<DataAccount[]> {
  if (!(await isComplete(server, size))) {
    for (const database of [...Object.values(sources), ...Object.values(normalised)]) await server.drop(database)
    await server.create(sources.full)
    await fill(server, size)
  }
  const db = server.open(sources.full, 1)
  try {
    return await readAccounts(db)
  } finally {
    await db.end()
  }
}

// Written last by the run that creates the data.
async function isComplete(server: DatabaseServer, size: DataSize): Promise<boolean> {
  if (!(await server.has(sources.full))) return false
  const db = server.open(sources.full, 1)
  try {
    const [table] = await db<{ found: boolean }[]>`select to_regclass('bench_data') is not null as found`
    if (!table?.found) return false
    const [row] = await db<{ size: string }[]>`select size from bench_data`
    return row?.size === JSON.stringify(size)
  } finally {
    await db.end()
  }
}

async function fill(server: DatabaseServer, size: DataSize): Promise<void> {
  const accounts = await fillAccounts(server, size.accounts)
  await server.create(sources.empty, sources.full)
  const db = server.open(sources.full, 1)
  try {
    await createPatterns(db, server, size.patterns)
    await fillShipments(
      db,
      accounts.map(({ account_id }, index) => ({ account_id, count: shareOf(index, size) })),
    )
    await fillOrders(
      db,
      accounts.map(({ account_id }, index) => ({ account_id, count: index === 0 ? size.largeOrders : size.orders })),
    )
    await finishBackgroundWork(db)
    await db`vacuum analyze`
    await db`create table bench_data (size text not null, accounts text not null)`
    await db`insert into bench_data values (${JSON.stringify(size)}, ${JSON.stringify(accounts)})`
  } finally {
    await db.end()
  }
  await server.checkpoint()
}

async function fillAccounts(server: DatabaseServer, count: number): Promise<CreatedAccount[]> {
  const db = server.open(sources.full, 1)
  try {
    await migrate(db)
    return await createAccounts(db, count)
  } finally {
    await db.end()
  }
}

type CreatedAccount = BenchAccount & { account_id: AccountId }

export async function createAccounts(db: Database, count: number): Promise<CreatedAccount[]> {
  return db.begin(async (sql) => {
    const accounts: CreatedAccount[] = []
    for (let number = 1; number <= count; number += 1) {
      const slug = `account-${number}-${randomBytes(3).toString('hex')}`
      const account_id = await createAccountIn(sql, slug, { name: `Account ${number}` }, { actor: 'bench' })
      if (account_id === undefined) throw new Error(`${slug} already exists`)
      const terms = { scopes: ['read' as const, 'write' as const] }
      const { key } = await commitWithin(sql, account_id, 'bench', (tx) => issueKeyIn(tx, account_id, terms))
      accounts.push({ slug, key, account_id })
    }
    return accounts
  })
}

/** At least enough for a list of 100, where there are enough for all; the rest by a Zipf distribution. */
function shareOf(index: number, { accounts, shipments, large }: DataSize): number {
  if (index === 0) return large
  const others = accounts - 1
  const least = Math.min(100, Math.floor((shipments - large) / others / 2))
  const left = shipments - large - least * others
  let sum = 0
  for (let rank = 1; rank <= others; rank += 1) sum += 1 / rank
  // Rounded so that the sum is exact.
  const upTo = (rank: number) => {
    let part = 0
    for (let each = 1; each <= rank; each += 1) part += 1 / each
    return Math.round((left * part) / sum)
  }
  return least + upTo(index) - upTo(index - 1)
}

async function readAccounts(db: Database): Promise<DataAccount[]> {
  const [row] = await db<{ accounts: string }[]>`select accounts from bench_data`
  const accounts = JSON.parse(row?.accounts ?? '[]') as CreatedAccount[]
  const shipments = await db<{ account_id: number; ids: string[] }[]>`
    select account_id, array_agg(svc_shipment_id order by newest_first, svc_shipment_id) as ids
    from shipments group by account_id`
  const orders = await db<{ account_id: number; ids: string[] }[]>`
    select account_id, array_agg(reference order by newest_first, reference) as ids
    from purchase_orders group by account_id`
  const idsIn = (rows: { account_id: number; ids: string[] }[]) =>
    new Map(rows.map(({ account_id, ids }) => [account_id, ids]))
  const [shipmentsOf, ordersOf] = [idsIn(shipments), idsIn(orders)]
  return accounts.map((account) => ({
    ...account,
    shipments: shipmentsOf.get(account.account_id) ?? [],
    orders: ordersOf.get(account.account_id) ?? [],
  }))
}
