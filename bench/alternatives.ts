import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Contender, DatabasePlace } from './contender.js'

/** What somebody would use instead: each in a folder of `bench/contenders`, a package of its own. */
export const alternativeNames = ['kysely', 'prisma', 'directus', 'json-server'] as const
export type AlternativeName = (typeof alternativeNames)[number]

const folder = join(import.meta.dirname, 'contenders')

/** Who cannot be installed says why when it is loaded. */
export async function installAlternatives(names: AlternativeName[]): Promise<void> {
  await Promise.allSettled(names.map(install))
}

export async function loadAlternative(name: AlternativeName): Promise<Contender> {
  await install(name)
  const file = join(folder, name, 'contender.ts')
  const exported = (await import(file)) as Record<string, unknown>
  const contender = Object.values(exported).find(isContender)
  if (!contender) throw new Error(`${file} exports no contender`)
  return contender
}

/** Fills the tables that they all start from, each with a copy; where they are filled, nothing is done. */
export async function loadTables(place: DatabasePlace): Promise<void> {
  const file = join(folder, 'normalised', 'load.ts')
  const { loadNormalised } = (await import(file)) as { loadNormalised(place: DatabasePlace): Promise<void> }
  await loadNormalised(place)
}

function isContender(value: unknown): value is Contender {
  return typeof value === 'object' && value !== null && 'prepare' in value && 'answerOf' in value
}

/** Those that have no packages of their own use those of the folder above. */
async function install(name: AlternativeName): Promise<void> {
  for (const place of [folder, join(folder, name)]) {
    const installing = installations.get(place) ?? installIn(place)
    installations.set(place, installing)
    await installing
  }
}

// Once for all that share a folder.
const installations = new Map<string, Promise<void>>()

/** Whether it can be loaded at once. */
export async function isInstalled(name: AlternativeName): Promise<boolean> {
  return (await hasItsPackages(folder)) && (await hasItsPackages(join(folder, name)))
}

async function hasItsPackages(place: string): Promise<boolean> {
  const lock = await timeOf(join(place, 'package-lock.json'))
  if (lock === undefined) return true
  const installed = await timeOf(join(place, 'node_modules', '.package-lock.json'))
  return installed !== undefined && installed >= lock
}

async function installIn(place: string): Promise<void> {
  if (await hasItsPackages(place)) return
  console.log(`installing ${place}`)
  // In its folder: it has settings of its own.
  const child = spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: place,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`npm ci in ${place} ended with ${code}`)
}

async function timeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  )
}
