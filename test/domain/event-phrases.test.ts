import { expect, test } from 'vitest'
import type { EventCode } from '../../src/contract/public/event-codes.js'
import type { StepType } from '../../src/contract/public/tracking.js'
import { codeOfText, isExpectation } from '../../src/domain/tracking/event-phrases.js'

const phrases: Partial<Record<EventCode, string[]>> = {
  EMPTY_OUT: [
    'O/B empty container released',
    'Empty out from depot',
    'Empty container withdrawn from depot',
    'Sortie vide',
    'Container to shipper',
    'Empty Out',
    'Dispatch of empty container',
    'Gate out empty',
    'Empty container released to shipper',
    'Export empty container released',
    'Mise à disposition du vide',
  ],
  PICKED_UP: [
    'Departed from shipper',
    'Departure from shipper premises',
    'Picked up',
    'Pick-up',
    'Goods collected',
    'Enlèvement',
  ],
  STUFFED: ['Container stuffed', 'Container vanned', 'Empotage'],
  GATE_IN: [
    'Ready for loading',
    'Réception au terminal',
    'Arrival at terminal gate',
    'Entrée plein terminal',
    'Gate in',
    'GATE-IN',
    'Export received at CY',
    'Full export container in gated',
    'Ready to be loaded',
    'Entrée au terminal',
  ],
  VGM: ['VGM received'],
  LOADED: [
    'Loaded onboard',
    'Loaded on MSC OSCAR / IV610A',
    'Loaded aboard',
    "Loaded on 'EVER GIVEN' at port of loading",
    'LOAD',
    'On board',
    'Export loaded on vessel',
    'Chargé à bord du navire',
  ],
  DEPARTED: [
    'Vessel scheduled to sail',
    'Expected to depart',
    'Departed from Changzhou',
    'Le navire a quitté le port',
    'Departure confirmed',
    'Departed (ATD)',
    'Le navire est parti',
    'Départ estimé',
    'Vessel departed',
    "'MSC ANNA' departure from port of loading",
    'Vessel MSC ANNA departed',
    'Departed from Shanghai',
    'DEPARTED FROM LE HAVRE',
    'Vessel departure from port of loading to port of discharge',
    'Take-off',
    'Départ du navire',
  ],
  ARRIVED: [
    'Vessel EVER GIVEN 0842-192S arrived',
    'Expected to arrive at POD',
    'ETA changed to',
    'ETA updated',
    'ETA: 2021-05-03 12:00',
    'Arrival port of unloading',
    'Vessel schedule arrival',
    'Vessel reached port of discharge',
    'Arrived at Los Angeles, CA, United States',
    'Predicted arrival',
    'Arrived (ATA)',
    'Vessel arrived',
    'Arrival at POD',
    'Arrived in Rotterdam',
    'Estimated time of arrival',
    'Landed',
    'Arrivée au port de destination',
  ],
  BERTHED: ['Vessel all fast', 'Vessel berthing at POD', 'Berthed'],
  DISCHARGED: [
    'Offloaded from vessel',
    'Off rail import at destination',
    'Déchargement prévu',
    'Discharged',
    'Discharged from vessel',
    'Unloaded from rail at destination',
    'Discharged and waiting for transshipping',
    'Déchargé',
  ],
  CUSTOMS_HOLD: [
    'Customs hold placed',
    'US Customs hold',
    'CBP hold',
    'Hold placed by customs',
    'Customs hold',
    'Inbound customs hold',
    'Held by customs',
  ],
  CUSTOMS_RELEASED: ['Customs hold released', 'US customs released', 'Customs released', 'Customs cleared', 'Dédouané'],
  CARRIER_RELEASED: [
    'Released by shipping line',
    'Freight hold lifted',
    'Carrier release',
    'Carrier and customs released',
  ],
  AVAILABLE: [
    'Ready for delivery',
    'Container is available to be released / delivered',
    'Available for delivery',
    'Container available',
  ],
  GATE_OUT: [
    'Container to trucker',
    'Import full pick-up',
    'Retrait par le destinataire',
    'Sortie plein',
    'Gate out',
    'Container to consignee',
    'Gate-out from final hub',
    'Full container withdrawn by consignee from terminal',
  ],
  APPOINTMENT: ['Delivery appointment confirmed', 'Delivery slot'],
  OUT_FOR_DELIVERY: ['Out for delivery', 'En cours de livraison'],
  DELIVERY_FAILED: ['Delivery not completed', 'Delivery failed', 'Delivery refused', 'Échec de livraison'],
  DELIVERED: ['Delivered', 'Delivered, signed I. Hart', 'Proof of delivery', 'Livré'],
  EMPTY_IN: [
    'I/B empty container returned',
    'Empty at depot',
    'Empty in from consignee',
    'Entrée vide',
    'Gate in empty return',
    'Empty in',
    'Empty drop off',
    'Empty container returned',
    'Empty in depot',
    'Container returned to carrier',
    'Gate in empty',
    'Conteneur vide restitué',
  ],
  ROLLED: ['Short shipped', 'Booking rolled', 'Rolled to the next vessel', 'Rollover'],
  DELAYED: ['Arrival delayed', 'Driver delayed'],
  OTHER: [
    'Arrival in doubt',
    'Arrival at POD unconfirmed',
    'Departure from port prevented by strike',
    'Discharge from vessel impossible',
    'Loading at POL ongoing',
    'Departure in 48h',
    'Vessel agent arrived',
    'Departure rescheduled',
    'Vessel arrival updated',
    'Delivery location updated',
    'Empty in transit',
    'Departed?',
    'Delivered: no',
    'Customs cleared: no',
    'No arrival',
    'No customs hold',
    'No delay',
    'Customs inspection completed',
    'Cargo left on quay',
    'Load port',
    'Discharged in error',
    'Container discharged from previous vessel',
    'Vessel arriving',
    'Truck departed to shipper',
    'On board date',
    'Available on arrival',
    'To depart',
    'Vessel to arrive',
    'Vessel due to arrive',
    'Arrival at anchorage',
    'Vessel departure postponed',
    'Freight collected',
    'Vessel arrival notice sent',
    'Departure cancelled',
    'Not yet departed',
    'Awaiting discharge',
    'Payment received',
    'Freight charges settled',
    'Delivery order released',
    'Intended transshipment',
    'In transit',
    'Released',
    'Vessel will arrive tomorrow',
    'Arrival to be confirmed',
    'Positioned out',
    'x'.repeat(10_000),
    '',
  ],
}

