import { airports } from './airports.js'
import { findPlace } from './places.js'
import { findSeaPort, type Place, seaPortCodes } from './ports.js'
import { railTerminals, roadPlaces } from './terminals.js'

/** Places by the names that people and carriers write: `NINGBO`, `Port of Ningbo`, `Ningbo, Zhejiang, CN`. */

// Names that differ from ours by more than accents and spaces.
const aliases: Record<string, string> = {
  antwerp: 'antwerpen',
  genoa: 'genova',
  leghorn: 'livorno',
  naples: 'napoli',
  venice: 'venezia',
  lisbon: 'lisboa',
  pusan: 'busan',
  gothenburg: 'goteborg',
  copenhagen: 'kobenhavn',
  portkelang: 'portklang',
  kelang: 'portklang',
  tianjin: 'tianjinxingang',
  xingang: 'tianjinxingang',
  jnpt: 'nhavasheva',
  jawaharlalnehru: 'nhavasheva',
  chittagong: 'chattogram',
  piraievs: 'piraeus',
  saigon: 'hochiminhcity',
  hochiminh: 'hochiminhcity',
  caimeptvai: 'caimep',
  tanjungpriok: 'jakarta',
  munich: 'munchen',
  vienna: 'wien',
  warsaw: 'warszawa',
  tangier: 'tangermed',
  tangiermed: 'tangermed',
  addammam: 'dammam',
  quynhon: 'quinhon',
  ningbozhoushan: 'ningbo',
  shanghaiyangshan: 'shanghai',
  yangshan: 'shanghai',
  waigaoqiao: 'shanghai',
  shenzhen: 'shenzhenbaoan',
  sihanoukville: 'kampongsaom',
  maasvlakte: 'rotterdam',
  rotterdammaasvlakte: 'rotterdam',
  elizabeth: 'newark',
  busannewport: 'busan',
  manilanorth: 'manilanorthharbour',
  manilasouth: 'manila',
  foshan: 'foshanzhan',
  stpetersburg: 'stpetersburgexleningrad',
}

const otherCountries: Record<string, string> = {
  usa: 'US',
  unitedstatesofamerica: 'US',
  uk: 'GB',
  greatbritain: 'GB',
  england: 'GB',
  uae: 'AE',
  korea: 'KR',
  southkorea: 'KR',
  republicofkorea: 'KR',
  korearepublicof: 'KR',
  prchina: 'CN',
  peoplesrepublicofchina: 'CN',
  chinamainland: 'CN',
  vietnam: 'VN',
  turkey: 'TR',
  holland: 'NL',
  thenetherlands: 'NL',
}

let countries: Map<string, string> | undefined

function countryOf(name: string): string | undefined {
  if (!countries) {
    countries = new Map(Object.entries(otherCountries))
    const codes = new Set([...placesByName().values()].flatMap((places) => places.map(({ country }) => country)))
    for (const language of ['en', 'fr']) {
      const names = new Intl.DisplayNames([language], { type: 'region' })
      for (const code of codes) countries.set(plainPlace(names.of(code) ?? code), code)
    }
  }
  return countries.get(name)
}

let byName: Map<string, Place[]> | undefined

function placesByName(): Map<string, Place[]> {
  if (byName) return byName
  byName = new Map()
  const ports = seaPortCodes().flatMap((code) => findSeaPort(code) ?? [])
  for (const place of [...ports, ...railTerminals.values(), ...roadPlaces.values(), ...airports.values()]) {
    const name = plainPlace(place.city)
    const places = byName.get(name)
    if (!places) byName.set(name, [place])
    else if (places.every(({ code }) => code !== place.code)) places.push(place)
  }
  return byName
}

/** As names are compared: in lower case, letters and digits alone, as we spell it. */
export function plainPlace(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/\bsaint\b/g, 'st')
    .replace(/^(?:the )?(?:port|puerto|porto) (?:of|de|di|do) (?=\p{Letter})/u, '')
    .replace(/[^\p{Letter}\p{Number}]+/gu, '')
  return Object.hasOwn(aliases, plain) ? (aliases[plain] as string) : plain
}

const longest = 255

