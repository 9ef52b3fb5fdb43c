import { type Operation, refusalsAnywhere, refusalsWithBody } from '../operation.js'
import type { RefusalCode } from '../refusals.js'
import type { PortalRight } from './rights.js'

export const portalTags = [
  ['Session', 'The current session, sign-in and sign-out.'],
  ['Person', 'The profile of the signed-in user.'],
  ['People', 'The users of the account.'],
  ['Keys', 'The keys of the account, and their requests.'],
  ['Audit log', 'Who did what in the account, when and from where.'],
  ['Search', 'Search across resources, and the overview.'],
  ['Shipments', 'Search, routes and export of shipments.'],
  ['Purchase orders', 'Search of orders, and order sheets.'],
  ['Invoices', 'Search, balances and PDFs of invoices.'],
  ['Documents', 'Search and download of documents.'],
  ['Locations', 'Coordinates of locations.'],
  ['Views', 'Saved searches.'],
  ['Calendars', 'Calendars of dates, for calendar programs.'],
  ['Notifications', 'What users are notified of, by mail and in the portal.'],
  ['Messages', 'Messages with the forwarder about shipments and orders.'],
  ['Changes', 'Live stream of changes.'],
] as const

export type LinkKind = 'supplier' | 'shared' | 'calendar'

/** The header with the token of a link, or `path` if it is a part of the path, and the refusal without one that works. */
export const linkKinds = {
  supplier: { header: 'X-Supplier-Link', refusal: 'supplier_link_not_valid' },
  shared: { header: 'X-Shared-Link', refusal: 'shared_link_not_valid' },
  // Calendar programs send no headers.
  calendar: { header: 'path', refusal: 'calendar_not_valid' },
} as const satisfies Record<LinkKind, { header: string; refusal: RefusalCode }>

export type PortalOperation = Operation & {
  tag: (typeof portalTags)[number][0]
  /** The right that the signed-in user needs, or anyone. */
  access: PortalRight | 'anyone'
  /** The user must have authenticated within the last 10 minutes. */
  requiresReauthentication?: true
  /** Works for a user who must set up a second factor before anything else. */
  duringEnrolment?: true
  /** Starts or ends the session of the caller. */
  startsSession?: true
  endsSession?: true
  /** Anyone may call it; the handler knows the session if there is one. */
  readsSession?: true
  /** The response depends on the data of the account and the day only, so that it can be cached. */
  isOfAccount?: true
  /** Anyone may call it who has a link: for suppliers, as `X-Supplier-Link: <token>`, or of a shared shipment, as `X-Shared-Link`, or of a calendar, as a part of the path. */
  byLink?: LinkKind
  /** Format of the request body, if not JSON: a form with a small file, or one with a document, which is streamed. */
  accepts?: 'form' | 'file'
  /** Format of the response, if not JSON. */
  returns?: 'file' | 'events'
  /** The audit log has an entry of this kind for each request. */
  audit?: 'export' | 'download'
}

/** Every write in the name of a user; ending the session is none. */
export function isRefusedToViewers({ access, method, endsSession }: PortalOperation): boolean {
  return access !== 'anyone' && method !== 'GET' && !endsSession
}

export function portalRefusalsOf(operation: PortalOperation): RefusalCode[] {
  const { access, method, startsSession, readsSession } = operation
  const isOfAccount = access !== 'anyone' || startsSession || readsSession
  const codes: RefusalCode[] = [
    ...operation.refusals,
    ...(access === 'anyone' ? [] : (['not_signed_in'] as const)),
    ...((access === 'anyone' && !readsSession) || operation.endsSession
      ? []
      : (['rate_limited', 'too_many_concurrent_requests'] as const)),
    ...(isOfAccount ? (['account_suspended'] as const) : []),
    ...(operation.byLink ? [linkKinds[operation.byLink].refusal, 'rate_limited' as const] : []),
    ...(startsSession ? (['provider_required'] as const) : []),
    ...(access === 'write' || access === 'administer' ? (['insufficient_role'] as const) : []),
    ...(access === 'anyone' || operation.duringEnrolment ? [] : (['enrolment_required'] as const)),
    ...(operation.requiresReauthentication ? (['reauthentication_required'] as const) : []),
    ...(method === 'GET' ? [] : (['foreign_origin'] as const)),
    ...(isRefusedToViewers(operation) ? (['viewing_only'] as const) : []),
    ...refusalsAnywhere.filter((code) => code !== 'missing_key' && code !== 'invalid_key' && code !== 'rate_limited'),
    ...(method === 'GET' ? [] : refusalsWithBody.filter((code) => code !== 'idempotency_key_reused')),
  ]
  return [...new Set(codes)]
}
