import type { EventCode } from '../../contract/public/event-codes.js'

/** The codes of DCSA Track & Trace: four letters in 2.2 and the first drafts of 3.0, words in the later ones. */

const words: Record<string, string> = {
  ARRIVED: 'ARRI',
  DEPARTED: 'DEPA',
  GATED_IN: 'GTIN',
  GATED_OUT: 'GTOT',
  LOADED: 'LOAD',
  DISCHARGED: 'DISC',
  STUFFED: 'STUF',
  STRIPPED: 'STRP',
  PICKED_UP: 'PICK',
  DROPPED_OFF: 'DROP',
  INSPECTED: 'INSP',
  RESEALED: 'RSEA',
  REMOVED: 'RMVD',
  AVAILABLE_FOR_PICKUP: 'AVPU',
  AVAILABLE_FOR_PICK_UP: 'AVPU',
  AVAILABLE_FOR_DROP_OFF: 'AVDO',
  CUSTOMS_SELECTED_FOR_SCAN: 'CUSS',
  CUSTOMS_SELECTED_FOR_INSPECTION: 'CUSI',
  CUSTOMS_RELEASED: 'CUSR',
  CROSSED: 'CROS',
}

/** The code in four letters. */
export function shortCode(code: string): string {
  return words[code] ?? code
}

/** Where and how: what the meaning of an equipment code depends on. */
export type MovementContext = {
  isEmpty: boolean
  phase: 'export' | 'import' | undefined
  facility: string | undefined
}

const customerPlaces = new Set(['CLOC', 'CUSTOMER_LOCATION'])

type Meaning = EventCode | ((how: MovementContext) => EventCode)

// A container with our goods in it is not empty on board: an empty one is on another journey.
const ladenOnly =
  (code: EventCode): Meaning =>
  ({ isEmpty }) =>
    isEmpty ? 'OTHER' : code

const equipment: Record<string, Meaning> = {
  LOAD: ladenOnly('LOADED'),
  DISC: ladenOnly('DISCHARGED'),
  // An empty container enters a depot at the end; before, it comes to the shipper.
  GTIN: ({ isEmpty, phase, facility = '' }) => {
    if (!isEmpty) return 'GATE_IN'
    return phase === 'export' || customerPlaces.has(facility) ? 'OTHER' : 'EMPTY_IN'
  },
  GTOT: ({ isEmpty, phase, facility = '' }) => {
    if (!isEmpty) return 'GATE_OUT'
    return phase === 'import' || customerPlaces.has(facility) ? 'OTHER' : 'EMPTY_OUT'
  },
  STUF: 'STUFFED',
  STRP: 'STRIPPED',
  PICK: ({ isEmpty, phase }) => {
    if (isEmpty) return phase === 'import' ? 'OTHER' : 'EMPTY_OUT'
    return phase === 'import' ? 'GATE_OUT' : 'PICKED_UP'
  },
  DROP: ({ isEmpty, phase, facility = '' }) => {
    if (isEmpty) return phase === 'import' || depots.has(facility) ? 'EMPTY_IN' : 'OTHER'
    return phase === 'export' ? 'GATE_IN' : 'DELIVERED'
  },
  INSP: 'OTHER',
  RSEA: 'OTHER',
  RMVD: 'OTHER',
  AVPU: 'AVAILABLE',
  AVDO: 'OTHER',
  CUSS: 'CUSTOMS_HOLD',
  CUSI: 'CUSTOMS_INSPECTION',
  CUSR: 'CUSTOMS_RELEASED',
  CROS: 'OTHER',
}
const depots = new Set([
  'DEPO',
  'DEPOT',
  'POTE',
  'PORT_TERMINAL',
  'OFFD',
  'OFF_DOCK_STORAGE',
  'INTE',
  'INLAND_TERMINAL',
])

const transport: Record<string, EventCode> = { ARRI: 'ARRIVED', DEPA: 'DEPARTED', APPROACHING: 'OTHER' }

/** Our code; undefined for one that the standard does not have. */
export function codeOfTransport(code: string): EventCode | undefined {
  return Object.hasOwn(transport, code) ? transport[code] : undefined
}

export function codeOfEquipment(code: string, how: MovementContext): EventCode | undefined {
  const meaning = Object.hasOwn(equipment, code) ? equipment[code] : undefined
  return typeof meaning === 'function' ? meaning(how) : meaning
}

const inlandFacilities = new Set([
  ...customerPlaces,
  'BORD',
  'BOCR',
  'BORDER',
  'COFS',
  'CONTAINER_FREIGHT_STATION',
  'OFFD',
  'OFF_DOCK_STORAGE',
  'DEPO',
  'DEPOT',
  'INTE',
  'INLAND_TERMINAL',
  'RAMP',
])

/** The UN/LOCODE with which the code of a facility begins, in the list of BIC. */
export function placeOfFacility(of: Record<string, unknown>): string | undefined {
  const { facilityCode: code, facilityCodeListProvider: list } = of
  const isOfBic = list === 'BIC' && typeof code === 'string' && /^[A-Z]{5}[A-Z0-9]{4}$/.test(code)
  return isOfBic ? code.slice(0, 5) : undefined
}

/** Whether it is no part of the main leg by sea: by the means of transport, or else by the kind of place. */
export function isInland(mode: string | undefined, facility: string | undefined): boolean {
  return mode === undefined ? inlandFacilities.has(facility ?? '') : mode !== 'VESSEL'
}

const texts: Record<string, string> = {
  ARRI: 'Arrival',
  DEPA: 'Departure',
  APPROACHING: 'Approaching',
  LOAD: 'Loaded',
  DISC: 'Discharged',
  GTIN: 'Gate in',
  GTOT: 'Gate out',
  STUF: 'Container stuffed',
  STRP: 'Container stripped',
  PICK: 'Picked up',
  DROP: 'Dropped off',
  INSP: 'Seal inspected',
  RSEA: 'Container resealed',
  RMVD: 'Seal removed',
  AVPU: 'Available for pick-up',
  AVDO: 'Available for drop-off',
  CUSS: 'Selected by customs for a scan',
  CUSI: 'Selected by customs for inspection',
  CUSR: 'Released by customs',
  CROS: 'Border crossed',
}

const means: Record<string, string> = { VESSEL: 'vessel', RAIL: 'rail', TRUCK: 'truck', BARGE: 'barge' }

/** What customers read: `Departure (vessel King of the Seas 2103S)`. */
export function describe(
  code: string,
  isEmpty: boolean,
  how: { mode?: string | undefined; name?: string | undefined },
): string {
  const text = texts[code] ?? code
  // That a container passes a gate on its way to a vessel says nothing, unless it says to which; a departure is not that of a truck.
  const isTelling = how.name !== undefined || how.mode !== 'VESSEL' || code === 'DEPA'
  const detail = isTelling ? [means[how.mode ?? ''], how.name].filter((part) => part !== undefined).join(' ') : ''
  return `${text}${isEmpty ? ', empty' : ''}${detail && ` (${detail})`}`
}
