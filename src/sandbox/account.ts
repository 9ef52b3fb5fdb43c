import type { LocationRecord } from '../contract/public/location.js'
import type { Currency } from '../contract/public/shared-types.js'
import { airport } from '../geography/airports.js'
import { seaPort } from '../geography/ports.js'
import { railTerminal, roadPlace } from '../geography/terminals.js'
import { asciiOnly } from '../pdf/printable.js'
import { type City, cityNamed, marketCities, sourceCities } from './cities.js'
import { countryOf } from './countries.js'
import { type Goods, goodsOf, industries } from './goods.js'
import type { Random } from './random.js'

/** The owner of an account: an importer with some warehouses, and its suppliers. */

export type DoorSite = {
  location: LocationRecord
  city: City
  timeZone: string
  /** The company's name in ASCII: the documents use Helvetica. */
  latinName: string
}
export type Supplier = DoorSite & { goods: Goods }

export type SandboxAccount = {
  slug: string
  name: string
  home: City
  currency: Currency
  vat: number
  warehouses: readonly DoorSite[]
  suppliers: readonly Supplier[]
  random: Random
}

type Supply = { city: City; goods: Goods }
type AccountChoice = {
  slug: string
  name: string
  home: City
  warehouses: readonly City[]
  supplies: readonly Supply[]
}

const firstWords = [
  'Acme',
  'Alder',
  'Beacon',
  'Bluebird',
  'Cobalt',
  'Dover',
  'Ember',
  'Fjord',
  'Granite',
  'Harvest',
  'Juniper',
  'Kestrel',
  'Lumen',
  'Meridian',
  'Nimbus',
  'Orchard',
  'Polaris',
  'Quarry',
  'Redwood',
  'Summit',
  'Tidal',
  'Vega',
]
const secondWords = ['Imports', 'Trading', 'Retail', 'Supply', 'Distribution', 'Goods', 'Industries', 'Wholesale']

/** Account number `index` of a series, from 1; it does not depend on the length of the series. */
export function accountNumber(index: number, random: Random): SandboxAccount {
  const [first, second] = [random.pick(firstWords), random.pick(secondWords)]
  const home = random.pick(marketCities)
  const nearby = marketCities.filter(({ continent, name }) => continent === home.continent && name !== home.name)
  const products = distinct(draw(industries, 3, random)).flatMap(goodsOf)
  return describeAccount(
    {
      slug: `${first}-${second}-${index}`.toLowerCase(),
      name: `${first} ${second} ${countryOf(home.country).legalForm}`,
      home,
      warehouses: distinct([home, ...draw(nearby, random.integer(1, 3), random)]),
      supplies: suppliersFor(home, random.integer(4, 7), random).map((city, position) => ({
        city,
        goods: products[position % products.length]!,
      })),
    },
    random,
  )
}

export function describeAccount(
  { slug, name, home, warehouses, supplies }: AccountChoice,
  random: Random,
): SandboxAccount {
  const { currency, vat } = countryOf(home.country)
  let id = 1000
  return {
    slug,
    name,
    home,
    currency,
    vat,
    random,
    warehouses: warehouses.map((city) => warehouse(city, name, ++id, random)),
    suppliers: supplies.map(({ city, goods }) => ({ ...supplierSite(city, goods, ++id, random), goods })),
  }
}

// Most suppliers are overseas; if possible, one is close enough for a truck.
function suppliersFor(home: City, count: number, random: Random): City[] {
  const near = sourceCities.filter(
    (city) => city.road && home.road && city.continent === home.continent && city !== home,
  )
  const railed = sourceCities.filter((city) => city.rail && home.continent === 'europe' && city.continent === 'asia')
  const far = sourceCities.filter((city) => city.continent !== home.continent && city.country !== home.country)
  return distinct([
    ...draw(far, count - 2, random),
    ...draw(railed.length > 0 ? railed : far, 1, random),
    ...draw(near.length > 0 ? near : far, 1, random),
  ])
}

function warehouse(city: City, company: string, id: number, random: Random): DoorSite {
  const kind = random.pick(localKinds[city.country] ?? ['Distribution centre', 'Warehouse', 'Main store'])
  return {
    ...siteIn(city),
    latinName: company,
    location: locationRecord(id, company, `${kind} ${city.name}`, city, random, {
      opening_hours: random.pick(openingHours),
      requires_appointment: random.chance(0.7),
      requires_tailgate_truck: random.chance(0.25),
      ...(random.chance(0.4) && { additional_information: random.pick(notices) }),
    }),
  }
}

