import { readFileSync, writeFileSync } from 'node:fs'
import { createAccount } from '../../src/usecases/accounts/create-account.js'
import { issueKey } from '../../src/usecases/accounts/create-key.js'
import { hostileRequests } from '../../test/support/hostile/table.js'
import { newHostileTarget } from '../../test/support/hostile/target.js'
import { openFaultyDatabase } from '../database.js'
import type { PartResult, SoakOptions } from '../part.js'
import { startServing } from '../program.js'
import { type Measured, measure, startObserver, usualWait, violationsOf } from './measure.js'

const repetitions = 20

type Row = Measured & { bytes: number }

/** Every hostile request many times, while another client measures how long it waits. */
export async function run({ isShort, folder, log }: SoakOptions): Promise<PartResult> {
  const startedAt = performance.now()
  const database = await openFaultyDatabase('embedded', folder)
  const env = { ...database.env, WAYBILL_TRUSTED_PROXIES: '127.0.0.1' }
  const serving = await startServing({ env })
  const db = await database.open()
  const target = await newHostileTarget(db, serving.baseUrl)
  const account = (await createAccount(db, 'observer', 'observer')) as number
  const { key } = await issueKey(db, account, { scopes: ['read'], name: 'observer' })
  await db.end()
  const observer = await startObserver({ baseUrl: serving.baseUrl, key })
  try {
    const usual = await usualWait(observer, 10_000)
    log(`hostile: without hostile requests another client waits ${usual.toFixed(0)} ms at most`)
    const rows: Row[] = []
    for (const hostile of hostileRequests) {
      const before = resetPeak(serving.pid)
      const measured = await measure(hostile, target, observer, isShort ? 1 : repetitions)
      rows.push({ ...measured, bytes: peakOf(serving.pid) - before })
    }
    return resultOf(rows, usual, serving.errors(), startedAt)
  } finally {
    observer.end()
    serving.kill('SIGTERM')
    await serving.ended
    await database.close()
  }
}

function resultOf(rows: Row[], usual: number, errors: string[], startedAt: number): PartResult {
  const sent = rows.reduce((sum, { statuses }) => sum + statuses.length, 0)
  return {
    name: 'hostile',
    detail:
      'Requests that are made to hold up others or to take much memory, one at a time, while another client reads. For each: its status, the longest wait of the other client (goal: 100 ms beyond its usual one), and by how much the memory of the service grew over all repetitions, garbage included.',
    requests: sent,
    faults: sent,
    acknowledgedWrites: 0,
    lost: 0,
    doubled: 0,
    unexpectedFailures: rows.flatMap(({ statuses }) => statuses).filter((status) => status >= 500).length,
    leaks: 0,
    seconds: (performance.now() - startedAt) / 1000,
    figures: [
      ['longest wait without hostile requests', `${usual.toFixed(0)} ms`],
      ...rows.map(({ name, expected, longest, bytes }): [string, string] => [
        name,
        `${expected}, ${longest.toFixed(0)} ms, ${megabytes(bytes)}`,
      ]),
    ],
    violations: [...rows.flatMap((row) => violationsOf(row, usual)), ...errors],
  }
}

/** Resets the peak of a process's memory (Linux); returns its memory now. */
function resetPeak(pid: number): number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  return memoryOf(pid, 'VmRSS')
}

function peakOf(pid: number): number {
  return memoryOf(pid, 'VmHWM')
}

function memoryOf(pid: number, name: string): number {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1024
}

function megabytes(bytes: number): string {
  return `${(Math.max(0, bytes) / 1024 / 1024).toFixed(0)} MiB`
}
