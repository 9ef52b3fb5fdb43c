import { airports } from './airports.js'
import { aliases } from './place-aliases.js'
import { findPlace } from './places.js'
import { greatCircleKm } from './point.js'
import { findSeaPort, type Place, seaPortCodes } from './ports.js'
import { railTerminals, roadPlaces } from './terminals.js'

/** Places by the names that people and carriers write: `NINGBO`, `Port of Ningbo`, `Ningbo, Zhejiang, CN`. */

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
  const all = [...ports, ...railTerminals.values(), ...roadPlaces.values(), ...airports.values()]
  for (const place of all) add(byName, plainPlace(place.city), place)
  const others = new Map<string, Place[]>()
  for (const place of all) for (const name of otherNames(place.city)) add(others, name, place)
  // Other names count where no place has them as its own.
  byName = new Map([...others, ...byName])
  return byName
}

function add(names: Map<string, Place[]>, name: string, place: Place): void {
  const places = names.get(name)
  if (!places) names.set(name, [place])
  else if (places.every(({ code }) => code !== place.code)) places.push(place)
}

/** `Mumbai` and `Bombay` of `Mumbai (ex Bombay)`, `Belawan` of `Belawan, Sumatra`, `Hakata` of `Hakata/Fukuoka`. */
function otherNames(city: string): string[] {
  const [, inside] = /\(([^)]*)\)/.exec(city) ?? []
  const heads = [city, ...(inside === undefined ? [] : [inside.replace(/^ex /, '')])].map(
    (name) => name.split(/[(,/]/, 1)[0] ?? '',
  )
  return heads.map(plainPlace).filter((name) => name !== '' && name !== plainPlace(city))
}

// Letters that are none with an accent.
const plainLetters: Record<string, string> = { ø: 'o', ł: 'l', ß: 'ss', æ: 'ae', œ: 'oe', đ: 'd', ı: 'i' }

/** As names are compared: in lower case, letters and digits alone, as we spell it. */
export function plainPlace(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[øłßæœđı]/g, (letter) => plainLetters[letter] as string)
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
  const parts = text.slice(0, longest).split(/[,;()[\]/&]| [-–] /)
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

const facilityWords =
  /\b(terminals?|tml|container|ctn|cntr|international|int'?l|co|company|ltd|limited|llc|inc|corp|gmbh|wharf|pier|quay|berth|dock|yard|cy|cfs|depot|warehouse|ramp|railramp|railway|logistics|port authority)\b/i

/**
 * The places of the first part, or else of what follows a terminal: `Sea Container Terminal, Ningbo, Zhejiang, China`. Of four
 * parts or more, the city is followed by its province and country.
 */
function namedPlaces([head = '', ...parts]: string[]): { places: Place[]; parts: string[] } {
  const places = placesNamed(head)
  if (places.length > 0) return { places, parts }
  const split = splitName(head)
  if (split) return { places: split.places, parts: [...split.rest, ...parts] }
  if (facilityWords.test(head)) return namedPlaces(parts)
  return parts.length > 2 ? namedPlaces(parts.slice(-3)) : { places, parts }
}

function placesNamed(name: string): Place[] {
  const plain = plainPlace(name)
  const found = [plain, withoutSuffix(plain), withoutUmlauts(plain)].map((each) => placesByName().get(each))
  return found.find((each) => each !== undefined) ?? placesOfCode(name)
}

// As in `IL UNITED STATES OF AMERICA`.
const mostQualifiers = 5

/** `HAMBURG GERMANY`, `Long Beach CA USA` and `Yantian Pt.`: a place, and behind it its country, state or kind, without a comma. */
function splitName(name: string): { places: Place[]; rest: string[] } | undefined {
  const words = name.split(/[ -]+/)
  for (let end = words.length - 1; end > 0 && end >= words.length - mostQualifiers; end -= 1) {
    const rest = qualifiersIn(words.slice(end))
    const places = rest ? placesNamed(words.slice(0, end).join(' ')) : []
    if (rest && places.length > 0) return { places, rest }
  }
  return undefined
}

/** The words as countries and states, if they are nothing else. */
function qualifiersIn(words: string[]): string[] | undefined {
  const whole = words.join(' ')
  if (words.length === 0 || /^(pt|port|apt|airport|sar)\.?$/i.test(whole)) return []
  if (countryOf(plainPlace(whole)) !== undefined) return [whole]
  const [first = '', ...others] = words
  const rest = /^[A-Z]{2}$/.test(first) ? qualifiersIn(others) : undefined
  if (rest) return [first, ...rest]
  return facilityWords.test(first) ? [] : undefined
}

/** `CNNGB` in place of a name, or `CDG`, as in `Paris CDG`. */
function placesOfCode(name: string): Place[] {
  const byAir = airports.get(/(?:^|[ -])([A-Z]{3})$/.exec(name)?.[1] ?? '')
  if (byAir) return [byAir]
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

/** The distance of two places by their codes, with or without a slash. */
export function kmBetweenCodes(one: string, other: string): number | undefined {
  const [start, end] = [findPlace(one, 'sea'), findPlace(other, 'sea')]
  return start && end && greatCircleKm(start.coordinates, end.coordinates)
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

// `Muenchen`, of which `munchen` is the plain form.
function withoutUmlauts(name: string): string {
  return name.replace(/([aou])e/g, '$1')
}

// `Hamburg Port` and `Tauranga Harbour`.
function withoutSuffix(name: string): string {
  return name.replace(/(?:port|harbou?r|seaport|terminal)$/, '')
}
