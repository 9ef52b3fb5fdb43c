import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const setupFiles = ['test/support/matchers.ts']
// Whoever leaves out tests says so here, because Vitest's own option does not reach projects.
const exclude = process.env.WAYBILL_TEST_EXCLUDED?.split(',') ?? []
// What starts the built program ends it after its file, and more than one file would not tell whose it is.
const isAboutPrograms =
  /from '\.\/support\/(?:change-stream|followed-service|installation|program|replica|workers)\.js'/
const aboutPrograms = readdirSync('test')
  .map((name) => `test/${name}`)
  .filter((path) => path.endsWith('.test.ts') && isAboutPrograms.test(readFileSync(path, 'utf8')))

export default defineConfig({
  test: {
    globalSetup: ['test/support/database.ts'],
    // Two cores, one database: more workers only wait for each other.
    maxWorkers: 2,
    // Loading all modules takes longer than most files' tests do: where nothing of a file outlives it, the next one takes
    // over its process. They run in the order of their names, the longest ones not last.
    projects: [
      {
        test: { name: 'alone', include: aboutPrograms, exclude, setupFiles, testTimeout: 30_000, hookTimeout: 60_000 },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/*.test.ts'],
          exclude,
          setupFiles,
          isolate: false,
          // A browser, a server and a database for one test: on a busy machine that takes a while.
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: ['test/browser/*', ...aboutPrograms, ...exclude],
          setupFiles,
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
