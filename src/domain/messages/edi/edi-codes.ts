import type { Meaning } from './edi-context.js'

/** Status codes of others and what they mean to us, in our words. What is not here goes to the queue of unknown codes. */

/** Numbers of UN/ECE Recommendation 24, which IFTSTA uses. */
export const recommendation24: Record<string, Meaning> = {
  1: { code: 'ARRIVED', text: 'Arrived' },
  3: { code: 'OTHER', text: 'Received in defective condition' },
  6: { code: 'OTHER', text: 'Booked', isDocument: true },
  7: { code: 'OTHER', text: 'Booking cancelled', isDocument: true },
  8: { code: 'CUSTOMS_RELEASED', text: 'Released for import' },
  9: { code: 'CUSTOMS_CLEARED_EXPORT', text: 'Cleared for export' },
  12: { code: 'CUSTOMS_RELEASED', text: 'Cleared by customs' },
  13: { code: 'PICKED_UP', text: 'Collected' },
  16: { code: 'OTHER', text: 'Border crossed' },
  17: { code: 'CUSTOMS_HOLD', text: 'Refused by customs' },
  18: { code: 'OTHER', text: 'Damaged' },
  20: { code: 'DELAYED', text: 'Delayed' },
  21: { code: 'DELIVERED', text: 'Delivered' },
  22: { code: 'DELIVERED', text: 'Delivery completed' },
  23: { code: 'DELIVERY_FAILED', text: 'Delivery incomplete' },
  24: { code: 'DEPARTED', text: 'Departed' },
  25: { code: 'DELAYED', text: 'Departure delayed' },
  27: { code: 'DEPARTED', text: 'Goods departed' },
  28: { code: 'STRIPPED', text: 'Unpacked' },
  29: { code: 'DISCHARGED', text: 'Discharged' },
  31: { code: 'OTHER', text: 'In transit' },
  40: { code: 'ARRIVED', text: 'Arrived at port' },
  45: { code: 'OTHER', text: 'Consignee notified of the arrival' },
  48: { code: 'LOADED', text: 'Loaded' },
  49: { code: 'OTHER', text: 'Lost' },
  52: { code: 'DELAYED', text: 'Mechanical breakdown' },
  56: { code: 'DELIVERY_FAILED', text: 'Not delivered' },
  57: { code: 'ROLLED', text: 'Not loaded' },
  62: { code: 'DELAYED', text: 'Discharged where it was not expected' },
  64: { code: 'AVAILABLE', text: 'Awaiting collection' },
  72: { code: 'OTHER', text: 'Receipt acknowledged' },
  74: { code: 'GATE_IN', text: 'Received by the carrier' },
  78: { code: 'CARRIER_RELEASED', text: 'Released' },
  79: { code: 'LOADED', text: 'Reloaded' },
  82: { code: 'OTHER', text: 'Returned' },
  85: { code: 'DELAYED', text: 'Not discharged: over-carried' },
  86: { code: 'ROLLED', text: 'Short-shipped' },
  90: { code: 'CARRIER_HOLD', text: 'Stopped' },
  93: { code: 'STUFFED', text: 'Stuffed' },
  94: { code: 'STUFFED', text: 'Stuffed and sealed' },
  100: { code: 'LOADED', text: 'Transshipped' },
  101: { code: 'DELAYED', text: 'Delayed in transit' },
}

/** X12 315: the status of B4 and SG (element 157). */
const ocean: Record<string, Meaning> = {
  A: { code: 'ARRIVED', text: 'Arrived' },
  AE: { code: 'LOADED', text: 'Loaded on vessel' },
  AF: { code: 'PICKED_UP', text: 'Picked up' },
  AG: { code: 'DELIVERED', text: 'Delivery expected', status: 'estimated' },
  AL: { code: 'LOADED', text: 'Loaded on rail', isInland: true },
  AM: { code: 'LOADED', text: 'Loaded on truck', isInland: true },
  AO: { code: 'LOADED', text: 'Loaded on barge', isInland: true },
  AP: { code: 'LOADED', text: 'Loaded on feeder vessel' },
  AR: { code: 'ARRIVED', text: 'Arrived by rail', isInland: true },
  AV: { code: 'AVAILABLE', text: 'Available for pick-up' },
  B: { code: 'OTHER', text: 'Damaged or out of order' },
  BF: { code: 'OTHER', text: 'Booking confirmed', isDocument: true },
  BR: { code: 'OTHER', text: 'Bill of lading released', isDocument: true },
  C: { code: 'DEPARTED', text: 'Departure expected', status: 'estimated' },
  CA: { code: 'OTHER', text: 'Cancelled' },
  CR: { code: 'CARRIER_RELEASED', text: 'Released by the carrier' },
  CS: { code: 'OTHER', text: 'Container sealed' },
  CT: { code: 'CUSTOMS_RELEASED', text: 'Released by customs' },
  CU: { code: 'CUSTOMS_RELEASED', text: 'Released by carrier and customs', also: 'CARRIER_RELEASED' },
  D: { code: 'DELIVERED', text: 'Delivered' },
  E: { code: 'ARRIVED', text: 'Arrival expected', status: 'estimated' },
  EE: { code: 'EMPTY_OUT', text: 'Empty container released' },
  FT: { code: 'OTHER', text: 'Free time has ended' },
  I: { code: 'GATE_IN', text: 'Gate in' },
  NF: { code: 'OTHER', text: 'Free time is about to end' },
  OA: { code: 'GATE_OUT', text: 'Gate out' },
  P: { code: 'DEPARTED', text: 'Departed' },
  RD: { code: 'EMPTY_IN', text: 'Empty container returned' },
  RL: { code: 'DEPARTED', text: 'Departed by rail', isInland: true },
  SD: { code: 'DELAYED', text: 'Delayed' },
  UR: { code: 'DISCHARGED', text: 'Unloaded from rail', isInland: true },
  UV: { code: 'DISCHARGED', text: 'Discharged from vessel' },
  VA: { code: 'ARRIVED', text: 'Vessel arrived' },
  VD: { code: 'DEPARTED', text: 'Vessel departed' },
  X1: { code: 'OUT_FOR_DELIVERY', text: 'Arrived at the place of delivery' },
}

