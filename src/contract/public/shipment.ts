import { type Static, Type } from 'typebox'
import { closed, Identifier, named, oneOf } from '../schema.js'
import {
  DateWithTime,
  PortCode,
  Price,
  packagingTypes,
  SimpleDate,
  Size,
  TrackingDate,
  Volume,
  Weight,
} from './shared-types.js'

/** Interface 2.2. */

export const shipmentStatuses = [
  'booking_request',
  'awaiting_booking',
  'booked',
  'draft',
  'in_progress',
  'finished',
  'cancelled',
] as const
export type ShipmentStatus = (typeof shipmentStatuses)[number]
export const ShipmentStatus = oneOf(shipmentStatuses)

export const shipmentInvoiceStatuses = ['available', 'awaiting_invoice', 'due', 'paid', 'partially_paid'] as const
export type ShipmentInvoiceStatus = (typeof shipmentInvoiceStatuses)[number]

export const incoterms = ['exw', 'fca', 'fas', 'fob', 'cpt', 'cfr', 'cif', 'cip', 'dap', 'ddp', 'dpu', 'dat'] as const
export const freightModes = ['air', 'ocean', 'rail', 'truck'] as const
export const loadTypes = ['fcl', 'lcl', 'both'] as const
export const freightTypes = ['port_to_door', 'door_to_port', 'door_to_door', 'port_to_port'] as const

export const containerTypes = [
  'twenty_foot_standard',
  'twenty_foot_reefer',
  'twenty_foot_flat_rack',
  'twenty_foot_open_top',
  'forty_foot_standard',
  'forty_foot_reefer',
  'forty_foot_flat_rack',
  'forty_foot_open_top',
  'forty_foot_highcube_standard',
  'forty_foot_highcube_reefer',
  'forty_foot_highcube_flat_rack',
  'forty_foot_highcube_open_top',
  'forty_five_foot_highcube_standard',
] as const
export type ContainerType = (typeof containerTypes)[number]

// Interface 2.2.1: a Location's `id` is an integer, a route names it by a string.
export const Route = named(
  'Route',
  {},
  {
    pickup_location_id: Identifier,
    origin_port_unlocode: PortCode,
    destination_port_unlocode: PortCode,
    delivery_location_id: Identifier,
  },
)
export type Route = Static<typeof Route>

export const Container = named(
  'Container',
  {},
  {
    container_type: oneOf(containerTypes),
    container_number: Type.String(),
    seal_number: Type.String(),
    purchase_order_references: Type.Array(Type.String()),
  },
)
export type Container = Static<typeof Container>

export const Load = named(
  'Load',
  {},
  {
    count: Type.Number(),
    type: oneOf(packagingTypes),
    weight: Weight,
    volume_unit: Type.String({ deprecated: true }),
    length: Size,
    width: Size,
    height: Size,
  },
)
export type Load = Static<typeof Load>

export const Cargo = named(
  'Cargo',
  {},
  {
    total_weight: Weight,
    total_volume: Volume,
    total_teus: Type.Integer({
      description: 'Twenty-foot equivalent units; computed from the containers when not given.',
    }),
    containers: Type.Array(Container),
    loads: Type.Array(Load),
  },
)
export type Cargo = Static<typeof Cargo>

export const TransportedGoods = named(
  'TransportedGoods',
  {},
  {
    goods_description: Type.String(),
    is_stackable: Type.Boolean({ default: true }),
    is_hazardous: Type.Boolean({ default: false }),
    hazardous_description: Type.String({ description: 'A hazard classification code.' }),
    contains_lithium: Type.Boolean({ default: false }),
    lithium_packaging_type: oneOf(['alone', 'contained', 'packed']),
    contains_magnets: Type.Boolean({ default: false }),
    needs_controlled_temperature: Type.Boolean({ default: false }),
    temperature_range_description: Type.String(),
  },
)
export type TransportedGoods = Static<typeof TransportedGoods>

export const BookingInformation = named(
  'BookingInformation',
  {},
  {
    carrier: Type.String(),
    master_bill: Type.String(),
    house_bill: Type.String(),
    ocean_booking: closed({}, { booking_number: Type.String(), voyage: Type.String(), vessel: Type.String() }),
    air_booking: closed({}, { flight_number: Type.String(), chargeable_weight: Weight }),
  },
)
export type BookingInformation = Static<typeof BookingInformation>

export const MainTrackingDates = named(
  'MainTrackingDates',
  {},
  {
    pickup_date: TrackingDate,
    departure_date: TrackingDate,
    arrival_date: TrackingDate,
    delivery_date: TrackingDate,
  },
)
export type MainTrackingDates = Static<typeof MainTrackingDates>

export const Shipment = named(
  'Shipment',
  { svc_shipment_id: Identifier },
  {
    name: Type.String(),
    status: ShipmentStatus,
    created_at: DateWithTime,
    incoterm: oneOf(incoterms),
    freight_mode: oneOf(freightModes),
    load_type: oneOf(loadTypes),
    freight_type: oneOf(freightTypes),
    route: Route,
    cargo_ready_date: SimpleDate,
    desired_delivery_date: SimpleDate,
    specific_instructions: Type.String({ description: 'Instruction given by the client.' }),
    cargo: Cargo,
    transported_goods: TransportedGoods,
    commercial_value: Price,
    needs_ad_valorem_insurance: Type.Boolean({ default: false }),
    purchase_order_references: Type.Array(Type.String()),
    main_tracking_dates: MainTrackingDates,
    booking_information: BookingInformation,
    invoice_status: oneOf(shipmentInvoiceStatuses),
    invoice_references: Type.Array(Type.String(), { description: 'Invoice numbers.' }),
    accepted_quote: closed({}, { id: Type.String(), request_date: DateWithTime, accepted_date: DateWithTime }),
  },
)
export type Shipment = Static<typeof Shipment>

const computableTotals = ['total_weight', 'total_volume'] as const

/** A shipment as it is stored. Computed totals are marked, since they follow the loads. */
export const ShipmentRecord = named('ShipmentRecord', Shipment.properties, {
  computed_totals: Type.Array(oneOf(computableTotals)),
})
export type ShipmentRecord = Static<typeof ShipmentRecord>
