import type { EdiContext } from './edi-context.js'
import { type Segment, valueAt } from './segments.js'

/** Places of X12: by UN/LOCODE, by US customs codes (schedules D and K), or by city, state and country. */

export type X12Place = {
  /** The function of R4: L loading, D discharge, R receipt, E delivery, 5 activity, I or M on the way. */
  role: string
  unlocode: string | undefined
  name: string | undefined
  timeZone: string | undefined
  dates: Segment[]
}

/** R4: function, qualifier, code, name, country, terminal, ..., state. */
export function placeInR4(segment: Segment, context: EdiContext): X12Place {
  const [role, qualifier, code, name, country] = [0, 1, 2, 3, 4].map((index) => valueAt(segment, index)) as Five
  const place = placeBy(qualifier, code, context)
  if (place?.unlocode !== undefined) return { role, ...place, name: name || place.name, dates: [] }
  return { role, ...placeByName(name || (place?.name ?? code), valueAt(segment, 7), country, context), dates: [] }
}

type Five = [string, string, string, string, string]
type Found = Omit<X12Place, 'role' | 'dates'>

/** A place by a code and its qualifier; undefined if there is none. */
export function placeBy(qualifier: string, code: string, context: EdiContext): Found | undefined {
  if (code === '') return undefined
  if (qualifier === 'CI' || qualifier === 'CY') return placeByName(code, '', '', context)
  const unlocode = unlocodeOf(qualifier, code.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''), context)
  if (unlocode === undefined) return { unlocode: undefined, name: code, timeZone: undefined }
  const timeZone = context.zoneOf(unlocode) ?? context.zoneOfCountry(unlocode.slice(0, 2))
  return { unlocode, name: undefined, timeZone }
}

function unlocodeOf(qualifier: string, code: string, context: EdiContext): string | undefined {
  if (qualifier === 'D') return scheduleD[code.padStart(4, '0')]
  if (qualifier === 'K') return scheduleK[code]
  if (!/^[A-Z]{2}[A-Z0-9]{3}$/.test(code)) return undefined
  return qualifier === 'UN' || context.zoneOf(code) !== undefined ? code : undefined
}

export function placeByName(name: string, state: string, country: string, context: EdiContext): Found {
  const [city = '', second = ''] = name.split(',').map((part) => part.trim())
  const province = (state || second).toUpperCase()
  const isAmerican = country === '' || country === 'US' || country === 'USA'
  const nation = country.length === 3 ? (nations[country] ?? '') : country
  const known = city === '' ? undefined : context.cityOf(nation || 'US', city)
  const zone = isAmerican
    ? (stateZones[province] ?? known?.timeZone)
    : (known?.timeZone ?? context.zoneOfCountry(nation))
  // The only city of the name that is known may be in another state.
  const isSame = known !== undefined && (!isAmerican || province === '' || known.timeZone === zone)
  return { unlocode: isSame ? known.unlocode : undefined, name: city || undefined, timeZone: zone }
}

const nations: Record<string, string> = { USA: 'US', CAN: 'CA', MEX: 'MX' }

/** Ports of US customs that ocean carriers name most. */
const scheduleD: Record<string, string> = {
  '0401': 'USBOS',
  '1001': 'USNYC',
  '1101': 'USPHL',
  '1303': 'USBAL',
  '1401': 'USORF',
  '1501': 'USILM',
  '1601': 'USCHS',
  '1703': 'USSAV',
  '1801': 'USTPA',
  '1803': 'USJAX',
  '1901': 'USMOB',
  '2002': 'USMSY',
  '2704': 'USLAX',
  '2709': 'USLGB',
  '2811': 'USOAK',
  '2904': 'USPDX',
  '3001': 'USSEA',
  '3002': 'USTIW',
  '3201': 'USHNL',
  '3901': 'USCHI',
  '4601': 'USEWR',
  '4909': 'PRSJU',
  '5201': 'USMIA',
  '5203': 'USPEF',
  '5301': 'USHOU',
}

/** Foreign ports by their number at US customs. */
const scheduleK: Record<string, string> = {
  '42157': 'NLRTM',
  '55976': 'SGSIN',
  '57020': 'CNNGB',
  '57035': 'CNSHA',
  '57078': 'CNYTN',
  '58023': 'KRPUS',
  '58201': 'HKHKG',
  '58309': 'TWKHH',
}

// States with two zones have the one of most of their people.
const zoneStates: Record<string, string> = {
  'America/New_York': 'CT DC DE FL GA IN KY MA MD ME MI NC NH NJ NY OH PA RI SC VA VT WV ON QC',
  'America/Chicago': 'AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI MB',
  'America/Denver': 'CO ID MT NM UT WY AB',
  'America/Phoenix': 'AZ',
  'America/Los_Angeles': 'CA NV OR WA BC',
  'America/Anchorage': 'AK',
  'Pacific/Honolulu': 'HI',
  'America/Puerto_Rico': 'PR',
  'America/Halifax': 'NS NB PE',
  'America/Regina': 'SK',
  'America/St_Johns': 'NL',
}
const stateZones: Record<string, string> = Object.fromEntries(
  Object.entries(zoneStates).flatMap(([zone, states]) => states.split(' ').map((state) => [state, zone])),
)
