import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeCommit, describeMachine } from '../bench/machine.js'
import { closeDatabases } from './database.js'
import type { Part, PartResult } from './part.js'
import { parts, partsNamed } from './parts.js'
import { killPrograms } from './program.js'
import { type Results, readResults, reportOf, writeResults } from './report.js'

/** `npm run soak`: what could go wrong, done to the service again and again, and what came of it. */

const usage = `npm run soak -- [flags]
  --seed N         what is drawn follows from it; 1 without it
  --only NAME,...  only these parts, or all of a kind: ${[...new Set(parts.map(({ name }) => name.split(':')[0]))].join(', ')}
  --requests N     how many requests the fuzzer sends; 100000 without it
  --short          everything once or a few times, as in the tests; nothing is written
  --report         only write docs/reliability.md anew, from docs/reliability/results.json`

process.exitCode = await run(process.argv.slice(2))
// What a part that failed has left open is not waited for.
process.exit()

async function run(args: string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(usage)
    return 0
  }
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      requests: { type: 'string' },
      short: { type: 'boolean', default: false },
      report: { type: 'boolean', default: false },
    },
  })
  if (values.report) {
    await writeResults(await readResults())
    return 0
  }
  const seed = count('--seed', values.seed)
  const requests = values.requests === undefined ? undefined : count('--requests', values.requests)
  const chosen = values.only === undefined ? parts : partsNamed(values.only.split(','))
  interruptWell()
  const begun = new Date()
  const done: PartResult[] = []
  for (const part of chosen) done.push(await runPart(part, { seed, requests, isShort: values.short }))
  const results: Results = {
    date: begun.toISOString(),
    commit: describeCommit(),
    command: ['npm run soak --', ...args.filter((arg) => arg !== '--seed' && arg !== values.seed), '--seed', seed].join(
      ' ',
    ),
    seed,
    machine: describeMachine(''),
    parts: done,
  }
  // A part of a run is no report.
  if (values.short || values.only !== undefined) console.log(`\n${reportOf(results)}`)
  else await writeResults(results)
  return done.every(({ violations }) => violations.length === 0) ? 0 : 1
}

async function runPart(
  part: Part,
  options: { seed: number; requests: number | undefined; isShort: boolean },
): Promise<PartResult> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-soak-'))
  // A PostgreSQL runs as somebody else than root.
  await chmod(folder, 0o755)
  const begun = performance.now()
  console.log(`${part.name} ...`)
  try {
    const result = await part.run({ ...options, folder, tell: (line) => console.log(line) })
    const { requests, acknowledgedWrites, lost, doubled, seconds, violations } = result
    console.log(
      `${part.name}: ${requests} requests, ${acknowledgedWrites} writes, ${lost} lost, ${doubled} doubled, ${seconds.toFixed(0)} s`,
    )
    for (const violation of violations) console.log(`  ${violation}`)
    return result
  } catch (error) {
    console.error(error)
    return failed(part, error, (performance.now() - begun) / 1000)
  } finally {
    await closeDatabases()
    await rm(folder, { recursive: true, force: true })
  }
}

function failed({ name }: Part, error: unknown, seconds: number): PartResult {
  const counts = { requests: 0, faults: 0, acknowledgedWrites: 0, lost: 0, doubled: 0, unexpectedFailures: 0, leaks: 0 }
  const told = 'It did not come to its end.'
  return { name, told, ...counts, seconds, figures: [], violations: [String(error)] }
}

/** Interrupted, it leaves no server behind; whoever started it may pass on what it has been told already. */
function interruptWell(): void {
  let ending: Promise<never> | undefined
  const interrupt = () => {
    // A service would start its own database again.
    killPrograms()
    ending ??= closeDatabases().finally(() => process.exit(130)) as Promise<never>
  }
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
}

function count(flag: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new Error(`${flag} ${text}: write a whole number above 0`)
}
