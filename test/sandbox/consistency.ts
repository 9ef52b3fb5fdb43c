import { Big } from 'big.js'
import { Compile } from 'typebox/compile'
import { expect } from 'vitest'
import { type ImportKind, type ImportLine, importData, importKinds } from '../../src/contract/import-line.js'
import type { Invoice } from '../../src/contract/public/invoice.js'
import type { Shipment } from '../../src/contract/public/shipment.js'
import { isAirwayBillNumber } from '../../src/domain/shipments/airway-bill-number.js'
import { isContainerNumber } from '../../src/domain/shipments/container-number.js'
import { containerCapacities } from '../../src/sandbox/container-types.js'

/** Invariants of all generated lines; each check throws if it does not hold. */

export type Line<Kind extends ImportKind> = Extract<ImportLine, { kind: Kind }>

const validators = Object.fromEntries(importKinds.map((kind) => [kind, Compile(importData[kind])]))

export function expectValid(lines: Iterable<ImportLine>): void {
  for (const { kind, data } of lines) {
    const validator = validators[kind]!
    if (!validator.Check(data)) expect.fail(`${kind} ${JSON.stringify([...validator.Errors(data)].slice(0, 2))}`)
  }
}

export function linesOf<Kind extends ImportKind>(lines: readonly ImportLine[], kind: Kind, account?: string) {
  return lines.filter((line): line is Line<Kind> => line.kind === kind && (!account || line.account === account))
}

/** Records come before references to them, and identifiers are unique. */
export function expectReferencesToResolve(lines: readonly ImportLine[]): void {
  const known = new Set<string>()
  const add = (key: string) => {
    expect(known.has(key), `${key} comes twice`).toBe(false)
    known.add(key)
  }
  const need = (key: string) => expect(known.has(key), `${key} comes too late`).toBe(true)
  for (const line of lines) {
    const key = (kind: string, id: string | number) => `${line.account} ${kind} ${id}`
    if (line.kind !== 'account') need(key('account', ''))
    switch (line.kind) {
      case 'account':
        add(key('account', ''))
        break
      case 'location':
        add(key('location', line.data.id))
        break
      case 'shipment': {
        add(key('shipment', line.data.svc_shipment_id))
        const { pickup_location_id: pickup, delivery_location_id: delivery } = line.data.route!
        if (pickup) need(key('location', pickup))
        if (delivery) need(key('location', delivery))
        expect(pickup !== undefined).toBe(line.data.freight_type!.startsWith('door'))
        expect(delivery !== undefined).toBe(line.data.freight_type!.endsWith('door'))
        break
      }
      case 'tracking':
        need(key('shipment', line.data.svc_shipment_id))
        add(key('tracking', line.data.svc_shipment_id))
        break
      case 'invoice':
        need(key('shipment', line.data.svc_shipment_id!))
        add(key('invoice', line.data.reference))
        add(key('invoice', line.data.number!))
        break
      case 'payment':
        need(key('invoice', line.data.reference))
        add(key('payment', line.data.payment_id))
        break
      case 'document':
        add(key('document', line.data.id))
        break
      case 'purchase_order':
        add(key('order', line.data.reference))
        for (const { reference } of line.data.product_lines) add(key('line', `${line.data.reference} ${reference}`))
        break
      case 'assignment':
        need(key('line', `${line.data.reference} ${line.data.line}`))
        need(key('shipment', line.data.svc_shipment_id))
        add(key('assignment', `${line.data.reference} ${line.data.line} ${line.data.svc_shipment_id}`))
    }
  }
}

export function expectSoundCargo(shipment: Shipment): void {
  const { total_weight, total_volume, total_teus, containers = [], loads = [] } = shipment.cargo!
  const [firstLoad] = loads
  expect(firstLoad, shipment.svc_shipment_id).toBeDefined()
  let weight = new Big(0)
  let volume = 0
  for (const load of loads) {
    expect(load.weight!.unit).toBe(total_weight!.unit)
    weight = weight.plus(new Big(load.weight!.value).times(load.count!))
    const inches = load.length!.unit === 'in' ? 2.54 ** 3 : 1
    volume += (load.count! * load.length!.value * load.width!.value * load.height!.value * inches) / 1e6
  }
  expect(total_weight!.value).toBe(weight.toNumber())
  // Rounded to a litre.
  expect(Math.abs(total_volume!.value - volume)).toBeLessThan(0.00051)

  const capacities = containers.map(({ container_type }) => containerCapacities[container_type!])
  type Capacity = (typeof capacities)[number]
  const sum = (of: (capacity: Capacity) => number) => capacities.reduce((all, each) => all + of(each), 0)
  if (total_teus !== undefined) expect(total_teus).toBe(sum(({ teus }) => teus))
  const boxed = shipment.freight_mode === 'ocean' || shipment.freight_mode === 'rail'
  expect(containers.length > 0).toBe(boxed && shipment.load_type !== 'lcl')
  if (containers.length > 0) {
    const kg = total_weight!.unit === 'lbs' ? total_weight!.value * 0.45359237 : total_weight!.value
    const loose = shipment.load_type === 'both' ? 14 : 0
    expect(total_volume!.value).toBeLessThanOrEqual(sum((each) => each.volume) + loose)
    expect(kg).toBeLessThanOrEqual(sum(({ payloadKg }) => payloadKg) + loose * 1000)
  }
  for (const { container_number } of containers) {
    if (container_number !== undefined) expect(isContainerNumber(container_number), container_number).toBe(true)
  }
}

