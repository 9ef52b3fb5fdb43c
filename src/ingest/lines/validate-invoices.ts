import { furthestAhead, numberForm } from '../../domain/invoices/invoice-number.js'
import {
  findFarNumbers,
  findNumbersOfOthers,
  findRepeatedNumbers,
  findTakenBack,
} from '../../store/staging/staged-invoices.js'
import { type AccountImport, rejectStaged, removeRejected } from './account-import.js'

/** An issued invoice stays issued and keeps its number, and numbers are unique. Returns whether a line was rejected. */
export async function validateInvoices(work: AccountImport): Promise<boolean> {
  const findings = [await rejectTakenBack(work), await rejectFar(work)]
  // Rejecting a line puts an earlier line for the same invoice into effect, which is validated in turn.
  for (let found = true; found; ) {
    found = (await rejectNumbersOfOthers(work)) || (await rejectRepeated(work))
    findings.push(found)
  }
  return findings.includes(true)
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

type Conflict = { id: string; line: number; field: string; detail: string }

async function rejectLines(work: AccountImport, lines: Conflict[]): Promise<boolean> {
  for (const { id, line, field, detail } of lines) {
    rejectStaged(work, { kind: 'invoice', id, line }, { pointer: `/data/${field}`, detail })
  }
  await removeRejected(work)
  return lines.length > 0
}
