import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { runTests } from './run-tests.js'

/**
 * `npm test`: every check and all tests. Continues after a failure, and lists at the end the tests that this machine cannot
 * run; the last line counts passed and failed checks and tests.
 */
type Check = [name: string, ...command: string[]]

const build: Check = ['build', 'node', 'scripts/build.mjs', '--sizes']
const browser: Check = ['browser', 'tsx', 'scripts/browser.ts']
// The slowest first, since two run at a time.
const staticChecks: Check[] = [
  ['types', 'tsc'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['types of the portal', 'tsc', '-p', 'tsconfig.portal.json'],
  ['generated files', 'tsx', 'scripts/generate.ts', '--check'],
  ['unused code and dependencies', 'knip'],
  ['types without Node', 'tsc', '-p', 'tsconfig.browser.json'],
  [
    'OpenAPI descriptions',
    'redocly',
    'lint',
    'openapi.json',
    'ops-openapi.json',
    'portal-openapi.json',
    'office-openapi.json',
  ],
  ['format', 'biome', 'check', '--error-on-warnings'],
]
let passed = 0
let failed = 0
count(await run(build, 'streamed'))
count(await run(browser, 'streamed'))
const waiting = [...staticChecks]
await Promise.all([work(), work()])
console.log('\n== tests')
const tests = await runTests([])
passed += tests.passed
failed += tests.failed
if (tests.skipped.length > 0)
  console.log(`\n${tests.skipped.length} tests were skipped:\n${tests.skipped.toSorted().join('\n')}`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function work(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) count(await run(next, 'buffered'))
}

/** Runs a check and returns whether it passed. Buffered output is printed at the end, so that parallel checks do not mix. */
async function run([name, program = '', ...args]: Check, output: 'streamed' | 'buffered'): Promise<boolean> {
  const started = Date.now()
  const child = spawn(program === 'node' ? process.execPath : join('node_modules', '.bin', program), args, {
    stdio: ['ignore', ...(output === 'streamed' ? (['inherit', 'inherit'] as const) : (['pipe', 'pipe'] as const))],
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk))
  if (output === 'streamed') console.log(`\n== ${name}`)
  const isPassed = await new Promise<boolean>((resolve) => {
    child.once('error', (error) => {
      chunks.push(Buffer.from(`${error.message}\n`))
      resolve(false)
    })
    child.once('close', (status) => resolve(status === 0))
  })
  if (output === 'buffered') process.stdout.write(`\n== ${name}\n${Buffer.concat(chunks).toString()}`)
  console.log(`== ${name}: ${isPassed ? 'ok' : 'FAILED'} (${((Date.now() - started) / 1000).toFixed(1)} s)`)
  return isPassed
}

function count(isPassed: boolean): void {
  if (isPassed) passed += 1
  else failed += 1
}
