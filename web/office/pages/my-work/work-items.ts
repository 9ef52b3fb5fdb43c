import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { SenderCode } from '../../../../src/contract/operator/codes.js'
import type { ExceptionRecord, ExceptionVersion } from '../../../../src/contract/operator/exceptions.js'
import type { Message } from '../../../../src/contract/operator/messages.js'
import type { OperatorProposal } from '../../../../src/contract/operator/proposals.js'
import { type InvoiceRow, invoicesQuery } from '../../api/billing.js'
import { type OpenOrder, openOrdersQuery } from '../../api/bookings.js'
import {
  codesQuery,
  conversationsQuery,
  documentProposalsQuery,
  exceptionsQuery,
  type FoundShipment,
  handledWorkQuery,
  messagesQuery,
  type NeedingDocuments,
  neededDocumentsQuery,
  shipmentsQuery,
  useOperator,
  workCountsQuery,
} from '../../api/ops.js'
import { withHandling } from './handling.js'
import type { ItemOf, UnansweredConversation, WorkItem } from './work-item.js'
import type { WorkSearch } from './work-search.js'

/** One queue of all sources: what is critical first, then the newest. */

const ranks = { critical: 0, warning: 1, info: 2 }
const mostCounted = 10_000

export function useWork(search: WorkSearch) {
  const { name } = useOperator()
  const { show, kind, severity, owner, state, account, shipment } = search
  const wants = (type: WorkSearch['show']) => show === 'all' || show === type
  const onlyExceptions = [kind, severity].some(Boolean) || state === 'acknowledged'
  // Messages and codes belong to no customer yet.
  const hasAll = !onlyExceptions && account === undefined && shipment === undefined
  // These are found by customer, not by shipment.
  const hasCustomers = !onlyExceptions && shipment === undefined

  const ofAccount = account ? { account } : {}
  const ofOwner = owner ? { owner: owner === 'me' ? name : '' } : {}
  const ofShipment = { ...ofAccount, ...(shipment && { svc_shipment_id: shipment }) }
  const ofExceptions = {
    state: state === 'open' ? ('new' as const) : state,
    ...(kind && { kind }),
    ...(severity && { severity }),
    ...ofShipment,
    ...ofOwner,
  }
  const handled = { ...ofOwner, snoozed: state === 'snoozed' ? ('true' as const) : ('false' as const) }
  const has = {
    exceptions: wants('exceptions'),
    messages: hasAll && wants('messages'),
    codes: hasAll && wants('codes'),
    documents: !onlyExceptions && wants('documents'),
    conversations: hasCustomers && wants('conversations'),
    orders: hasCustomers && wants('bookings'),
    booking_requests: hasCustomers && wants('bookings'),
    disputes: hasCustomers && wants('disputes'),
  }
  const hasNeeded = !onlyExceptions && wants('documents')
  const exceptions = useInfiniteQuery({ ...exceptionsQuery(ofExceptions), enabled: has.exceptions })
  const ofMessages = { enabled: has.messages }
  const unmatched = useInfiniteQuery({ ...messagesQuery({ outcome: 'unmatched', ...handled }), ...ofMessages })
  const quarantined = useInfiniteQuery({ ...messagesQuery({ outcome: 'quarantined', ...handled }), ...ofMessages })
  const unreadable = useInfiniteQuery({ ...messagesQuery({ outcome: 'unreadable', ...handled }), ...ofMessages })
  const codes = useInfiniteQuery({ ...codesQuery({ state: 'unknown', ...handled }), enabled: has.codes })
  const documents = useInfiniteQuery({
    ...documentProposalsQuery({ state: 'proposed', ...ofShipment, ...handled }),
    enabled: has.documents,
  })
  const conversations = useInfiniteQuery({
    ...conversationsQuery({ ...ofAccount, ...handled }),
    enabled: has.conversations,
  })
  const orders = useInfiniteQuery({ ...openOrdersQuery({ ...ofAccount, ...handled }), enabled: has.orders })
  const requests = useInfiniteQuery({
    ...shipmentsQuery({ status: 'booking_request', sort: 'newest', ...ofAccount, ...handled }, 100),
    enabled: has.booking_requests,
  })
  const disputes = useInfiniteQuery({
    ...invoicesQuery({ state: 'disputed', ...ofAccount, ...handled }),
    enabled: has.disputes,
  })
  const needed = useInfiniteQuery({
    ...neededDocumentsQuery({ ...ofShipment, ...handled }),
    enabled: hasNeeded,
  })
  const handling = useQuery(handledWorkQuery())
  const counted = useQuery(workCountsQuery(ofExceptions))
  const ofCarriers = [unmatched, quarantined, unreadable]
  const sources = [exceptions, ...ofCarriers, codes, documents, conversations, orders, requests, disputes, needed]
  const isShown = (source: (typeof sources)[number]) => source.fetchStatus !== 'idle' || source.data !== undefined
  // The pages of a source that is not asked for may be those of an earlier search.
  const from = <Page>(isAsked: boolean, source: { data: { pages: Page[] } | undefined }) =>
    isAsked ? (source.data?.pages ?? []) : []

  const found: WorkItem[] = [
    ...from(has.exceptions, exceptions).flatMap((page) => page.exceptions.map(exceptionItem)),
    ...ofCarriers.flatMap((source) => from(has.messages, source).flatMap((page) => page.messages.map(messageItem))),
    ...from(has.codes, codes).flatMap((page) => page.codes.map(codeItem)),
    ...from(has.documents, documents).flatMap((page) => page.proposals.map(documentItem)),
    ...from(has.conversations, conversations).flatMap((page) => page.conversations.map(conversationItem)),
    ...from(has.orders, orders).flatMap((page) => page.orders.map(orderItem)),
    ...from(has.booking_requests, requests).flatMap((page) => page.shipments.map(requestItem)),
    ...from(has.disputes, disputes).flatMap((page) => page.invoices.map(disputeItem)),
    ...from(hasNeeded, needed).flatMap((page) => page.shipments.map(neededItem)),
  ]
  const items = withHandling(found, handling.data?.items ?? []).toSorted(
    (one, other) =>
      one.rank - other.rank || (one.at === other.at ? compareDue(one, other) : one.at < other.at ? 1 : -1),
  )
  const asked = Object.entries(has).flatMap(([source, isAsked]) => (isAsked ? [source as keyof typeof has] : []))
  const { data: counts } = counted
  // Documents are counted as they are loaded: whether one is there is not in the index.
  const ofNeeded = items.filter(({ type }) => type === 'needed').length
  const count = counts && asked.reduce((sum, source) => sum + counts[source], ofNeeded)

  return {
    items,
    /** All that there are, not only those that are loaded. */
    count: count ?? items.length,
    isCountExact:
      counts !== undefined &&
      asked.every((source) => counts[source] < mostCounted) &&
      !(hasNeeded && needed.hasNextPage),
    isLoading: sources.some((source) => source.isLoading) || counted.isLoading,
    error: sources.find((source) => isShown(source) && source.error && !source.data)?.error ?? undefined,
    hasMore: sources.some((source) => source.hasNextPage),
    loadMore: () => {
      for (const source of sources) if (source.hasNextPage && !source.isFetching) void source.fetchNextPage()
    },
    retry: () => {
      for (const source of sources) if (source.error) void source.refetch()
    },
  }
}

