import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { createOperatorClient, type OperatorClient } from '../../../src/client/operator-client.js'
import type { OperatorRole } from '../../../src/contract/operator/accounts.js'
import type { OperatorQuery, OperatorResponse } from '../../../src/contract/operator/operations.js'
import { mayDo, type Right } from '../../../src/contract/operator/rights.js'
import { type DataOf, dataOf, options as sessionOptions } from '../../portal/api/client.js'
import { useSession } from '../../portal/api/session.js'
import { withKeys } from './attempts.js'

/** The operator interface with the session of the signed-in person, and the queries of the pages. */

/** Options of clients whose requests carry the session, and whose writes take effect once. */
export const options = { ...sessionOptions, fetch: withKeys(sessionOptions.fetch) }

export const ops: DataOf<OperatorClient> = dataOf(createOperatorClient(options))

export function useOperator(): { name: string; role: OperatorRole } {
  return useSession().person as unknown as { name: string; role: OperatorRole }
}

export function useMayDo(right: Right): boolean {
  return mayDo(useOperator().role, right)
}

// Nothing reports changes to the office: lists are fetched again while they are looked at.
const live = { refetchInterval: 30_000, placeholderData: keepPreviousData }

const pageParam = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }: { next?: string }) => next,
  ...live,
}

const most = 200

type Asked<
  Name extends
    | 'findShipments'
    | 'listExceptions'
    | 'listMessages'
    | 'listCodes'
    | 'listConversations'
    | 'listDocumentProposals'
    | 'findNeededDocuments',
> = Omit<NonNullable<OperatorQuery<Name>>, 'after' | 'take'>

export const exceptionsQuery = (query: Asked<'listExceptions'>) =>
  infiniteQueryOptions({
    queryKey: ['work', 'exceptions', query],
    queryFn: ({ pageParam: after, signal }) =>
      ops.listExceptions({ query: { ...query, ...(after !== undefined && { after }), take: most }, signal }),
    ...pageParam,
  })

export type FoundShipment = OperatorResponse<'findShipments'>['shipments'][number]

// More pages than these are not fetched again by themselves.
const livePages = 5

export const shipmentsQuery = (query: Asked<'findShipments'>, take = 50) =>
  infiniteQueryOptions({
    queryKey: ['shipments', query, take],
    queryFn: ({ pageParam: after, signal }) =>
      ops.findShipments({ query: { ...query, ...(after !== undefined && { after }), take }, signal }),
    ...pageParam,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > livePages ? false : live.refetchInterval),
  })

export const messagesQuery = (query: Asked<'listMessages'>) =>
  infiniteQueryOptions({
    queryKey: ['work', 'messages', query],
    queryFn: ({ pageParam: after, signal }) =>
      ops.listMessages({ query: { ...query, ...(after !== undefined && { after }), take: most }, signal }),
    ...pageParam,
  })

export const codesQuery = (query: Asked<'listCodes'>) =>
  infiniteQueryOptions({
    queryKey: ['work', 'codes', query],
    queryFn: ({ pageParam: after, signal }) =>
      ops.listCodes({ query: { ...query, ...(after !== undefined && { after }), take: most }, signal }),
    ...pageParam,
  })

export const documentProposalsQuery = (query: Asked<'listDocumentProposals'>) =>
  infiniteQueryOptions({
    queryKey: ['work', 'documents', query],
    queryFn: ({ pageParam: after, signal }) =>
      ops.listDocumentProposals({ query: { ...query, ...(after !== undefined && { after }), take: most }, signal }),
    ...pageParam,
  })

/** What shipments will need within a week, and do not have. */
export const neededDocumentsQuery = (query: Asked<'findNeededDocuments'>) =>
  infiniteQueryOptions({
    queryKey: ['work', 'needed documents', query],
    queryFn: ({ pageParam: after, signal }) =>
      ops.findNeededDocuments({ query: { ...query, ...(after !== undefined && { after }), take: 100 }, signal }),
    ...pageParam,
  })

export type NeedingDocuments = OperatorResponse<'findNeededDocuments'>['shipments'][number]

/** Who looks after what waits, except exceptions, and the people who can. Few of those that wait have any. */
export const handledWorkQuery = () =>
  queryOptions({
    queryKey: ['work', 'handled'],
    queryFn: async ({ signal }) => {
      let page = await ops.listWorkItems({ query: { take: 1000 }, signal })
      const { people } = page
      const items = [...page.items]
      while (page.next !== undefined) {
        page = await ops.listWorkItems({ query: { take: 1000, after: page.next }, signal })
        items.push(...page.items)
      }
      return { items, people }
    },
    ...live,
  })

/** How much waits in each source. */
export const workCountsQuery = (query: NonNullable<OperatorQuery<'countWork'>>) =>
  queryOptions({
    queryKey: ['work', 'counts', query],
    queryFn: ({ signal }) => ops.countWork({ query, signal }),
    ...live,
  })

/** Those that wait for an answer of the forwarder. */
export const conversationsQuery = (query: Asked<'listConversations'>) =>
  infiniteQueryOptions({
    queryKey: ['work', 'conversations', query],
    queryFn: ({ pageParam: after, signal }) =>
      ops.listConversations({
        query: { ...query, unanswered: 'true', ...(after !== undefined && { after }), take: most },
        signal,
      }),
    ...pageParam,
  })

