import { createHash } from 'node:crypto'
import { operatorOperations } from '../../src/contract/operator/operations.js'
import { type Actor, readOnce, type Writing, write } from '../actor.js'
import { type HttpResponse, isResponse, jsonOf } from '../exchange.js'
import { gross, price, type Shipment } from '../expected.js'
import { createOrder } from './customer.js'

/** Actions of operators. All of them have an idempotency key. */

export async function createShipment(actor: Actor): Promise<void> {
  const { state, own, ledger, random } = actor
  const token = ledger.nextToken(state.slug)
  const containers = random.integer(1, 3)
  const container = { container_type: 'forty_foot_standard' as const }
  const cargo = { containers: Array.from({ length: containers }, () => container) }
  const response = await writeSafely(actor, {
    operation: operatorOperations.createShipment,
    json: { name: token, status: 'booked', cargo },
    token,
    isTokenWritten: true,
  })
  if (!response) return
  const { id } = jsonOf(response) as { id: string }
  const shipment = { id, token, status: 'booked', containers, orders: new Set<string>(), isPlanned: false, events: [] }
  keep({ ...shipment, positions: 0, isChanged: true })

  function keep(created: Shipment): void {
    state.shipments.set(id, created)
    own.shipments.push(created)
  }
}

const next: Record<string, string> = { booked: 'in_progress', in_progress: 'finished' }

export async function moveShipment(actor: Actor): Promise<void> {
  const shipment = pickShipment(actor, ({ status }) => next[status] !== undefined)
  if (!shipment) return createShipment(actor)
  const token = actor.ledger.nextToken(actor.state.slug)
  const status = next[shipment.status] as string
  const response = await writeSafely(actor, {
    operation: operatorOperations.moveShipment,
    params: { svc_shipment_id: shipment.id },
    json: { status, reason: token },
    token,
    isTokenWritten: true,
  })
  if (response) Object.assign(shipment, { status, isChanged: true })
}

export async function assign(actor: Actor): Promise<void> {
  const { own, random, ledger, state } = actor
  const shipment = pickShipment(actor)
  const order = own.orders.at(-random.integer(1, 20))
  if (!shipment) return createShipment(actor)
  if (!order) return createOrder(actor)
  const line = random.pick(order.lines)
  const left = line.quantity - [...line.assigned.values()].reduce((sum, quantity) => sum + quantity, 0)
  // An identical assignment would not be a change.
  if (left < 1 || line.assigned.has(shipment.id)) return createOrder(actor)
  const assigned_quantity = random.integer(1, left)
  const response = await writeSafely(actor, {
    operation: operatorOperations.assign,
    params: { reference: order.reference, line: line.reference, svc_shipment_id: shipment.id },
    json: { assigned_quantity },
    token: ledger.nextToken(state.slug),
    isTokenWritten: false,
  })
  if (!response) return
  line.assigned.set(shipment.id, assigned_quantity)
  shipment.orders.add(order.reference)
  shipment.isChanged = true
}

const steps = [
  { id: 'pol', type: 'origin_port', port: { unlocode: 'CN/SHA' } },
  { id: 'pod', type: 'destination_port', port: { unlocode: 'NL/RTM' } },
]

/** A plan first, then events and positions. */
export async function track(actor: Actor): Promise<void> {
  const { ledger, state, random } = actor
  const shipment = pickShipment(actor)
  if (!shipment) return createShipment(actor)
  const token = ledger.nextToken(state.slug)
  const params = { svc_shipment_id: shipment.id }
  const event = {
    step: random.pick(['pol', 'pod']),
    description: token,
    date: '2026-03-01T08:00:00Z',
    status: 'actual',
  }
  const position = { latitude: random.decimal(-60, 60), longitude: random.decimal(-170, 170), source: token }
  const isEvent = random.chance(0.7)
  const writing = !shipment.isPlanned
    ? { operation: operatorOperations.planTracking, json: { steps }, isTokenWritten: false }
    : isEvent
      ? { operation: operatorOperations.addEvent, json: event, isTokenWritten: true }
      : { operation: operatorOperations.addPosition, json: position, isTokenWritten: true }
  const response = await writeSafely(actor, { ...writing, params, token })
  if (!response) return
  shipment.isChanged = true
  if (!shipment.isPlanned) shipment.isPlanned = true
  else if (isEvent) shipment.events.push(token)
  else shipment.positions += 1
}

