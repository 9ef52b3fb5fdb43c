import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { plotsOf } from './plots.js'
import { reportOf } from './report.js'
import type { Results } from './results.js'

const docs = join(import.meta.dirname, '..', 'docs')
const folder = join(docs, 'performance')
const resultsFile = join(folder, 'results.json')

export async function readResults(): Promise<Results> {
  return JSON.parse(await readFile(resultsFile, 'utf8')) as Results
}

export async function writeResults(results: Results): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(resultsFile, `${JSON.stringify(results, null, 2)}\n`)
}

/** The report and its plots, made of the results alone. */
export async function writeReport(results: Results): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(docs, 'performance.md'), reportOf(results))
  for (const { name, svg } of plotsOf(results)) await writeFile(join(folder, `${name}.svg`), svg)
  console.log('wrote docs/performance.md')
}
