import type { ImportLine } from '../contract/import-line.js'
import type { DocumentType } from '../contract/public/document.js'
import { startOfDate } from '../domain/dates/local-time.js'
import { describeAccount, type SandboxAccount } from './account.js'
import { accountLines, bundleLines, documentLine } from './bundle-lines.js'
import { cityNamed } from './cities.js'
import { demoShipments, goodsNamed, secondShipments } from './demo-shipments.js'
import { printDocument } from './document-pdf.js'
import { openOrderBook } from './orders.js'
import { createRandom } from './random.js'
import { type Bundle, makeShipment, type ShipmentSpec } from './shipment.js'
import { documentTypesOf, requiredTypesOf, writeDocument } from './shipment-documents.js'

/** The data that the sandbox starts with: always the same, except for the date. */

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

/** The customers of the demo, always the same. */
export function demoAccounts(): { shipper: SandboxAccount; second: SandboxAccount } {
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
  return { shipper, second }
}

export async function* demoLines(today: string): AsyncGenerator<ImportLine> {
  const { shipper, second } = demoAccounts()
  yield* shipmentLines(shipper, demoShipments, today)
  yield* shipmentLines(second, secondShipments, today)
  yield { kind: 'account', account: 'demo-empty', data: { name: 'Clearwater Supplies Ltd' } }
}

function supplies(cities: Record<string, string>) {
  return Object.entries(cities).map(([goods, city]) => ({ goods: goodsNamed(goods), city: cityNamed(city) }))
}

async function* shipmentLines(
  account: SandboxAccount,
  specs: readonly ShipmentSpec[],
  today: string,
): AsyncGenerator<ImportLine> {
  yield* accountLines(account)
  const context = { account, book: openOrderBook(account, 'slashes'), now: startOfDate(today) }
  const folder = openFolder()
  for (const [index, spec] of specs.entries()) {
    const random = account.random.stream(`shipment ${index + 1}`)
    const bundle = makeShipment(context, index + 1, spec, random)
    yield* bundleLines(account, bundle)
    for (const type of folder.choose(bundle)) {
      const document = writeDocument(account, bundle, type, context.now, random)
      yield documentLine(account, document, await printDocument(document))
    }
  }
}

// Five of six shipments on their way have the documents that all need, so that what is missing stands out. Each has the type that
// is rarest so far, so that all types occur.
function openFolder() {
  const filed = new Map<DocumentType | null, number>()
  const count = (type: DocumentType | null) => filed.get(type) ?? 0
  let moving = 0
  const typesOf = (bill: DocumentType) => [bill, 'commercial_invoice', 'packing_list'] as const
  return {
    choose(bundle: Bundle): (DocumentType | null)[] {
      const types = new Set<DocumentType | null>(requiredTypesOf(bundle))
      if (bundle.tracking && bundle.shipment.status !== 'cancelled') {
        const [bill, ...others] = [...documentTypesOf(bundle), null]
        const [rarest] = [...others, bill!].toSorted((a, b) => count(a) - count(b))
        const isMoving = bundle.shipment.status === 'in_progress'
        if (isMoving && moving++ % 6 !== 0) for (const type of typesOf(bill!)) types.add(type)
        types.add(rarest!)
      }
      for (const type of types) filed.set(type, count(type) + 1)
      return [...types]
    },
  }
}