/** A message of a sender: sent again until it is acknowledged, it must be applied once. */
export async function sendMessage(actor: Actor): Promise<void> {
  const { ledger, state, random, traffic } = actor
  const isPlanned = (each: Shipment) => each.isPlanned
  // A shipment first, and then its plan.
  for (let tries = 0; tries < 2 && !pickShipment(actor, isPlanned); tries += 1) await track(actor)
  const shipment = pickShipment(actor, isPlanned)
  if (!shipment) return
  const token = ledger.nextToken(state.slug)
  const event = {
    reference: shipment.id,
    step: random.pick(['pol', 'pod']),
    description: token,
    date: '2026-03-01T08:00:00Z',
    status: 'actual',
    event_id: token,
  }
  const response = await writeSafely(actor, {
    operation: operatorOperations.receiveMessage,
    query: { format: 'events', sender: `line ${random.integer(1, 2)}` },
    json: [event],
    token,
    isTokenWritten: true,
  })
  if (!response) return
  const { outcome, reason } = jsonOf(response) as { outcome: string; reason?: string }
  if (!['received', 'applied', 'duplicate'].includes(outcome))
    traffic.violate(`message ${token}: ${outcome}, ${reason}`)
  shipment.events.push(token)
  shipment.isChanged = true
}

export async function uploadDocument(actor: Actor): Promise<void> {
  const { ledger, state, random } = actor
  const shipment = pickShipment(actor)
  if (!shipment) return createShipment(actor)
  const token = ledger.nextToken(state.slug)
  const bytes = Buffer.from(`${token}\n`.repeat(random.integer(1, 2000)))
  const name = `${token}.txt`
  const response = await writeSafely(actor, {
    operation: operatorOperations.uploadDocument,
    form: { name, bytes, fields: { svc_shipment_id: shipment.id } },
    token,
    isTokenWritten: true,
  })
  if (!response) return
  const { id } = jsonOf(response) as { id: string }
  const hash = createHash('sha256').update(bytes).digest('hex')
  state.documents.set(id, { id, name, hash, size: bytes.length, isChanged: true })
}

/** Drafts an invoice, issues it, or records payments until it is paid. */
export async function invoice(actor: Actor): Promise<void> {
  const { own, random } = actor
  const open = own.invoices.filter(({ status }) => status !== 'paid')
  const bare = pickShipment(actor, (shipment) => shipment.invoice === undefined)
  if (bare && (open.length === 0 || random.chance(0.4))) return draftInvoice(actor, bare)
  if (open.length === 0) return createShipment(actor)
  const chosen = random.pick(open)
  if (chosen.number !== undefined) return pay(actor, chosen)
  const response = await writeSafely(actor, {
    operation: operatorOperations.issueInvoice,
    params: { reference: chosen.reference },
    json: {},
    token: actor.ledger.nextToken(actor.state.slug),
    isTokenWritten: false,
  })
  if (!response) return
  const { shown } = jsonOf(response) as { shown: { number: string; status: string } }
  Object.assign(chosen, { number: shown.number, status: 'available' })
  chosen.shipment.isChanged = true
}

