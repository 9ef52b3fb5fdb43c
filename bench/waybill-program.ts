import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ImportLine } from '../src/contract/import-line.js'
import { peakBytes } from './processes.js'

/** `waybill import` as built, in a separate process. */

export const program = join(import.meta.dirname, '..', 'dist', 'cli', 'main.js')

export type ImportRun = {
  seconds: number
  /** Peak memory of the process, as last seen. */
  peakBytes: number
  /** It took longer than its limit, and was stopped. */
  isStopped: boolean
}

/** `limit`: seconds after which it is stopped. */
type Imported = { databaseUrl: string; dataFolder: string; limit?: number }

export async function runImport(file: string, { databaseUrl, dataFolder, limit }: Imported): Promise<ImportRun> {
  const started = performance.now()
  const child = spawn(process.execPath, [program, 'import', file, '--json'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: databaseUrl, WAYBILL_DATA_DIR: dataFolder },
  })
  const complaints: Buffer[] = []
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk))
  let isStopped = false
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, peakBytes([child.pid ?? 0]))
    if (limit === undefined || performance.now() - started < limit * 1000) return
    isStopped = true
    child.kill('SIGKILL')
  }, 100)
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    if (code !== 0 && !isStopped) throw new Error(`the import failed: ${Buffer.concat(complaints).toString()}`)
    return { seconds: (performance.now() - started) / 1000, peakBytes: peak, isStopped }
  } finally {
    clearInterval(watch)
  }
}

export async function writeLines(file: string, lines: Iterable<ImportLine>): Promise<void> {
  await pipeline(function* () {
    for (const line of lines) yield `${JSON.stringify(line)}\n`
  }, createWriteStream(file))
}
