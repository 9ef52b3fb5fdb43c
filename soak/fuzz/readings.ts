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
import { type Exchange, isAccepted } from './contract-check.js'
import { difference } from './difference.js'
import { importReadings } from './import-readings.js'
import { nameOf } from './json-text.js'
import { otherReadings } from './other-readings.js'
import type { Request } from './request.js'
import type { Known, World } from './world.js'

/** The follow-up reads of an accepted write: every operation that shows it must return it as it was sent. */

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

/** Checks the response of a write against the request. */
export function echoFault(exchange: Exchange): string | undefined {
  const { request, response, sent, addressed } = exchange
  if (!isWritten(exchange) || addressed !== request.operation || !isObject(sent)) return undefined
  const { record } = response.json as { record?: Json }
  if (record === undefined || addressed.name === 'operator.updateLocation') return undefined
  if (addressed.name === 'operator.recordPayment') return paymentFault(response.json as Json, sent)
  // The reason of an over-shipment is kept only where there is one. Order lines are records of their own, a
  // template becomes lines, and disputed lines a dispute.
  const { reason: _reason, correction: _correction, over_shipment_reason: _excess, ...fields } = sent
  const { order_lines: _lines, template: _template, disputed_lines: _disputed, status, ...stated } = fields
  // The status of a paid invoice, or of one with nothing to pay, is derived.
  const isMove = !addressed.name.endsWith('Invoice') && status !== undefined
  return difference(record, withoutComputed(record, isMove ? { ...stated, status } : stated))
}

// A removed total is computed from the loads.
function withoutComputed({ computed_totals }: Json, stated: Json): Json {
  if (!Array.isArray(computed_totals) || !isObject(stated.cargo)) return stated
  const isComputed = ([name, value]: [string, unknown]) => value === null && computed_totals.includes(name)
  return { ...stated, cargo: Object.fromEntries(Object.entries(stated.cargo).filter((field) => !isComputed(field))) }
}

// The stored response of a retry may be older than the present state.
function isWritten(exchange: Exchange): boolean {
  return isAccepted(exchange) && exchange.response.headers['idempotent-replayed'] === undefined
}

// A payment is an entry of the invoice, not a field. What to do with an excess is not part of it.
function paymentFault({ payments }: Json, { excess: _excess, ...sent }: Json): string | undefined {
  const faults = (payments as Json[]).map((payment) => difference(payment, sent))
  return faults.includes(undefined) ? undefined : (faults.at(-1) ?? 'there is no payment')
}

/** The follow-up reads of a write, and some other reads that show it. */
export function readingsAfter(exchange: Exchange, world: World, random: Random): Reading[] {
  const { request, response, sent, addressed } = exchange
  if (!isWritten(exchange) || !addressed || addressed !== request.operation) return []
  const detail = {
    params: request.params,
    sent: isObject(sent) ? sent : {},
    json: response.json as Json,
    world,
    file: fileIn(request),
  }
  const own =
    addressed.name === 'operator.import' ? importReadings(exchange, world.slug) : ownReadings(addressed.name, detail)
  // Accepted mutations get more reads.
  const isOdd = request.kinds.length > 0
  const others = shuffled(otherReadings(addressed.name, detail, random), random).slice(0, isOdd ? 2 : 1)
  return isOdd ? [...own, ...others] : shuffled([...own, ...others], random).slice(0, 2)
}

function ownReadings(name: string, detail: Written): Reading[] {
  const { params, json, sent, world } = detail
  const { account = world.slug } = params
  const id = nameOf(json.id)
  switch (name.replace(/^operator\./, '')) {
    case 'createShipment':
    case 'replaceShipment':
    case 'updateShipment':
    case 'moveShipment':
    case 'replaceContainer':
      return version('Shipment', { svc_shipment_id: id }, detail)
    case 'createLocation':
    case 'replaceLocation':
    case 'updateLocation':
      return version('Location', { id }, detail)
    case 'draftInvoice':
    case 'draftFromTemplate':
    case 'applyPayment':
    case 'draftCreditNote':
    case 'replaceInvoice':
    case 'issueInvoice':
    case 'moveInvoice':
    case 'recordPayment':
    case 'removePayment':
      return version('Invoice', { reference: id }, detail)
    case 'discardDraft':
      return [{ name: 'operator.getInvoice', params: { account, reference: nameOf(json.removed) }, check: isGone }]
    case 'uploadDocument':
    case 'replaceDocument':
    case 'updateDocument':
      return [
        { name: 'operator.getDocument', params: { account, id }, check: hasSame(json, ['record', 'revision']) },
        { name: 'operator.getDocumentContent', params: { account, id }, check: hasBytes(detail.file) },
      ]
    case 'withdrawDocument':
      return [{ name: 'operator.getDocument', params: { account, id: nameOf(json.removed) }, check: isGone }]
    case 'planTracking':
    case 'addEvent':
    case 'correctEvent':
    case 'retractEvent':
    case 'releaseEvent':
    case 'shiftDates':
    case 'pinDate':
    case 'unpinDate':
    case 'addPosition':
      return [
        { name: 'operator.getTracking', params, check: hasSame(json, ['shown']) },
        { name: 'public.getTracking', params, check: (response) => difference(response.json, json.shown) },
        { name: 'public.explainTracking', params },
        { name: 'operator.explainTracking', params },
        { name: 'public.simulateDelay', params },
        { name: 'operator.simulateDelay', params },
        { name: 'operator.getTrackingJourney', params },
      ]
    case 'giveFreeTime':
    case 'retractFreeTime':
      return [
        { name: 'operator.getFreeTime', params, check: isThere },
        { name: 'public.getFreeTime', params, check: isThere },
      ]
    case 'assign':
    case 'pack':
      return [
        { name: 'public.getPurchaseOrder', params, check: (response) => difference(response.json, json.order) },
        { name: 'public.getOrderArrivals', params },
        { name: 'operator.getOrderArrivals', params },
        { name: 'public.listInbound', params: {} },
        { name: 'operator.listInbound', params },
      ]
    case 'addOrderLines':
      return [{ name: 'operator.listOrderLines', params, check: isThere }]
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
      return ownOrderReadings(name, detail)
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
          check: (response) => orderFault(response, sent),
        },
        {
          name: 'public.getPurchaseOrder',
          params: { reference },
          check: (response) => shownOrderFault(response, sent),
        },
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
    case 'portal.createSubscription':
    case 'portal.updateSubscription':
      return [{ name: 'portal.listSubscriptions', check: lists(kept(json, ['subscription_id', 'scope', 'delivery'])) }]
    case 'portal.removeSubscription':
      return [{ name: 'portal.listSubscriptions', check: lacks({ subscription_id: params.subscription_id }) }]
    case 'portal.saveNotificationSettings':
      return [{ name: 'portal.getNotificationSettings', check: hasSame(json, ['digest_time', 'digest_weekday']) }]
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

/** The operator's response, the same read again, and what customers see of it. */
function version(what: string, known: Known, { json, world }: Written): Reading[] {
  const params = { account: world.slug, ...known }
  const shown = json.shown as Json | undefined
  return [
    { name: `operator.get${what}`, params, check: hasSame(json, ['record', 'revision', 'shown']) },
    {
      name: `public.get${what}`,
      params: known,
      check: (response) =>
        shown ? (difference(response.json, shown) ?? difference(shown, response.json)) : isGone(response),
    },
  ]
}

function worksAs({ key }: Json): Reading {
  const headers: [string, string][] = [['authorization', `Bearer ${String(key)}`]]
  // Without the scope to read it is refused, but not with 401.
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
