import { expect, test } from 'vitest'
import { readDcsaEvent } from '../../../src/domain/messages/dcsa.js'

/** Events of DCSA Track & Trace that are right in part: what is wrong is named, and nothing is guessed. */

const arrival = {
  eventID: 'a',
  eventType: 'TRANSPORT',
  eventClassifierCode: 'ACT',
  eventCreatedDateTime: '2026-03-01T12:00:00Z',
  eventDateTime: '2026-03-01T10:00:00+01:00',
  transportEventTypeCode: 'ARRI',
  transportCall: { modeOfTransport: 'VESSEL', UNLocationCode: 'DEHAM' },
}
const { transportEventTypeCode: _code, ...base } = arrival
const discharge = { ...base, eventType: 'EQUIPMENT', equipmentEventTypeCode: 'DISC', emptyIndicatorCode: 'LADEN' }
const grouped = {
  eventID: 'a',
  eventUpdatedDateTime: '2026-03-01T12:00:00Z',
  eventDateTime: '2026-03-01T10:00:00Z',
  eventLocation: { UNLocationCode: 'DEHAM' },
  eventClassification: { eventType: 'TRANSPORT', eventClassifier: 'ACTUAL', transportEventType: 'ARRIVED' },
}

function read(event: object) {
  return readDcsaEvent(event, () => undefined)
}

const status = {
  ...base,
  eventType: 'SHIPMENT',
  shipmentEventTypeCode: 'CONF',
  documentTypeCode: 'BKG',
  documentID: 'B',
}

const refused: [string, object][] = [
  ['eventDateTime is "2026-02-30T10:00:00Z"', { ...arrival, eventDateTime: '2026-02-30T10:00:00Z' }],
  ['eventDateTime is "1772323200000"', { ...arrival, eventDateTime: 1_772_323_200_000 }],
  ['eventDateTime is "0001-01-01T00:00:00Z"', { ...arrival, eventDateTime: '0001-01-01T00:00:00Z' }],
  ['eventDateTime is "9999-12-31T23:59:59Z"', { ...arrival, eventDateTime: '9999-12-31T23:59:59Z' }],
  ['eventDateTime is required', { ...arrival, eventDateTime: null }],
  ['eventCreatedDateTime is "yesterday"', { ...arrival, eventCreatedDateTime: 'yesterday' }],
  ['eventCreatedDateTime is required', { ...arrival, eventCreatedDateTime: undefined }],
  ['eventClassifierCode is "ACTIVE"', { ...arrival, eventClassifierCode: 'ACTIVE' }],
  ['eventClassifierCode is required', { ...arrival, eventClassifierCode: '' }],
  ['eventType is "FLIGHT"', { ...arrival, eventType: 'FLIGHT' }],
  ['transportEventTypeCode is "CONSTRUCTOR"', { ...arrival, transportEventTypeCode: 'constructor' }],
  ['transportEventTypeCode is required', base],
  ['transportCall is required', { ...arrival, transportCall: undefined }],
  ['transportCall must be an object', { ...arrival, transportCall: 'DEHAM' }],
  ['modeOfTransport is "SPACESHIP"', { ...arrival, transportCall: { modeOfTransport: 'spaceship' } }],
  ['UNLocationCode is "HAM"', { ...arrival, transportCall: { UNLocationCode: 'HAM' } }],
  ['emptyIndicatorCode is required', { ...discharge, emptyIndicatorCode: undefined }],
  ['emptyIndicatorCode is "HALF"', { ...discharge, emptyIndicatorCode: 'HALF' }],
  [
    'equipmentReference is "MSKU 703141-5, MSKU 703142-0"',
    { ...discharge, equipmentReference: 'MSKU 703141-5, MSKU 703142-0' },
  ],
  [
    'shipmentEventTypeCode is required',
    { ...grouped, eventClassification: { eventType: 'SHIPMENT', eventClassifier: 'ACT' } },
  ],
  [
    'shipmentEventTypeCode is "WXYZ"',
    {
      ...grouped,
      eventClassification: { eventType: 'SHIPMENT', eventClassifier: 'ACT', shipmentEventTypeCode: 'WXYZ' },
    },
  ],
  ['shipmentEventTypeCode is required', { ...status, shipmentEventTypeCode: undefined }],
  ['shipmentEventTypeCode is "WXYZ"', { ...status, shipmentEventTypeCode: 'WXYZ' }],
  ['documentID is required', { ...status, documentID: undefined }],
  ['eventID must be a text', { ...arrival, eventID: { value: 'a' } }],
  ['isRetracted must be true or false', { ...grouped, isRetracted: 'true' }],
  ['eventClassification must be an object', { ...grouped, eventClassification: 'ARRIVED' }],
]

test.each(refused)('an event is refused with the reason: %s', (reason, event) => {
  const found = read(event)
  expect(found && 'fault' in found ? found.fault : found).toContain(reason)
})

test.each<[string, object]>([
  [
    'fields that are not known',
    { ...arrival, nextVersion: { a: [1] }, transportCall: { ...arrival.transportCall, b: 1 } },
  ],
  [
    'codes in small letters',
    { ...arrival, eventType: 'transport', eventClassifierCode: 'act', transportEventTypeCode: 'arri' },
  ],
  [
    'a code of a place with a space',
    { ...arrival, transportCall: { ...arrival.transportCall, UNLocationCode: 'DE HAM' } },
  ],
  ['no call, in 3.0', grouped],
  ['the number of a document alone', { metadata: { ...base }, payload: { ...arrival, documentReference: 'TRD1' } }],
])('an event is read with %s', (_what, event) => {
  expect(read(event)).toMatchObject({ event: { code: 'ARRIVED', status: 'actual' } })
})

test.each([
  ['railTransport', true],
  ['truckTransport', true],
  ['bargeTransport', true],
  ['vesselTransport', false],
])('without a mode, %s says by which means it moves', (means, isInland) => {
  const found = read({ ...grouped, transportCall: { [means]: {} } })
  expect(found).toMatchObject({ event: { code: 'ARRIVED', isInland } })
})

test.each([
  ['the code of its facility', { facility: { facilityCode: 'DEHAMCTA1', facilityCodeListProvider: 'BIC' } }, 'DEHAM'],
  ['its address', { address: { city: 'Hamburg', countryCode: 'DE' } }, 'Hamburg, DE'],
])('the place of an event of 3.0 is known by %s', (_what, eventLocation, place) => {
  const found = read({ ...grouped, eventLocation })
  const { unlocode, name } = found && 'event' in found ? found.event.place : {}
  expect(unlocode ?? name).toBe(place)
})

test('what crosses a border by land is no move by sea', () => {
  const eventLocation = { UNLocationCode: 'DEHAM', facilityTypeCode: 'BORD' }
  expect(read({ ...grouped, eventLocation })).toMatchObject({ event: { isInland: true } })
})

test('the purchase order that a carrier names is a reference of the event', () => {
  const references = [{ referenceType: 'PO', referenceValue: '4500 17' }]
  expect(read({ ...arrival, references })).toMatchObject({
    event: { documents: [{ kind: 'order', reference: expect.any(String) }] },
  })
})
