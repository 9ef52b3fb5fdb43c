import { readerOf, withoutBlanks } from '../../../../src/domain/records/query-values.js'
import {
  blankSearch,
  filterOf,
  readShipmentsSearch,
  type ShipmentsSearch,
} from '../../../../src/domain/shipments/shipment-view.js'

/** The filters of the list of all shipments in the address: those of the portal, and the customer. */
export type OfficeShipmentsSearch = Omit<ShipmentsSearch, 'location' | 'view'> & { account?: string | undefined }

export function readOfficeShipmentsSearch(raw: Record<string, string>): OfficeShipmentsSearch {
  const { location: _location, view: _view, ...search } = readShipmentsSearch(raw)
  return withoutBlanks<OfficeShipmentsSearch>({ ...search, account: readerOf(raw).text('account') })
}

export function queryOf({ account, ...search }: OfficeShipmentsSearch) {
  const { location: _location, ...filter } = filterOf(search)
  return { ...filter, ...(account !== undefined && { account }) }
}

export const blankOfficeSearch = { ...blankSearch, account: undefined }
