import { type Static, type TSchema, Type } from 'typebox'
import { described, explained, Identifier, named, patterned } from '../schema.js'
import {
  ContainerNumber,
  CustomParameter,
  DateWithTime,
  dayOf,
  PackagingType,
  Price,
  ShipmentId,
  Sku,
  VolumeUnit,
  WeightUnit,
} from './shared-types.js'
import { ShipmentStatus } from './shipment.js'

/** Interface 2.5 (as returned) and 4.2 (as sent). */

const OrderParameters = Type.Array(CustomParameter, {
  maxItems: 6,
  description: "The account's own fields of the order, at most 6.",
})

// Interface 2.5: carried as a string. A JSON boolean is accepted and returned as its string.
const hazard = 'Whether the product is dangerous goods, as a string.'
const HazardFlag = explained(['true', 'false'], hazard, { true: 'It is.', false: 'It is not.' })
const HazardFlagSent = Type.Union([HazardFlag, Type.Boolean()], {
  description: `${hazard} A JSON boolean is accepted, too.`,
})

function productWith<Flag extends TSchema>(name: string, is_hazardous: Flag) {
  return named(
    name,
    { sku: Sku },
    {
      name: Type.String({ description: 'By which people know the product.' }),
      hs_code: Type.String({ description: 'Code of the Harmonized System, by which customs classify the product.' }),
      description: Type.String({ description: 'What the product is, in words.' }),
      is_hazardous,
      hazardous_description: Type.String({ description: 'A hazard classification code, such as a UN number.' }),
      custom_parameters: Type.Array(CustomParameter, { description: "The account's own fields of the product." }),
    },
  )
}

export const Product = productWith('Product', HazardFlag)
export type Product = Static<typeof Product>

export const ProductSent = productWith('ProductSent', HazardFlagSent)
export type ProductSent = Static<typeof ProductSent>

export const Quantity = Type.Number({ exclusiveMinimum: 0, maximum: 1e15 })

export const ProductLine = named(
  'ProductLine',
  {
    ordered_quantity: described(Quantity, 'How many pieces are ordered: above 0, at most 10^15.'),
    product: described(ProductSent, 'What is ordered.'),
  },
  {
    reference: described(
      Identifier,
      'Identifies the line within the order. Its position, or the next unused number, if it is omitted.',
    ),
    unit_price: described(Price, 'The price of one piece.'),
    volume: Type.Number({ description: 'The volume of the line. It is stored, and not returned.' }),
    volume_unit: VolumeUnit,
  },
)
export type ProductLine = Static<typeof ProductLine>

const ProductLines = Type.Array(ProductLine, {
  minItems: 1,
  description: 'What is ordered, at least one line. In an update they replace all lines.',
})

export const orderFields = {
  // Limited, because every line is found by it: 10,000 lines of a name of 2 MB would take more memory than there is.
  supplier_id: Type.String({
    maxLength: 255,
    description: 'The supplier, as the account itself names it: at most 255 characters.',
  }),
  custom_parameters: OrderParameters,
  desired_delivery_date: dayOf('When the account wants to have the goods.'),
  desired_ex_factory_date: dayOf('When the goods are to leave the supplier.'),
}

const blank = ' \\u00A0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u3000\\uFEFF'
const control = '\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029'

// References of new orders. Orders stored earlier may have others, which stay readable and updatable. The parts of the
// pattern exclude each other, so that matching is linear in the length of the text.
const NewReference = patterned(
  `^(?:[${blank}]*[^${blank}${control}][^${control}]*)?$`,
  'must not be blank, and must not contain control characters such as tabs and line breaks',
  {
    minLength: 1,
    maxLength: 255,
    description:
      "The account's own number of the order, unique among its orders. Not blank, and without control characters.",
  },
)

export const PurchaseOrderCreate = named(
  'PurchaseOrderCreate',
  { reference: NewReference, product_lines: ProductLines },
  orderFields,
)
export type PurchaseOrderCreate = Static<typeof PurchaseOrderCreate>

