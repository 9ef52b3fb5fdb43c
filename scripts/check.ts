import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Everything that must hold before a change lands, in one command. All of it runs, also after a failure; the
 * last line counts checks and tests.
 */
const folder = mkdtempSync(join(tmpdir(), 'waybill-check-'))
const testReport = join(folder, 'tests.json')

const checks: [name: string, ...command: string[]][] = [
  ['build', 'tsx', 'scripts/build.ts'],
  ['types', 'tsc'],
  ['types without Node', 'tsc', '-p', 'tsconfig.browser.json'],
  ['types of the portal', 'tsc', '-p', 'tsconfig.portal.json'],
  ['format', 'biome', 'check', '--error-on-warnings'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['unused code and dependencies', 'knip'],
  ['generated files', 'tsx', 'scripts/generate.ts', '--check'],
  ['OpenAPI descriptions', 'redocly', 'lint', 'openapi.json', 'ops-openapi.json', 'portal-openapi.json'],
  ['tests', 'vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${testReport}`],
]

let passed = 0
let failed = 0
for (const [name, program = '', ...args] of checks) {
  console.log(`\n== ${name}`)
  const started = Date.now()
  const { status } = spawnSync(join('node_modules', '.bin', program), args, {
    stdio: 'inherit',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  if (name === 'tests') countTests(status)
  else if (status === 0) passed += 1
  else failed += 1
  console.log(`== ${name}: ${status === 0 ? 'ok' : 'FAILED'} (${((Date.now() - started) / 1000).toFixed(1)} s)`)
}
rmSync(folder, { recursive: true, force: true })
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function countTests(status: number | null): void {
  try {
    const report = JSON.parse(readFileSync(testReport, 'utf8')) as { numPassedTests: number; numFailedTests: number }
    passed += report.numPassedTests
    // A file that does not load fails without a test of it having failed.
    failed += status === 0 ? 0 : Math.max(1, report.numFailedTests)
  } catch {
    failed += 1
  }
}
