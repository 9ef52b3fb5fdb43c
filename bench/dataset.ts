import { randomBytes } from 'node:crypto'
import { issueKeyIn } from '../src/operator/keys.js'
import { createAccountIn } from '../src/storage/accounts.js'
import type { Database } from '../src/storage/database.js'
import { migrate } from '../src/storage/migrate.js'
import { type AccountId, writeTo } from '../src/storage/transaction.js'
import type { BenchAccount } from './contender.js'
import type { DatabaseServer } from './database-server.js'
import { fillOrders, fillShipments, setDownPatterns } from './dataset-rows.js'

/** How much there is: the first account is the large one, the others share the rest by Zipf's law. */
export type DataSize = { accounts: number; shipments: number; large: number; largeOrders: number; orders: number }

export const fullSize: DataSize = { accounts: 1000, shipments: 200_000, large: 20_000, largeOrders: 20_000, orders: 20 }
export const quickSize: DataSize = { accounts: 100, shipments: 20_000, large: 12_000, largeOrders: 2000, orders: 20 }

export type DataAccount = BenchAccount & {
  account_id: AccountId
  /** Newest first, as they are listed. */
  shipments: string[]
  /** None is assigned to a shipment: all may be updated. */
  orders: string[]
}

/** The database that is made once and never written again: contenders run on copies. */
export const pristine = 'waybill'

/** The same rows, in tables of the kind that somebody else would make. */
export const normalised = 'normalised'

export async function makeDataset(server: DatabaseServer, size: DataSize): Promise<DataAccount[]> {
  const db = await openPristine(server)
  try {
    if (!(await isFilled(db, size))) {
      await db.end()
      for (const database of [pristine, normalised]) await server.drop(database)
      await server.create(pristine)
      return await makeDataset(server, await fill(server, size))
    }
    return await readAccounts(db)
  } finally {
    await db.end()
  }
}

async function openPristine(server: DatabaseServer): Promise<Database> {
  if (!(await server.has(pristine))) await server.create(pristine)
  return server.open(pristine, 1)
}

// Told by the run that made it, at its very end.
async function isFilled(db: Database, size: DataSize): Promise<boolean> {
  const [table] = await db<{ found: boolean }[]>`select to_regclass('bench_data') is not null as found`
  if (!table?.found) return false
  const [row] = await db<{ size: string }[]>`select size from bench_data`
  return row?.size === JSON.stringify(size)
}

async function fill(server: DatabaseServer, size: DataSize): Promise<DataSize> {
  const db = server.open(pristine, 1)
  try {
    await migrate(db)
    const accounts = await createAccounts(db, size.accounts)
    await setDownPatterns(db, server)
    await fillShipments(
      db,
      accounts.map(({ account_id }, index) => ({ account_id, count: shareOf(index, size) })),
    )
    await fillOrders(
      db,
      accounts.map(({ account_id }, index) => ({ account_id, count: index === 0 ? size.largeOrders : size.orders })),
    )
    await db`vacuum analyze`
    await db`create table bench_data (size text not null, accounts text not null)`
    await db`insert into bench_data values (${JSON.stringify(size)}, ${JSON.stringify(accounts)})`
  } finally {
    await db.end()
  }
  await server.settle()
  return size
}

type CreatedAccount = BenchAccount & { account_id: AccountId }

export async function createAccounts(db: Database, count: number): Promise<CreatedAccount[]> {
  return db.begin(async (sql) => {
    const accounts: CreatedAccount[] = []
    for (let number = 1; number <= count; number += 1) {
      const slug = `account-${number}-${randomBytes(3).toString('hex')}`
      const account_id = await createAccountIn(sql, slug, { name: `Account ${number}` }, 'bench')
      if (account_id === undefined) throw new Error(`${slug} is there already`)
      const terms = { scopes: ['read' as const, 'write' as const] }
      const { key } = await writeTo(sql, account_id, 'bench', (tx) => issueKeyIn(tx, account_id, terms))
      accounts.push({ slug, key, account_id })
    }
    return accounts
  })
}

/** As many as fill a list of 100 where there is enough for that, and the rest by Zipf's law. */
function shareOf(index: number, { accounts, shipments, large }: DataSize): number {
  if (index === 0) return large
  const others = accounts - 1
  const least = Math.min(100, Math.floor((shipments - large) / others / 2))
  const left = shipments - large - least * others
  let sum = 0
  for (let rank = 1; rank <= others; rank += 1) sum += 1 / rank
  // Rounded so that the shares add up.
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
