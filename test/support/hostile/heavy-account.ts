import { setTimeout as sleep } from 'node:timers/promises'
import { operatorOperations } from '../../../src/contract/operator/operations.js'
import { portalOperations } from '../../../src/contract/portal/operations.js'
import type { Shipment, ShipmentRecord } from '../../../src/contract/public/shipment.js'
import { generateLines } from '../../../src/sandbox/generate.js'
import { sendRaw } from '../raw-http.js'
import { heavyShipment } from './heavy-shipment.js'
import { credentialsOf, type HostileAccount, type HostileTarget, statusOfBody } from './target.js'

/** An account with as much data as one may have: what it reads is heavy, though each request is an ordinary one. */

const shipments = 200
const orders = 2
const versions = 6
const linesOfOrder = 15_000

/** Orders of 4 MB, of which the first has changed in all of its lines many times. */
export const heavyOrder = 'heavy-1'

const name = 'x'.repeat(180)

function linesOf(quantity: number): string {
  const all = Array.from(
    { length: linesOfOrder },
    (_, at) => `{"reference":"${at}","ordered_quantity":${quantity},"product":{"sku":"S-${at}","name":"${name}"}}`,
  )
  return `[${all.join(',')}]`
}

export async function fillAccount(target: HostileTarget, account: HostileAccount): Promise<void> {
  const { slug } = account
  const product_lines = linesOf(1)
  const order = (number: number) => `{"reference":"heavy-${number}","product_lines":${product_lines}}`
  const lineOf = (number: number) => `{"kind":"purchase_order","account":"${slug}","data":${order(number)}}\n`
  await imports(target, Array.from({ length: orders }, (_, at) => lineOf(at + 1)).join(''))
  for (let version = 2; version <= versions; version += 1) {
    const body = `{"reference":"${heavyOrder}","product_lines":${linesOf(version)}}`
    expectStatus(
      200,
      await statusOfBody(target, 'customer', { method: 'PATCH', path: '/v1/purchaseOrders', body }, account),
    )
  }
  // After the orders: the change feed begins with the oldest changes.
  const today = new Date().toISOString().slice(0, 10)
  const generated = Array.from(generateLines({ accounts: 1, shipments, seed: 'heavy', today }))
  const records = generated.filter(({ kind }) => kind !== 'account')
  await imports(target, records.map((line) => `${JSON.stringify({ ...line, account: slug })}\n`).join(''))
  await imports(target, heavyShipment(slug))
  const last = generated.findLast(({ kind }) => kind === 'shipment')?.data as ShipmentRecord
  await untilSearchable(target, account, last.svc_shipment_id)
}

async function imports(target: HostileTarget, body: string): Promise<void> {
  const { path } = operatorOperations.import
  expectStatus(200, await statusOfBody(target, 'operator', { path, type: 'application/x-ndjson', body }))
}

function expectStatus(expected: number, status: number): void {
  if (status !== expected) throw new Error(`filling the account: got ${status} instead of ${expected}`)
}

/** Lists and exports of the portal read the search index, which follows the writes. */
async function untilSearchable(target: HostileTarget, account: HostileAccount, shipment: string): Promise<void> {
  const headers = credentialsOf(target, 'person', account)
  for (;;) {
    const found = await sendRaw(target.baseUrl, { target: `/portal/v1/shipments?q=${shipment}&take=1`, headers })
    if (found.text.includes(`"${shipment}"`)) return
    await sleep(100)
  }
}

/** The newest shipment that `/v1` lists. */
export const shipmentOf = once(async (target, account) => {
  const headers = credentialsOf(target, 'customer', account)
  const { text } = await sendRaw(target.baseUrl, { target: '/v1/shipments?take=1', headers })
  return (JSON.parse(text) as Shipment[])[0]?.svc_shipment_id ?? ''
})

/** The path of a calendar of all shipments. */
export const calendarOf = once(async (target, account) => {
  const { path } = portalOperations.createCalendar
  const headers: [string, string][] = [
    ...credentialsOf(target, 'person', account),
    ['Content-Type', 'application/json'],
  ]
  const { text } = await sendRaw(target.baseUrl, { method: 'POST', target: path, headers, body: '{}' })
  return new URL((JSON.parse(text) as { url: string }).url).pathname
})

/** Asks for something of an account once: it is not part of what is measured. */
export function once<Found>(ask: (target: HostileTarget, account: HostileAccount) => Promise<Found>): typeof ask {
  const asked = new WeakMap<HostileAccount, Promise<Found>>()
  return (target, account) => {
    const found = asked.get(account) ?? ask(target, account)
    asked.set(account, found)
    return found
  }
}
