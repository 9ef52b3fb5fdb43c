import { type Static, Type } from 'typebox'
import { AssignmentData } from '../import-line.js'
import { mergePatchOf } from '../merge-patch.js'
import {
  OrderCancellation,
  PurchaseOrder,
  PurchaseOrderCreate,
  Quantity,
  ShippedLine,
} from '../public/purchase-order.js'
import { Shipment, ShipmentRecord, ShipmentStatus } from '../public/shipment.js'
import { Identifier, named, oneOf } from '../schema.js'
import { HistoryId, origin, Reason, versionOf, Warning } from './version.js'

/** Shipments, and the purchase orders assigned to them. */

const {
  svc_shipment_id: _id,
  status: _status,
  purchase_order_references: _orders,
  main_tracking_dates: _dates,
  invoice_status: _invoiceStatus,
  invoice_references: _invoices,
  computed_totals: _totals,
  ...given
} = ShipmentRecord.properties

/** The fields of a shipment that operators set: all except the status, which has its own operation, and derived ones. */
export const ShipmentInput = named('ShipmentInput', given)
export type ShipmentInput = Static<typeof ShipmentInput>

/** A quantity of an order line that a shipment brings. */
export const OrderLineInput = named(
  'OrderLineInput',
  { reference: Identifier, line: Identifier, assigned_quantity: Quantity },
  {
    shipped_order_lines: Type.Array(ShippedLine, { maxItems: 500, description: 'How it is packed.' }),
    over_shipment_reason: AssignmentData.properties.over_shipment_reason,
  },
)
export type OrderLineInput = Static<typeof OrderLineInput>

export const ShipmentCreate = named('ShipmentCreate', given, {
  svc_shipment_id: Identifier,
  order_lines: Type.Array(OrderLineInput, {
    maxItems: 500,
    description: 'Quantities of order lines that are assigned to it: all of them, or the shipment is not created.',
  }),
  status: oneOf(['draft', 'booking_request', 'awaiting_booking', 'booked', 'in_progress'], {
    default: 'booking_request',
  }),
})
export type ShipmentCreate = Static<typeof ShipmentCreate>

export const ShipmentPatch = mergePatchOf('ShipmentPatch', ShipmentInput)

export const ShipmentMove = named(
  'ShipmentMove',
  { status: ShipmentStatus },
  {
    reason: Reason,
    correction: Type.Boolean({
      description: 'Allows any status, with a reason; the history records it as a correction.',
    }),
  },
)

export const ShipmentVersion = versionOf('ShipmentVersion', ShipmentRecord, Shipment)
export type ShipmentVersion = Static<typeof ShipmentVersion>

/** An order as it is stored: every line has a reference. */
const PurchaseOrderRecord = named(
  'PurchaseOrderRecord',
  { ...PurchaseOrderCreate.properties, reference: Identifier },
  { cancellation: OrderCancellation },
)
export const PurchaseOrderVersion = versionOf('PurchaseOrderVersion', PurchaseOrderRecord, PurchaseOrder)
export type PurchaseOrderVersion = Static<typeof PurchaseOrderVersion>

// Of one order line.
const mostPacked = 5000

export const AssignmentInput = named(
  'AssignmentInput',
  { assigned_quantity: Quantity },
  {
    shipped_order_lines: Type.Array(ShippedLine, {
      maxItems: mostPacked,
      description: 'How it is packed. Omitted: unchanged.',
    }),
    over_shipment_reason: AssignmentData.properties.over_shipment_reason,
  },
)

export const Packing = named('Packing', { shipped_order_lines: Type.Array(ShippedLine, { maxItems: mostPacked }) })

export const AssignmentRecord = named('AssignmentRecord', AssignmentData.properties)
export type AssignmentRecord = Static<typeof AssignmentRecord>

/** An assignment has no path of its own: the account sees it as part of the order. */
export const AssignmentVersion = named(
  'AssignmentVersion',
  {
    id: Object.assign({ ...HistoryId }, { description: 'Identifier for its history.' }),
    ...origin,
    record: AssignmentRecord,
    order: PurchaseOrder,
  },
  { warnings: Type.Array(Warning, { description: 'Values that were accepted, but look wrong.' }) },
)
export type AssignmentVersion = Static<typeof AssignmentVersion>

export const ContainerReplacement = named('ContainerReplacement', {
  container_number: Type.String({ minLength: 1, maxLength: 64 }),
  reason: Reason,
})

export const Removed = named('Removed', { removed: HistoryId })
