import { randomBytes } from 'node:crypto'
import { containerNumber } from './containers.js'
import { startForwarding } from './forwarder.js'
import { checkedOperatorResponse } from './operator.js'
import type { RunningService } from './service.js'

/** A number that no other test has. */
export function uniqueContainer(): string {
  return containerNumber(Number.parseInt(randomBytes(3).toString('hex'), 16) % 1_000_000)
}

/** A booked shipment from Ningbo by Singapore to Hamburg with two containers, and a carrier that sends messages about it. */
export async function startCarrier(service: RunningService) {
  const forwarding = await startForwarding(service, 'operations')
  const { work, shipment, call, operatorKey, seen } = forwarding
  const sender = `C${randomBytes(5).toString('hex').toUpperCase()}`
  const booking = `BK${randomBytes(6).toString('hex').toUpperCase()}`
  const containers = [uniqueContainer(), uniqueContainer()] as [string, string]
  await work('createLocation', { body: { id: 1, name: 'Factory' } })
  await work('createLocation', { body: { id: 2, name: 'Shop' } })
  const booked = () =>
    shipment({
      status: 'booked',
      freight_mode: 'ocean',
      cargo_ready_date: '2026-03-01',
      cargo: { containers: containers.map((container_number) => ({ container_number })) },
      booking_information: { ocean_booking: { booking_number: booking } },
    })
  const steps = [
    { id: 'pickup', type: 'pickup', location_id: 1 },
    { id: 'origin', type: 'origin_port', port: { unlocode: 'CN/NGB' } },
    { id: 'hub', type: 'transshipment_port', port: { unlocode: 'SG/SIN' } },
    { id: 'destination', type: 'destination_port', port: { unlocode: 'DE/HAM' } },
    { id: 'delivery', type: 'delivery', location_id: 2 },
  ] as const
  /** The shipment with its plan. */
  async function ship(): Promise<string> {
    const svc_shipment_id = await booked()
    await work('planTracking', { params: { svc_shipment_id }, body: { steps: [...steps] } })
    return svc_shipment_id
  }

  /** Sends a message as it is. */
  async function post(content: string, format = 'dcsa', from = sender) {
    const response = await fetch(
      `${service.baseUrl}/ops/v1/messages?format=${format}&sender=${encodeURIComponent(from)}`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
        body: content,
      },
    )
    return checkedOperatorResponse('receiveMessage', response)
  }
  const send = async (content: unknown, format = 'dcsa') => (await post(JSON.stringify(content), format)).body
  const tracked = async (svc_shipment_id: string) => (await call('getTracking', { params: { svc_shipment_id } })).body
  const dates = async (svc_shipment_id: string) => (await seen(svc_shipment_id)).main_tracking_dates ?? {}
  return { ...forwarding, sender, booking, containers, booked, ship, post, send, tracked, dates }
}

type EventFields = {
  at: string
  code: string
  status?: 'PLN' | 'EST' | 'ACT'
  day: number
  hour?: number
  issued?: number
  id?: string
}

const time = (day: number, hour = 8) =>
  `2026-03-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00+08:00`

function base({ status = 'ACT', day, hour, issued = day, id }: EventFields) {
  return {
    ...(id !== undefined && { eventID: id }),
    eventCreatedDateTime: `2026-03-${String(issued).padStart(2, '0')}T20:00:00Z`,
    eventClassifierCode: status,
    eventDateTime: time(day, hour),
  }
}

const callAt = (at: string) => ({
  transportCallID: `call ${at}`,
  modeOfTransport: 'VESSEL',
  UNLocationCode: at,
  exportVoyageNumber: '014W',
  vessel: { vesselIMONumber: '9321483', vesselName: 'Elbe Horizon' },
})

/** An event of a vessel in the form of DCSA 2.2, about a booking. */
export function vesselEvent(booking: string, fields: EventFields) {
  return {
    ...base(fields),
    eventType: 'TRANSPORT',
    transportEventTypeCode: fields.code,
    transportCall: callAt(fields.at),
    documentReferences: [{ documentReferenceType: 'BKG', documentReferenceValue: booking }],
  }
}

/** An event of a container in the form of DCSA 2.2. */
export function containerEvent(container: string, fields: EventFields & { empty?: boolean; booking?: string }) {
  return {
    ...base(fields),
    eventType: 'EQUIPMENT',
    equipmentEventTypeCode: fields.code,
    equipmentReference: container,
    emptyIndicatorCode: fields.empty ? 'EMPTY' : 'LADEN',
    transportCall: callAt(fields.at),
    ...(fields.booking !== undefined && {
      documentReferences: [{ documentReferenceType: 'BKG', documentReferenceValue: fields.booking }],
    }),
  }
}

/** The same in the form of 3.0, in words. */
export function containerEventInWords(
  container: string,
  given: { id: string; updated: string; type: string; at: string; date: string; retracted?: boolean },
) {
  return {
    eventID: given.id,
    eventUpdatedDateTime: given.updated,
    eventDateTime: given.date,
    ...(given.retracted && { isRetracted: true }),
    eventRouting: { originatingParties: [{ partyCode: 'NSLU', codeListProvider: 'NMFTA' }] },
    eventClassification: { eventType: 'EQUIPMENT', eventClassifier: 'ACTUAL', equipmentEventType: given.type },
    eventLocation: { UNLocationCode: given.at, facilityType: 'PORT_TERMINAL' },
    equipmentDetails: { equipmentReference: container, emptyIndicator: 'LADEN', transportPhase: 'EXPORT' },
  }
}
