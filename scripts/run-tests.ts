import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { skippedTests, type TestReport } from './test-report.js'

/** Runs Vitest, and reports what failed. */

type Counted = { passed: number; failed: number; skipped: string[] }

// More files with failures than these have a cause in common. A machine that stands still for a minute fails a handful.
const mostRepeated = 12

/**
 * Runs the tests of these files, or all. Files with failed tests run once more, alone: a test that passes then depends on what
 * ran beside it. It counts as passed, and is listed as unstable.
 */
export async function runTests(files: string[], environment: Record<string, string> = {}): Promise<Counted> {
  const first = await run(files, environment)
  if (!first.report) return { passed: 0, failed: 1, skipped: [] }
  const { numPassedTests: passed, testResults } = first.report
  const skipped = skippedTests(first.report)
  if (first.isOk) return { passed, failed: 0, skipped }
  const failures = failuresOf(first.report)
  const failing = testResults.filter(({ status }) => status === 'failed').map(({ name }) => name)
  if (failing.length === 0 || failing.length > mostRepeated)
    return { passed, failed: Math.max(1, failures.length), skipped }
  console.log(`\n${failing.length} files have failed tests: running them once more, alone.`)
  const again = await run(['--maxWorkers=1', ...failing], environment)
  const remaining = again.report && failuresOf(again.report)
  if (!remaining || (remaining.length === 0 && !again.isOk)) return { passed, failed: failures.length, skipped }
  const unstable = failures.filter((name) => !remaining.includes(name))
  for (const name of unstable) console.log(`UNSTABLE: ${name}`)
  return { passed: passed + unstable.length, failed: remaining.length, skipped }
}

async function run(
  args: string[],
  environment: Record<string, string>,
): Promise<{ isOk: boolean; report: TestReport | undefined }> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-tests-'))
  const file = join(folder, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const child = spawn(join('node_modules', '.bin', 'vitest'), ['run', ...reporters, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
  })
  const isOk = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false))
    child.once('close', (status) => resolve(status === 0))
  })
  try {
    return { isOk, report: JSON.parse(readFileSync(file, 'utf8')) as TestReport }
  } catch {
    return { isOk: false, report: undefined }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The failed tests. A file that does not load fails without a failed test. */
function failuresOf({ testResults }: TestReport): string[] {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      return failed.length > 0 ? failed.map(({ fullName }) => `${name}: ${fullName}`) : [`${name}: the file`]
    })
}
