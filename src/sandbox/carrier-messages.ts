import type { EventMessageItem } from '../contract/operator/messages.js'
import type { EventCode } from '../contract/public/event-codes.js'
import type { ShipmentRecord } from '../contract/public/shipment.js'
import type { TrackingRecord } from '../contract/public/tracking.js'
import { hour, minute } from '../domain/dates/local-time.js'
import { numbersOf } from '../domain/shipments/shipment-cargo.js'
import { codedEvents } from '../domain/tracking/coded-events.js'
import { type Due, estimatedCodes, type Hold, scheduleOf } from './carrier-schedule.js'

/** What carriers, customs and hauliers report about a shipment at a time. */

/** `dcsa`: what the standard has a code for, of ocean freight; `events`: everything else, in our own form. */
export type Reports = { dcsa: object[]; events: EventMessageItem[] }

type Moving = { shipment: ShipmentRecord; tracking: TrackingRecord }
type Report = Pick<Due, 'step' | 'unlocode' | 'plannedDate' | 'containers'> & {
  code: EventCode
  status: 'actual' | 'estimated' | 'problem'
  at: number
  issued: number
  words: string
}

export function reportsAt({ shipment, tracking }: Moving, now: number, seed: string, holds: Hold[]): Reports {
  const reports: Reports = { dcsa: [], events: [] }
  const isInspected = codedEvents(tracking).some(({ code }) => code === 'CUSTOMS_INSPECTION')
  for (const due of scheduleOf(tracking, seed, holds, numbersOf(shipment))) {
    const { code, inspected = Number.POSITIVE_INFINITY } = due
    const add = (sent: Pick<Report, 'code' | 'status' | 'at' | 'words'>) =>
      report(reports, shipment, { ...due, ...sent, issued: Math.min(now, Math.max(sent.at, now - hour) + 20 * minute) })
    if (inspected <= now && !isInspected)
      add({ code: 'CUSTOMS_INSPECTION', status: 'problem', at: inspected, words: 'Held for inspection by customs' })
    if (due.happens <= now) {
      add({ code, status: 'actual', at: due.happens, words: wordsOf(code) })
    } else if (estimatedCodes.has(code)) {
      const expected = now >= due.announced || due.planned <= now ? due.happens : due.planned
      if (Math.abs(expected - due.stated) > 6 * hour)
        add({ code, status: 'estimated', at: expected, words: wordsOf(code) })
    }
  }
  return reports
}

/** What a scenario makes somebody report. */
export function problemReport(
  shipment: ShipmentRecord,
  { step }: Hold,
  problem: { code: EventCode; words: string; now: number },
): EventMessageItem {
  const { code, words, now } = problem
  const date = new Date(now).toISOString()
  return { ...referenceOf(shipment), code, description: words, status: 'problem', date, step, issued_at: date }
}

/** In DCSA Track & Trace 2.2: a code, and what distinguishes it from others. */
const standard: Partial<Record<EventCode, object>> = {
  GATE_IN: { equipmentEventTypeCode: 'GTIN', emptyIndicatorCode: 'LADEN' },
  LOADED: { equipmentEventTypeCode: 'LOAD', emptyIndicatorCode: 'LADEN' },
  DISCHARGED: { equipmentEventTypeCode: 'DISC', emptyIndicatorCode: 'LADEN' },
  GATE_OUT: { equipmentEventTypeCode: 'GTOT', emptyIndicatorCode: 'LADEN' },
  DEPARTED: { transportEventTypeCode: 'DEPA' },
  ARRIVED: { transportEventTypeCode: 'ARRI' },
}

function report(reports: Reports, shipment: ShipmentRecord, sent: Report): void {
  const code = standard[sent.code]
  const booking = shipment.booking_information?.ocean_booking
  if (!code || !sent.unlocode || shipment.freight_mode !== 'ocean' || booking?.booking_number === undefined) {
    for (const container_number of sent.containers ?? [undefined])
      reports.events.push({
        ...referenceOf(shipment),
        ...(container_number !== undefined && { container_number }),
        code: sent.code,
        description: sent.words,
        status: sent.status,
        date: atOffsetOf(sent.plannedDate, sent.at),
        step: sent.step,
        issued_at: new Date(sent.issued).toISOString(),
      })
    return
  }
  const isTransport = 'transportEventTypeCode' in code
  const numbers = isTransport ? [] : (sent.containers ?? numbersOf(shipment))
  for (const equipmentReference of numbers.length > 0 ? numbers : [undefined]) {
    reports.dcsa.push({
      eventType: isTransport ? 'TRANSPORT' : 'EQUIPMENT',
      eventClassifierCode: sent.status === 'actual' ? 'ACT' : 'EST',
      eventDateTime: atOffsetOf(sent.plannedDate, sent.at),
      eventCreatedDateTime: new Date(sent.issued).toISOString(),
      ...code,
      ...(equipmentReference !== undefined && { equipmentReference }),
      transportCall: {
        modeOfTransport: 'VESSEL',
        UNLocationCode: sent.unlocode,
        ...(booking.voyage !== undefined && { exportVoyageNumber: booking.voyage }),
        ...(booking.vessel !== undefined && { vessel: { vesselName: booking.vessel } }),
      },
      documentReferences: [{ documentReferenceType: 'BKG', documentReferenceValue: booking.booking_number }],
    })
  }
}

function referenceOf({ svc_shipment_id }: ShipmentRecord) {
  return { reference: svc_shipment_id }
}

function wordsOf(code: EventCode): string {
  const text = code.toLowerCase().replaceAll('_', ' ')
  return text[0]!.toUpperCase() + text.slice(1)
}

/** An instant in the offset of another date. */
function atOffsetOf(date: string, instant: number): string {
  const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)$/.exec(date) ?? []
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minute
  const local = new Date(instant + offset).toISOString().slice(0, 19)
  return `${local}${/([+-]\d\d:\d\d)$/.exec(date)?.[1] ?? 'Z'}`
}
