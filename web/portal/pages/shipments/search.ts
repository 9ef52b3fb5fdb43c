import type { PortalQuery } from '../../../../src/contract/portal/operations.js'
import type { Shipment, ShipmentStatus } from '../../../../src/contract/public/shipment.js'
import { nextShipmentStatuses } from '../../../../src/domain/shipments/shipment-status.js'
import { readerOf, withoutBlanks } from '../list-search.js'

/** The filters of the list of shipments in the address. */

type Found = NonNullable<PortalQuery<'findShipments'>>
export type ShipmentFilter = Omit<Found, 'after' | 'take'>
export type ShipmentSort = NonNullable<ShipmentFilter['sort']>

/** The filter and the saved view that it started from. */
export type ShipmentsSearch = ShipmentFilter & { view?: string }

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
    late: oneOf('late', ['true']),
    sort: oneOf('sort', sorts),
    order: oneOf('order', ['asc', 'desc']),
    view: text('view'),
  })
}

function isDate(text: string | undefined): boolean {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

export function filterOf({ view: _view, ...filter }: ShipmentsSearch): ShipmentFilter {
  return filter
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
  view: undefined,
}
