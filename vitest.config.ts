import { defineConfig } from 'vitest/config'

const anyTest = 'test/**/*.test.ts'
const inBrowser = 'test/web/browser/*.test.ts'
// These start and kill database servers, simulate the time of their process, or take minutes: Vitest begins with the largest files, so
// that a small one which takes long would run at the end, beside an idle worker.
const inOwnProcess = [
  'test/database/embedded-*.test.ts',
  'test/database/soak-faults.test.ts',
  'test/clock/*.test.ts',
  'test/sandbox/ninety-days.test.ts',
  'test/sandbox/world.test.ts',
  'test/api/hostile-requests.test.ts',
]
const setupFiles = ['test/support/matchers.ts', 'test/support/program-cleanup.ts']
// These limits end what hangs; they measure nothing. A test may start several processes or a browser, on a machine that is
// busy with the other worker, or stands still for a while.
const timeouts = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } }
// Transformed modules are kept between runs, by their content: without them a run begins with 9 s of processor time. For the
// projects only: in the process of Vitest itself (`globalSetup`), 4.1 fails to map the stack of an error of a kept module.
const experimental = { fsModuleCache: true }

function project(name: string, include: string[], exclude: string[] = []) {
  return { name, include, exclude, setupFiles, ...timeouts, experimental }
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/database.ts'],
    // One for each core of a small machine: a third does not make the run shorter.
    maxWorkers: 2,
    // Projects run in the order of their names, the longest files first. Files share a process where they can: loading
    // all modules takes longer than the tests of most files do.
    projects: [
      { test: { ...project('browser', [inBrowser]), isolate: false } },
      { test: project('isolated', inOwnProcess) },
      { test: { ...project('service', [anyTest], [inBrowser, ...inOwnProcess]), isolate: false } },
    ],
  },
})
