import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/database.ts'],
    setupFiles: ['test/support/matchers.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores, one database: a third worker has the time in which the others wait; more only wait for each other.
    maxWorkers: 3,
  },
})
