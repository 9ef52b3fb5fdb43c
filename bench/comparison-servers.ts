import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BenchServer, DatabasePlace } from './bench-server.js'

/** Servers that a team might build instead, in `bench/comparison`: a separate package, installed on first use. */
export const comparisonNames = ['kysely', 'prisma'] as const
export type ComparisonName = (typeof comparisonNames)[number]

/** Its name in reports. */
export const comparisonTitles: Record<ComparisonName, string> = { kysely: 'Kysely', prisma: 'Prisma' }

const folder = join(import.meta.dirname, 'comparison')

export async function loadComparison(name: ComparisonName): Promise<BenchServer> {
  await installComparisons()
  const { server } = (await import(join(folder, name, 'bench-server.ts'))) as { server: BenchServer }
  return server
}

/** Fills normalised tables from a database of Waybill; does nothing where they are filled. */
export async function loadTables(source: string, place: DatabasePlace): Promise<void> {
  const file = join(folder, 'normalised', 'load.ts')
  const { loadNormalised } = (await import(file)) as {
    loadNormalised(source: string, place: DatabasePlace): Promise<void>
  }
  await loadNormalised(source, place)
}

let installation: Promise<void> | undefined

/** Once for all of them. */
export function installComparisons(): Promise<void> {
  installation ??= install()
  return installation
}

async function install(): Promise<void> {
  const lock = await timeOf(join(folder, 'package-lock.json'))
  const installed = await timeOf(join(folder, 'node_modules', '.package-lock.json'))
  if (lock !== undefined && installed !== undefined && installed >= lock) return
  console.log('Installing the comparison servers...')
  // In their folder, which has its own npm settings.
  const child = spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`npm ci in bench/comparison failed with exit code ${code}`)
}

async function timeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  )
}
