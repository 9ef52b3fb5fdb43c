import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import { type Database, prepared } from './database.js'
import { jsonArray, jsonObject, jsonObjectIf } from './json.js'
import type { Tables } from './tables.js'

type Columns = ExpressionBuilder<Tables, 'shipments'>

/** Shipments as JSON that the database builds from their rows. */
export function shipmentQueries(db: Database) {
  const one = prepared<{ account: number; id: string }, { body: string }>((value) =>
    db
      .selectFrom('shipments')
      .select((eb) => bodyOf(eb).as('body'))
      .where('account_id', '=', value('account'))
      .where('svc_shipment_id', '=', value('id')),
  )
  // The page is found in the index alone, however many are skipped.
  const page = prepared<{ account: number; skip: number; take: number }, { body: string }>((value) =>
    db
      .selectFrom(pageOf(db, value('account')).offset(value('skip')).limit(value('take')).as('page'))
      .innerJoin('shipments', 'shipments.id', 'page.id')
      .select((eb) => bodyOf(eb).as('body'))
      .orderBy('page.listed_at', 'desc')
      .orderBy('page.svc_shipment_id'),
  )
  return {
    async listShipments(account: number, { skip, take }: { skip: number; take: number }): Promise<string | undefined> {
      const rows = await page(db, { account, skip, take })
      return rows.length === 0 ? undefined : `[${rows.map(({ body }) => body).join(',')}]`
    },
    async findShipment(account: number, id: string): Promise<string | undefined> {
      const [row] = await one(db, { account, id })
      return row?.body
    },
  }
}

function pageOf(db: Kysely<Tables>, account: RawBuilder<number>) {
  return db
    .selectFrom('shipments')
    .select(['id', 'listed_at', 'svc_shipment_id'])
    .where('account_id', '=', account)
    .orderBy('listed_at', 'desc')
    .orderBy('svc_shipment_id')
}

function bodyOf(eb: Columns): RawBuilder<string> {
  const column = (name: keyof Tables['shipments']) => eb.ref(`shipments.${name}`)
  const body = jsonObject({
    svc_shipment_id: column('svc_shipment_id'),
    name: column('name'),
    status: column('status'),
    created_at: column('created_at'),
    incoterm: column('incoterm'),
    freight_mode: column('freight_mode'),
    load_type: column('load_type'),
    freight_type: column('freight_type'),
    route: optional(eb, {
      pickup_location_id: 'pickup_location_id',
      origin_port_unlocode: 'origin_port_unlocode',
      destination_port_unlocode: 'destination_port_unlocode',
      delivery_location_id: 'delivery_location_id',
    }),
    cargo_ready_date: column('cargo_ready_date'),
    desired_delivery_date: column('desired_delivery_date'),
    specific_instructions: column('specific_instructions'),
    cargo: cargoOf(eb),
    transported_goods: optional(eb, {
      goods_description: 'goods_description',
      is_stackable: 'is_stackable',
      is_hazardous: 'is_hazardous',
      hazardous_description: 'hazardous_description',
      contains_lithium: 'contains_lithium',
      lithium_packaging_type: 'lithium_packaging_type',
      contains_magnets: 'contains_magnets',
      needs_controlled_temperature: 'needs_controlled_temperature',
      temperature_range_description: 'temperature_range_description',
    }),
    commercial_value: optional(eb, { amount: 'commercial_value', currency: 'commercial_value_currency' }),
    needs_ad_valorem_insurance: column('needs_ad_valorem_insurance'),
    purchase_order_references: column('purchase_order_references'),
    main_tracking_dates: datesOf(eb),
    booking_information: bookingOf(eb),
    invoice_status: column('invoice_status'),
    invoice_references: column('invoice_references'),
    accepted_quote: optional(eb, {
      id: 'quote_id',
      request_date: 'quote_request_date',
      accepted_date: 'quote_accepted_date',
    }),
  })
  return sql<string>`${body}::text`
}

/** An object of columns; none when all of them are null. */
function optional(eb: Columns, fields: Record<string, keyof Tables['shipments']>) {
  const columns = Object.entries(fields).map(([name, column]) => [name, eb.ref(`shipments.${column}`)] as const)
  return jsonObjectIf(
    columns.map(([, column]) => column),
    Object.fromEntries(columns),
  )
}

function cargoOf(eb: Columns): RawBuilder<string> {
  return jsonObject({
    total_weight: optional(eb, { value: 'total_weight', unit: 'total_weight_unit' }),
    total_volume: optional(eb, { value: 'total_volume', unit: 'total_volume_unit' }),
    total_teus: eb.ref('shipments.total_teus'),
    containers: containersOf(eb),
    loads: loadsOf(eb),
  })
}

function containersOf(eb: Columns) {
  return eb
    .selectFrom('containers')
    .whereRef('containers.shipment_id', '=', 'shipments.id')
    .select((of) =>
      jsonArray(
        jsonObject({
          container_type: of.ref('containers.container_type'),
          container_number: of.ref('containers.container_number'),
          seal_number: of.ref('containers.seal_number'),
          purchase_order_references: of.ref('containers.purchase_order_references'),
        }),
        of.ref('containers.position'),
      ).as('containers'),
    )
}

function loadsOf(eb: Columns) {
  return eb
    .selectFrom('loads')
    .whereRef('loads.shipment_id', '=', 'shipments.id')
    .select((of) => {
      const measure = (name: 'weight' | 'length' | 'width' | 'height') => {
        const value = of.ref(`loads.${name}`)
        return jsonObjectIf([value], { value, unit: of.ref(`loads.${name}_unit`) })
      }
      const load = jsonObject({
        count: of.ref('loads.count'),
        type: of.ref('loads.type'),
        weight: measure('weight'),
        volume_unit: of.ref('loads.volume_unit'),
        length: measure('length'),
        width: measure('width'),
        height: measure('height'),
      })
      return jsonArray(load, of.ref('loads.position')).as('loads')
    })
}

function datesOf(eb: Columns) {
  const names = ['pickup_date', 'departure_date', 'arrival_date', 'delivery_date'] as const
  const dates = names.map((name) => [name, optional(eb, { date: name, status: `${name}_status` })] as const)
  return jsonObjectIf(
    names.map((name) => eb.ref(`shipments.${name}`)),
    Object.fromEntries(dates),
  )
}

function bookingOf(eb: Columns) {
  const columns = [
    'carrier',
    'master_bill',
    'house_bill',
    'ocean_booking_number',
    'ocean_voyage',
    'ocean_vessel',
    'air_flight_number',
    'air_chargeable_weight',
  ] as const
  const weight = optional(eb, { value: 'air_chargeable_weight', unit: 'air_chargeable_weight_unit' })
  const flight = [eb.ref('shipments.air_flight_number'), eb.ref('shipments.air_chargeable_weight')]
  return jsonObjectIf(
    columns.map((column) => eb.ref(`shipments.${column}`)),
    {
      carrier: eb.ref('shipments.carrier'),
      master_bill: eb.ref('shipments.master_bill'),
      house_bill: eb.ref('shipments.house_bill'),
      ocean_booking: optional(eb, {
        booking_number: 'ocean_booking_number',
        voyage: 'ocean_voyage',
        vessel: 'ocean_vessel',
      }),
      air_booking: jsonObjectIf(flight, {
        flight_number: eb.ref('shipments.air_flight_number'),
        chargeable_weight: weight,
      }),
    },
  )
}
