import type { ImportLine } from '../../src/contract/import-line.js'
import { generateLines } from '../../src/sandbox/generate.js'
import { writeLines } from '../waybill-program.js'

/** Files of generated lines. */

/** One large account, or as many small ones as it takes. */
export type Accounts = 'one' | 'many'

const today = '2026-03-01'
const linesOfShipment = 6.17
const linesOfSmallAccount = 1000

export type LinesFile = { file: string; lines: number }

/** Writes a file of about so many lines. */
export async function writeMeasured(file: string, accounts: Accounts, size: number): Promise<LinesFile> {
  return writeCounted(file, linesOf(accounts, size, `measured ${accounts}`, 'm'))
}

/** What the full database holds: one large account and many small ones, half of the lines each. */
export async function writeBase(file: string, size: number): Promise<LinesFile> {
  return writeCounted(
    file,
    (function* () {
      yield* linesOf('one', size / 2, 'base one', 'b')
      yield* linesOf('many', size / 2, 'base many', 'c')
    })(),
  )
}

async function writeCounted(file: string, lines: Iterable<ImportLine>): Promise<LinesFile> {
  let count = 0
  await writeLines(
    file,
    (function* () {
      for (const line of lines) {
        count += 1
        yield line
      }
    })(),
  )
  return { file, lines: count }
}

// The prefix makes accounts of different files different.
function* linesOf(accounts: Accounts, size: number, seed: string, prefix: string): Generator<ImportLine> {
  const count = accounts === 'one' ? 1 : Math.max(1, Math.round(size / linesOfSmallAccount))
  const shipments = Math.max(1, Math.round(size / count / linesOfShipment))
  for (const line of generateLines({ accounts: count, shipments, seed, today })) {
    yield { ...line, account: `${prefix}-${line.account}` }
  }
}