/** The day by which something was or is to be done, as the sentence of the exception has it. */
function dueOf({ kind, since, details }: ExceptionRecord): string | undefined {
  if (kind === 'invoice_overdue' || kind === 'free_time') return details.day
  if (kind === 'milestone_overdue') return details.date
  return kind === 'missing_document' ? since : undefined
}

export function exceptionItem(exception: ExceptionVersion): ItemOf<'exception'> {
  const { severity, raised_at, state, snoozed_until, owner } = exception.record
  const snoozedUntil = state === 'snoozed' ? snoozed_until : undefined
  const due = snoozedUntil ?? dueOf(exception.record)
  const key = `exception ${exception.account} ${exception.id}`
  return { key, type: 'exception', rank: ranks[severity], at: raised_at, due, owner, snoozedUntil, exception }
}

export function messageItem(message: Message): ItemOf<'message'> {
  const key = `message ${message.message_id}`
  return { key, type: 'message', rank: ranks.warning, at: message.received_at, message }
}

export function codeItem(code: SenderCode): ItemOf<'code'> {
  const key = `code ${code.sender} ${code.format} ${code.code}`
  return { key, type: 'code', rank: ranks.warning, at: '', code }
}

function documentItem(document: OperatorProposal): WorkItem {
  const { id, proposed_at } = document.proposal
  const key = `document ${document.account} ${id}`
  return { key, type: 'document', rank: ranks.warning, at: proposed_at, document }
}

function conversationItem(conversation: UnansweredConversation): WorkItem {
  const { account, svc_shipment_id, po_number, last_message, unanswered_since = last_message.sent_at } = conversation
  const key = `conversation ${account} ${svc_shipment_id ?? ''} ${po_number ?? ''}`
  return { key, type: 'conversation', rank: ranks.warning, at: unanswered_since, conversation }
}

function orderItem(order: OpenOrder): WorkItem {
  const { account, reference, desired_ex_factory_date, desired_delivery_date } = order
  const due = desired_ex_factory_date ?? desired_delivery_date
  return { key: `order ${account} ${reference}`, type: 'order', rank: ranks.warning, at: '', due, order }
}

function requestItem(request: FoundShipment): WorkItem {
  const { svc_shipment_id, created_at, cargo_ready_date, desired_delivery_date } = request.shipment
  const key = `request ${request.account} ${svc_shipment_id}`
  const due = cargo_ready_date ?? desired_delivery_date
  return { key, type: 'request', rank: ranks.warning, at: created_at ?? '', due, request }
}

function disputeItem(invoice: InvoiceRow): WorkItem {
  const { account, reference, sent_date = '', due_date } = invoice
  const key = `dispute ${account} ${reference}`
  return { key, type: 'dispute', rank: ranks.warning, at: sent_date, due: due_date, invoice }
}

function neededItem(needed: NeedingDocuments): WorkItem {
  const { account, svc_shipment_id, documents } = needed
  const key = `needed ${account} ${svc_shipment_id}`
  return { key, type: 'needed', rank: ranks.info, at: '', due: documents[0]?.required_since, needed }
}

/** What has no time of its own, by the day on which it is due. */
function compareDue({ due = '9999' }: WorkItem, { due: other = '9999' }: WorkItem): number {
  return due < other ? -1 : due > other ? 1 : 0
}
