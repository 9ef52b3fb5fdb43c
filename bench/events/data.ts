import type { ImportLine } from '../../src/contract/import-line.js'
import { containerCheckDigit } from '../../src/domain/shipments/container-number.js'

/** Booked shipments of many accounts, and what carriers say of them. */

export type EventedShipment = { account: string; booking: string; container: string }

const ports = ['CN/SHA', 'SG/SIN', 'NL/RTM'] as const
const first = Date.UTC(2026, 0, 5)
const day = 24 * 60 * 60 * 1000

export function shipmentsOf(accounts: number, shipments: number): EventedShipment[] {
  return Array.from({ length: shipments }, (_, index) => {
    const serial = `WBLU${String(index).padStart(6, '0')}`
    return {
      account: `carrier-bench-${index % accounts}`,
      booking: `BENCH${String(index).padStart(8, '0')}`,
      container: `${serial}${containerCheckDigit(serial)}`,
    }
  })
}

export function* linesOf(all: EventedShipment[]): Generator<ImportLine> {
  for (const account of new Set(all.map((each) => each.account))) {
    yield { kind: 'account', account, data: { name: account } }
  }
  for (const { account, booking, container } of all) {
    yield {
      kind: 'shipment',
      account,
      data: {
        svc_shipment_id: booking,
        status: 'booked',
        freight_mode: 'ocean',
        cargo_ready_date: '2026-01-02',
        cargo: { containers: [{ container_number: container }] },
        booking_information: { ocean_booking: { booking_number: booking } },
      },
    }
    const types = ['origin_port', 'transshipment_port', 'destination_port'] as const
    const tracking_steps = types.map((type, index) => ({ id: type, type, port: { unlocode: ports[index]! } }))
    yield { kind: 'tracking', account, data: { svc_shipment_id: booking, tracking_steps } }
  }
}

type StoryEvent = { code: string; port: number; day: number; status?: string; ofVessel?: true }

/** The events of each shipment, in order. */
const story: StoryEvent[] = [
  { code: 'DEPA', port: 0, day: 6, status: 'PLN', ofVessel: true },
  { code: 'ARRI', port: 2, day: 36, status: 'PLN', ofVessel: true },
  { code: 'GTIN', port: 0, day: 3 },
  { code: 'LOAD', port: 0, day: 5 },
  { code: 'DEPA', port: 0, day: 6, ofVessel: true },
  { code: 'ARRI', port: 2, day: 37, status: 'EST', ofVessel: true },
  { code: 'ARRI', port: 1, day: 13, ofVessel: true },
  { code: 'DISC', port: 1, day: 14 },
  { code: 'LOAD', port: 1, day: 16 },
  { code: 'DEPA', port: 1, day: 17, ofVessel: true },
  { code: 'ARRI', port: 2, day: 38, status: 'EST', ofVessel: true },
  { code: 'ARRI', port: 2, day: 38, ofVessel: true },
  { code: 'DISC', port: 2, day: 39 },
  { code: 'GTOT', port: 2, day: 41 },
]
export const eventsOfShipment = story.length

/** Event `number` of a shipment in the form of DCSA 2.2. */
export function eventOf({ booking, container }: EventedShipment, number: number): object {
  const { code, port, day: after, status = 'ACT', ofVessel } = story[number]!
  const at = new Date(first + after * day).toISOString()
  const UNLocationCode = ports[port]!.replace('/', '')
  return {
    eventID: `${booking}-${number}`,
    eventCreatedDateTime: new Date(first + number * day).toISOString(),
    eventClassifierCode: status,
    eventDateTime: at,
    transportCall: { modeOfTransport: 'VESSEL', UNLocationCode, exportVoyageNumber: '014W' },
    documentReferences: [{ documentReferenceType: 'BKG', documentReferenceValue: booking }],
    ...(ofVessel
      ? { eventType: 'TRANSPORT', transportEventTypeCode: code }
      : {
          eventType: 'EQUIPMENT',
          equipmentEventTypeCode: code,
          equipmentReference: container,
          emptyIndicatorCode: 'LADEN',
        }),
  }
}
