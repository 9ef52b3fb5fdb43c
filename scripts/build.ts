import { execFile } from 'node:child_process'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { firstLoad, packApplication, packReference } from './browser-files.js'
import { renderGuides } from './guides.js'
import type { PartName } from './parts.mjs'

/** How each part of dist/ is built. `build.mjs` decides which parts are out of date. */
export const make: Record<PartName, () => Promise<void>> = {
  program: bundleProgram,
  portal: () => buildApplication('portal'),
  office: () => buildApplication('office'),
  reference: packReference,
  guides: renderGuides,
  library: bundleLibrary,
}

/** Bundles the program into a few files: loading hundreds of modules takes longer than most commands run. */
async function bundleProgram(): Promise<void> {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    // The others are worker threads and child processes.
    input: {
      'cli/main': 'src/cli/main.ts',
      'pdf/print-worker': 'src/pdf/print-worker.ts',
      'pdf/pdf-text-jobs': 'src/pdf/pdf-text-jobs.ts',
      'people/password-worker': 'src/usecases/people/password-worker.ts',
      'ingest/ingest-jobs': 'src/ingest/ingest-jobs.ts',
      'spreadsheet/table-jobs': 'src/spreadsheet/table-jobs.ts',
      'mail/mail-jobs': 'src/mail/mail-jobs.ts',
      'jobs/processor-watch': 'src/jobs/processor-watch.ts',
    },
    platform: 'node',
    // Packages are not bundled, except one that consists of many small files.
    external: (id) => /^[a-z@]/.test(id) && !/^(?:typebox|src)\b/.test(id),
  })
  for (const name of await readdir('dist')) {
    if (!['portal', 'office', 'reference', 'guides', 'library', 'build.json'].includes(name))
      await rm(join('dist', name), { recursive: true })
  }
  // All files are one folder deep, so that `../` leads to the same folder from every chunk.
  await bundle.write({ dir: 'dist', format: 'esm', sourcemap: true, chunkFileNames: 'chunks/[name]-[hash].js' })
  await bundle.close()
  await cp('src/geography/data', 'dist/geography/data', { recursive: true })
  await cp('src/usecases/people/data', 'dist/people/data', { recursive: true })
}

/** What other programs import or require from the package: modules without dependencies, and their types. */
async function bundleLibrary(): Promise<void> {
  const { rolldown } = await import('rolldown')
  await rm('dist/library', { recursive: true, force: true })
  const input = {
    client: 'src/client/client.ts',
    webhooks: 'src/client/webhooks.ts',
    testing: 'src/testing/sandbox.ts',
  }
  for (const [format, platform, extension] of [
    ['esm', 'neutral', 'js'],
    // This platform has a file name in place of `import.meta.url`.
    ['cjs', 'node', 'cjs'],
  ] as const) {
    const bundle = await rolldown({ input, platform, external: /^node:/ })
    const names = { entryFileNames: `[name].${extension}`, chunkFileNames: `[name]-[hash].${extension}` }
    await bundle.write({ dir: 'dist/library', format, ...names })
    await bundle.close()
  }
  await promisify(execFile)(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.library.json'])
  // The same declarations: of CommonJS modules, since the nearest package.json says so.
  await cp('dist/library/types', 'dist/library/types-commonjs', { recursive: true })
  await writeFile('dist/library/types-commonjs/package.json', '{ "type": "commonjs" }\n')
  for (const name of await readdir('dist/library/types-commonjs', { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue
    const path = join('dist/library/types-commonjs', name)
    await writeFile(path, withTypesOfModules(await readFile(path, 'utf8')))
  }
}

/** TypeBox is an ES module: of CommonJS modules, compilers before 5.8 accept its types only with this attribute. */
function withTypesOfModules(declarations: string): string {
  return declarations
    .replaceAll(/^import (\{.*\}) from 'typebox';/gm, (_, names: string) => {
      const types = names.replaceAll(/\btype /g, '')
      return `import type ${types} from 'typebox' with { 'resolution-mode': 'import' };`
    })
    .replaceAll('import("typebox")', 'import("typebox", { with: { "resolution-mode": "import" } })')
}

async function buildApplication(name: 'portal' | 'office'): Promise<void> {
  const vite = await import('vite')
  await vite.build({ configFile: 'vite.config.ts', mode: name, logLevel: 'warn' })
  await packApplication(name)
}

/** Lists what the portal's first page loads. */
export async function showSizes(): Promise<void> {
  const files = await firstLoad('pages/shipments/shipments-page.tsx')
  const kilobytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1000
  console.table(files.toSorted((one, other) => other.bytes - one.bytes))
  console.log(`The portal's list of shipments loads ${kilobytes.toFixed(0)} kB in ${files.length} files.`)
}
