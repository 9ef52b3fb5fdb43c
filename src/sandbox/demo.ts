import type { DocumentType } from '../contract/document.js'
import type { ImportLine } from '../contract/import-line.js'
import { type Account, describeAccount } from './account.js'
import { accountLines, bundleLines, documentLine } from './bundle-lines.js'
import { cityNamed } from './cities.js'
import { demoWishes, goodsNamed, secondWishes } from './demo-wishes.js'
import { startOfDate } from './local-time.js'
import { openOrderBook } from './orders.js'
import { printPaper } from './paper-pdf.js'
import { papersOf, writePaper } from './paperwork.js'
import { createRandom } from './random.js'
import { type Bundle, makeShipment, type ShipmentWish } from './shipment.js'

/** The data that the sandbox starts with: the same for everyone, but for the date. */

const demoSupplies = {
  Ceramic: 'Ningbo',
  'Flat-pack': 'Haiphong',
  Cotton: 'Chattogram',
  Sports: 'Ho Chi Minh City',
  LED: 'Shenzhen',
  Tablet: 'Chongqing',
  'Power tools': 'Shanghai',
  Lithium: 'Xiamen',
  Photovoltaic: 'Qingdao',
  'Electric motors': 'Wuhan',
  'Machine tools': 'Yokohama',
  Brake: 'Istanbul',
  Pneumatic: 'Bangkok',
  'Green coffee': 'São Paulo',
  Frozen: 'Guayaquil',
  Fresh: 'Johannesburg',
  Vaccines: 'Mumbai',
  Disposable: 'Klang',
  Paints: 'Milano',
  Perfumery: 'Dubai',
  Toys: 'Guangzhou',
  Bicycles: 'Kaohsiung',
}

const secondSupplies = {
  Ceramic: 'Ningbo',
  'Flat-pack': 'Łódź',
  Cotton: 'Mumbai',
  LED: 'Shenzhen',
  Toys: 'Haiphong',
  Disposable: 'Busan',
}

export async function* demoLines(today: string): AsyncGenerator<ImportLine> {
  const random = createRandom('waybill demo')
  const shipper = describeAccount(
    {
      slug: 'demo',
      name: 'Alder & Moreau SAS',
      home: cityNamed('Lyon'),
      supplies: supplies(demoSupplies),
      warehouses: ['Lyon', 'Barcelona', 'Hamburg', 'Rotterdam', 'London'].map(cityNamed),
    },
    random.stream('demo'),
  )
  const second = describeAccount(
    {
      slug: 'demo-second',
      name: 'Fjordljus Interiör AB',
      home: cityNamed('Göteborg'),
      supplies: supplies(secondSupplies),
      warehouses: ['Göteborg', 'København'].map(cityNamed),
    },
    random.stream('demo-second'),
  )
  yield* shipmentLines(shipper, demoWishes, today)
  yield* shipmentLines(second, secondWishes, today)
  yield { kind: 'account', account: 'demo-empty', data: { name: 'Clearwater Supplies Ltd' } }
}

function supplies(cities: Record<string, string>) {
  return Object.entries(cities).map(([goods, city]) => ({ goods: goodsNamed(goods), city: cityNamed(city) }))
}

async function* shipmentLines(
  account: Account,
  wishes: readonly ShipmentWish[],
  today: string,
): AsyncGenerator<ImportLine> {
  yield* accountLines(account)
  const desk = { account, book: openOrderBook(account, 'slashes'), now: startOfDate(today) }
  const papers = openFolder()
  for (const [index, wish] of wishes.entries()) {
    const random = account.random.stream(`shipment ${index + 1}`)
    const bundle = makeShipment(desk, index + 1, wish, random)
    yield* bundleLines(account, bundle)
    for (const type of papers.choose(bundle)) {
      const paper = writePaper(account, bundle, type, desk.now, random)
      yield documentLine(account, paper, await printPaper(paper))
    }
  }
}

// Every fourth shipment has its bill; each has what the account has fewest of, so that in the end it has some of each.
function openFolder() {
  const filed = new Map<DocumentType | null, number>()
  const count = (type: DocumentType | null) => filed.get(type) ?? 0
  let shipments = 0
  return {
    choose(bundle: Bundle): (DocumentType | null)[] {
      if (!bundle.tracking || bundle.shipment.status === 'cancelled') return []
      const [bill, ...others] = [...papersOf(bundle), null]
      const [rarest] = [...others, bill!].toSorted((a, b) => count(a) - count(b))
      const types = shipments++ % 4 === 0 && bill !== rarest ? [bill!, rarest!] : [rarest!]
      for (const type of types) filed.set(type, count(type) + 1)
      return types
    },
  }
}
