import { type OnConflictBuilder, type QueryCreator, type RawBuilder, sql } from 'kysely'
import type { PurchaseOrderCreate, PurchaseOrderUpdate } from '../../../src/contract/purchase-order.js'
import type { RefusalCode } from '../../../src/contract/refusals.js'
import { linesOf } from '../normalised/sent-lines.js'
import { type Database, prepared } from './database.js'
import type { Tables } from './tables.js'

type Sent = {
  supplier: string | null
  exFactory: string | null
  delivery: string | null
  parameters: string | null
  /** JSON of the rows; null: they stay as they are. */
  lines: string | null
}

/** The header of an order and its lines are written by one statement, planned once. */
export function orderWrites(db: Database) {
  const create = createOf(db)
  const lock = lockOf(db)
  const update = updateOf(db)
  return {
    async createOrder(account: number, order: PurchaseOrderCreate): Promise<boolean> {
      const created = await create(db, { account, reference: order.reference, ...sentOf(order) })
      return created.length > 0
    },

    async updateOrder(account: number, order: PurchaseOrderUpdate): Promise<RefusalCode | undefined> {
      return db.transaction().execute(async (tx) => {
        const [locked] = await lock(tx, { account, reference: order.reference })
        if (!locked) return 'purchase_order_not_found'
        const updated = await update(tx, { id: locked.id, ...sentOf(order) })
        return updated.length > 0 ? undefined : 'purchase_order_assigned'
      })
    },
  }
}

function sentOf(order: PurchaseOrderUpdate): Sent {
  return {
    supplier: order.supplier_id ?? null,
    exFactory: order.desired_ex_factory_date ?? null,
    delivery: order.desired_delivery_date ?? null,
    parameters: order.custom_parameters ? JSON.stringify(order.custom_parameters) : null,
    lines: order.product_lines ? JSON.stringify(linesOf(order.product_lines)) : null,
  }
}

function createOf(db: Database) {
  return prepared<{ account: number; reference: string } & Sent, { id: number }>((value) =>
    db
      .with('target', (query) =>
        query
          .insertInto('purchase_orders')
          .values({
            account_id: value('account'),
            reference: value('reference'),
            listed_at: sql<string>`now()`,
            supplier_id: value('supplier'),
            desired_ex_factory_date: value('exFactory'),
            desired_delivery_date: value('delivery'),
            custom_parameters: value('parameters'),
          })
          .onConflict((conflict) => conflict.columns(['account_id', 'reference']).doNothing())
          .returning('id'),
      )
      .with('lines', (query) => insertLines(query, value('lines')))
      .selectFrom('target')
      .select('id'),
  )
}

function lockOf(db: Database) {
  return prepared<{ account: number; reference: string }, { id: number }>((value) =>
    db
      .selectFrom('purchase_orders')
      .select('id')
      .where('account_id', '=', value('account'))
      .where('reference', '=', value('reference'))
      .forUpdate(),
  )
}

/** Nothing is written, and nothing answered, when a line is assigned to a shipment. */
function updateOf(db: Database) {
  return prepared<{ id: number } & Sent, { id: number }>((value) =>
    db
      .with('target', (query) =>
        query
          .updateTable('purchase_orders')
          .set({
            supplier_id: sql`coalesce(${value('supplier')}, supplier_id)`,
            desired_ex_factory_date: sql`coalesce(${value('exFactory')}, desired_ex_factory_date)`,
            desired_delivery_date: sql`coalesce(${value('delivery')}, desired_delivery_date)`,
            custom_parameters: sql`coalesce(${value('parameters')}, custom_parameters)`,
          })
          .where('id', '=', value('id'))
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('order_lines')
                  .innerJoin('assigned_lines', 'assigned_lines.order_line_id', 'order_lines.id')
                  .select('assigned_lines.id')
                  .whereRef('order_lines.purchase_order_id', '=', 'purchase_orders.id'),
              ),
            ),
          )
          .returning('id'),
      )
      .with('dropped', (query) =>
        query
          .deleteFrom('order_lines')
          .using('target')
          .whereRef('order_lines.purchase_order_id', '=', 'target.id')
          .where('order_lines.position', '>', sql<number>`json_array_length(${value('lines')})`),
      )
      .with('lines', (query) => insertLines(query, value('lines')).onConflict(replaceLine))
      .selectFrom('target')
      .select('id'),
  )
}

const lineColumns = [
  'position',
  'reference',
  'ordered_quantity',
  'unit_price',
  'unit_price_currency',
  'volume',
  'volume_unit',
  'product_sku',
  'product_name',
  'product_hs_code',
  'product_description',
  'product_is_hazardous',
  'product_hazardous_description',
  'product_custom_parameters',
] as const

type WithTarget = Tables & { target: { id: number } }

function insertLines(query: QueryCreator<WithTarget>, lines: RawBuilder<string | null>) {
  // The rows of the table itself, as JSON: each field goes to the column of its name.
  const sent = sql<Tables['order_lines']>`json_populate_recordset(null::order_lines, ${lines})`.as('line')
  return query
    .insertInto('order_lines')
    .columns(['purchase_order_id', ...lineColumns])
    .expression((eb) =>
      eb.selectFrom(['target', sent]).select(['target.id', ...lineColumns.map((column) => `line.${column}` as const)]),
    )
}

function replaceLine(conflict: OnConflictBuilder<WithTarget, 'order_lines'>) {
  return conflict
    .columns(['purchase_order_id', 'position'])
    .doUpdateSet((eb) => Object.fromEntries(lineColumns.map((column) => [column, eb.ref(`excluded.${column}`)])))
}
