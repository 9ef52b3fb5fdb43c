import { rolldown } from 'rolldown'
import { build } from 'vite'
import { firstLoad, packPortal } from './portal-files.js'

/** The program in a few files: loading hundreds of small ones would take longer than most commands do. */
const bundle = await rolldown({
  // The others are started by the first, as threads.
  input: {
    'cli/main': 'src/cli/main.ts',
    'paper/print-worker': 'src/paper/print-worker.ts',
    'operator/workbook-worker': 'src/operator/tables/workbook-worker.ts',
  },
  platform: 'node',
  // Packages stay where they are, but for the one that is nothing but small files.
  external: (id) => /^[a-z@]/.test(id) && !/^(?:typebox|src)\b/.test(id),
})
// All of them one folder deep: whichever file a module comes to lie in, `../` leads to the others.
const chunkFileNames = 'chunks/[name]-[hash].js'
await bundle.write({ dir: 'dist', format: 'esm', sourcemap: true, cleanDir: true, chunkFileNames })
await bundle.close()

// After it, because it empties the folder.
await build({ configFile: 'vite.config.ts', logLevel: 'warn' })
await packPortal()
const parts = await firstLoad('pages/shipments/shipments-page.tsx')
const kilobytes = parts.reduce((sum, { bytes }) => sum + bytes, 0) / 1000
console.log(`The portal's list of shipments is loaded with ${kilobytes.toFixed(0)} kB in ${parts.length} files.`)
if (process.argv.includes('--sizes')) console.table(parts.toSorted((one, other) => other.bytes - one.bytes))
