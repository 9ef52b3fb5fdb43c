import type { Static } from 'typebox'
import type { ShipmentSearch } from '../../contract/portal/lists.js'
import type { Shipment, ShipmentStatus } from '../../contract/public/shipment.js'
import { listed, readerOf, severalOf, withoutBlanks } from '../records/query-values.js'
import { drafts, finished, lateNow, underWay } from './shipment-lists.js'
import { nextShipmentStatuses } from './shipment-status.js'

/** A view of the list of shipments: the filters in the address of the page, which is also what is saved of it. */

type Found = Static<typeof ShipmentSearch>
export type ShipmentFilter = Omit<Found, 'after' | 'take'>
export type ShipmentSort = NonNullable<ShipmentFilter['sort']>

export const tabs = ['under_way', 'late', 'drafts', 'finished', 'all'] as const
export type ShipmentTab = (typeof tabs)[number]

/** The filter within a tab, and the saved view that it started from. */
export type ShipmentsSearch = ShipmentFilter & { tab?: ShipmentTab; view?: string }

type TabQuery = Pick<ShipmentFilter, 'status' | 'late' | 'sort' | 'order'>

/** What a tab lists, and in which order unless another one is chosen. */
const tabQueries: Record<ShipmentTab, TabQuery & { sort: ShipmentSort; order: 'asc' | 'desc' }> = {
  under_way: { ...underWay, sort: 'arrival', order: 'asc' },
  late: { ...lateNow, sort: 'late', order: 'desc' },
  drafts: { ...drafts, sort: 'newest', order: 'desc' },
  finished: { ...finished, sort: 'delivery', order: 'desc' },
  all: { sort: 'newest', order: 'desc' },
}

export const statuses = Object.keys(nextShipmentStatuses) as ShipmentStatus[]
export const modes: NonNullable<Shipment['freight_mode']>[] = ['ocean', 'air', 'rail', 'truck']
const sorts: ShipmentSort[] = ['newest', 'departure', 'arrival', 'delivery', 'name', 'late']

export function readShipmentsSearch(raw: Record<string, string>): ShipmentsSearch {
  const { text, oneOf, several } = readerOf(raw)
  const port = (name: string) => (/^[A-Z]{2}\/[A-Z0-9]{3}$/.test(text(name) ?? '') ? text(name) : undefined)
  const number = (name: string) => (/^-?\d{1,15}$/.test(text(name) ?? '') ? Number(text(name)) : undefined)
  const date = (name: string) => (isDate(text(name)) ? text(name) : undefined)
  return withoutBlanks<ShipmentsSearch>({
    q: text('q'),
    status: several('status', statuses),
    freight_mode: several('freight_mode', modes),
    origin: port('origin'),
    destination: port('destination'),
    location: number('location'),
    departs_from: date('departs_from'),
    departs_to: date('departs_to'),
    arrives_from: date('arrives_from'),
    arrives_to: date('arrives_to'),
    late: oneOf('late', ['true', 'now']),
    sort: oneOf('sort', sorts),
    order: oneOf('order', ['asc', 'desc']),
    tab: oneOf('tab', tabs),
    view: text('view'),
  })
}

function isDate(text: string | undefined): boolean {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** The list opens with what is under way; an address with a search, filter or order, but without a tab, covers all. */
export function tabOf({ tab, view: _view, ...search }: ShipmentsSearch): ShipmentTab {
  return tab ?? (Object.keys(withoutBlanks(search)).length === 0 ? 'under_way' : 'all')
}

function usualOrder(sort: ShipmentSort): 'asc' | 'desc' {
  return sort === 'newest' || sort === 'late' ? 'desc' : 'asc'
}

/** The statuses that can be chosen within a tab. */
export function statusesOf(tab: ShipmentTab): ShipmentStatus[] {
  const { status } = tabQueries[tab]
  return status === undefined ? statuses : statuses.filter((each) => listed(status).includes(each))
}

/** The query of a search: that of its tab, narrowed by its filters. */
export function filterOf(search: ShipmentsSearch): ShipmentFilter & { sort: ShipmentSort; order: 'asc' | 'desc' } {
  const { view: _view, tab: _tab, ...filter } = search
  const tab = tabOf(search)
  const within = severalOf(statusesOf(tab), listed(filter.status))
  const { sort, order, ...list } = tabQueries[tab]
  return {
    ...filter,
    ...list,
    ...(within !== undefined && { status: within }),
    ...(filter.sort === undefined
      ? { sort, order }
      : { sort: filter.sort, order: filter.order ?? usualOrder(filter.sort) }),
  }
}

type Blank = { [Name in keyof Required<ShipmentsSearch>]: undefined }

/** Clears every parameter of the address. */
export const blankSearch: Blank = {
  q: undefined,
  status: undefined,
  freight_mode: undefined,
  origin: undefined,
  destination: undefined,
  location: undefined,
  departs_from: undefined,
  departs_to: undefined,
  arrives_from: undefined,
  arrives_to: undefined,
  late: undefined,
  sort: undefined,
  order: undefined,
  tab: undefined,
  view: undefined,
}
