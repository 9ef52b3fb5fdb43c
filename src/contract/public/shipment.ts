import { type Static, Type } from 'typebox'
import { closed, described, explained, Identifier, named, oneOf } from '../schema.js'
import { BookingInformation } from './booking-information.js'
import {
  ContainerNumber,
  dayOf,
  PackagingType,
  PortCode,
  Price,
  ShipmentId,
  Size,
  TrackingDate,
  timeOf,
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
export const ShipmentStatus = explained(shipmentStatuses, 'Where the shipment stands.', {
  booking_request: 'The account has asked for it; the forwarder has not confirmed.',
  awaiting_booking: 'Confirmed by the forwarder, who is booking the transport.',
  booked: 'The transport is booked and has not begun.',
  draft: 'Being prepared, before it is requested.',
  in_progress: 'Under way: collected, and not yet delivered.',
  finished: 'Delivered, and nothing remains to be done.',
  cancelled: 'It does not take place.',
})

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

const ContainerType = explained(containerTypes, 'Length and kind of the container.', {
  twenty_foot_standard: '20 feet, closed.',
  twenty_foot_reefer: '20 feet, refrigerated.',
  twenty_foot_flat_rack: '20 feet, without side walls and roof.',
  twenty_foot_open_top: '20 feet, without a fixed roof.',
  forty_foot_standard: '40 feet, closed.',
  forty_foot_reefer: '40 feet, refrigerated.',
  forty_foot_flat_rack: '40 feet, without side walls and roof.',
  forty_foot_open_top: '40 feet, without a fixed roof.',
  forty_foot_highcube_standard: '40 feet, a foot higher, closed.',
  forty_foot_highcube_reefer: '40 feet, a foot higher, refrigerated.',
  forty_foot_highcube_flat_rack: '40 feet, a foot higher, without side walls and roof.',
  forty_foot_highcube_open_top: '40 feet, a foot higher, without a fixed roof.',
  forty_five_foot_highcube_standard: '45 feet, a foot higher, closed.',
})

// Interface 2.2.1: a Location's `id` is an integer, a route names it by a string.
export const Route = named(
  'Route',
  {},
  {
    pickup_location_id: described(
      Identifier,
      'The `id` of the location at which the goods are collected, as a string. Absent if the transport begins at the port.',
    ),
    origin_port_unlocode: described(
      PortCode,
      'UN/LOCODE of the port, airport or station at which the main carriage begins: country code, slash, place code.',
    ),
    destination_port_unlocode: described(
      PortCode,
      'UN/LOCODE of the port, airport or station at which the main carriage ends: country code, slash, place code.',
    ),
    delivery_location_id: described(
      Identifier,
      'The `id` of the location to which the goods are delivered, as a string. Absent if the transport ends at the port.',
    ),
  },
)
export type Route = Static<typeof Route>

export const Container = named(
  'Container',
  {},
  {
    container_type: ContainerType,
    container_number: ContainerNumber,
    seal_number: Type.String({ description: 'The number of the seal on its doors.' }),
    purchase_order_references: Type.Array(Type.String(), {
      description: 'The `po_number` of each purchase order of which goods are packed in this container.',
    }),
  },
)
export type Container = Static<typeof Container>

export const Load = named(
  'Load',
  {},
  {
    count: Type.Number({ description: 'How many of this size and weight there are.' }),
    type: PackagingType,
    weight: described(Weight, 'The weight of one of them.'),
    volume_unit: Type.String({ deprecated: true, description: 'Not used: sizes have their own units.' }),
    length: described(Size, 'The length of one of them.'),
    width: described(Size, 'The width of one of them.'),
    height: described(Size, 'The height of one of them.'),
  },
)
export type Load = Static<typeof Load>

export const Cargo = named(
  'Cargo',
  {},
  {
    total_weight: described(Weight, 'Of everything; computed from the loads when not given.'),
    total_volume: described(Volume, 'Of everything; computed from the loads when not given.'),
    total_teus: Type.Integer({
      description: 'Twenty-foot equivalent units; computed from the containers when not given.',
    }),
    containers: Type.Array(Container, { description: 'The containers that the goods travel in.' }),
    loads: Type.Array(Load, { description: 'Pallets, packages and crates, by size.' }),
  },
)
export type Cargo = Static<typeof Cargo>

export const TransportedGoods = named(
  'TransportedGoods',
  {},
  {
    goods_description: Type.String({ description: 'What the goods are, in words.' }),
    is_stackable: Type.Boolean({ default: true, description: 'Whether other goods may be put on top.' }),
    is_hazardous: Type.Boolean({ default: false, description: 'Whether they are dangerous goods.' }),
    hazardous_description: Type.String({ description: 'A hazard classification code.' }),
    contains_lithium: Type.Boolean({ default: false, description: 'Whether there are lithium batteries in them.' }),
    lithium_packaging_type: explained(
      ['alone', 'contained', 'packed'],
      'How the lithium batteries are packed. Absent without any.',
      {
        alone: 'Batteries by themselves.',
        contained: 'Batteries inside of equipment.',
        packed: 'Batteries beside the equipment, in the same package.',
      },
    ),
    contains_magnets: Type.Boolean({
      default: false,
      description: 'Whether there are magnets in them, which matters for air freight.',
    }),
    needs_controlled_temperature: Type.Boolean({
      default: false,
      description: 'Whether they have to be kept within a range of temperatures.',
    }),
    temperature_range_description: Type.String({ description: 'That range, in words, with its unit.' }),
  },
)
export type TransportedGoods = Static<typeof TransportedGoods>

export const MainTrackingDates = named(
  'MainTrackingDates',
  {},
  {
    pickup_date: described(TrackingDate, 'When the goods are collected. Absent while nothing is known.'),
    departure_date: described(TrackingDate, 'When they leave the first port. Absent while nothing is known.'),
    arrival_date: described(TrackingDate, 'When they reach the last port. Absent while nothing is known.'),
    delivery_date: described(
      TrackingDate,
      'When they are delivered, or leave the last port if the transport ends there. Absent while nothing is known.',
    ),
  },
)
export type MainTrackingDates = Static<typeof MainTrackingDates>

const Incoterm = explained(incoterms, 'Who bears cost and risk up to where (Incoterms).', {
  exw: 'Ex Works.',
  fca: 'Free Carrier.',
  fas: 'Free Alongside Ship.',
  fob: 'Free On Board.',
  cpt: 'Carriage Paid To.',
  cfr: 'Cost and Freight.',
  cif: 'Cost, Insurance and Freight.',
  cip: 'Carriage and Insurance Paid To.',
  dap: 'Delivered At Place.',
  ddp: 'Delivered Duty Paid.',
  dpu: 'Delivered at Place Unloaded (since Incoterms 2020).',
  dat: 'Delivered At Terminal (Incoterms 2010).',
})
const FreightMode = explained(freightModes, 'The means of the main carriage.', {
  air: 'By aircraft.',
  ocean: 'By sea.',
  rail: 'By train.',
  truck: 'By road.',
})
const LoadType = explained(loadTypes, 'Whether the goods have containers of their own.', {
  fcl: 'Full container load: containers of their own.',
  lcl: 'Less than container load: they share containers with goods of others.',
  both: 'Some in containers of their own, the rest in shared ones.',
})
const FreightType = explained(freightTypes, 'Where the transport begins and ends.', {
  port_to_door: "From the port of origin to the consignee's door.",
  door_to_port: "From the shipper's door to the port of destination.",
  door_to_door: "From the shipper's door to the consignee's.",
  port_to_port: 'From port to port only.',
})
const ShipmentInvoiceStatus = explained(
  shipmentInvoiceStatuses,
  'How far the shipment is invoiced and paid, from all of its invoices, without credit notes.',
  {
    available: 'An invoice can be read, and is not yet due or is being corrected.',
    awaiting_invoice: 'Nothing has been invoiced.',
    due: 'An invoice is due or disputed.',
    paid: 'All invoices are paid or written off.',
    partially_paid: 'Some invoices are paid, or one in part.',
  },
)

const cargoMeaning = 'How much it is, and in what it is packed.'

export const Shipment = named(
  'Shipment',
  { svc_shipment_id: ShipmentId },
  {
    name: Type.String({ description: 'By which people know the shipment.' }),
    status: ShipmentStatus,
    created_at: timeOf('When the forwarder opened the shipment; lists are sorted by it.'),
    incoterm: Incoterm,
    freight_mode: FreightMode,
    load_type: LoadType,
    freight_type: FreightType,
    route: described(Route, 'From where to where.'),
    cargo_ready_date: dayOf('From when on the goods can be collected.'),
    desired_delivery_date: dayOf('When the account wants to have the goods.'),
    specific_instructions: Type.String({ description: 'Instruction given by the client.' }),
    cargo: described(Cargo, cargoMeaning),
    transported_goods: described(TransportedGoods, 'What it is, and how it has to be handled.'),
    commercial_value: described(Price, 'The value of the goods, for customs and insurance.'),
    needs_ad_valorem_insurance: Type.Boolean({
      default: false,
      description: 'Whether the goods are to be insured at their value.',
    }),
    purchase_order_references: Type.Array(Type.String(), {
      description: 'The `po_number` of each purchase order with lines assigned to the shipment.',
    }),
    main_tracking_dates: described(MainTrackingDates, 'The four milestones, as derived from the tracking.'),
    booking_information: described(BookingInformation, 'Carrier, bills and booking. Absent while nothing is booked.'),
    invoice_status: ShipmentInvoiceStatus,
    invoice_references: Type.Array(Type.String(), {
      description: 'The `number` of each invoice and credit note, by date of sending.',
    }),
    accepted_quote: described(
      closed(
        {},
        {
          id: Type.String({ description: "The forwarder's number of the quote." }),
          request_date: timeOf('When the quote was asked for.'),
          accepted_date: timeOf('When the account accepted it.'),
        },
      ),
      'The quote on which the shipment is based. Absent if there was none.',
    ),
  },
)
export type Shipment = Static<typeof Shipment>

const computableTotals = ['total_weight', 'total_volume'] as const

// Far more than travel together: each write of the shipment, and of what it shows, derives and renders all of them.
const mostContainers = 2000
const mostLoads = 10_000

const { containers, loads } = Cargo.properties

/** Cargo as it is written: of shipments, whose lists have limits there. */
const CargoRecord = named('CargoRecord', Cargo.properties, {
  containers: { ...containers, maxItems: mostContainers },
  loads: { ...loads, maxItems: mostLoads },
})

/** A shipment as it is stored. Computed totals are marked, since they follow the loads. */
export const ShipmentRecord = named('ShipmentRecord', Shipment.properties, {
  cargo: described(CargoRecord, cargoMeaning),
  computed_totals: Type.Array(oneOf(computableTotals), {
    description: 'Which totals were computed from the loads; the others were given.',
  }),
})
export type ShipmentRecord = Static<typeof ShipmentRecord>
