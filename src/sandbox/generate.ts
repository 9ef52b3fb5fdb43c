import type { ImportLine } from '../contract/import-line.js'
import { type Account, accountNumber } from './account.js'
import { accountLines, bundleLines, documentLine } from './bundle-lines.js'
import { startOfDate } from './local-time.js'
import { openOrderBook } from './orders.js'
import { papersOf, writePaper } from './paperwork.js'
import { printPlainly } from './plain-pdf.js'
import { createRandom, type Random } from './random.js'
import { type Bundle, makeShipment } from './shipment.js'
import { startInSeries } from './stage.js'

/** Data of any size, to fill an installation with: `accounts` accounts with `shipments` shipments each. */

type GenerateOptions = {
  accounts: number
  /** For each account. */
  shipments: number
  seed: string
  /** The date that statuses and estimates are told from, `YYYY-MM-DD`. */
  today: string
  /** Adds a few plain PDFs to each shipment that is booked. */
  documents?: boolean
}

// Lazy: a line is made when it is asked for, and nothing but an account's open orders is kept.
export function* generateLines(options: GenerateOptions): Generator<ImportLine> {
  const now = startOfDate(options.today)
  const series = createRandom(options.seed)
  for (let index = 1; index <= options.accounts; index++) {
    const account = accountNumber(index, series.stream(`account ${index}`))
    yield* accountLines(account)
    const desk = { account, book: openOrderBook(account), now }
    for (let number = 1; number <= options.shipments; number++) {
      const random = account.random.stream(`shipment ${number}`)
      const start = startInSeries(number - 1, options.shipments, now, random)
      const bundle = makeShipment(desk, number, { start }, random)
      yield* bundleLines(account, bundle)
      if (options.documents) yield* documentLines(account, bundle, now, random)
    }
  }
}

function* documentLines(account: Account, bundle: Bundle, now: number, random: Random): Generator<ImportLine> {
  if (!bundle.tracking || bundle.shipment.status === 'cancelled') return
  for (const type of papersOf(bundle).slice(0, random.integer(1, 4))) {
    const paper = writePaper(account, bundle, type, now, random)
    yield documentLine(account, paper, printPlainly(paper))
  }
}
