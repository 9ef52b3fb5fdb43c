import type { PurchaseOrderUpdate } from '../src/contract/purchase-order.js'
import { createRandom, type Random } from '../src/sandbox/random.js'
import type { Wish } from './contender.js'
import type { DataAccount } from './dataset.js'
import { uniform, zipf } from './draws.js'
import { tenLineOrder, uniqueMarker } from './orders.js'

/** Warm: the same accounts again and again, by Zipf's law. Cold: any account, any shipment, and nothing kept. */
export type Heat = 'warm' | 'cold'

export type Workload = {
  name: string
  heats: Heat[]
  connections?: number
  /** Sent with the validator of the answer, so that nothing has changed. */
  isConditional?: boolean
  /** One of the wishes of the workload. */
  draw(law: Law): Wish
  /** How many different ones are drawn; they are sent in turn. */
  wishes: number
}

/** How accounts, and what is in them, are drawn. The large account is the first by the law. */
type Law = {
  random: Random
  account(): DataAccount
  /** Any but the large one, whose list would grow by what is created. */
  writer(): DataAccount
  large: DataAccount
  shipment(account: DataAccount): string
  order(account: DataAccount): string
}

export function lawOf(accounts: DataAccount[], heat: Heat, seed: string): Law {
  const random = createRandom(seed)
  const [large, ...others] = accounts as [DataAccount, ...DataAccount[]]
  const writers = others.length > 0 ? others : accounts
  const by = heat === 'warm' ? zipf : uniform
  const pickers = new Map<number, () => number>()
  const pick = <Item>(items: Item[]): Item => {
    const picker = pickers.get(items.length) ?? by(items.length, random)
    pickers.set(items.length, picker)
    return items[picker()] as Item
  }
  return {
    random,
    large,
    account: () => pick(accounts),
    writer: () => pick(writers),
    shipment: ({ shipments }) => pick(shipments),
    order: ({ orders }) => pick(orders),
  }
}

const one = (law: Law): Wish => {
  const account = law.account()
  return { of: 'shipment', account, id: law.shipment(account) }
}
const list =
  (take: number, skip = 0) =>
  (law: Law): Wish => ({ of: 'shipments', account: skip > 0 ? law.large : law.account(), skip, take })

const create = ({ random, writer }: Law): Wish => ({
  of: 'create order',
  account: writer(),
  order: tenLineOrder(`NEW-${uniqueMarker}`, 'Supplier 1', random),
})

const update = (law: Law): Wish => {
  const account = law.writer()
  const { product_lines } = tenLineOrder('', '', law.random)
  // The supplier makes each one a change.
  const order: PurchaseOrderUpdate = { reference: law.order(account), product_lines, supplier_id: `S ${uniqueMarker}` }
  return { of: 'update order', account, order }
}

const oneOrder = (law: Law): Wish => {
  const account = law.writer()
  return { of: 'order', account, reference: law.order(account) }
}

/** Of 100: 50 single shipments, 35 lists of ten, 10 single orders, 5 writes, of which half create and half update. */
function mixed(law: Law): Wish {
  const draw = law.random.weighted<(law: Law) => Wish>([
    [one, 50],
    [list(10), 35],
    [oneOrder, 10],
    [create, 2.5],
    [update, 2.5],
  ])
  return draw(law)
}

const both: Heat[] = ['warm', 'cold']
const warm: Heat[] = ['warm']

export const workloads: Workload[] = [
  { name: 'one shipment', heats: both, draw: one, wishes: 20_000 },
  { name: 'list of 10', heats: both, draw: list(10), wishes: 20_000 },
  { name: 'list of 100', heats: both, draw: list(100), wishes: 5000 },
  { name: 'list of 100 at skip=10000', heats: both, draw: list(100, 10_000), wishes: 1 },
  { name: '304', heats: warm, isConditional: true, draw: list(10), wishes: 5000 },
  {
    name: 'whole list of orders',
    heats: both,
    connections: 2,
    draw: ({ large }) => ({ of: 'orders', account: large }),
    wishes: 1,
  },
  { name: 'create an order, 1 connection', heats: warm, connections: 1, draw: create, wishes: 2000 },
  { name: 'create an order, 8 connections', heats: warm, connections: 8, draw: create, wishes: 2000 },
  { name: 'create an order', heats: warm, draw: create, wishes: 2000 },
  { name: 'update an order', heats: warm, draw: update, wishes: 2000 },
  { name: 'mix 95/5', heats: both, draw: mixed, wishes: 20_000 },
]

/** A tenth of the wishes, as there is a tenth of the data. */
export const quickWorkloads: Workload[] = workloads.map((workload) => ({
  ...workload,
  wishes: Math.ceil(workload.wishes / 10),
}))

export function workloadNamed(name: string): Workload {
  const found = workloads.find((workload) => workload.name === name)
  if (!found) throw new Error(`there is no workload ${name}: they are ${workloads.map((each) => each.name).join(', ')}`)
  return found
}

export function drawWishes({ name, draw, wishes }: Workload, accounts: DataAccount[], heat: Heat): Wish[] {
  const law = lawOf(accounts, heat, `${name} ${heat}`)
  return Array.from({ length: wishes }, () => draw(law))
}