export const messageQuery = (message_id: number) =>
  queryOptions({
    queryKey: ['work', 'message', message_id],
    queryFn: ({ signal }) => ops.getMessage({ params: { message_id: String(message_id) }, signal }),
  })

export const feedsQuery = () =>
  queryOptions({ queryKey: ['feeds'], queryFn: ({ signal }) => ops.listFeeds({ signal }), refetchInterval: 15_000 })

export type AccountWebhook = OperatorResponse<'listWebhooks'>[number]

export const webhooksQuery = () =>
  queryOptions({
    queryKey: ['webhooks'],
    queryFn: ({ signal }) => ops.listWebhooks({ query: { take: 1000 }, signal }),
    ...live,
  })

export const deliveriesQuery = ({ account, webhook_id }: AccountWebhook) =>
  queryOptions({
    queryKey: ['webhooks', account, webhook_id],
    queryFn: ({ signal }) =>
      ops.listWebhookDeliveries({ params: { account, webhook_id }, query: { take: 50 }, signal }),
    refetchInterval: 5000,
  })

export const sendersQuery = () =>
  queryOptions({
    queryKey: ['senders'],
    queryFn: ({ signal }) => ops.listSenders({ signal }),
    refetchInterval: live.refetchInterval,
  })

export const accountsQuery = () =>
  queryOptions({
    queryKey: ['accounts'],
    queryFn: ({ signal }) => ops.listAccounts({ query: { take: 1000 }, signal }),
    staleTime: 60_000,
  })

export const accountQuery = (account: string) =>
  queryOptions({
    queryKey: ['account', account],
    queryFn: ({ signal }) => ops.getAccount({ params: { account }, signal }),
  })

export const orderQuery = (account: string, reference: string) =>
  queryOptions({
    queryKey: ['order', account, reference],
    queryFn: ({ signal }) => ops.getPurchaseOrder({ params: { account, reference }, signal }),
    ...live,
  })

export const orderArrivalsQuery = (account: string, reference: string) =>
  queryOptions({
    queryKey: ['order', account, reference, 'arrivals'],
    queryFn: ({ signal }) => ops.getOrderArrivals({ params: { account, reference }, signal }),
    ...live,
  })

export const keysQuery = (account: string) =>
  queryOptions({
    queryKey: ['account', account, 'keys'],
    queryFn: ({ signal }) => ops.listKeys({ params: { account }, signal }),
  })

export const accountPeopleQuery = (account: string) =>
  queryOptions({
    queryKey: ['account', account, 'people'],
    queryFn: ({ signal }) => ops.listAccountPeople({ params: { account }, signal }),
  })

export const accountWebhooksQuery = (account: string) =>
  queryOptions({
    queryKey: ['account', account, 'webhooks'],
    queryFn: ({ signal }) => ops.listWebhooks({ query: { account, take: 100 }, signal }),
  })

export const accountRulesQuery = (account: string) =>
  queryOptions({
    queryKey: ['account', account, 'rules'],
    queryFn: ({ signal }) => ops.getAccountExceptionRules({ params: { account }, signal }),
  })

export const forwarderRulesQuery = () =>
  queryOptions({ queryKey: ['rules'], queryFn: ({ signal }) => ops.getExceptionRules({ signal }) })

export const staffQuery = () =>
  queryOptions({ queryKey: ['staff'], queryFn: ({ signal }) => ops.listStaff({ signal }) })

export const brandingQuery = () =>
  queryOptions({ queryKey: ['branding'], queryFn: ({ signal }) => ops.getBranding({ signal }) })

export const termsQuery = () =>
  infiniteQueryOptions({
    queryKey: ['terms'],
    queryFn: ({ pageParam: after, signal }) =>
      ops.listFreeTimeTerms({ query: { ...(after !== undefined && { after }), take: 100 }, signal }),
    ...pageParam,
  })

export const calendarsQuery = () =>
  infiniteQueryOptions({
    queryKey: ['calendars'],
    queryFn: ({ pageParam: after, signal }) =>
      ops.listWorkingDays({ query: { ...(after !== undefined && { after }), take: 100 }, signal }),
    ...pageParam,
  })

type AuditAsked = Omit<NonNullable<OperatorQuery<'listForwarderAudit'>>, 'after' | 'take'>

/** Of an account, or the forwarder's own. */
export const auditQuery = (account: string | undefined, filter: AuditAsked) =>
  infiniteQueryOptions({
    queryKey: ['audit', account, filter],
    queryFn: ({ pageParam: after, signal }) => {
      const query = { ...filter, ...(after !== undefined && { after }), take: 50 }
      return account === undefined
        ? ops.listForwarderAudit({ query, signal })
        : ops.listAccountAudit({ params: { account }, query, signal })
    },
    ...pageParam,
  })

/** Shipments by words of theirs, such as the vessel or the carrier. */
export const foundByWordsQuery = (q: string) =>
  queryOptions({
    queryKey: ['shipments', 'words', q],
    queryFn: ({ signal }) => ops.findShipments({ query: { q, sort: 'newest', take: 8 }, signal }),
    placeholderData: keepPreviousData,
  })

export const lookupQuery = (reference: string) =>
  queryOptions({
    queryKey: ['lookup', reference],
    queryFn: ({ signal }) => ops.lookUpReference({ query: { reference }, signal }),
    placeholderData: keepPreviousData,
  })
