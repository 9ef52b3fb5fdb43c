import type { ImportLine } from '../contract/import-line.js'
import { startOfDate } from '../domain/dates/local-time.js'
import { accountNumber, type SandboxAccount } from './account.js'
import { accountLines, bundleLines, documentLine } from './bundle-lines.js'
import { openOrderBook } from './orders.js'
import { createRandom, type Random } from './random.js'
import { type Bundle, makeShipment } from './shipment.js'
import { documentTypesOf, requiredTypesOf, writeDocument } from './shipment-documents.js'
import { copySpecimen } from './specimen.js'
import { startInSeries } from './stage.js'

/** Test data of any size: `accounts` accounts with `shipments` shipments each. */

type GenerateOptions = {
  accounts: number
  /** Per account. */
  shipments: number
  seed: string
  /** The date that statuses and estimates refer to, `YYYY-MM-DD`. */
  today: string
  /** Adds a few copies of this PDF to each shipment that is booked. */
  specimen?: Buffer | undefined
}

// Lazy: lines are generated on demand, and only the open orders of an account are kept in memory.
export function* generateLines(options: GenerateOptions): Generator<ImportLine> {
  const now = startOfDate(options.today)
  const series = createRandom(options.seed)
  for (let index = 1; index <= options.accounts; index++) {
    const account = accountNumber(index, series.stream(`account ${index}`))
    yield* accountLines(account)
    const context = { account, book: openOrderBook(account), now }
    for (let number = 1; number <= options.shipments; number++) {
      const random = account.random.stream(`shipment ${number}`)
      const start = startInSeries(number - 1, options.shipments, now, random)
      const bundle = makeShipment(context, number, { start }, random)
      yield* bundleLines(account, bundle)
      if (options.specimen) yield* documentLines(account, bundle, options.specimen, now, random)
    }
  }
}

function* documentLines(
  account: SandboxAccount,
  bundle: Bundle,
  specimen: Buffer,
  now: number,
  random: Random,
): Generator<ImportLine> {
  const isShipped = bundle.tracking && bundle.shipment.status !== 'cancelled'
  const usual = isShipped ? documentTypesOf(bundle).slice(0, random.integer(1, 4)) : []
  for (const type of new Set([...usual, ...requiredTypesOf(bundle)])) {
    const document = writeDocument(account, bundle, type, now, random)
    yield documentLine(account, document, copySpecimen(specimen, document))
  }
}
