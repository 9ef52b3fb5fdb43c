import { rolldown } from 'rolldown'

/** The program in a few files: loading hundreds of small ones would take longer than most commands do. */
const bundle = await rolldown({
  // The second one is started by the first, as a thread.
  input: { 'cli/main': 'src/cli/main.ts', 'paper/print-worker': 'src/paper/print-worker.ts' },
  platform: 'node',
  // Packages stay where they are, but for the one that is nothing but small files.
  external: (id) => /^[a-z@]/.test(id) && !/^(?:typebox|src)\b/.test(id),
})
// All of them one folder deep: whichever file a module comes to lie in, `../` leads to the others.
const chunkFileNames = 'chunks/[name]-[hash].js'
await bundle.write({ dir: 'dist', format: 'esm', sourcemap: true, cleanDir: true, chunkFileNames })
await bundle.close()
