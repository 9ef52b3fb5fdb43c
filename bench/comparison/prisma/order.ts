import type {
  AssignedLine,
  PurchaseOrder,
  PurchaseOrderLine,
  ShippedLine,
} from '../../../src/contract/public/purchase-order.js'
import type { CustomParameter } from '../../../src/contract/public/shared-types.js'
import { dayOf } from '../normalised/assemble.js'
import type { Prisma } from './generated/client.js'

const inOrder = { position: 'asc' } as const

/** Everything that the response of an order has. */
export const wholeOrder = {
  omit: { account_id: true, listed_at: true },
  include: {
    lines: {
      omit: { purchase_order_id: true, position: true, volume: true, volume_unit: true },
      orderBy: inOrder,
      include: {
        assigned_lines: {
          omit: { order_line_id: true, position: true },
          orderBy: inOrder,
          include: {
            shipment: { select: { svc_shipment_id: true, status: true } },
            shipped_lines: { omit: { id: true, assigned_line_id: true, position: true }, orderBy: inOrder },
          },
        },
      },
    },
  },
} as const satisfies Pick<Prisma.PurchaseOrderFindManyArgs, 'omit' | 'include'>

type OrderColumns = Prisma.PurchaseOrderGetPayload<typeof wholeOrder>
type LineColumns = OrderColumns['lines'][number]
type AssignedColumns = LineColumns['assigned_lines'][number]
type ShippedColumns = AssignedColumns['shipped_lines'][number]

/** The response of an order, from its rows. Null fields are left out. */
export function orderOf(row: OrderColumns): PurchaseOrder {
  return {
    po_number: row.reference,
    supplier_name: row.supplier_id ?? undefined,
    purchase_order_lines: row.lines.map(lineOf),
    desired_ex_factory_date: dayOf(row.desired_ex_factory_date),
    desired_delivery_date: dayOf(row.desired_delivery_date),
    custom_parameters: parametersOf(row.custom_parameters),
  }
}

function lineOf(row: LineColumns): PurchaseOrderLine {
  const { unit_price: amount, unit_price_currency: currency } = row
  return {
    reference: row.reference,
    product: {
      sku: row.product_sku,
      name: row.product_name ?? undefined,
      hs_code: row.product_hs_code ?? undefined,
      description: row.product_description ?? undefined,
      // Interface 2.5: carried as a string.
      is_hazardous: row.product_is_hazardous?.toString(),
      hazardous_description: row.product_hazardous_description ?? undefined,
      custom_parameters: parametersOf(row.product_custom_parameters),
    },
    ordered_quantity: row.ordered_quantity,
    unit_price: amount === null ? undefined : { amount, currency },
    assigned_order_lines: row.assigned_lines.map(assignedOf),
  } as PurchaseOrderLine
}

function assignedOf({ shipment, assigned_quantity, shipped_lines }: AssignedColumns): AssignedLine {
  return {
    svc_shipment_id: shipment.svc_shipment_id,
    shipment_status: shipment.status ?? undefined,
    assigned_quantity,
    shipped_order_lines: shipped_lines.map(shippedOf),
  } as AssignedLine
}

function shippedOf(row: ShippedColumns): ShippedLine {
  return {
    container_number: row.container_number ?? undefined,
    shipped_quantity: row.shipped_quantity ?? undefined,
    packaging_total_volume: row.packaging_total_volume ?? undefined,
    number_of_packages: row.number_of_packages ?? undefined,
    packaging_type: row.packaging_type ?? undefined,
    net_weight: row.net_weight ?? undefined,
    gross_weight: row.gross_weight ?? undefined,
    volume_unit: row.volume_unit ?? undefined,
    weight_unit: row.weight_unit ?? undefined,
  } as ShippedLine
}

function parametersOf(stored: unknown): CustomParameter[] | undefined {
  return (stored as CustomParameter[] | null) ?? undefined
}
