import type { AssignmentData } from '../contract/import-line.js'
import type { Invoice, InvoiceStatus, PaymentRecord } from '../contract/public/invoice.js'
import type { PurchaseOrderCreate } from '../contract/public/purchase-order.js'
import type { ContainerType, Shipment, ShipmentStatus, TransportedGoods } from '../contract/public/shipment.js'
import type { TrackingRecord, TrackingStatus } from '../contract/public/tracking.js'
import { atLocalHour, day, hour, localDate, localDateWithTime, utcDate } from '../domain/dates/local-time.js'
import type { SandboxAccount } from './account.js'
import { bookCarriage, chargeableKg } from './booking.js'
import { type Packed, packCargo } from './cargo.js'
import type { TroublePlace } from './delays.js'
import type { Goods } from './goods.js'
import { invoiceShipment } from './invoices.js'
import type { Itinerary } from './itinerary.js'
import { fromDoor, type JourneyPlan, planJourney, toDoor } from './journey.js'
import { chooseLane, type FreightMode, type Lane } from './lane.js'
import { type OrderBook, orderAhead, orderGoods } from './orders.js'
import { paymentsOf } from './payments.js'
import type { Random } from './random.js'
import { shipmentId } from './shipment-id.js'
import { type ShipmentStage, stageOf, startFor } from './stage.js'
import { drawTerms, type Terms } from './terms.js'
import { milestone, sourcesOf, trackShipment } from './tracking.js'

/** A shipment with all related resources. Fields that the spec leaves out are random. */

export type ShipmentSpec = Partial<Terms> & {
  start?: number
  /** Days since its delivery. */
  doneDays?: number
  status?: ShipmentStatus
  phase?: TrackingStatus
  mode?: FreightMode
  containerType?: ContainerType
  goods?: Goods
  transit?: boolean
  hub?: string
  trouble?: boolean | TroublePlace
  isSplit?: boolean
  isClearedEarly?: boolean
  invoice?: InvoiceStatus
  credited?: boolean
}

export type Bundle = {
  shipment: Shipment
  tracking?: TrackingRecord
  orders: PurchaseOrderCreate[]
  assignments: AssignmentData[]
  invoices: Invoice[]
  payments: PaymentRecord[]
  lane: Lane
  packed: Packed
  itinerary: Itinerary
}

export type GeneratorContext = { account: SandboxAccount; book: OrderBook; now: number }

