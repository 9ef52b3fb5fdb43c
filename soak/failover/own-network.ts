import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PartResult, SoakOptions } from '../part.js'

/** Runs a part in a network namespace of its own (as root): the network of this machine is not touched. */
export async function runInOwnNetwork(options: SoakOptions): Promise<PartResult> {
  const program = join(import.meta.dirname, 'own-network-process.ts')
  const child = spawn('unshare', ['--net', process.execPath, ...process.execArgv, program, JSON.stringify(options)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const stop = () => void child.kill('SIGTERM')
  process.once('exit', stop)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  process.off('exit', stop)
  if (code !== 0) throw new Error(`the process in a network of its own ended with ${code}`)
  return JSON.parse(readFileSync(resultFile(options.folder), 'utf8')) as PartResult
}

export function resultFile(folder: string): string {
  return join(folder, 'result.json')
}
