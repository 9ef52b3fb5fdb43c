import { type OnConflictBuilder, type QueryCreator, type RawBuilder, sql } from 'kysely'
import type { PurchaseOrderCreate, PurchaseOrderUpdate } from '../../../src/contract/public/purchase-order.js'
import type { RefusalCode } from '../../../src/contract/refusals.js'
import type { Created, IdempotencyKey } from '../http/app.js'
import { linesOf } from '../normalised/sent-lines.js'
import { type Database, type Parameters, prepared } from './database.js'
import type { Tables } from './tables.js'

type Sent = {
  supplier: string | null
  exFactory: string | null
  delivery: string | null
  parameters: string | null
  /** JSON of the rows; null where they do not change. */
  lines: string | null
}

/** An order, its lines and its idempotency key are written by one statement, planned once. */
export function orderWrites(db: Database) {
  const create = createOf(db)
  const createWithKey = createWithKeyOf(db)
  const keyed = keyOf(db)
  const lock = lockOf(db)
  const update = updateOf(db)
  return {
    async createOrder(
      account: number,
      order: PurchaseOrderCreate,
      sentKey: IdempotencyKey | undefined,
    ): Promise<Created> {
      const { reference } = order
      const response = { status: 201, body: JSON.stringify({ reference }) }
      const values = { account, reference, ...sentOf(order) }
      if (!sentKey) {
        const created = await create(db, values)
        return created.length > 0 ? response : { refusal: 'purchase_order_exists' }
      }
      const created = await createWithKey(db, { ...values, ...sentKey, response: response.body }).catch(orReusedKey)
      if (created === 'reused') return { refusal: 'idempotency_key_reused' }
      if (created.length > 0) return response
      // The order exists: perhaps it was created by this very request.
      const [first] = await keyed(db, { account, key: sentKey.key })
      if (!first) return { refusal: 'purchase_order_exists' }
      const isSame = first.fingerprint.equals(sentKey.fingerprint)
      return isSame ? { status: first.status, body: first.body } : { refusal: 'idempotency_key_reused' }
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

/** The statement was rolled back because the key is stored: with another order, or it would have created none. */
function orReusedKey(error: unknown): 'reused' {
  if ((error as { constraint?: string }).constraint === 'idempotency_keys_pkey') return 'reused'
  throw error
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

type NewOrder = { account: number; reference: string } & Sent

function createOf(db: Database) {
  return prepared<NewOrder, { id: number }>((value) => inserted(db, value).selectFrom('target').select('id'))
}

function createWithKeyOf(db: Database) {
  return prepared<NewOrder & IdempotencyKey & { response: string }, { id: number }>((value) =>
    inserted(db, value)
      .with('stored', (query) =>
        query
          .insertInto('idempotency_keys')
          .columns(['account_id', 'key', 'fingerprint', 'status', 'body'])
          .expression((eb) =>
            eb
              .selectFrom('target')
              .select([
                sql<number>`${value('account')}::integer`.as('account_id'),
                sql<string>`${value('key')}::text`.as('key'),
                sql<Buffer>`${value('fingerprint')}::bytea`.as('fingerprint'),
                sql<number>`201`.as('status'),
                sql<string>`${value('response')}::text`.as('body'),
              ]),
          ),
      )
      .selectFrom('target')
      .select('id'),
  )
}

/** The order and its lines; `target` is empty where the account has an order with this reference. */
function inserted(db: Database, value: Parameters<NewOrder>) {
  return db
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
}

function keyOf(db: Database) {
  return prepared<{ account: number; key: string }, { fingerprint: Buffer; status: number; body: string }>((value) =>
    db
      .selectFrom('idempotency_keys')
      .select(['fingerprint', 'status', 'body'])
      .where('account_id', '=', value('account'))
      .where('key', '=', value('key')),
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

/** Writes nothing, and returns no row, when a line is assigned to a shipment. */
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
  // Each field of the JSON is the column of the same name.
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
