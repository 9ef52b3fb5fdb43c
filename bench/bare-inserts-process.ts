import { join } from 'node:path'
import { runApart } from './apart.js'
import type { LoadResult } from './load/load.js'

export type BareInserts = { url: string; accounts: number[]; loops: number; seconds: number; firstNumber: number }

export function runBareInserts(work: BareInserts): Promise<LoadResult> {
  return runApart(join(import.meta.dirname, 'bare-inserts.ts'), work)
}
