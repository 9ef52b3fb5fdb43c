import { expect, test } from 'vitest'
import type { World } from '../../../src/api/sandbox/world.js'
import { durationOf } from '../../../src/contract/sandbox/world.js'
import { expectAccessible, signIn, startPortal } from './support.js'

/** The bar of the sandbox. What moving time does is tested without a browser (`test/cli/sandbox-clock.test.ts`). */

let now = Date.parse('2031-03-01T12:00:00Z')
const clock = () => ({ now: new Date(now).toISOString(), speed: 0 })
const world: World = {
  readClock: clock,
  async moveClock({ advance = 'PT0M' }) {
    now += durationOf(advance)
    return clock()
  },
  startScenario: () => Promise.reject(new Error('not in this test')),
  listScenarios: () => [],
  listMails: () => [],
}
const portal = await startPortal({ world })

test('in the demo, a bar shows the simulated time and moves it', async () => {
  const page = await portal.newPage()
  await signIn(page)
  await page.goto('/settings')
  const bar = page.getByRole('region', { name: 'Simulated time' })
  await bar.getByText('1 March 2031').waitFor()
  await bar.getByRole('button', { name: 'One week on' }).click()
  await bar.getByText('8 March 2031').waitFor()
  await expectAccessible(page)
})

test('somebody who signed in with a password has no such bar', async () => {
  const page = await portal.signedIn('/settings')
  expect(await page.getByRole('region', { name: 'Simulated time' }).count()).toBe(0)
})
