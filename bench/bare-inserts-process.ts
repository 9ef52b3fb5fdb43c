import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { LoadResult } from './load/load.js'

export type BareInserts = { url: string; accounts: number[]; loops: number; seconds: number; firstNumber: number }

/** Runs them in a process of their own. */
export function runBareInserts(work: BareInserts): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'bare-inserts.ts'), [JSON.stringify(work)], {
      execArgv: ['--import', 'tsx'],
    })
    let result: LoadResult | undefined
    child.on('message', (message) => {
      result = message as LoadResult
    })
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code === 0 && result) resolve(result)
      else reject(new Error(`the bare inserts ended with ${code}`))
    })
  })
}
