import { expect } from 'vitest'
import type { Bookings } from '../../src/cli/sandbox/bookings.js'
import { openWorld } from '../../src/cli/sandbox/world.js'
import { businessTime, simulateTime } from '../../src/clock/clock.js'
import { sandboxCalendars, sandboxTerms } from '../../src/sandbox/free-time.js'
import { saveFreeTime } from '../../src/usecases/free-time/save-free-time.js'
import { newAccount } from '../support/account.js'
import { ownDatabase } from '../support/own-database.js'
import { startService } from '../support/service.js'

type Options = {
  /** A date. */
  start: string
  speed?: number
  /** What is done with the mails that wait. */
  sendMails?: () => Promise<void>
  bookings?: Bookings
}

/** A service with a new account and the free time of the sandbox, in a world with a clock of its own. */
export async function startWorld(name: string, { start, speed = 0, sendMails = async () => {}, bookings }: Options) {
  simulateTime(Date.parse(start), 0)
  const db = await ownDatabase(name)
  const service = await startService({ db, eventDays: 400 })
  const account = await newAccount(service)
  await saveFreeTime(db, { terms: sandboxTerms, calendars: sandboxCalendars(start) }, 'sandbox')
  const world = openWorld(db, {
    clock: { now: new Date(businessTime()).toISOString(), speed },
    seed: 'test',
    quotas: {},
    forwarderName: 'Waybill',
    scenarios: [],
    bookings,
    save: async () => {},
  })
  const stop = new AbortController()
  const failures: unknown[] = []
  const onError = (error: unknown) => failures.push(error)
  const running = world.run({ signal: stop.signal, mail: undefined, sendMails, onError })
  const end = async () => {
    stop.abort()
    await running
    expect(failures).toEqual([])
  }
  return { db, service, account, world, failures, signal: stop.signal, end }
}
