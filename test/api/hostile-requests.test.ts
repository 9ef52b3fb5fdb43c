import { afterAll, expect, test } from 'vitest'
import { newTurnMeter } from '../../soak/hostile/longest-turn.js'
import { limitsOfOnce, measure, megabytes, startObserver, usualWait, violationsOf } from '../../soak/hostile/measure.js'
import { newAccount } from '../support/account.js'
import { hostileReplyAddress, newHostileTarget } from '../support/hostile/new-target.js'
import { hostileRequests } from '../support/hostile/table.js'
import { ownDatabase, ownDatabaseUrl } from '../support/own-database.js'
import { startServing } from '../support/program.js'
import { startService } from '../support/service.js'

/**
 * No request may hold up others, whatever it contains. The service runs in a process of its own, and so does the client that
 * measures how long it waits. `npm run soak -- --only hostile` repeats each request.
 */

// On a database of its own: background tasks for other accounts would delay clients, too.
const service = await startService({ db: await ownDatabase('hostile') })
const meter = newTurnMeter()
const env = {
  DATABASE_URL: ownDatabaseUrl('hostile'),
  WAYBILL_DATA_DIR: service.dataFolder,
  WAYBILL_RATE_LIMIT: '0',
  WAYBILL_REPLY_ADDRESS: hostileReplyAddress,
}
const serving = await startServing({ env: { ...env, ...meter.env }, nodeOptions: meter.nodeFlags })
const target = await newHostileTarget(service.db, serving.baseUrl)
const observer = await startObserver({ baseUrl: serving.baseUrl, key: (await newAccount(service)).key })
afterAll(() => {
  observer.end()
  meter.end()
})

test('no hostile request delays another client, and each is refused or served as it should be', async () => {
  const usual = await usualWait(observer)
  const lines = [`${milliseconds(usual)}  without hostile requests`]
  const violations: string[] = []
  for (const hostile of hostileRequests) {
    let measured = await measure(hostile, target, { observer, meter, pid: serving.pid })
    // A busy machine delays clients now and then; a request that holds up the service does so every time.
    for (let again = 0; again < 2 && violationsOf(measured, usual, limitsOfOnce).length > 0; again += 1)
      measured = await measure(hostile, target, { observer, meter, pid: serving.pid })
    const { longest, turn, growth, statuses, name } = measured
    const costs = `${milliseconds(longest)} ${milliseconds(turn)} ${megabytes(growth).padStart(8)}`
    lines.push(`${costs}  ${statuses.join()}  ${name}`)
    violations.push(...violationsOf(measured, usual, limitsOfOnce))
  }
  const heading =
    'The longest wait of another client during each hostile request, the longest turn of the service (processor time), and by how much its memory grew:'
  console.log(`${heading}\n${lines.join('\n')}`)
  expect(violations).toEqual([])
}, 900_000)

function milliseconds(time: number): string {
  return `${time.toFixed(0).padStart(6)} ms`
}