const localKinds: Record<string, readonly string[]> = {
  FR: ['Entrepôt', 'Plateforme'],
  DE: ['Lager', 'Zentrallager'],
  ES: ['Almacén'],
  SE: ['Lager'],
  NL: ['Magazijn'],
}
const openingHours = ['Mon-Fri 07:00-16:00', 'Mon-Fri 06:00-22:00, Sat 08:00-12:00', '24/7']
const notices = [
  'Book a dock 24 hours ahead; report to gate B with the order number.',
  'Maximum height 4.0 m. No parking on the street.',
  'Ring at reception, then dock no. 3 (“quai n° 3”).',
  'Drivers need safety shoes and a high-visibility vest.',
]
const makers = ['Haitong', 'Sunrise', 'Golden Bridge', 'Everbright', 'Orient', 'Unity', 'Delta', 'Pacific', 'Lotus']
const chineseMakers = ['海通', '日升', '金桥', '永光', '东方', '联合']
const trades: Record<string, string> = {
  home: 'Home',
  fashion: 'Textiles',
  electronics: 'Electronics',
  energy: 'Energy',
  machinery: 'Machinery',
  automotive: 'Auto Parts',
  food: 'Foods',
  health: 'Medical',
  chemicals: 'Chemicals',
  leisure: 'Leisure',
}

function supplierSite(city: City, goods: Goods, id: number, random: Random): DoorSite {
  const maker = random.integer(0, makers.length - 1)
  const trade = trades[goods.industry]!
  const latinName = `${asciiOnly(city.name)} ${makers[maker]} ${trade} ${countryOf(city.country).legalForm}`
  const inChinese = city.country === 'CN' && maker < chineseMakers.length && random.chance(0.4)
  const company = inChinese ? `${chineseMakers[maker]}贸易有限公司 (${latinName})` : latinName
  return {
    ...siteIn(city),
    latinName,
    location: locationRecord(id, company, `${random.pick(['Factory', 'Plant', 'Works'])} ${city.name}`, city, random, {
      opening_hours: random.pick(['Mon-Sat 08:00-18:00', 'Mon-Fri 08:30-17:30', 'Daily 08:00-20:00']),
      requires_appointment: random.chance(0.3),
      requires_tailgate_truck: false,
    }),
  }
}

function locationRecord(
  id: number,
  company: string,
  name: string,
  city: City,
  random: Random,
  rest: Partial<LocationRecord>,
): LocationRecord {
  const people = countryOf(city.country).people
  const contacts = Array.from({ length: random.integer(1, 2) }, () => contact(random.pick(people), city, random))
  return {
    id,
    company_name: company,
    name,
    address: `${random.integer(1, 240)} ${city.street}`,
    city: city.name,
    ...(city.zip !== '' && { zip_code: integerOrText(city.zip) }),
    country: city.country,
    contacts,
    ...rest,
  }
}

function contact(name: string, city: City, random: Random) {
  const phone = city.phone.replace(/9/g, () => String(random.integer(0, 9)))
  const mailbox = asciiOnly(name)
    .toLowerCase()
    .replace(/[^a-z]+/g, '.')
    .replace(/^\.|\.$/g, '')
  return {
    name,
    email: `${mailbox || 'logistics'}@example.com`,
    phone: random.chance(0.4) ? Number(phone.replace(/\D/g, '')) : phone,
  }
}

// A postal code with a leading zero, a letter or a hyphen cannot be an integer.
function integerOrText(zip: string): number | string {
  return /^[1-9]\d*$/.test(zip) ? Number(zip) : zip
}

function siteIn(city: City): Pick<DoorSite, 'city' | 'timeZone'> {
  const places = [
    ...(city.road ? [roadPlace(city.road)] : []),
    ...(city.rail ? [railTerminal(city.rail)] : []),
    seaPort(city.seaPort),
    airport(city.airport),
  ]
  // The port of a city may be in another country, with another time zone.
  const nearest = places.find(({ country }) => country === city.country) ?? places[0]!
  return { city: cityNamed(city.name), timeZone: nearest.timeZone }
}

function draw<Item>(items: readonly Item[], count: number, random: Random): Item[] {
  return items.length === 0 ? [] : Array.from({ length: count }, () => random.pick(items))
}

function distinct<Item>(items: readonly Item[]): Item[] {
  return [...new Set(items)]
}
