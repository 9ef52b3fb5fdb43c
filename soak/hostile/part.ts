import { createAccount } from '../../src/usecases/accounts/create-account.js'
import { issueKey } from '../../src/usecases/accounts/create-key.js'
import { hostileReplyAddress, newHostileTarget } from '../../test/support/hostile/new-target.js'
import { hostileRequests } from '../../test/support/hostile/table.js'
import { openFaultyDatabase } from '../database.js'
import type { PartResult, SoakOptions } from '../part.js'
import { startServing } from '../program.js'
import { newTurnMeter } from './longest-turn.js'
import { goals, type Measured, measure, megabytes, startObserver, usualWait, violationsOf } from './measure.js'

const repetitions = 20
const fewRepetitions = 3

/** Every hostile request many times, while another client measures how long it waits. */
export async function run({ isShort, folder, log }: SoakOptions): Promise<PartResult> {
  const startedAt = performance.now()
  const database = await openFaultyDatabase('embedded', folder)
  const meter = newTurnMeter()
  const env = {
    ...database.env,
    ...meter.env,
    WAYBILL_TRUSTED_PROXIES: '127.0.0.1',
    WAYBILL_REPLY_ADDRESS: hostileReplyAddress,
  }
  const serving = await startServing({ env, nodeFlags: meter.nodeFlags })
  const db = await database.open()
  const target = await newHostileTarget(db, serving.baseUrl)
  const account = (await createAccount(db, 'observer', 'observer')) as number
  const { key } = await issueKey(db, account, { scopes: ['read'], name: 'observer' })
  await db.end()
  const observer = await startObserver({ baseUrl: serving.baseUrl, key })
  try {
    const usual = await usualWait(observer, 10_000)
    log(`hostile: without hostile requests another client waits ${usual.toFixed(0)} ms at most`)
    const rows: Measured[] = []
    const times = isShort ? fewRepetitions : repetitions
    for (const hostile of hostileRequests)
      rows.push(await measure(hostile, target, { observer, meter, pid: serving.pid }, times))
    return resultOf(rows, usual, serving.errors(), startedAt)
  } finally {
    observer.end()
    meter.end()
    serving.kill('SIGTERM')
    await serving.ended
    await database.close()
  }
}

function resultOf(rows: Measured[], usual: number, errors: string[], startedAt: number): PartResult {
  const sent = rows.reduce((sum, { statuses }) => sum + statuses.length, 0)
  return {
    name: 'hostile',
    detail:
      'Requests that are made to hold up others or to take much memory, one at a time, while another client reads. For each: its status, the longest wait of the other client (goal: 100 ms beyond its usual one), the longest processor time of the main thread between two turns to others (the median of the repetitions; at most 100 ms), and by how much the memory of the service grew in one repetition, garbage included (the median; at most 64 MiB).',
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
      ...rows.map(({ name, expected, longest, turn, growth }): [string, string] => [
        name,
        `${expected}, ${longest.toFixed(0)} ms, ${turn.toFixed(0)} ms, ${megabytes(growth)}`,
      ]),
    ],
    violations: [...rows.flatMap((row) => violationsOf(row, usual, goals)), ...errors],
  }
}