async function draftInvoice(actor: Actor, shipment: Shipment): Promise<void> {
  const { state, own, ledger } = actor
  const token = ledger.nextToken(state.slug)
  const lines = [{ description: token, price: { amount: price, currency: 'EUR' }, vatRate: 20 }]
  const response = await writeSafely(actor, {
    operation: operatorOperations.draftInvoice,
    json: { svc_shipment_id: shipment.id, lines },
    token,
    isTokenWritten: true,
  })
  if (!response) return
  const { id: reference } = jsonOf(response) as { id: string }
  const drafted = { reference, shipment, status: 'draft', paid: 0 }
  shipment.invoice = drafted
  state.invoices.set(reference, drafted)
  own.invoices.push(drafted)
}

async function pay(actor: Actor, chosen: Actor['own']['invoices'][number]): Promise<void> {
  const { state, ledger, random } = actor
  const token = ledger.nextToken(state.slug)
  const amount = random.chance(0.5) ? gross - chosen.paid : Math.min(30, gross - chosen.paid)
  const response = await writeSafely(actor, {
    operation: operatorOperations.recordPayment,
    params: { reference: chosen.reference },
    json: { amount, currency: 'EUR', paid_on: '2026-05-01', note: token },
    token,
    isTokenWritten: true,
  })
  if (!response) return
  chosen.paid += amount
  chosen.status = chosen.paid === gross ? 'paid' : 'partially_paid'
  chosen.shipment.isChanged = true
}

export async function createLocation(actor: Actor): Promise<void> {
  const { state, ledger } = actor
  const token = ledger.nextToken(state.slug)
  const response = await writeSafely(actor, {
    operation: operatorOperations.createLocation,
    json: { name: token },
    token,
    isTokenWritten: true,
  })
  if (!response) return
  const id = Number((jsonOf(response) as { id: string }).id)
  state.places.set(id, { id, token })
}

// An account has at most 100 keys that work, and three clients: over an hour they would reach that.
const mostWorkingKeys = 25

/** Creates or revokes a key; both take effect at once. */
export async function changeKeys(actor: Actor): Promise<void> {
  const { own, random, traffic, ledger, state } = actor
  const working = own.keys.filter(({ isRevoked }) => !isRevoked)
  const [ending] = working
  const token = ledger.nextToken(state.slug)
  if (!ending || (working.length < mostWorkingKeys && random.chance(0.6))) {
    const writing = { operation: operatorOperations.createKey, json: { name: token }, token, isTokenWritten: true }
    const response = await writeSafely(actor, writing)
    if (!response) return
    const { key_id, key } = jsonOf(response) as { key_id: string; key: string }
    const created = { key_id, key, isRevoked: false }
    state.keys.set(key_id, created)
    own.keys.push(created)
    return
  }
  const params = { key_id: ending.key_id }
  const writing = { operation: operatorOperations.revokeKey, params, token, isTokenWritten: false }
  if (!(await writeSafely(actor, writing))) return
  ending.isRevoked = true
  const { connections } = actor
  const used = await traffic.send({ method: 'GET', path: '/v1/locations', key: ending.key }, connections, state.slug)
  if (isResponse(used) && used.status < 300) traffic.violate(`a revoked key got ${used.status}`)
}

export async function readOwnTracking(actor: Actor): Promise<void> {
  const shipment = pickShipment(actor)
  if (!shipment) return createShipment(actor)
  const response = await readOnce(actor, `/v1/tracking/${encodeURIComponent(shipment.id)}`)
  const expected = shipment.isPlanned ? 200 : 404
  if (response && response.status !== expected)
    actor.traffic.violate(`tracking of ${shipment.id}: ${response.status} instead of ${expected}`)
}

async function writeSafely(actor: Actor, writing: Omit<Writing, 'isSafe'>): Promise<HttpResponse | undefined> {
  return write(actor, { ...writing, isSafe: true })
}

function pickShipment({ own, random }: Actor, suits: (shipment: Shipment) => boolean = () => true) {
  const candidates = own.shipments.slice(-15).filter(suits)
  return candidates.length === 0 ? undefined : random.pick(candidates)
}
