import {
  type AssignedLine,
  type OrderCancellation,
  type Product,
  type ProductLine,
  type ProductSent,
  PurchaseOrder,
  type PurchaseOrderCreate,
  type PurchaseOrderLine,
  type PurchaseOrderUpdate,
} from '../../contract/public/purchase-order.js'
import type { Fault } from '../../contract/refusals.js'
import { groupedBy } from '../records/grouping.js'
import { positionNames } from '../records/position-names.js'
import { inInterfaceOrder } from '../records/rendering.js'

/**
 * An order as it is stored: with the field names of the request, and a reference for every line. The interface has two
 * names for some of its fields (`reference` / `po_number`, `supplier_id` / `supplier_name`, `product_lines` /
 * `purchase_order_lines`); this file alone knows both.
 */
export type PurchaseOrderRecord = Omit<PurchaseOrderCreate, 'product_lines'> & {
  product_lines: (ProductLine & { reference: string })[]
  /** What is cancelled is not expected. `/v1` shows it beside the order, whose shape is fixed. */
  cancellation?: OrderCancellation
}

/** The names in responses of fields that a record has by another name. */
export const shownFieldNames: ReadonlyMap<string, string> = new Map([
  ['reference', 'po_number'],
  ['supplier_id', 'supplier_name'],
  ['product_lines', 'purchase_order_lines'],
])

export type LineAssignment = AssignedLine & { line: string }

/** A rule that the schema cannot express: the lines of an order have distinct references. */
export function purchaseOrderFaults(order: { product_lines?: ProductLine[] | undefined }): Fault[] {
  const seen = new Set<string>()
  const faults: Fault[] = []
  for (const [index, { reference }] of (order.product_lines ?? []).entries()) {
    if (reference === undefined) continue
    if (seen.has(reference)) {
      faults.push({
        pointer: `/product_lines/${index}/reference`,
        detail: 'must differ from the references of the other lines',
      })
    }
    seen.add(reference)
  }
  return faults
}

export function recordPurchaseOrder(
  order: PurchaseOrderCreate & Pick<PurchaseOrderRecord, 'cancellation'>,
): PurchaseOrderRecord {
  return { ...order, product_lines: withReferences(order.product_lines) }
}

/** RFC 7396: fields in the update replace those of the record, arrays as a whole. */
export function revisePurchaseOrder(record: PurchaseOrderRecord, update: PurchaseOrderUpdate): PurchaseOrderRecord {
  const { product_lines, ...changes } = update
  return { ...record, ...changes, ...(product_lines && { product_lines: withReferences(product_lines) }) }
}

// A line without a reference gets its position, or the next number that no line uses.
function withReferences(lines: ProductLine[]): PurchaseOrderRecord['product_lines'] {
  const nameOf = positionNames(new Set(lines.flatMap(({ reference }) => reference ?? [])))
  return lines.map((line, index) => ({ ...line, reference: line.reference ?? nameOf(index) }))
}

export function renderPurchaseOrder(record: PurchaseOrderRecord, assignments: LineAssignment[]): PurchaseOrder {
  const assigned = groupedBy(assignments, ({ line }) => line)
  return inInterfaceOrder(PurchaseOrder, {
    po_number: record.reference,
    supplier_name: record.supplier_id,
    purchase_order_lines: record.product_lines.map((line) => renderLine(line, assigned.get(line.reference) ?? [])),
    desired_ex_factory_date: record.desired_ex_factory_date,
    desired_delivery_date: record.desired_delivery_date,
    custom_parameters: record.custom_parameters,
  })
}

// Fields without a value stay undefined, which JSON omits: removing them from every line would take twenty times as long as
// the rest of the rendering.
function renderLine(line: PurchaseOrderRecord['product_lines'][number], assignments: LineAssignment[]) {
  const { reference, product, ordered_quantity, unit_price } = line
  const rendered: Whole<PurchaseOrderLine> = {
    reference,
    product: renderProduct(product),
    ordered_quantity,
    unit_price,
    assigned_order_lines: assignments.map(
      ({ svc_shipment_id, shipment_status, assigned_quantity, shipped_order_lines }) => ({
        svc_shipment_id,
        ...(shipment_status && { shipment_status }),
        assigned_quantity,
        shipped_order_lines: shipped_order_lines ?? [],
      }),
    ),
  }
  return rendered as PurchaseOrderLine
}

// Interface 2.5: `is_hazardous` is carried as a string.
function renderProduct(product: ProductSent): Product {
  const { sku, name, hs_code, description, is_hazardous, hazardous_description, custom_parameters } = product
  const rendered: Whole<Product> = {
    sku,
    name,
    hs_code,
    description,
    is_hazardous: is_hazardous?.toString() as 'true' | 'false' | undefined,
    hazardous_description,
    custom_parameters,
  }
  return rendered as Product
}

/** Requires every field, so that none is forgotten. */
type Whole<Fields> = { [Name in keyof Required<Fields>]: Fields[Name] | undefined }
