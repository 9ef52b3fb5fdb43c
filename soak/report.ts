import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hostilePage } from './hostile/page.js'
import type { PartResult } from './part.js'

/** A run of some parts or all: it distinguishes results of different runs. */
export type Run = {
  /** When it began. */
  date: string
  commit: string
  command: string
  /** These two are not known of runs before each part had its own. */
  seed?: number
  machine?: { processor: string; cores: number; memory: number; system: string; node: string }
}

export type StoredResult = PartResult & { run: Run }

/** The newest results of each part, stored in `soak/results.json`, from which the report is made. */
export type Results = { parts: StoredResult[] }

const root = join(import.meta.dirname, '..')
const resultsFile = join(import.meta.dirname, 'results.json')

export async function readResults(): Promise<Results> {
  return JSON.parse(await readFile(resultsFile, 'utf8')) as Results
}

export async function writeResults(results: Results): Promise<void> {
  await writeFile(resultsFile, `${JSON.stringify(results, null, 2)}\n`)
  await writeFile(join(root, 'docs', 'reliability.md'), reportOf(results))
  console.log('wrote docs/reliability.md')
  const page = hostilePageOf(results)
  if (page === undefined) return
  await writeFile(join(root, 'docs', 'hostile-requests.md'), page)
  console.log('wrote docs/hostile-requests.md')
}

/** `docs/hostile-requests.md`, once its part has run. */
export function hostilePageOf({ parts }: Results): string | undefined {
  const [page] = parts.flatMap((part) => (part.hostile ? [hostilePage({ ...part, hostile: part.hostile })] : []))
  return page
}

/** With the results of a run that did only some of the parts: others keep those of their own run. */
export function withResults({ parts }: Results, done: StoredResult[], order: string[]): Results {
  const newest = new Map([...parts, ...done].map((part) => [part.name, part]))
  return { parts: order.flatMap((name) => newest.get(name) ?? []) }
}

/** `docs/reliability.md`. */
export function reportOf(results: Results): string {
  const { parts } = results
  return `${[introduction, runsOf(parts), sums(results), partsOf(results), ...parts.map(detailsOf)].join('\n\n')}\n`
}

const introduction = `# Reliability

Written by \`npm run soak\`; do not edit. A short version, with fewer faults of each kind, is part of \`npm test\`.

## Method

The built program runs as in production: \`waybill serve\` in separate processes, on the embedded database (*embedded*) and on a
PostgreSQL server that the run starts (*postgres*). Several clients work concurrently on each of several accounts: orders and their
updates, shipments, assignments, tracking, messages, documents, invoices, payments, keys, and reads of all of it. Each client records in a
ledger, independent of the service, which writes were acknowledged. Half of the customers' writes, and all of the operators', have an
\`Idempotency-Key\` and are retried until they are acknowledged. The others are not retried.

After each fault, and at the end, the ledger is compared with the service:

- **lost**: acknowledged writes that are missing from the change log, or resources that are not returned.
- **doubled**: writes that were applied more than once, and revisions of an account without a write.
- Every resource is as the last acknowledged write left it: quantities and assignments of orders, statuses, totals, payments, events
  and positions, contents of documents, active and revoked keys.
- Invoice numbers have no gaps, and the times of changes are in order.
- At the end each account is exported, imported into an empty one, and every response of the two is compared: derived data has not
  drifted.
- **leaks**: responses that show an account data of another.
- **5xx**: responses of 500 and above other than a 503 with \`Retry-After\` and a problem body.

Clients also read their own writes: a stale response is a violation. Violations are listed with their part.

Two parts look at what leaves the service, for as long as \`--minutes\` says (5 unless given), while the service, its database or both are
killed at random under load. They can be run alone:

- \`npm run soak:webhooks -- --minutes 5\`: a receiver keeps a ledger of what each of its endpoints got, ordered and unordered ones. Every event of the
  change feed is there; ordered endpoints got them in order; a delivery was repeated only if a process was killed in between, and never after its
  response was stored.
- \`npm run soak:mirror -- --minutes 60\`: the [example mirrors](feed.md#a-mirror-of-an-account) follow the change feed and are killed as well. In the end
  their files equal the lists, byte by byte.

Another part needs programs of Debian (\`apt-get install patroni etcd-server haproxy postgresql\`), and root to cut servers off the network:

- \`npm run soak -- --only failover\`: two processes of Waybill, with replicas, on [a cluster](deploy.md#high-availability) of three servers whose
  primary is killed, cut off the network and switched over. *New leader after* is the time until Patroni has one, and *it commits
  after* the time until PostgreSQL itself commits a transaction there, for which a standby has to follow the new leader; *writes again after* and *reads
  again after* the time until the longest interruption of requests was over, all since the beginning of the fault. Writes have to work five seconds
  after the first commit at most.`