/** The name without what follows it: `Ningbo, Zhejiang, CN` is `ningbo`. */
export function headOfPlace(text: string): string {
  const [head = ''] = text.slice(0, longest).split(/[,;(/]/, 1)
  return plainPlace(head.trim())
}

/**
 * The UN/LOCODEs of all places of a name, without a slash, the best known first; if a country follows the name, those there. Two letters
 * after it are a country only where a place of the name is in it: `Los Angeles, CA` is not in Canada.
 */
export function codesOfPlace(text: string): string[] {
  const { places, parts } = namedPlaces(partsOf(text))
  const named = parts.flatMap((part) => {
    const letters = part.toUpperCase()
    const isCode = /^[A-Z]{2}$/.test(letters) && places.some(({ country }) => country === letters)
    return isCode ? letters : (countryOf(plainPlace(part)) ?? [])
  })
  if (named.length === 0) return codesOf(places)
  return codesOf(places.filter(({ country }) => named.includes(country) || isOfChina(country, named)))
}

// `Hong Kong, China`.
function isOfChina(country: string, named: string[]): boolean {
  return ['HK', 'MO', 'TW'].includes(country) && named.includes('CN')
}

function partsOf(text: string): string[] {
  const parts = text.slice(0, longest).split(/[,;()/]/)
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

const facilityWords =
  /\b(terminals?|tml|container|ctn|cntr|international|int'?l|co|company|ltd|limited|llc|inc|corp|gmbh|wharf|pier|quay|berth|dock|yard|cy|cfs|depot|warehouse|ramp|railramp|railway|logistics|port authority)\b/i

/**
 * The places of the first part, or else of what follows a terminal: `Sea Container Terminal, Ningbo, Zhejiang, China`. Of four
 * parts or more, the city is followed by its province and country.
 */
function namedPlaces([head = '', ...parts]: string[]): { places: Place[]; parts: string[] } {
  const plain = plainPlace(head)
  const places = placesByName().get(plain) ?? placesByName().get(withoutSuffix(plain)) ?? placesOfCode(head)
  if (places.length > 0) return { places, parts }
  if (facilityWords.test(head)) return namedPlaces(parts)
  return parts.length > 2 ? namedPlaces(parts.slice(-3)) : { places, parts }
}

/** `CNNGB` in place of a name. */
function placesOfCode(name: string): Place[] {
  const [, country, rest] = /^([A-Z]{2})[ /-]?([A-Z0-9]{3})(?: - .*)?$/.exec(name) ?? []
  const found = country === undefined ? undefined : findPlace(`${country}${rest}`, 'sea')
  return found ? [found] : []
}

/** Whether both codes are of one place: some have several, such as `CNNGB` and `CNNBO`. */
export function isSamePlace(one: string, other: string): boolean {
  if (one === other) return true
  if (one.slice(0, 2) !== other.slice(0, 2)) return false
  const [name, another] = [one, other].map(nameOfCode)
  return name !== undefined && another !== undefined && plainPlace(name) === plainPlace(another)
}

// Carriers plan one and call at the other. The first stands for all of them; the others are different ports.
const portAreas = [
  ['USLAX', 'USLGB'],
  ['USNYC', 'USEWR', 'USELZ', 'USPNJ'],
  ['KRPUS', 'KRBNP'],
  ['CNSZX', 'CNYTN', 'CNSHK', 'CNCWN', 'CNDCB'],
  ['CNCAN', 'CNNSA', 'CNHUA'],
  ['CNTSN', 'CNTXG', 'CNXGG'],
  ['VNSGN', 'VNCLI', 'VNHCM'],
  ['VNCMT', 'VNTCT', 'VNVUT'],
  ['BDCGP', 'BDCTG'],
]

/** Whether one of the codes stands for the port area that the other is in. */
export function isSamePortArea(one: string, other: string): boolean {
  return portAreas.some(([area, ...ports]) => {
    const isOf = (wide: string, narrow: string) => wide === area && ports.includes(narrow)
    return isOf(one, other) || isOf(other, one)
  })
}

/** The name of the place with this code, with or without a slash. */
export function nameOfCode(unlocode: string): string | undefined {
  return findPlace(unlocode, 'sea')?.city
}

/** The time zone of all known places of a name, if they have the same: `Shanghai`, `Shanghai, China`. */
export function findZoneOfName(text: string): string | undefined {
  const zones = new Set(codesOfPlace(text).map((code) => findPlace(code, 'sea')?.timeZone))
  return zones.size === 1 ? [...zones][0] : undefined
}

function codesOf(places: Place[]): string[] {
  return places.map(({ code }) => code.replace('/', ''))
}

// `Hamburg Port` and `Tauranga Harbour`.
function withoutSuffix(name: string): string {
  return name.replace(/(?:port|harbou?r|seaport|terminal)$/, '')
}
