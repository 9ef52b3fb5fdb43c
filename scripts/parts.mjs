import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The parts of dist/, and which of them are out of date. Compares the content of their inputs, because a checkout changes
 * modification times. Plain JavaScript: most builds have nothing to do, and loading tsx would dominate their time.
 */

const packages = ['package-lock.json', 'node_modules/.package-lock.json']
const recipe = ['scripts/build.ts', 'scripts/browser-files.ts', 'tsconfig.json']
// What web/ may import from src/, by test/architecture.test.ts.
const web = ['src/contract', 'src/domain', 'src/client', 'vite.config.ts', 'tsconfig.portal.json']
const portal = ['web/ui', 'web/portal', ...web]

/** Input files and folders of each part (missing ones count as empty), and one of its output files. */
export const parts = {
  program: { inputs: ['src', ...packages, ...recipe], output: 'dist/cli/main.js' },
  portal: { inputs: [...portal, ...packages, ...recipe], output: 'dist/portal/files.json' },
  // It signs people in with the portal's pages.
  office: { inputs: ['web/office', ...portal, ...packages, ...recipe], output: 'dist/office/files.json' },
  library: {
    inputs: ['src/client', 'src/contract', 'src/testing', 'tsconfig.library.json', ...packages, ...recipe],
    output: 'dist/library/client.js',
  },
  guides: {
    inputs: ['docs', 'scripts/guides.ts', 'scripts/guide-style.ts', ...packages, ...recipe],
    output: 'dist/guides/files.json',
  },
  reference: { inputs: [...packages, ...recipe], output: 'dist/reference/files.json' },
}

/** @typedef {keyof typeof parts} PartName */

// The hash of each part's inputs at its last build.
const stampFile = 'dist/build.json'

/**
 * Builds the parts that are out of date with the builders that `load` returns. Returns their names.
 * @param {() => Promise<Record<PartName, () => Promise<void>>>} load
 * @returns {Promise<PartName[]>}
 */
export async function buildStale(load) {
  const stamps = readStamps()
  const save = () => writeFileSync(stampFile, `${JSON.stringify(stamps, null, 2)}\n`)
  const names = /** @type {PartName[]} */ (Object.keys(parts))
  const hashes = Object.fromEntries(names.map((name) => [name, hashOf(parts[name].inputs)]))
  const stale = names.filter((name) => stamps[name] !== hashes[name] || !existsSync(parts[name].output))
  if (stale.length === 0) return []

  // Removed first, so that an interrupted build leaves its part out of date.
  for (const name of stale) delete stamps[name]
  mkdirSync('dist', { recursive: true })
  save()
  const make = await load()
  await Promise.all(
    stale.map(async (name) => {
      await make[name]()
      // The hash from before the build: later edits are built next time.
      stamps[name] = hashes[name]
      save()
    }),
  )
  return stale
}

/** @returns {Record<string, string | undefined>} */
function readStamps() {
  if (!existsSync(stampFile)) return {}
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'))
  } catch (error) {
    // The file is truncated: build everything again.
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

/** @param {string[]} inputs */
function hashOf(inputs) {
  const hash = createHash('sha256')
  for (const path of inputs.flatMap(filesAt).toSorted()) {
    const content = readFileSync(path)
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/** @param {string} path @returns {string[]} */
function filesAt(path) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isDirectory()) return found ? [path] : []
  return readdirSync(path).flatMap((name) => filesAt(join(path, name)))
}
