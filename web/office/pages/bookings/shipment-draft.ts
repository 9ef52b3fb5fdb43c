import type { ShipmentCreate } from '../../../../src/contract/operator/shipments.js'
import type { ContainerType, Shipment } from '../../../../src/contract/public/shipment.js'
import type { Selection } from './selection.js'

/** A shipment that is being built, as its form holds it. */

type Unit = { type: ContainerType | ''; number: string }

export type ShipmentDraft = {
  account: string
  name: string
  status: 'draft' | 'booking_request' | 'awaiting_booking' | 'booked'
  freight_mode: NonNullable<Shipment['freight_mode']>
  load_type: NonNullable<Shipment['load_type']> | ''
  freight_type: NonNullable<Shipment['freight_type']> | ''
  incoterm: NonNullable<Shipment['incoterm']> | ''
  origin: string
  destination: string
  pickup: string
  delivery: string
  ready: string
  desired: string
  carrier: string
  masterBill: string
  houseBill: string
  booking: string
  flight: string
  goods: string
  instructions: string
  units: Unit[]
  /** The shipment that it is like. */
  like: string
}

export const blankDraft: ShipmentDraft = {
  account: '',
  name: '',
  status: 'awaiting_booking',
  freight_mode: 'ocean',
  load_type: '',
  freight_type: '',
  incoterm: '',
  origin: '',
  destination: '',
  pickup: '',
  delivery: '',
  ready: '',
  desired: '',
  carrier: '',
  masterBill: '',
  houseBill: '',
  booking: '',
  flight: '',
  goods: '',
  instructions: '',
  units: [],
  like: '',
}

/** Ready when the last of the goods are, wanted when the first of them are. */
export function datesOf({ lines }: Selection): Pick<ShipmentDraft, 'ready' | 'desired'> {
  const days = (name: 'ready' | 'wanted') =>
    Object.values(lines)
      .flatMap((line) => line[name] ?? [])
      .toSorted()
  return { ready: days('ready').at(-1) ?? '', desired: days('wanted')[0] ?? '' }
}

/** Route, parties, mode and units of an earlier shipment; its numbers, dates and bookings are its own. */
export function draftLike(shipment: Shipment): Partial<ShipmentDraft> {
  const { route = {}, cargo } = shipment
  return {
    freight_mode: shipment.freight_mode ?? 'ocean',
    load_type: shipment.load_type ?? '',
    freight_type: shipment.freight_type ?? '',
    incoterm: shipment.incoterm ?? '',
    origin: route.origin_port_unlocode ?? '',
    destination: route.destination_port_unlocode ?? '',
    pickup: route.pickup_location_id ?? '',
    delivery: route.delivery_location_id ?? '',
    goods: shipment.transported_goods?.goods_description ?? '',
    instructions: shipment.specific_instructions ?? '',
    units: (cargo?.containers ?? []).map(({ container_type }): Unit => ({ type: container_type ?? '', number: '' })),
    like: shipment.svc_shipment_id,
  }
}

export function createBodyOf(draft: ShipmentDraft): ShipmentCreate {
  const { freight_mode, status } = draft
  const route = given({
    origin_port_unlocode: draft.origin,
    destination_port_unlocode: draft.destination,
    pickup_location_id: draft.pickup,
    delivery_location_id: draft.delivery,
  })
  const booked = {
    ...given({ carrier: draft.carrier, master_bill: draft.masterBill, house_bill: draft.houseBill }),
    ...(freight_mode === 'ocean' &&
      draft.booking.trim() !== '' && { ocean_booking: { booking_number: draft.booking.trim() } }),
    ...(freight_mode === 'air' &&
      draft.flight.trim() !== '' && { air_booking: { flight_number: draft.flight.trim() } }),
  }
  const containers = draft.units.map(({ type, number }) => given({ container_type: type, container_number: number }))
  return {
    status,
    freight_mode,
    ...given({
      name: draft.name,
      load_type: draft.load_type,
      freight_type: draft.freight_type,
      incoterm: draft.incoterm,
      cargo_ready_date: draft.ready,
      desired_delivery_date: draft.desired,
      specific_instructions: draft.instructions,
    }),
    ...(Object.keys(route).length > 0 && { route }),
    ...(Object.keys(booked).length > 0 && { booking_information: booked }),
    ...(containers.length > 0 && { cargo: { containers } }),
    ...(draft.goods.trim() !== '' && { transported_goods: { goods_description: draft.goods.trim() } }),
  }
}

function given(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]])),
  )
}
