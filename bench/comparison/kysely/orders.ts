import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import { type Database, prepared } from './database.js'
import { jsonArray, jsonObject, jsonObjectIf } from './json.js'
import type { Tables } from './tables.js'

/** Orders as JSON that the database builds from their rows. */
export function orderQueries(db: Database) {
  const one = prepared<{ account: number; reference: string }, { body: string }>((value) =>
    db
      .selectFrom('purchase_orders')
      .select((eb) => bodyOf(eb).as('body'))
      .where('account_id', '=', value('account'))
      .where('reference', '=', value('reference')),
  )
  return {
    async findOrder(account: number, reference: string): Promise<string | undefined> {
      const [row] = await one(db, { account, reference })
      return row?.body
    },
  }
}

function bodyOf(eb: ExpressionBuilder<Tables, 'purchase_orders'>): RawBuilder<string> {
  const lines = eb
    .selectFrom('order_lines')
    .whereRef('order_lines.purchase_order_id', '=', 'purchase_orders.id')
    .select((of) => jsonArray(lineOf(of), of.ref('order_lines.position')).as('lines'))
  const body = jsonObject({
    po_number: eb.ref('purchase_orders.reference'),
    supplier_name: eb.ref('purchase_orders.supplier_id'),
    purchase_order_lines: lines,
    desired_ex_factory_date: eb.ref('purchase_orders.desired_ex_factory_date'),
    desired_delivery_date: eb.ref('purchase_orders.desired_delivery_date'),
    custom_parameters: eb.ref('purchase_orders.custom_parameters'),
  })
  return sql<string>`${body}::text`
}

function lineOf(eb: ExpressionBuilder<Tables, 'order_lines'>): RawBuilder<string> {
  const column = (name: keyof Tables['order_lines']) => eb.ref(`order_lines.${name}`)
  const assigned = eb
    .selectFrom('assigned_lines')
    .innerJoin('shipments', 'shipments.id', 'assigned_lines.shipment_id')
    .whereRef('assigned_lines.order_line_id', '=', 'order_lines.id')
    .select((of) => jsonArray(assignedOf(of), of.ref('assigned_lines.position')).as('lines'))
  return jsonObject({
    reference: column('reference'),
    product: jsonObject({
      sku: column('product_sku'),
      name: column('product_name'),
      hs_code: column('product_hs_code'),
      description: column('product_description'),
      // Interface 2.5: carried as a string.
      is_hazardous: sql`${column('product_is_hazardous')}::text`,
      hazardous_description: column('product_hazardous_description'),
      custom_parameters: column('product_custom_parameters'),
    }),
    ordered_quantity: column('ordered_quantity'),
    unit_price: jsonObjectIf([column('unit_price')], {
      amount: column('unit_price'),
      currency: column('unit_price_currency'),
    }),
    assigned_order_lines: orEmpty(assigned),
  })
}

function assignedOf(eb: ExpressionBuilder<Tables, 'assigned_lines' | 'shipments'>): RawBuilder<string> {
  const shipped = eb
    .selectFrom('shipped_lines')
    .whereRef('shipped_lines.assigned_line_id', '=', 'assigned_lines.id')
    .select((of) => jsonArray(shippedOf(of), of.ref('shipped_lines.position')).as('lines'))
  return jsonObject({
    svc_shipment_id: eb.ref('shipments.svc_shipment_id'),
    shipment_status: eb.ref('shipments.status'),
    assigned_quantity: eb.ref('assigned_lines.assigned_quantity'),
    shipped_order_lines: orEmpty(shipped),
  })
}

function shippedOf(eb: ExpressionBuilder<Tables, 'shipped_lines'>): RawBuilder<string> {
  const names = [
    'container_number',
    'shipped_quantity',
    'packaging_total_volume',
    'number_of_packages',
    'packaging_type',
    'net_weight',
    'gross_weight',
    'volume_unit',
    'weight_unit',
  ] as const
  return jsonObject(Object.fromEntries(names.map((name) => [name, eb.ref(`shipped_lines.${name}`)])))
}

function orEmpty(array: Parameters<typeof sql>[1]): RawBuilder<string> {
  return sql`coalesce(${array}, '[]'::json)`
}
