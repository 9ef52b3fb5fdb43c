import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

// Whoever leaves out tests says so here, because Vitest's own option does not reach projects.
const excluded = process.env.WAYBILL_TEST_EXCLUDED?.split(',') ?? []
const anyTest = 'test/**/*.test.ts'
const inBrowser = 'test/browser/*.test.ts'
// They start and kill servers of their own.
const onOwnServer = ['test/embedded-*.test.ts', 'test/faults.test.ts']
const startsPrograms = /from '\.\/support\/(?:change-stream|followed-service|installation|program|replica|workers)\.js'/
const withPrograms = readdirSync('test')
  .map((name) => `test/${name}`)
  .filter((path) => path.endsWith('.test.ts') && startsPrograms.test(readFileSync(path, 'utf8')))

const setupFiles = ['test/support/matchers.ts', 'test/support/ended-programs.ts']
// On a busy machine it takes a while until several processes, or a browser, have done what a test is about.
const patient = { testTimeout: 90_000, hookTimeout: 90_000 }
const morePatient = { testTimeout: 120_000, hookTimeout: 120_000 }
const usual = { testTimeout: 30_000, hookTimeout: 60_000 }

/** Files of tests, each in a process of its own. */
function apart(name: string, include: string[], exclude: string[], limits: typeof usual) {
  return { test: { name, include, exclude: [...exclude, ...excluded], setupFiles, ...limits } }
}

/**
 * The same where the next file takes over the process of the one before: loading all modules takes longer than the tests
 * of most files do.
 */
function together(...[name, include, exclude, limits]: Parameters<typeof apart>) {
  return { test: { ...apart(name, include, exclude, limits).test, isolate: false } }
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/database.ts'],
    // Two cores, one database: more workers only wait for each other.
    maxWorkers: 2,
    // In the order of their names: short files last, so that both workers end at about the same time.
    projects: [
      together('browser', [inBrowser], [], morePatient),
      apart('embedded', onOwnServer, [], patient),
      together('programs', withPrograms, onOwnServer, patient),
      together('service', [anyTest], [inBrowser, ...onOwnServer, ...withPrograms], usual),
    ],
  },
})
