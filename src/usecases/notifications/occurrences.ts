import type { ExceptionRecord } from '../../contract/operator/exceptions.js'
import type { Stage } from '../../contract/portal/notification-kinds.js'
import type { Notification } from '../../contract/portal/notifications.js'
import type { ChangeEvent } from '../../contract/public/event.js'
import { type ExceptionKind, severities } from '../../contract/public/exception.js'
import type { MessageRecord } from '../../contract/public/message.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { ordersOf } from '../../domain/exceptions/episodes.js'
import { readRecordVersions } from '../../ledger/changes.js'
import { findMessage, shipmentsOfMessages } from '../../store/conversations.js'
import { findProposal } from '../../store/document-proposals.js'
import { findDocumentRecords } from '../../store/documents.js'
import { findInvoice } from '../../store/invoices.js'
import { type Content, findAuthors } from '../../store/notifications.js'
import { findTakenReferences } from '../../store/purchase-orders.js'
import { findShipmentBodies } from '../../store/shipments.js'
import { describeBody } from '../search/hit-description.js'

/** Something that people can be notified of: an event of the change feed, with its name and what it belongs to. */
export type Occurrence = {
  /** The same for what is reported once. */
  key: string
  revision: number
  at: string
  author: string | undefined
  type: Notification['type']
  exception: { id: string; kind: ExceptionKind } | undefined
  message: MessageRecord | undefined
  shipments: string[]
  orders: string[]
  content: Content
}

type Found = Pick<Occurrence, 'shipments' | 'orders' | 'content'> &
  Partial<Pick<Occurrence, 'key' | 'exception' | 'message'>>

/** In the order of the events. What is no longer there is left out. */
export async function occurrencesOf(db: Reader, account: AccountId, events: ChangeEvent[]): Promise<Occurrence[]> {
  const revisions = [...new Set(events.map(({ revision }) => revision))]
  const [authors, find] = await Promise.all([findAuthors(db, account, revisions), finderOf(db, account, events)])
  const occurrences: Occurrence[] = []
  for (const event of events) {
    const found = await find(event)
    if (!found) continue
    const { revision, at, type, object } = event
    // A change of the tracking changes the shipment as well: one of the two is reported.
    const kind = object.kind === 'tracking' ? 'shipment' : object.kind
    occurrences.push({
      key: `${revision} ${kind} ${object.id}`,
      exception: undefined,
      message: undefined,
      revision,
      at,
      author: authors.get(revision),
      type: type as Notification['type'],
      ...found,
    })
  }
  return occurrences
}

async function finderOf(db: Reader, account: AccountId, events: ChangeEvent[]) {
  const { placeNameOf } = await import('../../geography/places.js')
  const exceptions = await exceptionVersions(db, account, events)
  const idsOf = (...kinds: string[]) =>
    events.filter(({ object }) => kinds.includes(object.kind)).map(({ object }) => object.id)
  const known = [...exceptions.values()].map((versions) => versions?.now)
  const shipmentIds = [
    ...idsOf('shipment', 'tracking'),
    ...(await shipmentsOfMessages(db, account, idsOf('message'))),
    ...known.flatMap((now) => (now?.svc_shipment_id === undefined ? [] : [now.svc_shipment_id])),
  ]
  const documents = await findDocumentRecords(db, account, idsOf('document'))
  const [shipments, orders] = await Promise.all([
    findShipmentBodies(db, account, [...new Set(shipmentIds)]),
    findTakenReferences(db, account, [...new Set(idsOf('purchase_order'))]),
  ])

  const shipmentTitle = (id: string) => {
    const body = shipments.get(id)
    return body === undefined ? id : describeBody('shipment', body).title
  }

  return async (event: ChangeEvent): Promise<Found | undefined> => {
    const { id } = event.object
    switch (event.object.kind) {
      case 'shipment':
      case 'tracking': {
        if (!shipments.has(id)) return undefined
        return ofShipment({ title: shipmentTitle(id), id, ...changedOf(event) }, id)
      }
      case 'purchase_order': {
        if (!orders.has(id)) return undefined
        return { shipments: [], orders: [id], content: { title: id, id, po_number: id, ...changedOf(event) } }
      }
      case 'document': {
        const document = documents.find((each) => each.id === id)
        if (!document) return undefined
        return ofShipment({ title: document.name ?? id, id }, document.svc_shipment_id)
      }
      case 'document_proposal': {
        const proposal = await findProposal(db, account, id)
        if (!proposal) return undefined
        return ofShipment({ title: proposal.name ?? id, id }, proposal.svc_shipment_id)
      }
      case 'invoice': {
        const invoice = await findInvoice(db, account, id)
        if (!invoice) return undefined
        const { title, shipment } = describeBody('invoice', invoice.body.toString())
        return ofShipment({ title, id, invoice_reference: id }, shipment)
      }
      case 'message':
        return messageOccurrence(event, await findMessage(db, account, id), shipmentTitle)
      case 'exception':
        return exceptionOf(event, exceptions.get(event), { shipmentTitle, placeNameOf })
      default:
        return undefined
    }
  }
}

