import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SandboxClock } from '../../contract/sandbox/world.js'
import { makeFolder } from '../../documents/durable-folder.js'
import { Failure } from '../failure.js'
import type { StartedScenario } from './carriers.js'

/** Stored in sandbox.json: the database has only hashes of keys, but the sandbox prints its keys at every start. */
export type SandboxState = {
  seededOn?: string
  clock?: SandboxClock | undefined
  scenarios?: StartedScenario[]
  keys: Record<string, string>
  operatorKey?: string
}

export async function openState(dataFolder: string) {
  // With DATABASE_URL, nothing else creates the data folder.
  await makeFolder(dataFolder)
  const path = join(dataFolder, 'sandbox.json')
  const state = await readState(path)
  let saving: Promise<void> = Promise.resolve()
  const save = (changed: Partial<SandboxState>) => {
    Object.assign(state, changed)
    saving = saving.catch(() => {}).then(() => writeState(path, state))
    return saving
  }
  return { state, save }
}

async function readState(path: string): Promise<SandboxState> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{"keys":{}}'
    throw error
  })
  const state = parse(text) as SandboxState | undefined
  if (typeof state?.keys === 'object' && state.keys !== null) return state
  throw new Failure(`${path} is damaged`, 1, 'remove it; the sandbox then prints new keys, and its data stays')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Renamed into place, so that a kill leaves the old file or the new one. */
async function writeState(path: string, state: SandboxState): Promise<void> {
  const unfinished = `${path}.${process.pid}.tmp`
  await writeFile(unfinished, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
  await rename(unfinished, path)
}
