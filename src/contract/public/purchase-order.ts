import { type Static, type TSchema, Type } from 'typebox'
import { Identifier, named, oneOf, patterned } from '../schema.js'
import { CustomParameter, Price, packagingTypes, SimpleDate, volumeUnits, weightUnits } from './shared-types.js'
import { ShipmentStatus } from './shipment.js'

/** Interface 2.5 (as returned) and 4.2 (as sent). */

const OrderParameters = Type.Array(CustomParameter, { maxItems: 6 })

// Interface 2.5: carried as a string. A JSON boolean is accepted and returned as its string.
const HazardFlag = oneOf(['true', 'false'])
const HazardFlagSent = Type.Union([HazardFlag, Type.Boolean()])

function productWith<Flag extends TSchema>(name: string, is_hazardous: Flag) {
  return named(
    name,
    { sku: Identifier },
    {
      name: Type.String(),
      hs_code: Type.String(),
      description: Type.String(),
      is_hazardous,
      hazardous_description: Type.String(),
      custom_parameters: Type.Array(CustomParameter),
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
  { ordered_quantity: Quantity, product: ProductSent },
  {
    reference: Identifier,
    unit_price: Price,
    volume: Type.Number(),
    volume_unit: oneOf(volumeUnits),
  },
)
export type ProductLine = Static<typeof ProductLine>

const ProductLines = Type.Array(ProductLine, { minItems: 1 })

const orderFields = {
  supplier_id: Type.String({ description: "Supplier name as per the client's convention." }),
  custom_parameters: OrderParameters,
  desired_delivery_date: SimpleDate,
  desired_ex_factory_date: SimpleDate,
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
    description: 'Not blank, and without control characters.',
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
  { reference: Identifier },
  { product_lines: ProductLines, ...orderFields },
)
export type PurchaseOrderUpdate = Static<typeof PurchaseOrderUpdate>

export const PurchaseOrderReference = named('PurchaseOrderReference', { reference: Identifier })
export type PurchaseOrderReference = Static<typeof PurchaseOrderReference>

export const ShippedLine = named(
  'ShippedLine',
  {},
  {
    container_number: Type.String(),
    shipped_quantity: Type.Number({ minimum: 0 }),
    packaging_total_volume: Type.Number(),
    number_of_packages: Type.Number(),
    packaging_type: oneOf(packagingTypes),
    net_weight: Type.Number(),
    gross_weight: Type.Number(),
    volume_unit: oneOf(volumeUnits),
    weight_unit: oneOf(weightUnits),
  },
)
export type ShippedLine = Static<typeof ShippedLine>

export const AssignedLine = named(
  'AssignedLine',
  { svc_shipment_id: Identifier, assigned_quantity: Type.Number() },
  { shipment_status: ShipmentStatus, shipped_order_lines: Type.Array(ShippedLine) },
)
export type AssignedLine = Static<typeof AssignedLine>

export const PurchaseOrderLine = named(
  'PurchaseOrderLine',
  { reference: Identifier, product: Product, ordered_quantity: Type.Number() },
  {
    unit_price: Price,
    assigned_order_lines: Type.Array(AssignedLine),
  },
)
export type PurchaseOrderLine = Static<typeof PurchaseOrderLine>

export const PurchaseOrder = named(
  'PurchaseOrder',
  { po_number: Identifier, purchase_order_lines: Type.Array(PurchaseOrderLine) },
  {
    supplier_name: Type.String({ description: "Supplier name as per the client's convention." }),
    desired_ex_factory_date: SimpleDate,
    desired_delivery_date: SimpleDate,
    custom_parameters: OrderParameters,
  },
)
export type PurchaseOrder = Static<typeof PurchaseOrder>
