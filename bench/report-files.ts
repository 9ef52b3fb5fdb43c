import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { growthPlot, ratesPlot } from './plots.js'
import { ratesReport } from './report.js'
import { growthReport } from './report-growth.js'
import type { Growth, Results } from './results.js'

const root = join(import.meta.dirname, '..')
const page = join(root, 'docs', 'performance.md')
const plots = join(root, 'docs', 'performance')

/** Not checked in: everything that was measured, and profiles. */
export const resultsFolder = join(root, 'results')
const resultsFile = join(resultsFolder, 'performance.json')

export async function readResults(): Promise<Results> {
  return JSON.parse(await readFile(resultsFile, 'utf8')) as Results
}

const growthHeading = '\n## Growth\n'

/** The page has two parts, measured by separate runs: each run replaces its part. */
export async function writeRates(results: Results): Promise<void> {
  await mkdir(resultsFolder, { recursive: true })
  await writeFile(resultsFile, `${JSON.stringify(results, null, 2)}\n`)
  const { growth } = await readPage()
  await write(ratesReport(results), growth, 'rates.svg', ratesPlot(results))
}

export async function writeGrowth(growth: Growth): Promise<void> {
  const { rates } = await readPage()
  await write(rates, growthReport(growth), 'growth.svg', growthPlot(growth))
}

async function readPage(): Promise<{ rates: string; growth: string }> {
  const text = await readFile(page, 'utf8').catch(() => '')
  const place = text.indexOf(growthHeading)
  return place < 0 ? { rates: text, growth: '' } : { rates: text.slice(0, place), growth: text.slice(place + 1) }
}

async function write(rates: string, growth: string, plot: string, svg: string): Promise<void> {
  await mkdir(plots, { recursive: true })
  await writeFile(page, [rates, growth].filter((part) => part !== '').join('\n'))
  await writeFile(join(plots, plot), svg)
  console.log('Wrote docs/performance.md')
}
