import { searchShipments } from '../../store/search/shipment-search.js'
import type { PortalHandler } from '../portal-context.js'
import { serializedPage } from '../search/serialized-page.js'

export const findShipments: PortalHandler<'findShipments'> = async ({ db, account, today }, { query }) =>
  serializedPage('shipments', await searchShipments(db, account, query, today))
