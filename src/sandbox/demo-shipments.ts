import { invoiceStatuses } from '../contract/public/invoice.js'
import { type ContainerType, containerTypes, freightTypes, incoterms } from '../contract/public/shipment.js'
import { type Goods, goods } from './goods.js'
import type { ShipmentSpec } from './shipment.js'

/** The shipments of the demo: together they have every value that the interface allows. */

export function goodsNamed(start: string): Goods {
  const found = goods.find(({ description }) => description.startsWith(start))
  if (!found) throw new Error(`There are no goods called ${start}`)
  return found
}

const dry = ['Ceramic', 'Flat-pack', 'Cotton', 'Photovoltaic', 'Toys', 'Bicycles', 'Paints', 'Brake'].map(goodsNamed)
const frozen = goodsNamed('Frozen')
const fresh = goodsNamed('Fresh')
const machines = goodsNamed('Machine tools')

function goodsFor(type: ContainerType, position: number): Goods {
  if (type.endsWith('reefer')) return position % 2 === 0 ? frozen : fresh
  return type.endsWith('standard') ? cycled(dry, position) : machines
}

function cycled<Item>(items: readonly Item[], position: number): Item {
  return items[position % items.length]!
}

const daysSinceInvoice = {
  paid: 75,
  write_off: 150,
  litigious: 60,
  due: 52,
  partially_paid: 41,
  available: 12,
  in_modification: 9,
  new: 2,
} as const

const everyContainer = containerTypes.map(
  (containerType, position): ShipmentSpec => ({
    mode: 'ocean',
    loadType: 'fcl',
    containerType,
    goods: goodsFor(containerType, position),
    freightType: cycled(freightTypes, position),
    ...(position % 3 === 0
      ? { phase: 'in_transit' }
      : { phase: 'delivered', doneDays: 6 + 14 * position, invoice: cycled(['paid', 'due'] as const, position) }),
  }),
)

const everyTerm = incoterms.map(
  (incoterm, position): ShipmentSpec => ({
    incoterm,
    mode: 'ocean',
    goods: cycled(dry, position + 3),
    phase: 'delivered',
    doneDays: 20 + 11 * position,
    loadType: cycled(['fcl', 'lcl', 'both'] as const, position),
    credited: position % 4 === 0,
  }),
)

const everyInvoice = invoiceStatuses.map(
  (invoice, position): ShipmentSpec => ({
    invoice,
    phase: 'delivered',
    doneDays: daysSinceInvoice[invoice],
    mode: cycled(['ocean', 'air'] as const, position),
    goods: cycled([goodsNamed('LED'), goodsNamed('Disposable'), goodsNamed('Sports')], position),
    loadType: 'lcl',
  }),
)

const notYetUnderWay: ShipmentSpec[] = [
  { status: 'draft', mode: 'ocean', goods: goodsNamed('Toys') },
  { status: 'draft', mode: 'air', goods: goodsNamed('Perfumery') },
  { status: 'draft', mode: 'rail', goods: goodsNamed('Tablet') },
  { status: 'booking_request', mode: 'ocean', goods: fresh },
  { status: 'booking_request', mode: 'truck', goods: goodsNamed('Brake') },
  { status: 'booking_request', mode: 'ocean', goods: goodsNamed('Lithium'), loadType: 'fcl' },
  { status: 'awaiting_booking', mode: 'ocean', goods: goodsNamed('Flat-pack') },
  { status: 'awaiting_booking', mode: 'air', goods: goodsNamed('Vaccines') },
  { status: 'awaiting_booking', mode: 'ocean', goods: machines },
  { status: 'booked', phase: 'pending', mode: 'ocean', goods: goodsNamed('Cotton') },
  { status: 'booked', phase: 'pending', mode: 'air', goods: goodsNamed('LED') },
  { status: 'booked', phase: 'pending', mode: 'rail', goods: goodsNamed('Electric motors') },
  { phase: 'at_origin', mode: 'ocean', loadType: 'fcl', goods: goodsNamed('Pneumatic'), incoterm: 'exw' },
  { phase: 'at_origin', mode: 'ocean', loadType: 'both', goods: goodsNamed('Green coffee'), incoterm: 'fob' },
  { phase: 'at_origin', mode: 'air', trouble: 'departure', goods: goodsNamed('Power tools') },
]

