import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/database.ts'],
    setupFiles: ['test/support/matchers.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores, one database: more workers only wait for each other.
    maxWorkers: 2,
  },
})
