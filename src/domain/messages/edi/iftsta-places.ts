import type { EventCode } from '../../../contract/public/event-codes.js'
import { type EdiContext, type Vessel, vesselOf } from './edi-context.js'
import { type Segment, valueAt } from './segments.js'

/** Places (LOC) and means of transport (TDT) of IFTSTA. */

export type IftstaPlace = {
  qualifier: string
  unlocode: string | undefined
  name: string | undefined
  timeZone: string | undefined
  /** The code of a terminal within it. */
  facility?: string | undefined
}

export type Call = IftstaPlace & { dates: Segment[] }

export type Transport = { isInland: boolean; name: string; vessel: Vessel | undefined; calls: Call[] }

// By the mode: 2 rail, 3 road, 8 inland water.
const inlandModes = new Set(['2', '3', '8'])

/** TDT: stage, voyage, mode, means, carrier, ..., vessel. */
export function transportIn(segment: Segment): Transport {
  const mode = valueAt(segment, 2)
  const isInland = inlandModes.has(mode)
  const name = valueAt(segment, 7, 3)
  const means = { 2: 'rail', 3: 'truck', 8: 'barge', 4: 'flight' }[mode] ?? 'vessel'
  const detail = [name, valueAt(segment, 1)].filter((part) => part !== '').join(' ')
  const vessel = isInland ? undefined : vesselOf(name, valueAt(segment, 7), valueAt(segment, 1))
  return { isInland, name: detail === '' && means === 'vessel' ? '' : `${means} ${detail}`.trim(), vessel, calls: [] }
}

/** LOC: qualifier, place with code list, agency and name, and a place within it such as a terminal. */
export function placeIn(segment: Segment, context: EdiContext): IftstaPlace {
  const qualifier = valueAt(segment, 0)
  const code = valueAt(segment, 1).toUpperCase()
  const list = valueAt(segment, 1, 1)
  const name = valueAt(segment, 1, 3) || valueAt(segment, 2, 3)
  const isListed = list === '139' || valueAt(segment, 1, 2) === '6'
  // Some senders name another list, or none: a code in the form of a UN/LOCODE counts if we know the place.
  const isForm = /^[A-Z]{2}[A-Z2-9]{3}$/.test(code)
  const zone = isForm ? context.zoneOf(code) : undefined
  const country = code.slice(0, 2)
  if (isForm && (isListed || zone !== undefined || valueAt(segment, 2) === country))
    return {
      qualifier,
      unlocode: code,
      name: name || undefined,
      timeZone: zone ?? context.zoneOfCountry(country),
      facility: facilityIn(segment),
    }
  // Without a code of the place: its name, and the country beside it.
  const [city = '', ...others] = (name || code).split(',').map((part) => part.trim())
  const nation = /^[A-Z]{2}$/.test(valueAt(segment, 2)) ? valueAt(segment, 2) : (others.at(-1) ?? '')
  const known = city === '' ? undefined : context.cityOf(nation, city)
  const timeZone = known?.timeZone ?? context.zoneOfCountry(nation)
  return { qualifier, unlocode: known?.unlocode, name: city || undefined, timeZone }
}

// A country is the place around it, not within it.
function facilityIn(segment: Segment): string | undefined {
  const code = valueAt(segment, 2)
  return code === '' || valueAt(segment, 2, 1) === '162' || /^[A-Z]{2}$/.test(code) ? undefined : code
}

export function isInlandMode(transport: Transport | undefined, place: IftstaPlace | undefined): boolean {
  return transport?.isInland === true || place?.qualifier === '29'
}

const leaving = ['5', '9', '13']
const arriving = ['60', '11', '12', '13', '8']
const atOrigin = ['98', '88', '10', '9']
const atDelivery = ['7', '20', '8']

const preferred: Partial<Record<EventCode, string[]>> = {
  EMPTY_OUT: atOrigin,
  PICKED_UP: atOrigin,
  STUFFED: atOrigin,
  GATE_IN: ['9', '88', '10'],
  CUSTOMS_CLEARED_EXPORT: leaving,
  LOADED: leaving,
  DEPARTED: leaving,
  ROLLED: leaving,
  DELIVERED: atDelivery,
  DELIVERY_FAILED: atDelivery,
  OUT_FOR_DELIVERY: atDelivery,
  APPOINTMENT: atDelivery,
  STRIPPED: atDelivery,
  EMPTY_IN: ['99', ...atDelivery],
}

/** Where it happened: the place of the activity, or the only one beside the status, or else the one that fits the code. */
export function placeOf(
  code: EventCode,
  levels: { places: IftstaPlace[] }[],
  transport: Transport | undefined,
): IftstaPlace | undefined {
  const own = levels[0]?.places ?? []
  const activity = levels.flatMap(({ places }) => places.find(({ qualifier }) => qualifier === '175') ?? [])[0]
  if (activity) return activity
  if (own.length === 1) return own[0]
  const all = [...own, ...(transport?.calls ?? []), ...levels.slice(1).flatMap(({ places }) => places)]
  for (const wanted of preferred[code] ?? arriving) {
    const found = all.find(({ qualifier }) => qualifier === wanted)
    if (found) return found
  }
  return own[0]
}
