import { hash } from 'node:crypto'
import fc from 'fast-check'

/** Events in every form of DCSA Track & Trace, of any code, place, container and vessel: with versions and retractions. */

export type AnyEvent = {
  form: '2.2' | 'draft' | 'letters' | 'words'
  /** Events of one identifier are versions of each other; undefined: they have none. */
  id: number | undefined
  isRetracted: boolean
  /** Days of March, and of May 2026. */
  on: number
  issued: number
  status: 'ACT' | 'EST' | 'PLN'
  code: keyof typeof words
  at: string
  container: 0 | 1
  isEmpty: boolean
  /** Transport events are about a vessel with all that is on it, or about one container. */
  isOfVessel: boolean
  vessel: string | undefined
  mode: string | undefined
}

const words = {
  ARRI: 'ARRIVED',
  DEPA: 'DEPARTED',
  GTIN: 'GATED_IN',
  GTOT: 'GATED_OUT',
  LOAD: 'LOADED',
  DISC: 'DISCHARGED',
  STRP: 'STRIPPED',
  PICK: 'PICKED_UP',
  DROP: 'DROPPED_OFF',
  CUSI: 'CUSTOMS_SELECTED_FOR_INSPECTION',
  CUSR: 'CUSTOMS_RELEASED',
}
const classifiers = { ACT: 'ACTUAL', EST: 'ESTIMATED', PLN: 'PLANNED' }

export const anyEvent: fc.Arbitrary<AnyEvent> = fc.record({
  form: fc.constantFrom('2.2' as const, 'draft' as const, 'letters' as const, 'words' as const),
  id: fc.option(fc.integer({ min: 0, max: 7 }), { nil: undefined }),
  isRetracted: fc.constantFrom(false, false, false, true),
  on: fc.integer({ min: 1, max: 40 }),
  issued: fc.integer({ min: 1, max: 13 }),
  status: fc.constantFrom('ACT' as const, 'ACT' as const, 'EST' as const, 'PLN' as const),
  code: fc.constantFrom(...(Object.keys(words) as (keyof typeof words)[])),
  at: fc.constantFrom('CNNGB', 'SGSIN', 'DEHAM', 'NLRTM', 'CNSHA', 'TWKHH', 'DEDUI', 'JPTYO'),
  container: fc.constantFrom(0 as const, 1 as const),
  isEmpty: fc.boolean(),
  isOfVessel: fc.boolean(),
  vessel: fc.constantFrom(undefined, 'Elbe Horizon', 'Weser Tide'),
  mode: fc.constantFrom(undefined, 'VESSEL', 'VESSEL', 'TRUCK', 'RAIL'),
})

function timeOf(month: number, day: number, seconds = 0): string {
  return `${new Date(Date.UTC(2026, month, day, 0, 0, seconds)).toISOString().slice(0, 19)}Z`
}

// Different versions are issued at different times: of equal ones another rule decides.
function secondOf(event: AnyEvent): number {
  return Number.parseInt(hash('sha256', JSON.stringify(event), 'hex').slice(0, 8), 16) % 86_399
}

/** The event as its form has it. */
export function inItsForm(event: AnyEvent, { booking, containers }: { booking: string; containers: string[] }) {
  const { form, status, code, at, isEmpty, vessel, mode } = event
  const container = containers[event.container]
  const isTransport = code === 'ARRI' || code === 'DEPA'
  const type = isTransport ? 'TRANSPORT' : 'EQUIPMENT'
  const id = event.id === undefined ? {} : { eventID: `id ${event.id}` }
  const isRetracted = event.isRetracted && event.id !== undefined
  const issued = timeOf(4, event.issued, secondOf(event))
  const eventDateTime = timeOf(2, event.on)
  if (form === 'draft' && isRetracted) {
    const retraction = { eventID: `${issued} ${event.id}`, retractedEventID: id.eventID }
    return { metadata: { ...retraction, eventCreatedDateTime: issued, eventType: type } }
  }
  const units = isTransport && !event.isOfVessel ? [container] : []
  const call = { transportCallID: at, transportCallReference: at, modeOfTransport: mode, UNLocationCode: at }
  const [fullCode, kind] = [words[code], isTransport ? 'transportEventType' : 'equipmentEventType']
  if (form === '2.2' || form === 'draft') {
    const fields = {
      eventDateTime,
      eventClassifierCode: status,
      [`${kind}Code`]: code,
      ...(!isTransport && { equipmentReference: container, emptyIndicatorCode: isEmpty ? 'EMPTY' : 'LADEN' }),
      transportCall: { ...call, ...(vessel !== undefined && { vessel: { vesselName: vessel } }) },
    }
    const made = { ...id, eventCreatedDateTime: issued, eventType: type }
    if (form === 'draft') {
      const references = units.map((value) => ({ type: 'EQ', value }))
      return {
        metadata: made,
        payload: { ...fields, references, relatedDocumentReferences: [{ type: 'BKG', value: booking }] },
      }
    }
    const references = units.map((referenceValue) => ({ referenceType: 'EQ', referenceValue }))
    const documentReferences = [{ documentReferenceType: 'BKG', documentReferenceValue: booking }]
    // 2.2 has no retractions: senders use the field of 3.0.
    return { ...made, ...fields, references, documentReferences, ...(isRetracted && { isRetracted }) }
  }
  const inWords = form === 'words'
  return {
    ...id,
    eventUpdatedDateTime: issued,
    eventDateTime,
    ...(isRetracted && { isRetracted }),
    eventLocation: { UNLocationCode: at },
    eventClassification: inWords
      ? { eventType: type, eventClassifier: classifiers[status], [kind]: fullCode }
      : { eventTypeCode: type, eventClassifierCode: status, [`${kind}Code`]: code },
    shipmentDetails: {
      documentReference: { [inWords ? 'type' : 'typeCode']: inWords ? 'BOOKING' : 'BKG', reference: booking },
      shipmentReferences: units.map((reference) => ({ type: 'EQ', reference })),
    },
    transportDetails: {
      transportCall: { ...call, ...(vessel !== undefined && { vesselTransport: { vesselName: vessel } }) },
    },
    ...(!isTransport && {
      equipmentDetails: {
        equipmentReference: container,
        [inWords ? 'emptyIndicator' : 'emptyIndicatorCode']: isEmpty ? 'EMPTY' : 'LADEN',
      },
    }),
  }
}
