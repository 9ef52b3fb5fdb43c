import type { Shipment } from '../../contract/public/shipment.js'
import { mapInSlices } from '../../jobs/in-slices.js'
import { findRevisionAt, listIdsAt, listVersionsOf } from '../../ledger/history.js'
import { findShipmentBodies, listShipmentIds } from '../../store/shipments.js'
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
    const ids = await listIdsAt(db, account, 'shipment', revision, { skip, take })
    const versions = await listVersionsOf(db, account, 'shipment', ids, revision)
    const shown = await shipmentsShownAt(db, account, versions, revision)
    return mapInSlices(versions, (version) => shipmentVersion(version, shown.get(version.id)))
  }
  const versions = await listVersionsOf(db, account, 'shipment', await listShipmentIds(db, account, { skip, take }))
  const bodies = await findShipmentBodies(
    db,
    account,
    versions.map(({ id }) => id),
  )
  return mapInSlices(versions, (version) => {
    const body = bodies.get(version.id)
    return shipmentVersion(version, body === undefined ? undefined : (JSON.parse(body) as Shipment))
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
