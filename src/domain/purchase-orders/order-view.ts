import type { Static } from 'typebox'
import type { OrderSearch } from '../../contract/portal/lists.js'
import { readerOf, withoutBlanks } from '../records/query-values.js'
import type { OrderState } from './order-quantities.js'

/** A view of the list of orders: the filters in the address of the page, which is also what is saved of it. */

type Found = Omit<Static<typeof OrderSearch>, 'after' | 'take'>
export type OrdersSearch = Found & { view?: string }
export type OrderSort = NonNullable<Found['sort']>

export const orderStates: OrderState[] = ['open', 'partly_assigned', 'assigned', 'shipped', 'cancelled']
const sorts: OrderSort[] = ['newest', 'reference', 'supplier', 'ex_factory', 'delivery']

/** Something of it is late and not delivered yet: the same for the tab, for a number, and for the link that opens it. */
export const lateOrders: Pick<OrdersSearch, 'late'> = { late: 'now' }

export function readOrdersSearch(raw: Record<string, string>): OrdersSearch {
  const { text, oneOf, several } = readerOf(raw)
  return withoutBlanks<OrdersSearch>({
    q: text('q'),
    state: several('state', orderStates),
    supplier: text('supplier', 255),
    late: oneOf('late', ['true', 'now']),
    sort: oneOf('sort', sorts),
    order: oneOf('order', ['asc', 'desc']),
    view: text('view'),
  })
}

/** Clears every parameter of the address. */
export const blankOrdersSearch = {
  q: undefined,
  state: undefined,
  supplier: undefined,
  late: undefined,
  sort: undefined,
  order: undefined,
  view: undefined,
} satisfies { [Name in keyof Required<OrdersSearch>]: undefined }
