import type { PurchaseOrderUpdate } from '../src/contract/public/purchase-order.js'
import { createRandom, type Random } from '../src/sandbox/random.js'
import type { DataAccount } from './dataset.js'
import type { Query } from './queries.js'
import { tenLineOrder, uniqueMarker } from './sample-orders.js'
import { uniform, zipf } from './sampling.js'

/** Warm: accounts and shipments by a Zipf distribution, with Waybill's response cache. Cold: uniform, without it. */
export type CacheState = 'warm' | 'cold'

export type Workload = {
  name: string
  caches: CacheState[]
  connections?: number
  /** `empty`: the same accounts without any shipments and orders. */
  database?: 'empty'
  /** Sent with the ETag of the response, so that nothing has changed. */
  isConditional?: boolean
  draw(picker: Picker): Query
  /** How many different queries are drawn; they are sent in turn. */
  queries: number
}

/** Picks accounts, and what belongs to them. The large account is the most frequent one. */
type Picker = {
  random: Random
  large: DataAccount
  account(): DataAccount
  smallAccount(): DataAccount
  shipment(account: DataAccount): string
  order(account: DataAccount): string
}

function pickerOf(accounts: DataAccount[], cache: CacheState, seed: string): Picker {
  const random = createRandom(seed)
  const [large, ...others] = accounts as [DataAccount, ...DataAccount[]]
  const small = others.length > 0 ? others : accounts
  const distribution = cache === 'warm' ? zipf : uniform
  const indexes = new Map<number, () => number>()
  const pick = <Item>(items: Item[]): Item => {
    const index = indexes.get(items.length) ?? distribution(items.length, random)
    indexes.set(items.length, index)
    return items[index()] as Item
  }
  return {
    random,
    large,
    account: () => pick(accounts),
    smallAccount: () => pick(small),
    shipment: ({ shipments }) => pick(shipments),
    order: ({ orders }) => pick(orders),
  }
}

const one = (picker: Picker): Query => {
  const account = picker.account()
  return { of: 'shipment', account, id: picker.shipment(account) }
}
const list =
  (take: number, skip = 0) =>
  (picker: Picker): Query => ({ of: 'shipments', account: skip > 0 ? picker.large : picker.account(), skip, take })

const createIn = (account: DataAccount, random: Random, withKey = false): Query => ({
  of: 'create order',
  account,
  order: tenLineOrder(`NEW-${uniqueMarker}`, 'Supplier 1', random),
  idempotencyKey: withKey ? `key-${uniqueMarker}` : undefined,
})
const create = ({ random, smallAccount }: Picker): Query => createIn(smallAccount(), random)

const update = (picker: Picker): Query => {
  const account = picker.smallAccount()
  const { product_lines } = tenLineOrder('', '', picker.random)
  // The supplier differs each time, so that every update changes something.
  const supplier_id = `S ${uniqueMarker}`
  const order: PurchaseOrderUpdate = { reference: picker.order(account), product_lines, supplier_id }
  return { of: 'update order', account, order }
}

const oneOrder = (picker: Picker): Query => {
  const account = picker.smallAccount()
  return { of: 'order', account, reference: picker.order(account) }
}

/** Of 100: 50 single shipments, 35 lists of ten, 10 single orders, 5 writes, half of them creates and half updates. */
function mixed(picker: Picker): Query {
  const draw = picker.random.weighted<(picker: Picker) => Query>([
    [one, 50],
    [list(10), 35],
    [oneOrder, 10],
    [create, 2.5],
    [update, 2.5],
  ])
  return draw(picker)
}

const both: CacheState[] = ['warm', 'cold']
const warm: CacheState[] = ['warm']

/** Creating orders at 8 connections: with and without an idempotency key, in many accounts and in one, on both databases. */
export const createWorkloads: Workload[] = [undefined, 'empty' as const].flatMap((database) =>
  ['many accounts', 'one account'].flatMap((spread) =>
    [false, true].map((withKey) => ({
      name: `create an order${withKey ? ' with a key' : ''}, ${spread}${database ? ', empty database' : ''}`,
      caches: warm,
      connections: 8,
      ...(database && { database }),
      draw: ({ random, smallAccount, large }: Picker) =>
        createIn(spread === 'one account' ? large : smallAccount(), random, withKey),
      queries: 2000,
    })),
  ),
)

export const workloads: Workload[] = [
  { name: 'one shipment', caches: both, draw: one, queries: 20_000 },
  { name: 'list of 10', caches: both, draw: list(10), queries: 20_000 },
  { name: 'list of 100', caches: both, draw: list(100), queries: 5000 },
  { name: 'list of 100 at skip=10000', caches: both, draw: list(100, 10_000), queries: 1 },
  { name: '304', caches: warm, isConditional: true, draw: list(10), queries: 5000 },
  ...createWorkloads,
  { name: 'update an order', caches: warm, draw: update, queries: 2000 },
  { name: 'mix 95/5', caches: both, draw: mixed, queries: 20_000 },
]

/** A tenth of the queries, as there is a tenth of the data. */
export const quickWorkloads: Workload[] = workloads.map((workload) => ({
  ...workload,
  queries: Math.ceil(workload.queries / 10),
}))

export function workloadNamed(name: string): Workload {
  const found = workloads.find((workload) => workload.name === name)
  if (!found)
    throw new Error(`unknown workload ${name}; the workloads are: ${workloads.map((each) => each.name).join('; ')}`)
  return found
}

export function drawQueries({ name, draw, queries }: Workload, accounts: DataAccount[], cache: CacheState): Query[] {
  const picker = pickerOf(accounts, cache, `${name} ${cache}`)
  return Array.from({ length: queries }, () => draw(picker))
}
