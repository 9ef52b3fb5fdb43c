import type { ImportLine } from '../../src/contract/import-line.js'

/** Shipments that are under way, each with an order, in one account or several. */

const hour = 60 * 60 * 1000

export type OpenShipments = { count: number; accounts: number; now: number }

export function accountSlug(number: number): string {
  return `bench-${number}`
}

/** The account of a shipment by its number: the first ones share an account, then the next ones. */
export function accountOf(index: number, { count, accounts }: OpenShipments): string {
  return accountSlug(Math.floor((index * accounts) / count))
}

export function shipmentLines(index: number, shipments: OpenShipments): ImportLine[] {
  const account = accountOf(index, shipments)
  const svc_shipment_id = `S${index}`
  const at = (hours: number) => new Date(shipments.now + hours * hour).toISOString()
  const event = (sequence: number, step: string, code: 'GATE_IN' | 'LOADED' | 'DEPARTED' | 'ARRIVED', hours: number) =>
    ({
      kind: 'tracking_event',
      account,
      data: {
        svc_shipment_id,
        event_id: `e${sequence}`,
        sequence,
        step,
        code,
        status: hours < 0 ? 'actual' : 'estimated',
        date: at(hours),
        issued_at: at(Math.min(hours, -1)),
        ...(code === 'ARRIVED' ? {} : { container_number: 'TGHU7599330' }),
      },
    }) satisfies ImportLine
  return [
    {
      kind: 'shipment',
      account,
      data: {
        svc_shipment_id,
        status: 'in_progress',
        freight_mode: 'ocean',
        desired_delivery_date: at(24 * ((index % 20) - 4)).slice(0, 10),
        cargo: { containers: [{ container_number: 'TGHU7599330' }] },
      },
    },
    {
      kind: 'tracking',
      account,
      data: {
        svc_shipment_id,
        tracking_steps: [
          { id: 'origin', type: 'origin_port', port: { unlocode: 'CN/NGB' } },
          { id: 'hub', type: 'transshipment_port', port: { unlocode: 'SG/SIN' } },
          { id: 'destination', type: 'destination_port', port: { unlocode: 'DE/HAM' } },
          { id: 'door', type: 'delivery' },
        ],
      },
    },
    event(1, 'origin', 'GATE_IN', -480),
    event(2, 'origin', 'LOADED', -470),
    event(3, 'origin', 'DEPARTED', -460),
    event(4, 'hub', 'ARRIVED', -300),
    event(5, 'destination', 'ARRIVED', 24 * (index % 10)),
    {
      kind: 'purchase_order',
      account,
      data: {
        reference: `PO${index}`,
        desired_delivery_date: at(24 * ((index % 20) - 4)).slice(0, 10),
        product_lines: [{ reference: '1', ordered_quantity: 10, product: { sku: `SKU-${index % 500}` } }],
      },
    },
    {
      kind: 'assignment',
      account,
      data: { reference: `PO${index}`, line: '1', svc_shipment_id, assigned_quantity: 10 },
    },
  ]
}

/** A new expected arrival of a shipment, 100 days from now. */
export function laterArrival(index: number, shipments: OpenShipments): ImportLine {
  return {
    kind: 'tracking_event',
    account: accountOf(index, shipments),
    data: {
      svc_shipment_id: `S${index}`,
      event_id: 'moved',
      sequence: 6,
      step: 'destination',
      code: 'ARRIVED',
      status: 'estimated',
      date: new Date(shipments.now + 2400 * hour).toISOString(),
      issued_at: new Date(shipments.now).toISOString(),
    },
  }
}

export async function* importOf(shipments: OpenShipments): AsyncGenerator<Buffer> {
  const { count, accounts } = shipments
  for (let number = 0; number < accounts; number += 1) {
    const slug = accountSlug(number)
    yield asChunk([{ kind: 'account', account: slug, data: { name: slug } }])
  }
  for (let index = 0; index < count; index += 1) yield asChunk(shipmentLines(index, shipments))
}

export function asChunk(lines: ImportLine[]): Buffer {
  return Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}
