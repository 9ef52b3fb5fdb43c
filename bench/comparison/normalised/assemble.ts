import type { Container, Load, Shipment } from '../../../src/contract/public/shipment.js'
import type { containerRow, loadRow, shipmentRow } from './rows.js'

type Loose<Value> = Value extends string ? string : Value

/** Columns as a database client returns them. */
type Stored<Row> = {
  [Name in keyof Row]-?: undefined extends Row[Name] ? Loose<Exclude<Row[Name], undefined>> | null : Loose<Row[Name]>
}

/** Prisma returns a date as midnight in UTC. */
type Day = string | Date | null
type Days = { cargo_ready_date: Day; desired_delivery_date: Day }

type RowOfShipment = Stored<ReturnType<typeof shipmentRow>>
export type ShipmentColumns = Omit<RowOfShipment, 'id' | 'account_id' | 'listed_at' | keyof Days> & Days
export type ContainerColumns = Omit<Stored<ReturnType<typeof containerRow>>, 'id' | 'shipment_id' | 'position'>
export type LoadColumns = Omit<Stored<ReturnType<typeof loadRow>>, 'id' | 'shipment_id' | 'position'>

/** The response of a shipment, from its rows: the inverse of `rows.ts`. Null fields are left out. */
export function shipmentOf(row: ShipmentColumns, containers: ContainerColumns[], loads: LoadColumns[]): Shipment {
  return {
    svc_shipment_id: row.svc_shipment_id,
    name: row.name ?? undefined,
    status: row.status ?? undefined,
    created_at: row.created_at ?? undefined,
    incoterm: row.incoterm ?? undefined,
    freight_mode: row.freight_mode ?? undefined,
    load_type: row.load_type ?? undefined,
    freight_type: row.freight_type ?? undefined,
    route: routeOf(row),
    cargo_ready_date: dayOf(row.cargo_ready_date),
    desired_delivery_date: dayOf(row.desired_delivery_date),
    specific_instructions: row.specific_instructions ?? undefined,
    cargo: cargoOf(row, containers, loads),
    transported_goods: goodsOf(row),
    commercial_value: priceOf(row.commercial_value, row.commercial_value_currency),
    needs_ad_valorem_insurance: row.needs_ad_valorem_insurance ?? undefined,
    purchase_order_references: row.purchase_order_references ?? undefined,
    main_tracking_dates: datesOf(row),
    booking_information: bookingOf(row),
    invoice_status: row.invoice_status ?? undefined,
    invoice_references: row.invoice_references ?? undefined,
    accepted_quote: quoteOf(row),
  } as Shipment
}

function hasAny(...values: unknown[]): boolean {
  return values.some((value) => value !== null)
}

function measureOf(value: number | null, unit: string | null) {
  return value === null ? undefined : { value, unit }
}

function priceOf(amount: number | null, currency: string | null) {
  return amount === null ? undefined : { amount, currency }
}

function dateOf(date: string | null, status: string | null) {
  return date === null ? undefined : { date, status }
}

function routeOf(row: ShipmentColumns) {
  const { pickup_location_id, origin_port_unlocode, destination_port_unlocode, delivery_location_id } = row
  if (!hasAny(pickup_location_id, origin_port_unlocode, destination_port_unlocode, delivery_location_id)) {
    return undefined
  }
  return {
    pickup_location_id: pickup_location_id ?? undefined,
    origin_port_unlocode: origin_port_unlocode ?? undefined,
    destination_port_unlocode: destination_port_unlocode ?? undefined,
    delivery_location_id: delivery_location_id ?? undefined,
  }
}

function cargoOf(row: ShipmentColumns, containers: ContainerColumns[], loads: LoadColumns[]) {
  return {
    total_weight: measureOf(row.total_weight, row.total_weight_unit),
    total_volume: measureOf(row.total_volume, row.total_volume_unit),
    total_teus: row.total_teus ?? undefined,
    containers: containers.length > 0 ? containers.map(containerOf) : undefined,
    loads: loads.length > 0 ? loads.map(loadOf) : undefined,
  }
}

