import { createHash } from 'node:crypto'
import type { Database } from '../src/database/database.js'
import { readChangeLog } from './change-log.js'
import { type Connections, isResponse, jsonOf } from './exchange.js'
import {
  type AccountState,
  documentDifference,
  invoiceDifference,
  orderDifference,
  placeDifference,
  type Shown,
  shipmentDifference,
  trackingDifference,
} from './expected.js'
import type { Ledger } from './ledger.js'
import type { Traffic } from './traffic.js'

/** Compares the ledger with the service: acknowledged writes exist, once, and are shown as expected. */

export type Comparing = {
  accounts: AccountState[]
  ledger: Ledger
  traffic: Traffic
  connections: Connections
}

export type Compared = { lost: number; doubled: number }

/** `whole`: also resources that have not changed since the last comparison, with a request each. */
export async function compare(comparing: Comparing, db: Database, { whole }: { whole: boolean }): Promise<Compared> {
  const sum = { lost: 0, doubled: 0 }
  for (const state of comparing.accounts) {
    const { lost, doubled, faults } = await readChangeLog(db, state, comparing.ledger)
    sum.lost += lost
    sum.doubled += doubled
    for (const fault of faults) comparing.traffic.violate(`${state.slug}: ${fault}`)
    sum.lost += await compareShown(comparing, state, whole)
  }
  const faults = await faultsInNumbers(db)
  for (const fault of faults) comparing.traffic.violate(fault)
  return sum
}

/** Compares every resource of an account; returns how many are missing. */
async function compareShown(comparing: Comparing, state: AccountState, whole: boolean): Promise<number> {
  const { traffic } = comparing
  const read = (path: string) => readList(comparing, state, path)
  let missing = 0

  function match<Wanted>(
    what: string,
    wanted: Iterable<[unknown, Wanted]>,
    shown: Map<unknown, Shown>,
    differenceOf: (wanted: Wanted, shown: Shown) => string | undefined,
  ): void {
    const unexplained = new Set(shown.keys())
    for (const [id, each] of wanted) {
      const found = shown.get(id)
      unexplained.delete(id)
      if (!found) {
        missing += 1
        traffic.violate(`${what} ${String(id)} is missing`)
        continue
      }
      const fault = differenceOf(each, found)
      if (fault) traffic.violate(fault)
    }
    for (const id of unexplained) traffic.violate(`${what} ${String(id)} exists, but was not created by the run`)
  }

  const orders = keyed(await read('/v1/purchaseOrders'), 'po_number')
  // An order whose creation got no response may be missing.
  const wanted = [...state.orders].filter(([id, { isSure }]) => isSure || orders.has(id))
  match('order', wanted, orders, (order, shown) => orderDifference(state, order, shown))
  match('shipment', state.shipments, keyed(await readPages(comparing, state), 'svc_shipment_id'), shipmentDifference)
  const issued = [...state.invoices].filter(([, { number }]) => number !== undefined)
  match('invoice', issued, keyed(await read('/v1/invoices'), 'reference'), invoiceDifference)
  match('document', state.documents, keyed(await read('/v1/documents'), 'id'), documentDifference)
  match('location', state.places, keyed(await read('/v1/locations'), 'id'), placeDifference)
  await compareTracking(comparing, state, whole)
  await compareBytes(comparing, state, whole)
  if (whole) await compareKeys(comparing, state)
  return missing
}

async function compareTracking(comparing: Comparing, state: AccountState, whole: boolean): Promise<void> {
  for (const shipment of state.shipments.values()) {
    if (!shipment.isPlanned || (!shipment.isChanged && !whole)) continue
    shipment.isChanged = false
    const shown = await readOne(comparing, state, `/v1/tracking/${encodeURIComponent(shipment.id)}`)
    const fault = shown ? trackingDifference(shipment, shown) : `tracking of ${shipment.id} is missing`
    if (fault) comparing.traffic.violate(fault)
  }
}

/** Compares the contents of documents, by their links. */
async function compareBytes(comparing: Comparing, state: AccountState, whole: boolean): Promise<void> {
  const { traffic, connections } = comparing
  const links = new Map((await readList(comparing, state, '/v1/documents')).map(({ id, link }) => [id, link]))
  for (const document of state.documents.values()) {
    if (!document.isChanged && !whole) continue
    document.isChanged = false
    const link = links.get(document.id)
    if (typeof link !== 'string') continue
    const { pathname, search } = new URL(link)
    const outcome = await traffic.send({ method: 'GET', path: pathname + search }, connections)
    const hash = isResponse(outcome) ? createHash('sha256').update(outcome.bytes).digest('hex') : undefined
    if (hash !== document.hash) traffic.violate(`the content of document ${document.id} differs from what was uploaded`)
  }
}

/** Created keys work, revoked ones do not. */
async function compareKeys({ traffic, connections }: Comparing, state: AccountState): Promise<void> {
  for (const { key, key_id, isRevoked } of state.keys.values()) {
    const { status } = await traffic.send({ method: 'GET', path: '/v1/locations?take=1', key }, connections, state.slug)
    const expected = isRevoked ? 401 : 200
    if (status !== expected) traffic.violate(`key ${key_id} got ${status} instead of ${expected}`)
  }
}

/** Invoice numbers have no gaps, whatever was interrupted. */
async function faultsInNumbers(db: Database): Promise<string[]> {
  const rows = await db<{ number: string }[]>`
    select number from invoices where number ~ '^INV-[0-9]{4}-[0-9]+$' order by number collate "C"`
  const faults: string[] = []
  let [series, last] = ['', 0]
  for (const { number } of rows) {
    const [year, count] = [number.slice(0, 9), Number(number.slice(9))]
    if (year !== series) [series, last] = [year, 0]
    if (count !== last + 1) faults.push(`after invoice ${last} of ${year} comes ${count}`)
    last = count
  }
  return faults
}

function keyed(resources: Shown[], name: string): Map<unknown, Shown> {
  return new Map(resources.map((resource) => [resource[name], resource]))
}

async function readPages(comparing: Comparing, state: AccountState): Promise<Shown[]> {
  const all: Shown[] = []
  for (let skip = 0; ; skip += 100) {
    const page = await readList(comparing, state, `/v1/shipments?take=100&skip=${skip}`)
    all.push(...page)
    if (page.length < 100) return all
  }
}

async function readList(comparing: Comparing, state: AccountState, path: string): Promise<Shown[]> {
  const response = await readAs(comparing, state, path)
  return response.status === 404 ? [] : (jsonOf(response) as Shown[])
}

async function readOne(comparing: Comparing, state: AccountState, path: string): Promise<Shown | undefined> {
  const response = await readAs(comparing, state, path)
  return response.status === 404 ? undefined : (jsonOf(response) as Shown)
}

async function readAs({ traffic, connections }: Comparing, { key, slug }: AccountState, path: string) {
  const outcome = await traffic.send({ method: 'GET', path, key }, connections, slug)
  if (isResponse(outcome) && (outcome.status === 200 || outcome.status === 404)) return outcome
  throw new Error(`${path} cannot be compared: ${outcome.status}${isResponse(outcome) ? '' : ` ${outcome.code}`}`)
}