const underWay: ShipmentSpec[] = [
  { phase: 'in_transit', mode: 'ocean', transit: true, loadType: 'fcl', goods: goodsNamed('Photovoltaic') },
  { phase: 'in_transit', mode: 'ocean', trouble: 'departure', loadType: 'fcl', goods: goodsNamed('Toys') },
  { phase: 'in_transit', mode: 'ocean', isClearedEarly: true, loadType: 'fcl', goods: goodsNamed('Bicycles') },
  { phase: 'in_transit', mode: 'ocean', loadType: 'lcl', goods: goodsNamed('Sports') },
  { phase: 'in_transit', mode: 'ocean', loadType: 'fcl', goods: goodsNamed('Lithium') },
  { phase: 'in_transit', mode: 'air', goods: goodsNamed('Tablet') },
  { phase: 'in_transit', mode: 'rail', goods: goodsNamed('Tablet') },
  { phase: 'in_transit', mode: 'truck', goods: goodsNamed('Brake') },
  { phase: 'in_transit', mode: 'truck', goods: goodsNamed('Paints'), trouble: 'arrival' },
  { phase: 'at_transshipment', mode: 'ocean', transit: true, loadType: 'fcl', goods: goodsNamed('Ceramic') },
  { phase: 'at_transshipment', mode: 'ocean', transit: true, loadType: 'fcl', goods: frozen },
  { phase: 'arrived', mode: 'ocean', loadType: 'fcl', goods: goodsNamed('Bicycles'), freightType: 'port_to_door' },
  { phase: 'arrived', mode: 'ocean', loadType: 'lcl', goods: goodsNamed('Cotton'), freightType: 'port_to_port' },
  { phase: 'arrived', mode: 'ocean', loadType: 'fcl', trouble: 'customs', goods: fresh, freightType: 'door_to_door' },
  { phase: 'arrived', mode: 'ocean', loadType: 'fcl', trouble: 'release', goods: goodsNamed('Cotton') },
  {
    phase: 'arrived',
    mode: 'ocean',
    loadType: 'fcl',
    isSplit: true,
    goods: goodsNamed('LED'),
    freightType: 'port_to_door',
  },
  { phase: 'arrived', mode: 'air', goods: goodsNamed('Vaccines'), freightType: 'door_to_door' },
  { phase: 'arrived', mode: 'rail', goods: goodsNamed('Electric motors'), freightType: 'door_to_door' },
  { phase: 'out_for_delivery', mode: 'ocean', goods: goodsNamed('Ceramic'), freightType: 'port_to_door' },
  { phase: 'out_for_delivery', mode: 'air', goods: goodsNamed('Disposable'), freightType: 'door_to_door' },
  { phase: 'out_for_delivery', mode: 'truck', trouble: 'delivery', goods: goodsNamed('Brake') },
]

const done: ShipmentSpec[] = [
  {
    phase: 'delivered',
    doneDays: 33,
    mode: 'ocean',
    transit: true,
    trouble: 'departure',
    goods: goodsNamed('Flat-pack'),
  },
  { phase: 'delivered', doneDays: 58, mode: 'ocean', trouble: 'customs', goods: goodsNamed('Perfumery') },
  { phase: 'delivered', doneDays: 17, mode: 'air', trouble: 'departure', goods: goodsNamed('Power tools') },
  {
    phase: 'delivered',
    doneDays: 40,
    mode: 'ocean',
    loadType: 'fcl',
    isSplit: true,
    goods: goodsNamed('Photovoltaic'),
  },
  { phase: 'delivered', doneDays: 88, mode: 'rail', goods: goodsNamed('Tablet'), loadType: 'fcl' },
  { phase: 'delivered', doneDays: 104, mode: 'rail', goods: goodsNamed('Electric motors'), loadType: 'lcl' },
  { phase: 'delivered', doneDays: 24, mode: 'truck', goods: goodsNamed('Brake'), loadType: 'fcl' },
  { phase: 'delivered', doneDays: 120, mode: 'truck', goods: goodsNamed('Paints'), loadType: 'lcl' },
  { phase: 'delivered', doneDays: 66, mode: 'air', goods: goodsNamed('Perfumery'), credited: true },
  { phase: 'delivered', doneDays: 130, mode: 'ocean', goods: goodsNamed('Lithium'), loadType: 'fcl' },
  { phase: 'delivered', doneDays: 95, mode: 'ocean', goods: goodsNamed('Green coffee'), loadType: 'fcl' },
]

const cancelled: ShipmentSpec[] = ['Toys', 'Cotton', 'Bicycles', 'Photovoltaic', 'LED'].map((name) => ({
  status: 'cancelled',
  mode: 'ocean',
  goods: goodsNamed(name),
}))

// In chronological order as far as possible, so that sequential numbers grow with the dates.
export const demoShipments: readonly ShipmentSpec[] = [
  ...everyContainer,
  ...everyTerm,
  ...everyInvoice,
  ...done,
  ...cancelled,
  ...underWay,
  ...notYetUnderWay,
].toSorted((a, b) => (b.doneDays ?? 0) - (a.doneDays ?? 0))

export const secondShipments: readonly ShipmentSpec[] = [
  { phase: 'delivered', doneDays: 90 },
  { phase: 'delivered', doneDays: 61, mode: 'air' },
  { phase: 'delivered', doneDays: 44 },
  { phase: 'delivered', doneDays: 12, mode: 'truck' },
  { phase: 'arrived', mode: 'ocean' },
  { phase: 'in_transit', mode: 'ocean' },
  { phase: 'in_transit', mode: 'ocean' },
  { phase: 'in_transit', mode: 'truck' },
  { status: 'booked', phase: 'pending' },
  { status: 'awaiting_booking' },
  { status: 'draft' },
  { status: 'cancelled', mode: 'ocean' },
]