test.each(
  Object.entries(phrases).flatMap(([code, texts]) => texts.map((text) => [text.slice(0, 60), code, text] as const)),
)('the text "%s" is recognised as %s', (_shown, code, text) => {
  expect(codeOfText(text)).toBe(code)
  expect(codeOfText(text.toUpperCase())).toBe(code)
})

// A word in capitals among others is a name, unless texts are made of it.
test.each<[string, EventCode]>([
  ['Vessel has NOT departed', 'OTHER'],
  ['Arrival CANCELLED', 'OTHER'],
  ['Departure DELAYED', 'DELAYED'],
  ['Vessel DEPARTED', 'DEPARTED'],
])('the text "%s" is recognised as %s whatever is in capitals', (text, code) => {
  expect(codeOfText(text)).toBe(code)
})

// All in capitals, a name is indistinguishable from other words.
test.each<[string, EventCode]>([
  ['EDI received', 'OTHER'],
  ['AMS received', 'OTHER'],
  ['COARRI received', 'OTHER'],
  ['PDF loaded', 'OTHER'],
  ['Main vessel departed', 'DEPARTED'],
  ['Departed - EVER GIVEN 023W', 'DEPARTED'],
  ['Departed load port', 'DEPARTED'],
  ['Rail departed origin inland location', 'DEPARTED'],
  ['Gate out EUROGATE', 'GATE_OUT'],
  ['Received at MAERSK terminal', 'GATE_IN'],
  ['Received for export transfer', 'GATE_IN'],
  ['Reloaded on vessel', 'LOADED'],
  ['Truck departed for delivery', 'OUT_FOR_DELIVERY'],
  ['Import picked up', 'GATE_OUT'],
])('the text "%s" is recognised as %s by its words', (text, code) => {
  expect(codeOfText(text)).toBe(code)
})