export function makeShipment(
  { account, book, now }: GeneratorContext,
  number: number,
  spec: ShipmentSpec,
  random: Random,
): Bundle {
  const { lane, terms, itinerary } = planShipment(account, spec, now, random)
  const { supplier, warehouse } = lane
  const { goods } = supplier
  const stage = stageFor(spec, itinerary, now, random)

  const svc_shipment_id = shipmentId(number, account.random.stream('shipment ids'))
  const departed = milestone(itinerary, 'departed')!
  const { sailing } = itinerary.bookings.findLast(({ since }) => since <= now) ?? {}
  const { booking, owners } = bookCarriage({ lane, number, departs: departed.planned, sailing }, random)
  const imperial = supplier.city.country === 'US' || (account.home.country === 'US' && random.chance(0.3))
  const packed = packCargo(
    {
      goods,
      mode: lane.mode,
      loadType: terms.loadType,
      imperial,
      containerType: spec.containerType,
      leastContainers: spec.isSplit ? 2 : 1,
      ...(isCollected(stage) && { owners }),
    },
    random.stream('cargo'),
  )
  const dates = datesOf(account, itinerary, stage, now, random)
  const ordered = orderGoods(
    book,
    {
      svc_shipment_id,
      supplier,
      packed,
      shipped: isCollected(stage),
      exFactory: dates.ready,
      delivery: dates.desired,
    },
    random.stream('orders'),
  )
  nameOrdersOnContainers(packed, ordered.assignments)
  const orders = random.chance(0.12) ? [...ordered.orders, orderAhead(book, ahead(lane, now), random)] : ordered.orders
  const insured = random.chance(0.2)

  const shipment: Shipment = {
    svc_shipment_id,
    name: `${goods.description.split(/[,(]/)[0]!.trim()}, ${lane.origin.city} – ${lane.destination.city}`,
    status: stage.status,
    created_at: localDateWithTime(dates.created, account.warehouses[0]!.timeZone),
    incoterm: terms.incoterm,
    freight_mode: lane.mode,
    load_type: terms.loadType,
    freight_type: terms.freightType,
    route: {
      ...(fromDoor(terms.freightType) && { pickup_location_id: String(supplier.location.id) }),
      origin_port_unlocode: lane.origin.code,
      destination_port_unlocode: lane.destination.code,
      ...(toDoor(terms.freightType) && { delivery_location_id: String(warehouse.location.id) }),
    },
    cargo_ready_date: dates.ready,
    desired_delivery_date: dates.desired,
    ...(random.chance(0.35) && { specific_instructions: random.pick(instructions) }),
    cargo: packed.cargo,
    transported_goods: describeGoods(goods),
    commercial_value: ordered.value,
    needs_ad_valorem_insurance: insured,
    ...(isBooked(stage) && { booking_information: withWeight(booking, packed) }),
    ...quoteOf(account, stage, dates.created, random),
  }

  const tracked = isBooked(stage) && (stage.status !== 'cancelled' || random.chance(0.6))
  const containerNumbers = packed.containers.flatMap(({ container_number }) => container_number ?? [])
  const billed = stage.status !== 'cancelled' && departed.happens < now - day
  const delivered = milestone(itinerary, 'delivered')!.happens
  const invoices =
    billed && (spec.invoice !== undefined || random.chance(stage.status === 'finished' ? 0.95 : 0.5))
      ? invoiceShipment(
          account,
          {
            svc_shipment_id,
            lane,
            packed,
            chargeableKg: chargeableKg(packed),
            toDoor: toDoor(terms.freightType),
            insured,
            departed: departed.happens,
            sequence: number,
            status: spec.invoice,
            credited: spec.credited,
            ...(delivered <= now && { delivered }),
          },
          now,
          random.stream('invoices'),
        )
      : []
  return {
    shipment,
    orders,
    assignments: ordered.assignments,
    lane,
    packed,
    itinerary,
    ...(tracked && {
      tracking: trackShipment(
        {
          svc_shipment_id,
          status: stage.status,
          itinerary,
          containerNumbers,
          plannedAt: dates.created + 4 * day,
          sources: sourcesOf(lane, booking),
        },
        now,
      ),
    }),
    invoices,
    payments: invoices.flatMap((invoice) => paymentsOf(invoice, now, random.stream('payments'))),
  }
}

type Planned = { lane: Lane; terms: Terms; itinerary: Itinerary }

// Ships leave on certain days: on some lanes nothing may have the requested phase today.
function planShipment(account: SandboxAccount, spec: ShipmentSpec, now: number, random: Random): Planned {
  const { trouble, isSplit, isClearedEarly } = spec
  for (let attempt = 1; attempt <= 10; attempt++) {
    const lane = chooseLane(account, spec, random.stream(attempt === 1 ? 'lane' : `lane ${attempt}`))
    const terms = drawTerms(lane.mode, lane.supplier.goods, spec, random)
    const boxed = terms.loadType !== 'lcl' && (lane.mode === 'ocean' || lane.mode === 'rail')
    const plan = { lane, freightType: terms.freightType, fullContainers: boxed, trouble, isSplit, isClearedEarly }
    const itinerary = planFor(plan, spec, now, random)
    if (itinerary) return { lane, terms, itinerary }
  }
  throw new Error(`No such journey is ${spec.phase} today`)
}

// Delays are random: journeys are tried until one has the requested phase today.
function planFor(plan: JourneyPlan, spec: ShipmentSpec, now: number, random: Random): Itinerary | undefined {
  for (let attempt = 1; attempt <= 60; attempt++) {
    const journey = (start: number) => planJourney(plan, start, random.stream(`journey ${attempt}`))
    const start = spec.start ?? startFor(spec, journey, now, random)
    if (start !== undefined) return journey(start)
  }
  return undefined
}