export const PurchaseOrderUpdate = named(
  'PurchaseOrderUpdate',
  { reference: described(Identifier, 'The order to change.') },
  { product_lines: ProductLines, ...orderFields },
)
export type PurchaseOrderUpdate = Static<typeof PurchaseOrderUpdate>

export const PurchaseOrderReference = named('PurchaseOrderReference', {
  reference: described(Identifier, 'The order that was written; `po_number` where it is read.'),
})
export type PurchaseOrderReference = Static<typeof PurchaseOrderReference>

export const OrderCancellationInput = named(
  'OrderCancellationInput',
  {},
  { reason: Type.String({ minLength: 1, maxLength: 1000, description: 'Why the order is cancelled.' }) },
)

const cancelledAt = described(DateWithTime, 'When the order was cancelled.')

/** As it is stored with the order. */
export const OrderCancellation = named(
  'OrderCancellation',
  { cancelled_at: cancelledAt },
  OrderCancellationInput.properties,
)
export type OrderCancellation = Static<typeof OrderCancellation>

export const CancelledOrder = named(
  'CancelledOrder',
  { reference: described(Identifier, 'The order: its `po_number`.'), cancelled_at: cancelledAt },
  OrderCancellationInput.properties,
)
export type CancelledOrder = Static<typeof CancelledOrder>

export const ShippedLine = named(
  'ShippedLine',
  {},
  {
    container_number: described(ContainerNumber, 'The container that it is packed in. Absent if it is not known.'),
    shipped_quantity: Type.Number({ minimum: 0, description: 'How many pieces are packed.' }),
    packaging_total_volume: Type.Number({ description: 'The volume of all packages, in `volume_unit`.' }),
    number_of_packages: Type.Number({ description: 'How many packages they are packed in.' }),
    packaging_type: PackagingType,
    net_weight: Type.Number({ description: 'Without packaging, in `weight_unit`.' }),
    gross_weight: Type.Number({ description: 'With packaging, in `weight_unit`.' }),
    volume_unit: VolumeUnit,
    weight_unit: WeightUnit,
  },
)
export type ShippedLine = Static<typeof ShippedLine>

export const AssignedLine = named(
  'AssignedLine',
  {
    svc_shipment_id: described(ShipmentId, 'The shipment that brings it.'),
    assigned_quantity: Type.Number({ description: 'How many pieces of the line the shipment is to bring.' }),
  },
  {
    shipment_status: described(ShipmentStatus, 'Where that shipment stands.'),
    shipped_order_lines: Type.Array(ShippedLine, { description: 'What of it is packed, by container.' }),
  },
)
export type AssignedLine = Static<typeof AssignedLine>

export const PurchaseOrderLine = named(
  'PurchaseOrderLine',
  {
    reference: described(Identifier, 'Identifies the line within the order.'),
    product: described(Product, 'What is ordered.'),
    ordered_quantity: Type.Number({ description: 'How many pieces are ordered.' }),
  },
  {
    unit_price: described(Price, 'The price of one piece.'),
    assigned_order_lines: Type.Array(AssignedLine, {
      description: 'The shipments that bring the line, and how much each. Empty while it is assigned to none.',
    }),
  },
)
export type PurchaseOrderLine = Static<typeof PurchaseOrderLine>

export const PurchaseOrder = named(
  'PurchaseOrder',
  {
    po_number: described(
      Identifier,
      "The account's own number of the order: the `reference` with which it was created.",
    ),
    purchase_order_lines: Type.Array(PurchaseOrderLine, { description: 'What is ordered.' }),
  },
  {
    supplier_name: Type.String({ description: 'The supplier, as the account itself names it.' }),
    desired_ex_factory_date: dayOf('When the goods are to leave the supplier.'),
    desired_delivery_date: dayOf('When the account wants to have the goods.'),
    custom_parameters: OrderParameters,
  },
)
export type PurchaseOrder = Static<typeof PurchaseOrder>
