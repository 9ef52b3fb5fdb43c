import { type Static, Type } from 'typebox'
import { take } from '../operation.js'
import { shipmentFilter } from '../portal/lists.js'
import { Shipment } from '../public/shipment.js'
import { closed, Identifier, named } from '../schema.js'
import { handledFilter } from './work-filter.js'

/** Shipments of all accounts, found by the filters of the portal. */

const { location: _ofAnAccount, ...filter } = shipmentFilter

export const ForwarderShipmentSearch = closed(
  {},
  {
    ...filter,
    account: Identifier,
    ...handledFilter,
    after: Type.String({ maxLength: 5000, description: 'Cursor: `next` of the previous page, with the same order.' }),
    take: take(100, { default: 50 }),
  },
)
export type ForwarderShipmentSearch = Static<typeof ForwarderShipmentSearch>

const FoundShipment = named('FoundShipment', {
  account: Identifier,
  account_name: Type.String(),
  revision: Type.Integer({ description: 'Of its record: send it with a change.' }),
  shipment: Shipment,
})

export const FoundShipments = named(
  'FoundShipments',
  {
    shipments: Type.Array(FoundShipment),
    place_names: Type.Record(Type.String(), Type.String(), { description: 'Names of their ports, by UN/LOCODE.' }),
  },
  { next: Type.String({ description: 'Cursor of the next page: send it as `after`.' }) },
)
