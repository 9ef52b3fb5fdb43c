import { expect, test } from 'vitest'
import { businessDate, businessTime, simulatedTime, simulateTime, systemTime } from '../../src/clock/clock.js'
import { line, newAccount } from '../support/account.js'
import { accountWithExamples } from '../support/operator.js'
import { ownDatabase } from '../support/own-database.js'
import { startService } from '../support/service.js'

// The time is simulated in the process of this file only (`vitest.config.ts`); its database is its own, too.
const service = await startService({ db: await ownDatabase('clock') })
const start = Date.parse('2031-05-06T07:08:09Z')

test('business time is the real time until it is simulated; system time is always real', () => {
  expect(simulatedTime()).toBeUndefined()
  expect(Math.abs(businessTime() - Date.now())).toBeLessThan(60_000)
  simulateTime(start, 0)
  expect(businessTime()).toBe(start)
  expect(businessDate()).toBe('2031-05-06')
  expect(Math.abs(systemTime() - Date.now())).toBeLessThan(60_000)
})

test('a speed moves simulated time on', async () => {
  simulateTime(start, 1_000_000)
  await expect.poll(() => businessTime()).toBeGreaterThan(start + 100_000)
})

test('what is written in simulated time is recorded at that time', async () => {
  simulateTime(start, 0)
  const { call } = await newAccount(service)
  await call('createPurchaseOrder', { body: { reference: 'PO-1', product_lines: [line()] } })
  const { body } = await call('listEvents', {})
  expect(body.events.map(({ at }) => at)).toEqual([expect.stringMatching(/^2031-05-06T07:08:09/)])
})

test('everything that operators do works while the simulated time stands still', async () => {
  simulateTime(start, 0)
  await accountWithExamples(service)
})
