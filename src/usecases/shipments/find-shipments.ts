import { findHeldShipments } from '../../store/exception-inbox.js'
import { searchShipments } from '../../store/search/shipment-search.js'
import { type PortalHandler, SerializedJson } from '../portal-context.js'
import { serializedPage } from '../search/serialized-page.js'

export const findShipments: PortalHandler<'findShipments'> = async ({ db, account, today }, { query }) => {
  const page = await searchShipments(db, account, query, today)
  const held = await findHeldShipments(db, account, page.ids)
  const { json } = serializedPage('shipments', page)
  return new SerializedJson(`{"held":${JSON.stringify(held)},${json.slice(1)}`)
}
