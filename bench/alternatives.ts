import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Contender } from './contender.js'

/** What somebody would use instead: each in a folder of `bench/contenders`, a package of its own. */
export const alternativeNames = ['kysely', 'prisma', 'directus', 'json-server'] as const
export type AlternativeName = (typeof alternativeNames)[number]

const folder = join(import.meta.dirname, 'contenders')

export async function loadAlternative(name: AlternativeName): Promise<Contender> {
  await install(folder)
  // One whose packages are many brings them itself.
  await install(join(folder, name))
  const file = join(folder, name, 'contender.ts')
  const exported = (await import(file)) as Record<string, unknown>
  const contender = Object.values(exported).find(isContender)
  if (!contender) throw new Error(`${file} exports no contender`)
  return contender
}

function isContender(value: unknown): value is Contender {
  return typeof value === 'object' && value !== null && 'prepare' in value && 'answerOf' in value
}

async function install(place: string): Promise<void> {
  const lock = await timeOf(join(place, 'package-lock.json'))
  if (lock === undefined) return
  const installed = await timeOf(join(place, 'node_modules', '.package-lock.json'))
  if (installed !== undefined && installed >= lock) return
  console.log(`installing ${place}`)
  // In its folder: it has settings of its own.
  const child = spawn('npm', ['ci', '--no-audit', '--no-fund'], { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`npm ci in ${place} ended with ${code}`)
}

async function timeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  )
}
