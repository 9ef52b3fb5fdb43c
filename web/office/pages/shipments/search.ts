import { readerOf, withoutBlanks } from '../../../../src/domain/records/query-values.js'
import {
  blankSearch,
  filterOf,
  readShipmentsSearch,
  type ShipmentsSearch,
} from '../../../../src/domain/shipments/shipment-view.js'

/** The filters of the list of all shipments in the address: those of the portal, and the customer. */
export type OfficeShipmentsSearch = Omit<ShipmentsSearch, 'location'> & { account?: string | undefined }

export function readOfficeShipmentsSearch(raw: Record<string, string>): OfficeShipmentsSearch {
  const { location: _location, ...search } = readShipmentsSearch(raw)
  return withoutBlanks<OfficeShipmentsSearch>({ ...search, account: readerOf(raw).text('account') })
}

export function queryOf({ account, ...search }: OfficeShipmentsSearch) {
  const { location: _location, ...filter } = filterOf(search)
  return { ...filter, ...(account !== undefined && { account }) }
}

/** The shipments among which ports are chosen: whatever ports are chosen already. */
export function queryOfPorts(search: OfficeShipmentsSearch) {
  const { origin: _origin, destination: _destination, ...query } = queryOf(search)
  return query
}

export const blankOfficeSearch = { ...blankSearch, account: undefined }