function containerOf(row: ContainerColumns): Container {
  return {
    container_type: row.container_type ?? undefined,
    container_number: row.container_number ?? undefined,
    seal_number: row.seal_number ?? undefined,
    // Some database clients return an empty array for null.
    purchase_order_references: row.purchase_order_references?.length ? row.purchase_order_references : undefined,
  } as Container
}

function loadOf(row: LoadColumns): Load {
  return {
    count: row.count ?? undefined,
    type: row.type ?? undefined,
    weight: measureOf(row.weight, row.weight_unit),
    volume_unit: row.volume_unit ?? undefined,
    length: measureOf(row.length, row.length_unit),
    width: measureOf(row.width, row.width_unit),
    height: measureOf(row.height, row.height_unit),
  } as Load
}

// Fields with a default always have a value.
function goodsOf(row: ShipmentColumns) {
  if (row.is_stackable === null) return undefined
  return {
    goods_description: row.goods_description ?? undefined,
    is_stackable: row.is_stackable,
    is_hazardous: row.is_hazardous ?? undefined,
    hazardous_description: row.hazardous_description ?? undefined,
    contains_lithium: row.contains_lithium ?? undefined,
    lithium_packaging_type: row.lithium_packaging_type ?? undefined,
    contains_magnets: row.contains_magnets ?? undefined,
    needs_controlled_temperature: row.needs_controlled_temperature ?? undefined,
    temperature_range_description: row.temperature_range_description ?? undefined,
  }
}

function datesOf(row: ShipmentColumns) {
  const { pickup_date, departure_date, arrival_date, delivery_date } = row
  if (!hasAny(pickup_date, departure_date, arrival_date, delivery_date)) return undefined
  return {
    pickup_date: dateOf(pickup_date, row.pickup_date_status),
    departure_date: dateOf(departure_date, row.departure_date_status),
    arrival_date: dateOf(arrival_date, row.arrival_date_status),
    delivery_date: dateOf(delivery_date, row.delivery_date_status),
  }
}

function bookingOf(row: ShipmentColumns) {
  const ocean_booking = oceanBookingOf(row)
  const air_booking = airBookingOf(row)
  if (!(ocean_booking || air_booking || hasAny(row.carrier, row.master_bill, row.house_bill))) return undefined
  return {
    carrier: row.carrier ?? undefined,
    master_bill: row.master_bill ?? undefined,
    house_bill: row.house_bill ?? undefined,
    ocean_booking,
    air_booking,
  }
}

function oceanBookingOf({ ocean_booking_number, ocean_voyage, ocean_vessel }: ShipmentColumns) {
  if (!hasAny(ocean_booking_number, ocean_voyage, ocean_vessel)) return undefined
  return {
    booking_number: ocean_booking_number ?? undefined,
    voyage: ocean_voyage ?? undefined,
    vessel: ocean_vessel ?? undefined,
  }
}

function airBookingOf({ air_flight_number, air_chargeable_weight, air_chargeable_weight_unit }: ShipmentColumns) {
  if (!hasAny(air_flight_number, air_chargeable_weight)) return undefined
  return {
    flight_number: air_flight_number ?? undefined,
    chargeable_weight: measureOf(air_chargeable_weight, air_chargeable_weight_unit),
  }
}

function quoteOf({ quote_id, quote_request_date, quote_accepted_date }: ShipmentColumns) {
  if (!hasAny(quote_id, quote_request_date, quote_accepted_date)) return undefined
  return {
    id: quote_id ?? undefined,
    request_date: quote_request_date ?? undefined,
    accepted_date: quote_accepted_date ?? undefined,
  }
}

export function dayOf(day: Day): string | undefined {
  return day instanceof Date ? day.toISOString().slice(0, 10) : (day ?? undefined)
}