/** X12 214: the status of AT7 (element 1650). */
const motor: Record<string, Meaning> = {
  A3: { code: 'OTHER', text: 'Returned to the shipper' },
  A7: { code: 'DELIVERY_FAILED', text: 'Refused by the consignee' },
  A9: { code: 'OTHER', text: 'Damaged' },
  AF: { code: 'PICKED_UP', text: 'Picked up' },
  AG: { code: 'DELIVERED', text: 'Delivery expected', status: 'estimated' },
  AH: { code: 'DELIVERY_FAILED', text: 'Delivery attempted' },
  AI: { code: 'OTHER', text: 'Reconsigned' },
  AJ: { code: 'OUT_FOR_DELIVERY', text: 'Offered for delivery' },
  AM: { code: 'LOADED', text: 'Loaded on truck' },
  AP: { code: 'DELIVERY_FAILED', text: 'Delivery not completed' },
  AR: { code: 'ARRIVED', text: 'Arrived by rail' },
  AV: { code: 'AVAILABLE', text: 'Available for delivery' },
  B6: { code: 'ARRIVED', text: 'Arrival at the terminal expected', status: 'estimated' },
  C1: { code: 'DEPARTED', text: 'Departure from the terminal expected', status: 'estimated' },
  CA: { code: 'OTHER', text: 'Cancelled' },
  CD: { code: 'OTHER', text: 'Truck left the place of delivery' },
  CP: { code: 'OTHER', text: 'Loading completed' },
  D1: { code: 'DELIVERED', text: 'Delivered' },
  E1: { code: 'PICKED_UP', text: 'Pick-up expected', status: 'estimated' },
  I1: { code: 'GATE_IN', text: 'Gate in' },
  J1: { code: 'OTHER', text: 'Handed to the next carrier' },
  K1: { code: 'OTHER', text: 'At customs' },
  L1: { code: 'OTHER', text: 'Loading' },
  OA: { code: 'GATE_OUT', text: 'Gate out' },
  P1: { code: 'DEPARTED', text: 'Departed from the terminal' },
  PR: { code: 'CUSTOMS_HOLD', text: 'Held by customs' },
  R1: { code: 'OTHER', text: 'Received from the previous carrier' },
  RL: { code: 'DEPARTED', text: 'Departed by rail' },
  S1: { code: 'OTHER', text: 'Trailer left at the consignee' },
  SD: { code: 'DELAYED', text: 'Delayed' },
  X1: { code: 'OUT_FOR_DELIVERY', text: 'Truck arrived at the place of delivery' },
  X2: { code: 'DELIVERED', text: 'Arrival at the place of delivery expected', status: 'estimated' },
  X3: { code: 'OTHER', text: 'Truck arrived at the place of pick-up' },
  X4: { code: 'ARRIVED', text: 'Arrived at the terminal' },
  X5: { code: 'OTHER', text: 'Truck at the dock' },
  X6: { code: 'OTHER', text: 'On the way to delivery' },
}

/** X12 214: appointments of AT7 (element 1652). */
const appointments: Record<string, Meaning> = {
  AA: { code: 'PICKED_UP', text: 'Pick-up appointment', status: 'planned' },
  XA: { code: 'PICKED_UP', text: 'Pick-up appointment secured', status: 'planned' },
  AB: { code: 'APPOINTMENT', text: 'Delivery appointment', status: 'planned' },
  X9: { code: 'APPOINTMENT', text: 'Delivery appointment secured', status: 'planned' },
  AC: { code: 'APPOINTMENT', text: 'Delivery appointment expected', status: 'estimated' },
  EP: { code: 'OTHER', text: 'Pick-up not before', status: 'planned' },
  LP: { code: 'OTHER', text: 'Pick-up not after', status: 'planned' },
  ED: { code: 'OTHER', text: 'Delivery not before', status: 'planned' },
  LD: { code: 'OTHER', text: 'Delivery not after', status: 'planned' },
}

export function oceanMeaning(code: string): Meaning | undefined {
  if (Object.hasOwn(ocean, code)) return ocean[code]
  // Holds of authorities: which one is in the code, which is kept.
  return /^P[A-X]$/.test(code) ? { code: 'CUSTOMS_HOLD', text: 'Held by an authority' } : undefined
}

export function motorMeaning(code: string): Meaning | undefined {
  return Object.hasOwn(motor, code) ? motor[code] : undefined
}

export function appointmentMeaning(code: string): Meaning | undefined {
  return Object.hasOwn(appointments, code) ? appointments[code] : undefined
}

/** IFTSTA carries numbers of Recommendation 24 or letters of X12, whatever the directory says. */
export function iftstaMeaning(code: string): Meaning | undefined {
  const number = /^0*([1-9]\d{0,2})$/.exec(code)?.[1]
  if (number !== undefined) return Object.hasOwn(recommendation24, number) ? recommendation24[number] : undefined
  return oceanMeaning(code)
}
