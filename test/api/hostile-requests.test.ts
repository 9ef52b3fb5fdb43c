import { afterAll, expect, test } from 'vitest'
import { measure, startObserver, usualWait, violationsOf } from '../../soak/hostile/measure.js'
import { newAccount } from '../support/account.js'
import { hostileRequests } from '../support/hostile/table.js'
import { newHostileTarget } from '../support/hostile/target.js'
import { ownDatabase, ownDatabaseUrl } from '../support/own-database.js'
import { startServing } from '../support/program.js'
import { startService } from '../support/service.js'

/**
 * No request may hold up others, whatever it contains. The service runs in a process of its own, and so does the client that
 * measures how long it waits. `npm run soak -- --only hostile` repeats each request.
 */

// On a database of its own: background tasks for other accounts would delay clients, too.
const service = await startService({ db: await ownDatabase('hostile') })
const serving = await startServing({
  env: { DATABASE_URL: ownDatabaseUrl('hostile'), WAYBILL_DATA_DIR: service.dataFolder, WAYBILL_RATE_LIMIT: '0' },
})
const target = await newHostileTarget(service.db, serving.baseUrl)
const observer = await startObserver({ baseUrl: serving.baseUrl, key: (await newAccount(service)).key })
afterAll(() => observer.end())

test('no hostile request delays another client, and each is refused or served as it should be', async () => {
  const usual = await usualWait(observer)
  const lines = [`${usual.toFixed(0).padStart(6)} ms  without hostile requests`]
  const violations: string[] = []
  for (const hostile of hostileRequests) {
    let measured = await measure(hostile, target, observer)
    // A busy machine delays clients now and then; a request that holds up the service does so every time.
    for (let again = 0; again < 2 && violationsOf(measured, usual).length > 0; again += 1)
      measured = await measure(hostile, target, observer)
    lines.push(`${measured.longest.toFixed(0).padStart(6)} ms  ${measured.statuses.join()}  ${measured.name}`)
    violations.push(...violationsOf(measured, usual))
  }
  console.log(`The longest wait of another client during each hostile request:\n${lines.join('\n')}`)
  expect(violations).toEqual([])
}, 900_000)
