import { furthestAhead, numberForm } from '../../domain/invoice-number.js'
import {
  findFarNumbers,
  findNumbersOfOthers,
  findRepeatedNumbers,
  findTakenBack,
} from '../../storage/staged-invoices.js'
import { type AccountImport, rejectStaged, takeOutRejected } from './account-import.js'

/** What was issued stays so, and keeps its number, which nothing else gets. Answers whether a line was rejected. */
export async function judgeInvoices(work: AccountImport): Promise<boolean> {
  const judgements = [await rejectTakenBack(work), await rejectFar(work)]
  // A line that goes leaves an earlier one for the same invoice to count.
  for (let found = true; found; ) {
    found = (await rejectNumbersOfOthers(work)) || (await rejectRepeated(work))
    judgements.push(found)
  }
  return judgements.includes(true)
}

async function rejectTakenBack(work: AccountImport): Promise<boolean> {
  const { tx, account, slug } = work
  const lines = await findTakenBack(tx.sql, slug, account, numberForm)
  const faults = lines.map(({ id, line, draft, number }) => {
    const asDraft = { field: 'draft', detail: 'the invoice was issued: it cannot be a draft again' }
    const renumbered = { field: 'number', detail: `must stay ${number}: what was given stands` }
    return { id, line, ...(draft ? asDraft : renumbered) }
  })
  return rejectLines(work, faults)
}

async function rejectFar(work: AccountImport): Promise<boolean> {
  const lines = await findFarNumbers(work.tx.sql, work.slug, furthestAhead)
  const detail = `is more than ${furthestAhead} beyond the last of its series, which would go on from there`
  return rejectLines(
    work,
    lines.map((line) => ({ ...line, field: fieldOf(line), detail })),
  )
}

async function rejectNumbersOfOthers(work: AccountImport): Promise<boolean> {
  const { tx, account, slug } = work
  const lines = await findNumbersOfOthers(tx.sql, slug, account)
  return rejectLines(
    work,
    lines.map((line) => ({ ...line, field: fieldOf(line), detail: `is the number of the invoice ${line.other}` })),
  )
}

async function rejectRepeated(work: AccountImport): Promise<boolean> {
  const lines = await findRepeatedNumbers(work.tx.sql, work.slug)
  return rejectLines(
    work,
    lines.map((line) => ({ ...line, field: fieldOf(line), detail: `is the number of line ${line.earlier} already` })),
  )
}

function fieldOf({ id, name }: { id: string; name: string }): string {
  return id === name ? 'reference' : 'number'
}

type Judged = { id: string; line: number; field: string; detail: string }

async function rejectLines(work: AccountImport, lines: Judged[]): Promise<boolean> {
  for (const { id, line, field, detail } of lines) {
    rejectStaged(work, { kind: 'invoice', id, line }, { pointer: `/data/${field}`, detail })
  }
  await takeOutRejected(work)
  return lines.length > 0
}