export function expectSoundBooking(shipment: Shipment): void {
  const { booking_information: booking, freight_mode: mode, status } = shipment
  const early = ['draft', 'booking_request', 'awaiting_booking'].includes(status!)
  expect(booking === undefined, status).toBe(early)
  expect(booking?.ocean_booking !== undefined).toBe(!early && mode === 'ocean')
  if (mode !== 'air' || early) return
  expect(isAirwayBillNumber(booking!.master_bill!), booking!.master_bill).toBe(true)
  const { total_weight, total_volume } = shipment.cargo!
  const gross = total_weight!.unit === 'lbs' ? total_weight!.value * 0.45359237 : total_weight!.value
  const chargeable = booking!.air_booking!.chargeable_weight!.value
  expect(chargeable).toBeGreaterThanOrEqual(gross)
  expect(chargeable).toBeGreaterThanOrEqual(total_volume!.value * 166.6)
  expect(chargeable).toBeLessThan(Math.max(gross, total_volume!.value * 167) + 1)
}

const noDigits = new Set(['JPY', 'KRW', 'XOF', 'XPF'])
const threeDigits = new Set(['BHD', 'KWD', 'TND'])

export function expectSoundInvoice({ data: invoice }: { data: Invoice }, today: string): void {
  expect(invoice.lines!.length).toBeGreaterThan(0)
  for (const { price, quantity, unit_rate } of invoice.lines!) {
    const digits = noDigits.has(price!.currency) ? 0 : threeDigits.has(price!.currency) ? 3 : 2
    const expected = new Big(quantity!.value!).times(unit_rate!.amount).round(digits, Big.roundHalfUp)
    expect(price!.currency).toBe(unit_rate!.currency)
    expect(price!.amount, JSON.stringify({ price, quantity, unit_rate })).toBe(expected.toNumber())
    expect(new Big(unit_rate!.amount).round(digits).toNumber()).toBe(unit_rate!.amount)
  }
  const { status, due_date: due, sent_date: sent } = invoice
  expect(sent!.slice(0, 10) <= today).toBe(true)
  expect(sent!.slice(0, 10) <= due!, `${invoice.reference} was due before it was sent`).toBe(true)
  if (status === 'due' || status === 'write_off') expect(due! < today, `${invoice.reference} ${status}`).toBe(true)
  if (status === 'available' || status === 'new') expect(due! >= today, `${invoice.reference} ${status}`).toBe(true)
}

/** Assigned never exceeds ordered, shipped never exceeds assigned, and containers are those of the shipment. */
export function expectSoundOrders(lines: readonly ImportLine[]): void {
  const left = new Map<string, number>()
  const shipments = new Map<string, Shipment>()
  for (const { account, data } of linesOf(lines, 'shipment')) shipments.set(`${account} ${data.svc_shipment_id}`, data)
  for (const { account, data } of linesOf(lines, 'purchase_order')) {
    expect(data.product_lines.length).toBeGreaterThan(0)
    for (const { reference, ordered_quantity } of data.product_lines) {
      left.set(`${account} ${data.reference} ${reference}`, ordered_quantity)
    }
  }
  const grossOn = new Map<string, number>()
  for (const { account, data } of linesOf(lines, 'assignment')) {
    const key = `${account} ${data.reference} ${data.line}`
    left.set(key, left.get(key)! - data.assigned_quantity)
    const shipment = shipments.get(`${account} ${data.svc_shipment_id}`)!
    const containers = shipment.cargo!.containers ?? []
    const numbers = containers.map(({ container_number }) => container_number)
    let shipped = 0
    for (const line of data.shipped_order_lines ?? []) {
      shipped += line.shipped_quantity!
      expect(line.net_weight!).toBeLessThanOrEqual(line.gross_weight!)
      expect(line.weight_unit).toBe(shipment.cargo!.total_weight!.unit)
      if (numbers.length > 0) expect(numbers).toContain(line.container_number)
      else expect(line.container_number).toBeUndefined()
      const on = `${account} ${data.svc_shipment_id}`
      grossOn.set(on, (grossOn.get(on) ?? 0) + line.gross_weight!)
      const container = containers.find(({ container_number }) => container_number === line.container_number)
      if (container) expect(container.purchase_order_references).toContain(data.reference)
    }
    expect(shipped).toBeLessThanOrEqual(data.assigned_quantity)
    if (shipped > 0) expect(['in_progress', 'finished', 'booked']).toContain(shipment.status)
  }
  for (const [key, quantity] of left) expect(quantity, key).toBeGreaterThanOrEqual(0)
  for (const [key, gross] of grossOn) {
    expect(gross, key).toBeLessThanOrEqual(shipments.get(key)!.cargo!.total_weight!.value * 1.001 + 2)
  }
}
