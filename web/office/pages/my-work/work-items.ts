import { useInfiniteQuery } from '@tanstack/react-query'
import type { SenderCode } from '../../../../src/contract/operator/codes.js'
import type { ExceptionVersion } from '../../../../src/contract/operator/exceptions.js'
import type { Message } from '../../../../src/contract/operator/messages.js'
import type { OperatorResponse } from '../../../../src/contract/operator/operations.js'
import type { OperatorProposal } from '../../../../src/contract/operator/proposals.js'
import {
  codesQuery,
  conversationsQuery,
  documentProposalsQuery,
  exceptionsQuery,
  messagesQuery,
  useOperator,
} from '../../api/ops.js'
import type { WorkSearch } from './work-search.js'

export type UnansweredConversation = OperatorResponse<'listConversations'>['conversations'][number]

/** One queue of five sources: what is critical first, then the newest. */

export type WorkItem = { key: string; rank: number; at: string } & (
  | { type: 'exception'; exception: ExceptionVersion }
  | { type: 'message'; message: Message }
  | { type: 'code'; code: SenderCode }
  | { type: 'document'; document: OperatorProposal }
  | { type: 'conversation'; conversation: UnansweredConversation }
)
export type ItemOf<Type extends WorkItem['type']> = Extract<WorkItem, { type: Type }>

const ranks = { critical: 0, warning: 1, info: 2 }

export function useWork(search: WorkSearch) {
  const { name } = useOperator()
  const { show, kind, severity, owner, state, account, shipment } = search
  const wants = (type: WorkSearch['show']) => show === 'all' || show === type
  const onlyExceptions = [kind, severity, owner].some(Boolean) || state !== 'open'
  // Messages and codes belong to no customer yet.
  const hasAll = !onlyExceptions && account === undefined && shipment === undefined

  const exceptions = useInfiniteQuery({
    ...exceptionsQuery({
      state: 'open',
      ...(kind && { kind }),
      ...(severity && { severity }),
      ...(account && { account }),
      ...(shipment && { svc_shipment_id: shipment }),
      ...(owner && { owner: owner === 'me' ? name : '' }),
    }),
    enabled: wants('exceptions'),
  })
  const ofMessages = { enabled: hasAll && wants('messages') }
  const unmatched = useInfiniteQuery({ ...messagesQuery({ outcome: 'unmatched' }), ...ofMessages })
  const quarantined = useInfiniteQuery({ ...messagesQuery({ outcome: 'quarantined' }), ...ofMessages })
  const unreadable = useInfiniteQuery({ ...messagesQuery({ outcome: 'unreadable' }), ...ofMessages })
  const codes = useInfiniteQuery({ ...codesQuery({ state: 'unknown' }), enabled: hasAll && wants('codes') })
  const documents = useInfiniteQuery({
    ...documentProposalsQuery({
      state: 'proposed',
      ...(account && { account }),
      ...(shipment && { svc_shipment_id: shipment }),
    }),
    enabled: !onlyExceptions && wants('documents'),
  })
  // They are found by customer, not by shipment.
  const ofConversations = { enabled: !onlyExceptions && shipment === undefined && wants('conversations') }
  const conversations = useInfiniteQuery({ ...conversationsQuery(account ? { account } : {}), ...ofConversations })
  const sources = [exceptions, unmatched, quarantined, unreadable, codes, documents, conversations]
  const isShown = (source: (typeof sources)[number]) => source.fetchStatus !== 'idle' || source.data !== undefined

  const found: WorkItem[] = [
    ...(wants('exceptions') ? pagesOf(exceptions.data) : [])
      .flatMap((page) => page.exceptions)
      .filter(({ record }) => record.state === state)
      .map(exceptionItem),
    ...(ofMessages.enabled
      ? [unmatched, quarantined, unreadable].flatMap(({ data }) => pagesOf(data).flatMap((page) => page.messages))
      : []
    ).map(messageItem),
    ...(hasAll && wants('codes') ? pagesOf(codes.data).flatMap((page) => page.codes) : []).map(codeItem),
    ...(!onlyExceptions && wants('documents') ? pagesOf(documents.data).flatMap((page) => page.proposals) : []).map(
      documentItem,
    ),
    ...(ofConversations.enabled ? pagesOf(conversations.data).flatMap((page) => page.conversations) : []).map(
      conversationItem,
    ),
  ]
  const items = found.toSorted((one, other) => one.rank - other.rank || (one.at < other.at ? 1 : -1))

  return {
    items,
    isLoading: sources.some((source) => source.isLoading),
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

function pagesOf<Page>(data: { pages: Page[] } | undefined): Page[] {
  return data?.pages ?? []
}

export function exceptionItem(exception: ExceptionVersion): ItemOf<'exception'> {
  const { severity, raised_at } = exception.record
  const key = `exception ${exception.account} ${exception.id}`
  return { key, type: 'exception', rank: ranks[severity], at: raised_at, exception }
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