test.each([
  'Est. arrival',
  'Exp. departure',
  'Sched. departure',
  'Est vessel arrival',
  'Arrives at Hamburg',
  'ETA',
  'ETA updated',
  'New ETA',
  'Scheduled to sail',
  'Schedule arrival',
])('the text "%s" says what is expected', (text) => {
  expect(isExpectation(text)).toBe(true)
  expect(codeOfText(text)).not.toBe('OTHER')
})

test.each(['Le navire est arrivé', 'Le navire est parti', 'Vessel arrived', 'Vessel arrived at New York'])(
  'the text "%s" says what has happened',
  (text) => {
    expect(isExpectation(text)).toBe(false)
  },
)

test.each<[string, StepType, EventCode]>([
  ['Picked up', 'pickup', 'PICKED_UP'],
  ['Picked up', 'destination_port', 'GATE_OUT'],
  ['Loaded', 'pickup', 'PICKED_UP'],
  ['Loaded', 'origin_port', 'LOADED'],
  ['Delivered to port of loading', 'origin_port', 'GATE_IN'],
  ['Customs cleared', 'origin_port', 'CUSTOMS_CLEARED_EXPORT'],
  ['Customs cleared', 'destination_port', 'CUSTOMS_RELEASED'],
])('the text "%s" at the step %s means %s', (text, step, code) => {
  expect(codeOfText(text, step)).toBe(code)
})

test.each<[string, EventCode]>([
  ['Vessel arrival (EST)', 'ARRIVED'],
  ['VESSEL ARRIVAL (EST)', 'ARRIVED'],
  ['Vessel arrival est', 'ARRIVED'],
  ['Arrival EST 2021-05-01', 'ARRIVED'],
  ['Vessel arrival (PLN)', 'ARRIVED'],
  ['Departure (EST)', 'DEPARTED'],
  ['Vessel departure (ETS)', 'DEPARTED'],
  ['Vessel berthing (ETB)', 'BERTHED'],
  ['Discharge (EST)', 'DISCHARGED'],
])('"%s" is expected, and has not happened', (text, code) => {
  expect(codeOfText(text, 'destination_port')).toBe(code)
  expect(isExpectation(text)).toBe(true)
})

test('a time zone is no abbreviation of "estimated", nor is the French verb', () => {
  for (const text of ['Vessel arrival 10:00 EST', 'Le navire est arrivé', 'NAVIRE EST ARRIVE']) {
    expect(codeOfText(text, 'destination_port')).toBe('ARRIVED')
    expect(isExpectation(text)).toBe(false)
  }
})

test.each([
  'Next port arrival',
  'Arrival at next port',
  'Departure from last port',
  'Départ du dernier port',
  'Arrived at consignee',
  'Arrived at customer premises',
  'Full container returned',
])('"%s" moves nothing: it is about another place, or not what it seems', (text) => {
  expect(codeOfText(text, 'destination_port')).toBe('OTHER')
})

test.each<[string, EventCode]>([
  ['Container arrived at container yard', 'GATE_IN'],
  ['Container arrived at depot', 'GATE_IN'],
  ['Arrival at warehouse', 'GATE_IN'],
  ['Container departed', 'GATE_OUT'],
  ['Container left terminal', 'GATE_OUT'],
  ['Left terminal', 'GATE_OUT'],
  ['Vessel left terminal', 'DEPARTED'],
  ['Container departed on vessel MSC OSCAR', 'DEPARTED'],
  ['Delivery to consignee by truck gate-out', 'GATE_OUT'],
  ['Container returned', 'EMPTY_IN'],
  ['Carrier release received', 'CARRIER_RELEASED'],
  ['Unstuffing', 'STRIPPED'],
])('"%s" is %s, neither the arrival of a vessel nor a delivery', (text, code) => {
  expect(codeOfText(text, 'destination_port')).toBe(code)
})
