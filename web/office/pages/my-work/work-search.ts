import type { ExceptionKind, Severity } from '../../../../src/contract/public/exception.js'
import type { Query } from '../../../portal/paths.js'
import { en } from '../../i18n/en.js'

/** The filters of the queue, and which item is open, as the address has them. */

export const shows = [
  'all',
  'exceptions',
  'messages',
  'codes',
  'documents',
  'conversations',
  'bookings',
  'disputes',
] as const
export const severities = ['critical', 'warning', 'info'] as const
export const owners = ['me', 'nobody'] as const
export const states = ['open', 'acknowledged', 'snoozed'] as const
export const kinds = Object.keys(en.work.kinds) as ExceptionKind[]

export type WorkSearch = {
  show: (typeof shows)[number]
  kind?: ExceptionKind | undefined
  severity?: Severity | undefined
  owner?: (typeof owners)[number] | undefined
  state: (typeof states)[number]
  account?: string | undefined
  shipment?: string | undefined
  /** The saved view that the search started from. */
  view?: string | undefined
  /** The key of the open item. */
  item?: string | undefined
}

function known<Value extends string>(values: readonly Value[], given: string | undefined): Value | undefined {
  return values.find((value) => value === given)
}

export function readWorkSearch(raw: Record<string, string>): WorkSearch {
  return {
    show: known(shows, raw.show) ?? 'all',
    kind: known(kinds, raw.kind),
    severity: known(severities, raw.severity),
    owner: known(owners, raw.owner),
    state: known(states, raw.state) ?? 'open',
    account: raw.account,
    shipment: raw.shipment,
    view: raw.view,
    item: raw.item,
  }
}

/** Whether it is more than the whole queue. */
export function isFiltered({ show, kind, severity, owner, state, account, shipment }: WorkSearch): boolean {
  return show !== 'all' || state !== 'open' || [kind, severity, owner, account, shipment].some(Boolean)
}

export const unfiltered = {
  show: undefined,
  kind: undefined,
  severity: undefined,
  owner: undefined,
  state: undefined,
  account: undefined,
  shipment: undefined,
  view: undefined,
}

/** The filters as the address and saved views have them: without what is usual, and without the open item. */
export function filtersOf({ show, state, item: _item, ...rest }: WorkSearch): Query {
  return { ...rest, ...(show !== 'all' && { show }), ...(state !== 'open' && { state }) }
}
