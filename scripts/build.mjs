import { existsSync } from 'node:fs'

/**
 * Builds the parts of dist/ that are out of date; `--sizes` lists what the portal's first page loads. Plain JavaScript
 * without dependencies: `npm ci --omit=dev` and Node versions that are too old for the build tools run it, too.
 */

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isRecent = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)

if (!existsSync('node_modules/tsx') || !existsSync('node_modules/vite')) {
  console.log('waybill: not building dist/, because the development packages are not installed.')
} else if (isRecent) {
  const { buildStale } = await import('./parts.mjs')
  const load = async () => {
    const { tsImport } = await import('tsx/esm/api')
    return tsImport('./build.ts', import.meta.url)
  }
  const built = await buildStale(async () => (await load()).make)
  console.log(built.length > 0 ? `Built: ${built.join(', ')}.` : 'dist/ is up to date.')
  if (process.argv.includes('--sizes')) await (await load()).showSizes()
} else {
  console.error(`Building Waybill needs Node 20.19 or 22.12 or later; this is Node ${process.versions.node}.`)
  process.exitCode = 1
}
