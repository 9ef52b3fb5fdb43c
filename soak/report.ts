import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PartResult } from './part.js'

/** What a run tells, as it is kept in `docs/reliability/results.json`; the report is made of nothing else. */
export type Results = {
  date: string
  commit: string
  command: string
  seed: number
  machine: { processor: string; cores: number; memory: number; system: string; node: string }
  parts: PartResult[]
}

const docs = join(import.meta.dirname, '..', 'docs')
const folder = join(docs, 'reliability')
const resultsFile = join(folder, 'results.json')

export async function readResults(): Promise<Results> {
  return JSON.parse(await readFile(resultsFile, 'utf8')) as Results
}

export async function writeResults(results: Results): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(resultsFile, `${JSON.stringify(results, null, 2)}\n`)
  await writeFile(join(docs, 'reliability.md'), reportOf(results))
  console.log('wrote docs/reliability.md')
}

/** `docs/reliability.md`. */
export function reportOf(results: Results): string {
  return `${[introduction(results), sums(results), partsOf(results), ...results.parts.map(detailsOf)].join('\n\n')}\n`
}

function introduction({ command, date, commit, seed, machine, parts }: Results): string {
  const minutes = parts.reduce((total, { seconds }) => total + seconds, 0) / 60
  return `# Reliability

Written by \`npm run soak\`; do not edit. The figures are in \`docs/reliability/results.json\`, from which
\`npm run soak -- --report\` makes this page anew. The same in small, with fewer faults of each kind, is part of \`npm test\`.

## How it is shown

The built program runs as somebody runs it, \`waybill serve\` in processes of its own, on its own database (*embedded*) and on a
PostgreSQL that the run starts (*postgres*). Several clients work on each of several accounts at once, from outside: orders and
their changes, shipments, assignments, tracking, documents, invoices, payments, keys, and reads of all of it. Each client writes
to a ledger what it was told; the ledger knows nothing of the service. Half of the customers' writes, and all of the
operators', bear an \`Idempotency-Key\`: what was not answered is sent again until it is. The others are not.

After each fault, and at the end, the ledger is compared with the service:

- **lost**: acknowledged writes that are not in the change log, or resources that are not shown.
- **doubled**: writes that have happened more than once, and revisions of an account that no write accounts for.
- every resource is shown as the last acknowledged write left it: quantities and assignments of orders, statuses, totals, invoices
  by their payments, events and positions, bytes of documents, keys that work and keys that no longer do.
- invoices are numbered without gaps, the times of changes follow their order.
- at the end each account is exported, imported into an empty one, and every answer of the two is compared: nothing that is derived
  has drifted.
- **leaks**: answers that show an account something of another.
- **5xx**: answers of 500 and above other than a 503 with \`Retry-After\` and a problem body.

A client reads what it has just written, too: an answer that is older is a violation. Any violation is listed with its part.

| | |
|---|---|
| Command | \`${command}\` |
| Seed | ${seed} |
| Date | ${date.slice(0, 10)} |
| Commit | ${commit} |
| Machine | ${machine.processor}, ${machine.cores} cores, ${grouped(machine.memory / 1024 ** 3)} GB of memory, ${machine.system} |
| Node | ${machine.node} |
| Duration | ${grouped(minutes)} minutes |`
}

function sums({ parts }: Results): string {
  const sum = (name: Counted) => grouped(parts.reduce((total, part) => total + part[name], 0))
  const violations = parts.reduce((total, part) => total + part.violations.length, 0)
  return `## In one table

| Requests | Faults | Acknowledged writes | Lost | Doubled | 5xx other than a declared 503 | Leaks across accounts | Violations |
|--:|--:|--:|--:|--:|--:|--:|--:|
| ${sum('requests')} | ${sum('faults')} | ${sum('acknowledgedWrites')} | ${sum('lost')} | ${sum('doubled')} | ${sum('unexpectedFailures')} | ${sum('leaks')} | ${grouped(violations)} |`
}

type Counted = 'requests' | 'faults' | 'acknowledgedWrites' | 'lost' | 'doubled' | 'unexpectedFailures' | 'leaks'

function partsOf({ parts }: Results): string {
  const lines = parts.map(
    ({ name, requests, faults, acknowledgedWrites, lost, doubled, unexpectedFailures, leaks, seconds, violations }) =>
      `| ${name} | ${[requests, faults, acknowledgedWrites, lost, doubled, unexpectedFailures, leaks, seconds].map(grouped).join(' | ')} | ${violations.length === 0 ? 'passed' : '**not passed**'} |`,
  )
  return `## By part

| Part | Requests | Faults | Writes | Lost | Doubled | 5xx | Leaks | Seconds | |
|---|--:|--:|--:|--:|--:|--:|--:|--:|---|
${lines.join('\n')}`
}

function detailsOf({ name, told, figures, violations }: PartResult): string {
  const table = ['| | |', '|---|--:|', ...figures.map(([what, value]) => `| ${what} | ${value} |`)]
  const list = violations.map((violation) => `- ${violation.replaceAll('\n', ' ')}`)
  return [
    `### ${name}`,
    told,
    ...(figures.length > 0 ? [table.join('\n')] : []),
    ...(list.length > 0 ? [`Violations:\n\n${list.join('\n')}`] : []),
  ].join('\n\n')
}

function grouped(number: number): string {
  return Math.round(number).toLocaleString('en')
}
