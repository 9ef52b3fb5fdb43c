/** A shipment of Directus, in the names and the nesting of Waybill. */

type Columns = Record<string, unknown>

export type ShipmentItem = Columns & { containers: Columns[]; loads: Columns[] }

const plain = [
  'svc_shipment_id',
  'name',
  'status',
  'created_at',
  'incoterm',
  'freight_mode',
  'load_type',
  'freight_type',
  'cargo_ready_date',
  'desired_delivery_date',
  'specific_instructions',
  'needs_ad_valorem_insurance',
  'purchase_order_references',
  'invoice_status',
  'invoice_references',
]
const route = ['pickup_location_id', 'origin_port_unlocode', 'destination_port_unlocode', 'delivery_location_id']
const goods = [
  'goods_description',
  'is_stackable',
  'is_hazardous',
  'hazardous_description',
  'contains_lithium',
  'lithium_packaging_type',
  'contains_magnets',
  'needs_controlled_temperature',
  'temperature_range_description',
]
const container = ['container_type', 'container_number', 'seal_number', 'purchase_order_references']
const dates = ['pickup_date', 'departure_date', 'arrival_date', 'delivery_date']
const measures = ['weight', 'length', 'width', 'height']

export function shipmentOf(item: ShipmentItem): Columns {
  return withoutNulls({
    ...pick(item, plain),
    route: unlessEmpty(pick(item, route)),
    cargo: withoutNulls({
      total_weight: measureOf(item, 'total_weight'),
      total_volume: measureOf(item, 'total_volume'),
      total_teus: item.total_teus,
      containers: unlessEmpty(item.containers.map((each) => pick(each, container))),
      loads: unlessEmpty(item.loads.map(loadOf)),
    }),
    transported_goods: unlessEmpty(pick(item, goods)),
    commercial_value: renamed(item, { amount: 'commercial_value', currency: 'commercial_value_currency' }),
    main_tracking_dates: unlessEmpty(
      withoutNulls(
        Object.fromEntries(dates.map((name) => [name, renamed(item, { date: name, status: `${name}_status` })])),
      ),
    ),
    booking_information: bookingOf(item),
    accepted_quote: renamed(item, {
      id: 'quote_id',
      request_date: 'quote_request_date',
      accepted_date: 'quote_accepted_date',
    }),
  })
}

function loadOf(load: Columns): Columns {
  const measured = Object.fromEntries(measures.map((name) => [name, measureOf(load, name)]))
  return withoutNulls({ ...pick(load, ['count', 'type', 'volume_unit']), ...measured })
}

function bookingOf(item: Columns) {
  return unlessEmpty(
    withoutNulls({
      ...pick(item, ['carrier', 'master_bill', 'house_bill']),
      ocean_booking: renamed(item, {
        booking_number: 'ocean_booking_number',
        voyage: 'ocean_voyage',
        vessel: 'ocean_vessel',
      }),
      air_booking: unlessEmpty(
        withoutNulls({
          flight_number: item.air_flight_number,
          chargeable_weight: measureOf(item, 'air_chargeable_weight'),
        }),
      ),
    }),
  )
}

function measureOf(item: Columns, name: string) {
  return renamed(item, { value: name, unit: `${name}_unit` })
}

function renamed(item: Columns, names: Record<string, string>) {
  return unlessEmpty(withoutNulls(Object.fromEntries(Object.entries(names).map(([to, from]) => [to, item[from]]))))
}

function pick(item: Columns, names: string[]): Columns {
  return withoutNulls(Object.fromEntries(names.map((name) => [name, item[name]])))
}

function unlessEmpty<Value extends object>(value: Value): Value | undefined {
  return Object.keys(value).length === 0 ? undefined : value
}

/** Columns without a value come as null; Waybill leaves them out. */
export function withoutNulls(fields: Columns): Columns {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))
}
