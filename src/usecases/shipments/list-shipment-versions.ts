import type { Shipment } from '../../contract/public/shipment.js'
import { findRevisionAt, findVersions, listVersionsAt } from '../../ledger/history.js'
import { listShipmentBodies } from '../../store/shipments.js'
import { shipmentsShownAt } from '../history/as-of.js'
import { getVersion } from '../history/versions.js'
import type { OperatorHandler } from '../operator-context.js'
import { findShownShipment, shipmentVersion } from './shipment-record.js'

export const listShipmentVersions: OperatorHandler<'listShipments'> = async (
  { db, account },
  { query: { skip = 0, take = 20, as_of } },
) => {
  if (as_of !== undefined) {
    const revision = await findRevisionAt(db, account, as_of)
    const versions = await listVersionsAt(db, account, 'shipment', revision, { skip, take })
    const shown = await shipmentsShownAt(db, account, versions, revision)
    return versions.map((version) => shipmentVersion(version, shown.get(version.id)))
  }
  const page = await listShipmentBodies(db, account, { skip, take })
  const ids = page.map(({ id }) => id)
  const versions = await findVersions(db, account, 'shipment', ids)
  return page.flatMap(({ id, body }) => {
    const version = versions.get(id)
    return version ? [shipmentVersion(version, JSON.parse(body) as Shipment)] : []
  })
}

export const getShipmentVersion: OperatorHandler<'getShipment'> = async (
  { db, account },
  { params: { svc_shipment_id: id }, query: { as_of } },
) => {
  const { version, revision } = await getVersion(db, account, 'shipment', id, {
    asOf: as_of,
    missing: 'shipment_not_found',
  })
  const shown =
    revision === undefined
      ? await findShownShipment(db, account, id)
      : (await shipmentsShownAt(db, account, [version], revision)).get(id)
  return shipmentVersion(version, shown)
}
