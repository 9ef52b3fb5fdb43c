import { createAccount } from '../../src/usecases/accounts/create-account.js'
import { issueKey } from '../../src/usecases/accounts/create-key.js'
import { hostileReplyAddress, newHostileTarget } from '../../test/support/hostile/new-target.js'
import { hostileRequests } from '../../test/support/hostile/table.js'
import { openFaultyDatabase } from '../database.js'
import type { PartResult, SoakOptions } from '../part.js'
import { startServing } from '../program.js'
import { newTurnMeter } from './longest-turn.js'
import { goals, type Measured, measure, megabytes, startObserver, usualWait, violationsOf } from './measure.js'
import { waitGoal } from './page.js'

const repetitions = 20
const fewRepetitions = 3
const mostNamed = 5

/** Every hostile request many times, while another client measures how long it waits. */
export async function run({ isShort, folder, log, times: given }: SoakOptions): Promise<PartResult> {
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
    const times = given ?? (isShort ? fewRepetitions : repetitions)
    for (const hostile of hostileRequests)
      rows.push(await measure(hostile, target, { observer, meter, pid: serving.pid }, times))
    return resultOf(rows, { usual, times }, serving.errors(), startedAt)
  } finally {
    observer.end()
    meter.end()
    serving.kill('SIGTERM')
    await serving.ended
    await database.close()
  }
}

function resultOf(
  rows: Measured[],
  { usual, times }: { usual: number; times: number },
  errors: string[],
  startedAt: number,
): PartResult {
  const sent = rows.reduce((sum, { statuses }) => sum + statuses.length, 0)
  return {
    name: 'hostile',
    detail:
      'Requests that are made to hold up others or to take much memory, one at a time, while another client reads. [What each of them cost others](hostile-requests.md).',
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
      ['requests', `${rows.length}, each ${times} times`],
      ['of them beyond the goal (100 ms more)', `${rows.filter(({ longest }) => longest > usual + waitGoal).length}`],
      ...rows
        .toSorted((one, other) => other.longest - one.longest)
        .slice(0, mostNamed)
        .map(({ name, longest, turn }): [string, string] => [
          name,
          `${longest.toFixed(0)} ms, turn ${turn.toFixed(0)} ms`,
        ]),
      ['most memory of one request', megabytes(Math.max(...rows.map(({ growth }) => growth)))],
    ],
    hostile: {
      times,
      usual,
      rows: rows.map(({ name, expected: status, longest: wait, turn, growth }) => ({
        name,
        status,
        wait,
        turn,
        growth,
      })),
    },
    violations: [...rows.flatMap((row) => violationsOf(row, usual, goals)), ...errors],
  }
}
