import { type Static, Type } from 'typebox'
import { ShipmentStatus } from '../public/shipment.js'
import { Identifier, named, oneOf } from '../schema.js'

export const referenceKinds = ['shipment', 'booking', 'master_bill', 'house_bill', 'container'] as const
export type ReferenceKind = (typeof referenceKinds)[number]

const ShipmentByReference = named(
  'ShipmentByReference',
  { account: Identifier, svc_shipment_id: Identifier, kind: oneOf(referenceKinds) },
  { status: ShipmentStatus },
)
export type ShipmentByReference = Static<typeof ShipmentByReference>

export const Lookup = named('Lookup', {
  reference: Type.String({ description: 'As it is compared: in capitals, without separators.' }),
  shipments: Type.Array(ShipmentByReference, { description: 'At most 100.' }),
})
