import { rolldown } from 'rolldown'

/** The program in a few files: loading hundreds of small ones would take longer than most commands do. */
const bundle = await rolldown({
  input: { 'cli/main': 'src/cli/main.ts' },
  platform: 'node',
  // Packages stay where they are, but for the one that is nothing but small files.
  external: (id) => /^[a-z@]/.test(id) && !/^(?:typebox|src)\b/.test(id),
})
await bundle.write({ dir: 'dist', format: 'esm', sourcemap: true, cleanDir: true })
await bundle.close()
