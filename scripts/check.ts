import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Everything that must hold before a change lands, in one command. All of it runs, also after a failure; the
 * last line counts checks and tests.
 */
type Check = [name: string, ...command: string[]]

const folder = mkdtempSync(join(tmpdir(), 'waybill-check-'))
const testReport = join(folder, 'tests.json')

const build: Check = ['build', 'tsx', 'scripts/build.ts']
const browser: Check = ['browser', 'tsx', 'scripts/browser.ts']
// The longest first, so that two at a time end together.
const readings: Check[] = [
  ['types', 'tsc'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['types of the portal', 'tsc', '-p', 'tsconfig.portal.json'],
  ['generated files', 'tsx', 'scripts/generate.ts', '--check'],
  ['unused code and dependencies', 'knip'],
  ['types without Node', 'tsc', '-p', 'tsconfig.browser.json'],
  ['OpenAPI descriptions', 'redocly', 'lint', 'openapi.json', 'ops-openapi.json', 'portal-openapi.json'],
  ['format', 'biome', 'check', '--error-on-warnings'],
]
const tests: Check = [
  'tests',
  'vitest',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${testReport}`,
]

let passed = 0
let failed = 0
count(await run(build, 'shown'))
count(await run(browser, 'shown'))
const waiting = [...readings]
await Promise.all([work(), work()])
countTests(await run(tests, 'shown'))
rmSync(folder, { recursive: true, force: true })
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function work(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) count(await run(next, 'gathered'))
}

/** Whether it is fine. What it says is shown as it comes, or in one piece at its end where others run beside it. */
async function run([name, program = '', ...args]: Check, output: 'shown' | 'gathered'): Promise<boolean> {
  const started = Date.now()
  const child = spawn(join('node_modules', '.bin', program), args, {
    stdio: ['ignore', ...(output === 'shown' ? (['inherit', 'inherit'] as const) : (['pipe', 'pipe'] as const))],
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  const said: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => said.push(chunk))
  if (output === 'shown') console.log(`\n== ${name}`)
  const isFine = await new Promise<boolean>((resolve) => {
    child.once('error', (error) => {
      said.push(Buffer.from(`${error.message}\n`))
      resolve(false)
    })
    child.once('close', (status) => resolve(status === 0))
  })
  if (output === 'gathered') process.stdout.write(`\n== ${name}\n${Buffer.concat(said).toString()}`)
  console.log(`== ${name}: ${isFine ? 'ok' : 'FAILED'} (${((Date.now() - started) / 1000).toFixed(1)} s)`)
  return isFine
}

function count(isFine: boolean): void {
  if (isFine) passed += 1
  else failed += 1
}

function countTests(areFine: boolean): void {
  try {
    const report = JSON.parse(readFileSync(testReport, 'utf8')) as { numPassedTests: number; numFailedTests: number }
    passed += report.numPassedTests
    // A file that does not load fails without a test of it having failed.
    failed += areFine ? 0 : Math.max(1, report.numFailedTests)
  } catch {
    failed += 1
  }
}
