import type { Random } from '../../src/sandbox/random.js'
import {
  type Check,
  hasBytes,
  hasSame,
  isGone,
  isThere,
  kept,
  lacks,
  lists,
  orderFault,
  shownOrderFault,
} from './checks.js'
import { difference } from './difference.js'
import { importReadings } from './import-readings.js'
import { nameOf } from './json-text.js'
import { otherReadings } from './other-readings.js'
import type { Request } from './request.js'
import { type Exchange, isAccepted } from './verdict.js'
import type { Known, World } from './world.js'

/** How what was accepted is read afterwards: by every operation that shows it, and as it was sent. */

export type Reading = {
  /** The operation. */
  name: string
  params?: Known
  query?: [string, string][]
  headers?: [string, string][]
  check?: Check
}

type Json = Record<string, unknown>

export type Written = { params: Known; sent: Json; json: Json; world: World; file: Buffer | undefined }

/** What a write must have come to, told by its own answer. */
export function echoFault(exchange: Exchange): string | undefined {
  const { request, answer, sent, addressed } = exchange
  if (!isWritten(exchange) || addressed !== request.operation || !isObject(sent)) return undefined
  const { record } = answer.json as { record?: Json }
  if (record === undefined || addressed.name === 'operator.updateLocation') return undefined
  if (addressed.name === 'operator.recordPayment') return paymentFault(answer.json as Json, sent)
  const { reason: _reason, correction: _correction, status, ...said } = sent
  // Of an invoice that is paid, or asks for nothing, the status follows from that.
  const isMove = !addressed.name.endsWith('Invoice') && status !== undefined
  return difference(record, withoutComputed(record, isMove ? { ...said, status } : said))
}

// A total that is taken away is computed from the loads, if they have any.
function withoutComputed({ computed_totals }: Json, said: Json): Json {
  if (!Array.isArray(computed_totals) || !isObject(said.cargo)) return said
  const isComputed = ([name, value]: [string, unknown]) => value === null && computed_totals.includes(name)
  return { ...said, cargo: Object.fromEntries(Object.entries(said.cargo).filter((field) => !isComputed(field))) }
}

// The first answer to a retry may tell of what has changed since.
function isWritten(exchange: Exchange): boolean {
  return isAccepted(exchange) && exchange.answer.headers['idempotent-replayed'] === undefined
}

// It is one of the invoice's, and no field of it.
function paymentFault({ payments }: Json, sent: Json): string | undefined {
  const faults = (payments as Json[]).map((payment) => difference(payment, sent))
  return faults.includes(undefined) ? undefined : (faults.at(-1) ?? 'there is no payment')
}

/** The readings that a write asks for, and some others that show it. */
export function readingsAfter(exchange: Exchange, world: World, random: Random): Reading[] {
  const { request, answer, sent, addressed } = exchange
  if (!isWritten(exchange) || !addressed || addressed !== request.operation) return []
  const told = {
    params: request.params,
    sent: isObject(sent) ? sent : {},
    json: answer.json as Json,
    world,
    file: fileIn(request),
  }
  const own =
    addressed.name === 'operator.import' ? importReadings(exchange, world.slug) : ownReadings(addressed.name, told)
  // What was odd, and accepted all the same, is looked at from more sides.
  const isOdd = request.kinds.length > 0
  const others = shuffled(otherReadings(addressed.name, told, random), random).slice(0, isOdd ? 2 : 1)
  return isOdd ? [...own, ...others] : shuffled([...own, ...others], random).slice(0, 2)
}

