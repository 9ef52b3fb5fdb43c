import { businessDate } from '../../clock/clock.js'
import type { Shipment } from '../../contract/public/shipment.js'
import { searchAllShipments } from '../../store/search/forwarder-shipments.js'
import { accountScopeOf } from '../accounts/account-scope.js'
import type { OperatorHandler } from '../operator-context.js'
import { indexChanges } from '../search/index-changes.js'

/** Shipments of all accounts, with every change that was committed before. */
export const findAllShipments: OperatorHandler<'findShipments'> = async ({ db, signal, operator }, { query }) => {
  const scope = await accountScopeOf(db, operator, query.account)
  await indexChanges(db, query.account, signal)
  const today = businessDate()
  const { rows, next } = await searchAllShipments(db, scope, query, today)
  const shipments = rows.map(({ body, ...of }) => ({ ...of, shipment: JSON.parse(body) as Shipment }))
  return {
    shipments,
    place_names: await placeNames(shipments.map(({ shipment }) => shipment)),
    ...(next !== undefined && { next }),
  }
}

async function placeNames(shipments: Shipment[]): Promise<Record<string, string>> {
  // Loaded on first use: the port data is large.
  const { placeNameOf } = await import('../../geography/places.js')
  const codes = shipments.flatMap(({ route }) => [route?.origin_port_unlocode, route?.destination_port_unlocode])
  return Object.fromEntries(
    [...new Set(codes)].flatMap((code) => {
      const name = code === undefined ? undefined : placeNameOf(code)
      return code === undefined || name === undefined ? [] : [[code, name]]
    }),
  )
}