function changedOf({ changed }: ChangeEvent): Pick<Content, 'changed'> {
  return changed === undefined ? {} : { changed }
}

function ofShipment(content: Content, svc_shipment_id: string | undefined): Found {
  if (svc_shipment_id === undefined) return { shipments: [], orders: [], content }
  return { shipments: [svc_shipment_id], orders: [], content: { ...content, svc_shipment_id } }
}

// Of a long message; the mail and the bell link to all of it.
const longestText = 2000

function messageOccurrence(
  { at }: ChangeEvent,
  message: MessageRecord | undefined,
  shipmentTitle: (id: string) => string,
): Found | undefined {
  // Messages that were sent before they were imported notify no one.
  if (!message || message.sent_at !== new Date(at).toISOString()) return undefined
  const { message_id: id, svc_shipment_id, po_number, text, author } = message
  const title = svc_shipment_id === undefined ? (po_number ?? '') : shipmentTitle(svc_shipment_id)
  return {
    // The same as that of who takes part in the conversation: nobody is notified twice.
    key: `message ${id}`,
    message,
    shipments: svc_shipment_id === undefined ? [] : [svc_shipment_id],
    orders: po_number === undefined ? [] : [po_number],
    content: {
      title,
      id,
      ...(svc_shipment_id !== undefined && { svc_shipment_id }),
      ...(po_number !== undefined && { po_number }),
      message: { author: author.name, text: text.slice(0, longestText).toWellFormed() },
    },
  }
}

type Versions = { now: ExceptionRecord | undefined; before: ExceptionRecord | undefined }

async function exceptionVersions(db: Reader, account: AccountId, events: ChangeEvent[]) {
  const changed = events.filter(({ object }) => object.kind === 'exception')
  const changes = changed.map(({ revision, object, what }) => ({
    revision,
    kind: 'exception' as const,
    id: object.id,
    what,
  }))
  const versions: Versions[] = []
  const parsed = (text: string | null) => (text === null ? undefined : (JSON.parse(text) as ExceptionRecord))
  for await (const { now, before } of readRecordVersions(db, account, changes))
    versions.push({ now: parsed(now), before: parsed(before) })
  return new Map(changed.map((event, index) => [event, versions[index]] as const))
}

// Order lines that a notification names.
const mostThreatened = 5

type Names = { shipmentTitle(id: string): string; placeNameOf(code: string): string | undefined }

function exceptionOf(
  { type }: ChangeEvent,
  versions: Versions | undefined,
  { shipmentTitle, placeNameOf }: Names,
): Found | undefined {
  const { now } = versions ?? {}
  // What was so before anybody watched is no news.
  if (!versions || !now || now.from_history) return undefined
  const stage = stageOf(type, versions)
  if (!stage) return undefined
  const { exception_id: id, kind, severity, reason_key, details } = now
  const { svc_shipment_id, container_number, po_number, invoice_reference } = now
  const threatens = now.threatens.slice(0, mostThreatened).map((each) => ({
    po_number: each.po_number,
    ...(each.sku !== undefined && { sku: each.sku }),
  }))
  const more_threatened = now.threatens.length - threatens.length + (now.more_threatened ?? 0)
  const place_name = details.place === undefined ? undefined : placeNameOf(details.place)
  const title = svc_shipment_id === undefined ? (po_number ?? invoice_reference ?? '') : shipmentTitle(svc_shipment_id)
  return {
    key: `exception ${id} ${stage}${stage === 'worse' ? ` ${severity}` : ''}`,
    exception: { id, kind },
    shipments: svc_shipment_id === undefined ? [] : [svc_shipment_id],
    orders: ordersOf(now),
    content: {
      title,
      id,
      ...(svc_shipment_id !== undefined && { svc_shipment_id }),
      ...(po_number !== undefined && { po_number }),
      ...(invoice_reference !== undefined && { invoice_reference }),
      exception: {
        kind,
        severity,
        stage,
        reason_key,
        details,
        ...(container_number !== undefined && { container_number }),
        ...(place_name !== undefined && { place_name }),
        ...(threatens.length > 0 && { threatens }),
        ...(more_threatened > 0 && { more_threatened }),
      },
    },
  }
}

/** What happened to an exception that people are notified of; undefined if nothing that matters. */
function stageOf(type: ChangeEvent['type'], { now, before }: Versions): Stage | undefined {
  if (type === 'exception.raised') return 'raised'
  // Who acknowledges a slip accepts the dates, and a customer the risk of an order: nothing is resolved.
  const isAccepted = now?.closed?.how === 'acknowledged' || now?.closed?.how === 'accepted'
  if (type === 'exception.cleared') return before && !isAccepted ? 'cleared' : undefined
  if (type !== 'exception.updated' || !now || !before) return undefined
  return severities.indexOf(now.severity) > severities.indexOf(before.severity) ? 'worse' : undefined
}