function ownReadings(name: string, told: Written): Reading[] {
  const { params, json, sent, world } = told
  const { account = world.slug } = params
  const id = nameOf(json.id)
  switch (name.replace(/^operator\./, '')) {
    case 'createShipment':
    case 'replaceShipment':
    case 'updateShipment':
    case 'moveShipment':
      return version('Shipment', { svc_shipment_id: id }, told)
    case 'createLocation':
    case 'replaceLocation':
    case 'updateLocation':
      return version('Location', { id }, told)
    case 'draftInvoice':
    case 'draftCreditNote':
    case 'replaceInvoice':
    case 'issueInvoice':
    case 'moveInvoice':
    case 'recordPayment':
    case 'removePayment':
      return version('Invoice', { reference: id }, told)
    case 'discardDraft':
      return [{ name: 'operator.getInvoice', params: { account, reference: nameOf(json.removed) }, check: isGone }]
    case 'uploadDocument':
    case 'replaceDocument':
    case 'updateDocument':
      return [
        { name: 'operator.getDocument', params: { account, id }, check: hasSame(json, ['record', 'revision']) },
        { name: 'operator.getDocumentContent', params: { account, id }, check: hasBytes(told.file) },
      ]
    case 'withdrawDocument':
      return [{ name: 'operator.getDocument', params: { account, id: nameOf(json.removed) }, check: isGone }]
    case 'planTracking':
    case 'addEvent':
    case 'correctEvent':
    case 'retractEvent':
    case 'addPosition':
      return [
        { name: 'operator.getTracking', params, check: hasSame(json, ['shown']) },
        { name: 'public.getTracking', params, check: (answer) => difference(answer.json, json.shown) },
      ]
    case 'assign':
    case 'pack':
      return [{ name: 'public.getPurchaseOrder', params, check: (answer) => difference(answer.json, json.order) }]
    case 'unassign':
      return [{ name: 'public.getPurchaseOrder', params, check: isThere }]
    case 'createAccount':
      return [
        { name: 'operator.getAccount', params: { account: nameOf(json.slug) }, check: hasSame(json, ['name', 'slug']) },
      ]
    case 'updateAccount':
      return [{ name: 'operator.getAccount', params, check: hasSame(json, ['name', 'suspended']) }]
    case 'createKey':
      return [
        { name: 'operator.listKeys', params, check: lists({ key_id: json.key_id, ...kept(sent, ['name']) }) },
        worksAs(json),
      ]
    case 'revokeKey':
      return [{ name: 'operator.listKeys', params, check: lists({ key_id: json.key_id, revoked_at: json.revoked_at }) }]
    default:
      return ownOrderReadings(name, told)
  }
}

function ownOrderReadings(name: string, { params, json, sent, world }: Written): Reading[] {
  const account = world.slug
  switch (name) {
    case 'public.createPurchaseOrder':
    case 'public.updatePurchaseOrder': {
      const reference = nameOf(json.reference)
      return [
        {
          name: 'operator.getPurchaseOrder',
          params: { account, reference },
          check: (answer) => orderFault(answer, sent),
        },
        { name: 'public.getPurchaseOrder', params: { reference }, check: (answer) => shownOrderFault(answer, sent) },
      ]
    }
    case 'portal.saveOrderSheet':
      return (json.created as string[])
        .slice(0, 3)
        .map((reference) => ({ name: 'public.getPurchaseOrder', params: { reference }, check: isThere }))
    case 'portal.updatePerson':
      return [{ name: 'portal.getSession', check: hasSame(json, ['preferences', 'person']) }]
    case 'portal.invitePerson':
    case 'portal.inviteAgain':
      return [{ name: 'portal.listPeople', check: lists(kept(json, ['person_id', 'email', 'name', 'role'])) }]
    case 'portal.removePerson':
      return [{ name: 'portal.listPeople', check: lacks({ person_id: params.person_id }) }]
    case 'portal.createView':
    case 'portal.updateView':
      return [{ name: 'portal.listViews', check: lists({ ...json, ...kept(sent, ['name', 'query']) }) }]
    case 'portal.removeView':
      return [{ name: 'portal.listViews', check: lacks({ view_id: params.view_id }) }]
    case 'portal.createOwnKey':
      return [
        { name: 'portal.listOwnKeys', check: lists({ key_id: json.key_id, ...kept(sent, ['name']) }) },
        worksAs(json),
      ]
    case 'portal.revokeOwnKey':
      return [{ name: 'portal.listOwnKeys', check: lists({ key_id: json.key_id, revoked_at: json.revoked_at }) }]
    default:
      return []
  }
}

/** An operator's answer, the same asked for again, and what the account sees of it. */
function version(what: string, known: Known, { json, world }: Written): Reading[] {
  const params = { account: world.slug, ...known }
  const shown = json.shown as Json | undefined
  return [
    { name: `operator.get${what}`, params, check: hasSame(json, ['record', 'revision', 'shown']) },
    {
      name: `public.get${what}`,
      params: known,
      check: (answer) => (shown ? (difference(answer.json, shown) ?? difference(shown, answer.json)) : isGone(answer)),
    },
  ]
}

function worksAs({ key }: Json): Reading {
  const headers: [string, string][] = [['authorization', `Bearer ${String(key)}`]]
  // Without the scope to read it is refused, but known.
  return {
    name: 'public.listLocations',
    headers,
    check: ({ status }) => (status === 401 ? 'the key is not known' : undefined),
  }
}

function fileIn({ body }: Request): Buffer | undefined {
  const file = body?.is === 'form' ? body.parts.find(({ filename }) => filename !== undefined) : undefined
  return file && Buffer.from(file.content)
}

function shuffled<Item>(items: Item[], random: Random): Item[] {
  return items
    .map((item): [number, Item] => [random.fraction(), item])
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item)
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
