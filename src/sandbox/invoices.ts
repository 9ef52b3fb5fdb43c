import type { Invoice, InvoiceLine, InvoiceStatus } from '../contract/public/invoice.js'
import type { Currency } from '../contract/public/shared-types.js'
import { day, hour, localDateWithTime, utcDate } from '../domain/dates/local-time.js'
import type { SandboxAccount } from './account.js'
import type { Packed } from './cargo.js'
import { minorUnits, multiply, price } from './currencies.js'
import type { Lane } from './lane.js'
import type { Random } from './random.js'

/** The invoices of a shipment, and their payments. */

type InvoiceSpec = {
  svc_shipment_id: string
  lane: Lane
  packed: Packed
  chargeableKg: number
  toDoor: boolean
  insured: boolean
  /** When the shipment departed and, if it has arrived, when it was delivered. */
  departed: number
  delivered?: number
  sequence: number
  status?: InvoiceStatus
  credited?: boolean
}

type Charge = {
  category: string
  description: string
  quantity: number
  unit: string
  dollars: number
  // International freight is free of VAT; domestic services are not.
  taxed: boolean
}

export function invoiceShipment(account: SandboxAccount, spec: InvoiceSpec, now: number, random: Random): Invoice[] {
  const currency = random.chance(0.75) ? account.currency : 'USD'
  const sent = sentAt(spec, now, random)
  const invoices = [draftInvoice(account, spec, 1, sent, 'invoice', charges(spec, random), currency, now, random)]
  if (spec.delivered && (spec.credited ?? random.chance(0.12))) {
    const credited = sent + random.integer(3, 14) * day
    if (credited < now) {
      invoices.push(draftInvoice(account, spec, 2, credited, 'credit_note', credit(random), currency, now, random))
    }
  }
  return invoices
}

function sentAt({ departed, delivered, status }: InvoiceSpec, now: number, random: Random): number {
  if (status === 'new') return now - random.integer(2, 20) * hour
  const from = delivered ?? departed
  return Math.min(from + random.integer(4, 70) * hour, now - hour)
}

function draftInvoice(
  account: SandboxAccount,
  spec: InvoiceSpec,
  part: number,
  sent: number,
  type: 'invoice' | 'credit_note',
  items: Charge[],
  currency: Currency,
  now: number,
  random: Random,
): Invoice {
  const requested = part === 1 ? spec.status : undefined
  const due = dueAt(sent, random.pick([15, 30, 30, 45]), requested, now)
  const status = requested ?? (type === 'invoice' ? statusOf(sent, due, now, random) : creditStatus(sent, now))
  const year = utcDate(sent).slice(0, 4)
  const letter = type === 'invoice' ? 'F' : 'CN'
  return {
    reference: `${spec.svc_shipment_id}-${letter}${part}`,
    number: `WB-${year}-${letter}${String(spec.sequence).padStart(6, '0')}`,
    svc_shipment_id: spec.svc_shipment_id,
    type,
    status,
    sent_date: localDateWithTime(Math.floor(sent / 60_000) * 60_000, account.warehouses[0]!.timeZone),
    due_date: utcDate(due),
    lines: items.map((item) => invoiceLine(item, currency, account.vat)),
    usd_to_eur_rate: random.decimal(0.84, 0.95, 4),
  }
}

// A requested status determines whether the due date is before or after today.
function dueAt(sent: number, days: number, requested: InvoiceStatus | undefined, now: number): number {
  const due = sent + days * day
  if (requested === 'due' || requested === 'write_off') return Math.min(due, now - day)
  if (requested === 'available' || requested === 'new') return Math.max(due, now + 5 * day)
  return due
}

const overdue: readonly (readonly [InvoiceStatus, number])[] = [
  ['paid', 84],
  ['due', 8],
  ['partially_paid', 4],
  ['litigious', 2.5],
  ['write_off', 1.5],
]
const open: readonly (readonly [InvoiceStatus, number])[] = [
  ['available', 56],
  ['paid', 30],
  ['partially_paid', 6],
  ['in_modification', 5],
  ['litigious', 3],
]

function statusOf(sent: number, due: number, now: number, random: Random): InvoiceStatus {
  if (now - sent < day) return 'new'
  return random.weighted(utcDate(due) < utcDate(now) ? overdue : open)
}

// A credit note is settled with the next payment.
function creditStatus(sent: number, now: number): InvoiceStatus {
  return now - sent < 14 * day ? 'available' : 'paid'
}

function invoiceLine(item: Charge, currency: Currency, vat: number): InvoiceLine {
  const rate = Math.max(1, minorUnits(item.dollars, currency))
  return {
    category: item.category,
    description: item.description,
    price: price(multiply(rate, item.quantity), currency),
    quantity: { value: item.quantity, unit: item.unit },
    unit_rate: price(rate, currency),
    vatRate: item.taxed ? vat : 0,
  }
}

function charges(spec: InvoiceSpec, random: Random): Charge[] {
  const { lane } = spec
  const way = `${lane.origin.city} – ${lane.destination.city}`
  const items: Charge[] = [
    ...mainFreight(spec, way, random),
    charge('origin', `Handling at ${lane.origin.city}`, 1, 'shipment', random.integer(90, 320), false),
    charge('destination', `Handling at ${lane.destination.city}`, 1, 'shipment', random.integer(110, 380), true),
    charge('customs', 'Import customs clearance', 1, 'entry', random.integer(60, 140), true),
  ]
  const { toDoor, insured } = spec
  if (random.chance(0.4)) items.push(charge('customs', 'Further tariff lines', random.integer(1, 6), 'line', 9.5, true))
  if (toDoor) items.push(charge('delivery', 'Delivery to door', 1, 'delivery', random.integer(180, 900), true))
  if (insured) items.push(charge('insurance', 'Ad valorem insurance', 1, 'policy', random.integer(40, 260), false))
  return items
}

function mainFreight({ lane, packed, chargeableKg }: InvoiceSpec, way: string, random: Random): Charge[] {
  const boxes = packed.containers.length
  switch (lane.mode) {
    case 'air':
      return [
        charge('freight', `Air freight ${way}`, chargeableKg, 'kg', random.decimal(2.1, 6.8), false),
        charge('surcharge', 'Fuel and security surcharge', chargeableKg, 'kg', random.decimal(0.4, 1.1), false),
      ]
    case 'truck':
      return [charge('freight', `Road freight ${way}`, Math.round(lane.km), 'km', random.decimal(1.1, 1.9), false)]
    default: {
      const words = lane.mode === 'rail' ? 'Rail freight' : 'Ocean freight'
      const loose = charge('freight', `${words} ${way}`, packed.volume, 'cbm', random.integer(45, 130), false)
      if (boxes === 0) return [loose]
      return [
        charge('freight', `${words} ${way}`, boxes, 'container', random.integer(900, 5200), false),
        charge('surcharge', 'Bunker adjustment factor', boxes, 'container', random.integer(120, 480), false),
      ]
    }
  }
}

function credit(random: Random): Charge[] {
  const [description, dollars] = random.pick([
    ['Credit: demurrage charged in error', 240],
    ['Credit: late delivery', 150],
    ['Credit: damaged packages', 410],
  ] as const)
  return [charge('credit', description, 1, 'shipment', dollars, false)]
}

function charge(
  category: string,
  description: string,
  quantity: number,
  unit: string,
  dollars: number,
  taxed: boolean,
): Charge {
  return { category, description, quantity, unit, dollars, taxed }
}
