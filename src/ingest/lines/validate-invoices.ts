import { furthestAhead, numberForm } from '../../domain/invoices/invoice-number.js'
import { findOwnSeries } from '../../store/number-series.js'
import {
  findFarNumbers,
  findNumberedDrafts,
  findNumbersOfOthers,
  findRepeatedNumbers,
  findTakenBack,
} from '../../store/staging/staged-invoices.js'
import { type AccountImport, rejectStaged, removeRejected } from './account-import.js'

/** An issued invoice stays issued and keeps its number, and numbers are unique. Returns whether a line was rejected. */
export async function validateInvoices(work: AccountImport): Promise<boolean> {
  const series = await findOwnSeries(work.tx.sql)
  const findings = [
    await rejectTakenBack(work, series),
    await rejectNumberedDrafts(work, series),
    await rejectFar(work, series),
  ]
  // Rejecting a line puts an earlier line for the same invoice into effect, which is validated in turn.
  for (let found = true; found; ) {
    found = (await rejectNumbersOfOthers(work, series)) || (await rejectRepeated(work, series))
    findings.push(found)
  }
  return findings.includes(true)
}

async function rejectTakenBack(work: AccountImport, series: string[]): Promise<boolean> {
  const { tx, account, slug } = work
  const lines = await findTakenBack(tx.sql, slug, account, { form: numberForm, series })
  const faults = lines.map(({ id, line, draft, number }) => {
    const asDraft = { field: 'draft', detail: 'the invoice was issued: it cannot be a draft again' }
    const renumbered = { field: 'number', detail: `must stay ${number}: what was given stands` }
    return { id, line, ...(draft ? asDraft : renumbered) }
  })
  return rejectLines(work, faults)
}

// Numbers are assigned on issue: the number of a discarded draft would leave a gap in the series.
async function rejectNumberedDrafts(work: AccountImport, series: string[]): Promise<boolean> {
  const lines = await findNumberedDrafts(work.tx.sql, work.slug, series)
  const detail = 'has the form of the numbers that are given on issue'
  return rejectLines(
    work,
    lines.map((line) => ({ ...line, field: fieldOf(line), detail })),
  )
}

async function rejectFar(work: AccountImport, series: string[]): Promise<boolean> {
  const lines = await findFarNumbers(work.tx.sql, work.slug, { ahead: furthestAhead, series })
  const detail = `is more than ${furthestAhead} beyond the last of its series, which would go on from there`
  return rejectLines(
    work,
    lines.map((line) => ({ ...line, field: fieldOf(line), detail })),
  )
}

async function rejectNumbersOfOthers(work: AccountImport, series: string[]): Promise<boolean> {
  const { tx, account, slug } = work
  const lines = await findNumbersOfOthers(tx.sql, slug, account, series)
  return rejectLines(
    work,
    lines.map((line) => ({ ...line, field: fieldOf(line), detail: `is the number of the invoice ${line.other}` })),
  )
}

async function rejectRepeated(work: AccountImport, series: string[]): Promise<boolean> {
  const lines = await findRepeatedNumbers(work.tx.sql, work.slug, series)
  return rejectLines(
    work,
    lines.map((line) => ({ ...line, field: fieldOf(line), detail: `is the number of line ${line.earlier} already` })),
  )
}

function fieldOf({ id, name }: { id: string; name: string }): string {
  return id === name ? 'reference' : 'number'
}

type Conflict = { id: string; line: number; field: string; detail: string }

async function rejectLines(work: AccountImport, lines: Conflict[]): Promise<boolean> {
  for (const { id, line, field, detail } of lines) {
    rejectStaged(work, { kind: 'invoice', id, line }, { pointer: `/data/${field}`, detail })
  }
  await removeRejected(work)
  return lines.length > 0
}