function stageFor(spec: ShipmentSpec, itinerary: Itinerary, now: number, random: Random): ShipmentStage {
  const stage = stageOf(itinerary, now)
  if (spec.status === 'cancelled' || (spec.status === undefined && spec.phase === undefined && random.chance(0.04))) {
    return { status: 'cancelled', phase: 'cancelled' }
  }
  return stage
}

function isBooked({ status }: ShipmentStage): boolean {
  return status === 'booked' || status === 'in_progress' || status === 'finished' || status === 'cancelled'
}

// From then on the containers have numbers, and the goods are packed.
function isCollected({ status, phase }: ShipmentStage): boolean {
  return status === 'in_progress' || status === 'finished' || phase === 'at_origin'
}

type Dates = { created: number; ready: string; desired: string }

function datesOf(
  account: SandboxAccount,
  itinerary: Itinerary,
  { status }: ShipmentStage,
  now: number,
  random: Random,
): Dates {
  const first = itinerary.milestones[0]!
  const last = milestone(itinerary, 'delivered')!
  const { timeZone } = itinerary.steps[first.step]!
  const decided = status !== 'draft' && status !== 'booking_request'
  const asked = first.planned - random.integer(12, 34) * day
  const latest = now - (decided ? 5 : 0) * day - random.integer(1, 4) * day
  const inTheOffice = 8 + random.integer(0, 10 * 60) / 60
  return {
    created: atLocalHour(Math.min(asked, latest), account.warehouses[0]!.timeZone, inTheOffice),
    ready: localDate(first.planned - random.integer(0, 3) * day, timeZone),
    // Some desired dates are earlier than planned.
    desired: localDate(last.planned + random.integer(-2, 9) * day, itinerary.steps[last.step]!.timeZone),
  }
}

function quoteOf(
  account: SandboxAccount,
  { status }: ShipmentStage,
  created: number,
  random: Random,
): Pick<Shipment, 'accepted_quote'> {
  if (status === 'draft' || status === 'booking_request') return {}
  const { timeZone } = account.warehouses[0]!
  const accepted = created + random.integer(20, 90) * hour
  return {
    accepted_quote: {
      id: `QT-${random.digits(7)}`,
      request_date: localDateWithTime(created, timeZone),
      accepted_date: localDateWithTime(accepted, timeZone),
    },
  }
}

function ahead({ supplier }: Lane, now: number) {
  return { supplier, exFactory: utcDate(now + 40 * day), delivery: utcDate(now + 85 * day) }
}

function withWeight(booking: Shipment['booking_information'], packed: Packed): Shipment['booking_information'] {
  if (!booking?.air_booking) return booking
  const chargeable_weight = { value: chargeableKg(packed), unit: 'kg' as const }
  return { ...booking, air_booking: { ...booking.air_booking, chargeable_weight } }
}

function nameOrdersOnContainers({ containers }: Packed, assignments: AssignmentData[]): void {
  for (const container of containers) {
    const shippedIn = assignments.filter(({ shipped_order_lines = [] }) =>
      shipped_order_lines.some(({ container_number }) => container_number === container.container_number),
    )
    const references = [...new Set(shippedIn.map(({ reference }) => reference))]
    if (references.length > 0) container.purchase_order_references = references
  }
}

const instructions = [
  'Please call the warehouse a day before delivery.',
  'Keep upright. Do not stack.',
  'Palettes Europe uniquement, échange à la livraison.',
  'Original bills of lading to be sent by courier.',
  'Fumigation certificate required for wooden packaging (ISPM 15).',
  'Deliver before noon; tail lift is on site.',
]

function describeGoods(goods: Goods): TransportedGoods {
  return {
    goods_description: goods.description,
    is_stackable: goods.stackable ?? true,
    is_hazardous: goods.hazard !== undefined,
    ...(goods.hazard && { hazardous_description: goods.hazard }),
    contains_lithium: goods.lithium !== undefined,
    ...(goods.lithium && { lithium_packaging_type: goods.lithium }),
    contains_magnets: goods.magnets === true,
    needs_controlled_temperature: goods.temperature !== undefined,
    ...(goods.temperature && { temperature_range_description: goods.temperature }),
  }
}
