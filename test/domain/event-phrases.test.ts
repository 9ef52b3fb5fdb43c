import { expect, test } from 'vitest'
import type { EventCode } from '../../src/contract/public/event-codes.js'
import type { StepType } from '../../src/contract/public/tracking.js'
import { codeOfText } from '../../src/domain/tracking/event-phrases.js'

const phrases: Partial<Record<EventCode, string[]>> = {
  EMPTY_OUT: [
    'Gate out empty',
    'Empty container released to shipper',
    'Export empty container released',
    'Mise à disposition du vide',
  ],
  PICKED_UP: ['Picked up', 'Pick-up', 'Goods collected', 'Enlèvement'],
  STUFFED: ['Container stuffed', 'Container vanned', 'Empotage'],
  GATE_IN: [
    'Gate in',
    'GATE-IN',
    'Export received at CY',
    'Full export container in gated',
    'Ready to be loaded',
    'Entrée au terminal',
  ],
  VGM: ['VGM received'],
  LOADED: [
    "Loaded on 'EVER GIVEN' at port of loading",
    'LOAD',
    'On board',
    'Export loaded on vessel',
    'Chargé à bord du navire',
  ],
  DEPARTED: [
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
    'Vessel arrived',
    'Arrival at POD',
    'Arrived in Rotterdam',
    'Estimated time of arrival',
    'Landed',
    'Arrivée au port de destination',
  ],
  BERTHED: ['Vessel berthing at POD', 'Berthed'],
  DISCHARGED: [
    'Discharged',
    'Discharged from vessel',
    'Unloaded from rail at destination',
    'Discharged and waiting for transshipping',
    'Déchargé',
  ],
  CUSTOMS_HOLD: ['Customs hold', 'Inbound customs hold', 'Held by customs'],
  CUSTOMS_RELEASED: ['Customs released', 'Customs cleared', 'Dédouané'],
  CARRIER_RELEASED: ['Carrier release', 'Carrier and customs released'],
  AVAILABLE: ['Available for delivery', 'Container available'],
  GATE_OUT: [
    'Gate out',
    'Container to consignee',
    'Gate-out from final hub',
    'Full container withdrawn by consignee from terminal',
  ],
  APPOINTMENT: ['Delivery appointment confirmed', 'Delivery slot'],
  OUT_FOR_DELIVERY: ['Out for delivery', 'En cours de livraison'],
  DELIVERY_FAILED: ['Delivery failed', 'Delivery refused', 'Échec de livraison'],
  DELIVERED: ['Delivered', 'Delivered, signed I. Hart', 'Proof of delivery', 'Livré'],
  EMPTY_IN: [
    'Empty container returned',
    'Empty in depot',
    'Container returned to carrier',
    'Gate in empty',
    'Conteneur vide restitué',
  ],
  ROLLED: ['Rolled to the next vessel', 'Rollover'],
  DELAYED: ['Arrival delayed', 'Driver delayed'],
  OTHER: [
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
  expect(codeOfText(text.toUpperCase())).toBe(/MSC ANNA dep/.test(text) ? 'OTHER' : code)
})

test.each<[string, StepType, EventCode]>([
  ['Picked up', 'pickup', 'PICKED_UP'],
  ['Picked up', 'destination_port', 'GATE_OUT'],
  ['Loaded', 'pickup', 'PICKED_UP'],
  ['Loaded', 'origin_port', 'LOADED'],
  ['Customs cleared', 'origin_port', 'CUSTOMS_CLEARED_EXPORT'],
  ['Customs cleared', 'destination_port', 'CUSTOMS_RELEASED'],
])('the text "%s" at the step %s means %s', (text, step, code) => {
  expect(codeOfText(text, step)).toBe(code)
})