const rowOf = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`

/** The parts name the commit and the date of their run. */
function runsOf(parts: StoredResult[]): string {
  const runs = [...new Map(parts.map(({ run }) => [JSON.stringify(run), run])).values()]
  const lines = runs.map((run) => {
    const { date, commit, command, seed, machine } = run
    const own = parts.filter((part) => JSON.stringify(part.run) === JSON.stringify(run))
    const minutes = own.reduce((total, { seconds }) => total + seconds, 0) / 60
    const shown = command === 'not recorded' ? command : `\`${command}\``
    return rowOf([
      date.slice(0, 10),
      commit,
      shown,
      seed ?? '',
      own.length,
      grouped(minutes),
      machine ? describe(machine) : '',
      machine?.node ?? '',
    ])
  })
  return `## Runs

A run of some parts only (\`--only\`) replaces the results of those parts. The others keep the ones of their own run.

| Date | Commit | Command | Seed | Parts | Minutes | Machine | Node |
|---|---|---|--:|--:|--:|---|---|
${lines.join('\n')}`
}

function describe({ processor, cores, memory, system }: NonNullable<Run['machine']>): string {
  return `${processor}, ${cores} cores, ${grouped(memory / 1024 ** 3)} GB of memory, ${system}`
}

function sums({ parts }: Results): string {
  const sum = (name: Counted) => grouped(parts.reduce((total, part) => total + part[name], 0))
  const violations = parts.reduce((total, part) => total + part.violations.length, 0)
  return `## Summary

| Requests | Faults | Acknowledged writes | Lost | Doubled | 5xx other than a declared 503 | Leaks across accounts | Violations |
|--:|--:|--:|--:|--:|--:|--:|--:|
| ${sum('requests')} | ${sum('faults')} | ${sum('acknowledgedWrites')} | ${sum('lost')} | ${sum('doubled')} | ${sum('unexpectedFailures')} | ${sum('leaks')} | ${grouped(violations)} |`
}

type Counted = 'requests' | 'faults' | 'acknowledgedWrites' | 'lost' | 'doubled' | 'unexpectedFailures' | 'leaks'

function partsOf({ parts }: Results): string {
  const lines = parts.map((part) => {
    const { name, run, requests, faults, acknowledgedWrites, lost, doubled, unexpectedFailures, leaks, seconds } = part
    const counts = [requests, faults, acknowledgedWrites, lost, doubled, unexpectedFailures, leaks, seconds].map(
      grouped,
    )
    const outcome = part.violations.length === 0 ? 'passed' : '**not passed**'
    return rowOf([name, run.date.slice(0, 10), run.commit, ...counts, outcome])
  })
  return `## By part

| Part | Date | Commit | Requests | Faults | Writes | Lost | Doubled | 5xx | Leaks | Seconds | |
|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|---|
${lines.join('\n')}`
}

function detailsOf({ name, detail, figures, violations }: PartResult): string {
  const table = ['| | |', '|---|--:|', ...figures.map(([what, value]) => `| ${what} | ${value} |`)]
  const list = violations.map((violation) => `- ${violation.replaceAll('\n', ' ')}`)
  return [
    `### ${name}`,
    detail,
    ...(figures.length > 0 ? [table.join('\n')] : []),
    ...(list.length > 0 ? [`Violations:\n\n${list.join('\n')}`] : []),
  ].join('\n\n')
}

function grouped(number: number): string {
  return Math.round(number).toLocaleString('en')
}
