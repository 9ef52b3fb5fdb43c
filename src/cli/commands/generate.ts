import { once } from 'node:events'
import type { Command } from 'commander'
import { businessDate } from '../../clock/clock.js'
import { isSimpleDate } from '../../contract/formats.js'
import { Failure } from '../failure.js'

type Flags = { accounts: string; shipments: string; seed: string; today?: string; documents?: true }

export function addTo(program: Command): void {
  program
    .command('generate')
    .option('--accounts <n>', 'how many accounts', '1')
    .option('--shipments <m>', 'how many shipments in each account', '100')
    .option('--seed <seed>', 'the same seed gives the same data', '1')
    .option('--today <date>', 'the current date of the data (default: today)')
    .option('--documents', 'with documents')
    .description('write import lines with made-up, consistent data to standard output')
    .action(async (flags: Flags) => {
      const today = flags.today ?? businessDate()
      if (!isSimpleDate(today)) throw new Failure(`--today ${today}: write a date, such as 2026-01-31`, 2)
      const { generateLines } = await import('../../sandbox/generate.js')
      const lines = generateLines({
        accounts: countOf('--accounts', flags.accounts),
        shipments: countOf('--shipments', flags.shipments),
        seed: flags.seed,
        today,
        specimen: flags.documents && (await specimen()),
      })
      // The reader may close the pipe early: `waybill generate | head`.
      process.stdout.on('error', () => process.exit(0))
      for (const line of lines) {
        if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain')
      }
    })
}

// Loaded on demand: pdfmake takes longer to load than everything else.
async function specimen(): Promise<Buffer> {
  const { printSpecimen } = await import('../../sandbox/document-pdf.js')
  return printSpecimen()
}

function countOf(flag: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Failure(`${flag} ${text}: write a whole number`, 2)
}
