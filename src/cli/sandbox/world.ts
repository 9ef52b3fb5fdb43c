import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from '../../api/sandbox/world.js'
import { businessTime, simulatedTime, simulateTime } from '../../clock/clock.js'
import { isDateWithTime, isSimpleDate } from '../../contract/formats.js'
import type { Quotas } from '../../contract/operator/quotas.js'
import { invalid } from '../../contract/refusals.js'
import {
  type ClockChange,
  durationOf,
  mostDaysAhead,
  type SandboxClock,
  type SandboxMail,
  type Scenario,
} from '../../contract/sandbox/world.js'
import type { Database } from '../../database/database.js'
import { day, hour } from '../../domain/dates/local-time.js'
import { logoId } from '../../mail/layout.js'
import { htmlOf } from '../../mail/letter.js'
import { moveDueInvoices } from '../../usecases/billing/run-due-invoices.js'
import { evaluateDue } from '../../usecases/exceptions/run-exceptions.js'
import type { DeliverMail } from '../../usecases/mail/outbox.js'
import type { MailOptions } from '../../usecases/notifications/mail-notifications.js'
import { notifyRound } from '../../usecases/notifications/run-notifications.js'
import type { Bookings } from './bookings.js'
import { openCarriers, type StartedScenario } from './carriers.js'

/** Moves the time of the sandbox, and does what is due on the way. */

export type SimulatedWorld = World & {
  /** The time up to which carriers have reported: what is due by the clock is not done before. */
  reportedTime(): number
  /** Keeps a mail instead of sending it. */
  keepMail: DeliverMail
  /** Lets time pass until the signal aborts. */
  run(options: RunOptions): Promise<void>
}

type RunOptions = {
  signal: AbortSignal
  mail: MailOptions | undefined
  /** Sends what waits in the outbox. */
  sendMails(): Promise<void>
  onError(error: unknown): void
}

type Options = {
  /** The clock as it was saved; undefined if time was never simulated. */
  clock: SandboxClock | undefined
  /** The same seed gives the same world. */
  seed: string
  quotas: Quotas
  forwarderName: string
  scenarios: StartedScenario[]
  /** Books new shipments as time moves; nothing is booked without. */
  bookings?: Bookings | undefined
  save(changed: { clock?: SandboxClock; scenarios?: StartedScenario[] }): Promise<void>
}

// Time is moved in steps, so that what depends on each other happens in its order, and daily mails stay apart. However fast it
// passes, the clock waits at the end of a step until everything has happened that was due.
const step = 6 * hour
const endOfStep = (time: number) => (Math.floor(time / step) + 1) * step
const pauseBetweenTicks = 1000
const mostMails = 500

export function openWorld(
  db: Database,
  { clock, save, seed, quotas, forwarderName, scenarios, bookings }: Options,
): SimulatedWorld {
  const mails: SandboxMail[] = []
  let lastMail = 0
  const onError = (error: unknown) => running?.onError(error)
  const carriers = openCarriers(db, { seed, quotas, started: scenarios, bookings, onError })
  let speed = clock?.speed ?? 1
  let running: RunOptions | undefined
  let moving: Promise<unknown> = Promise.resolve()
  const passFrom = (time: number) => simulateTime(time, speed, endOfStep(time))
  if (clock) passFrom(Date.parse(clock.now))
  let reported = businessTime()

  const readClock = (): SandboxClock => ({ now: new Date(businessTime()).toISOString(), speed })

  /** Does what is due. */
  async function live(now: number): Promise<void> {
    if (!running) return
    const { signal, mail, sendMails } = running
    await carriers.report(now)
    reported = now
    await moveDueInvoices(db, now, signal)
    await evaluateDue(db, now, signal)
    while (await notifyRound(db, now, { signal, mail })) if (signal.aborted) return
    await sendMails()
  }

  async function moveTo(target: number): Promise<void> {
    let now = businessTime()
    if (simulatedTime() === undefined) reported = now
    while (now < target && !running?.signal.aborted) {
      now = Math.min(endOfStep(now), target)
      simulateTime(now, 0)
      await live(now)
    }
  }

  /** Does what is due while time passes. */
  async function tick(): Promise<void> {
    const now = businessTime()
    try {
      await live(now)
    } finally {
      // Only the end moves, unless the clock has waited there.
      if (simulatedTime() !== undefined) simulateTime(businessTime(), speed, endOfStep(now))
    }
  }

  /** One move at a time. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = moving.then(work)
    moving = turn.catch(() => {})
    return turn
  }

  return {
    readClock,
    moveClock: (change) =>
      inTurn(async () => {
        const target = targetOf(change, businessTime())
        try {
          await moveTo(target)
        } finally {
          // Set only now: a move that fails leaves the time where it was reached.
          speed = change.speed ?? speed
          passFrom(businessTime())
        }
        await save({ clock: readClock() })
        return readClock()
      }),
    startScenario: (name) =>
      inTurn(async () => {
        const scenario = await carriers.start(name, businessTime())
        await save({ scenarios })
        return shownScenario(scenario)
      }),
    listScenarios: () => scenarios.map(shownScenario),
    reportedTime: () => (simulatedTime() === undefined ? businessTime() : reported),
    listMails: () => mails.toReversed(),
    async keepMail(mail) {
      const { to, subject, text } = mail
      const { html, logo } = htmlOf(mail, forwarderName)
      const shown = html.replaceAll(`cid:${logoId}`, `data:image/png;base64,${logo ?? ''}`)
      lastMail += 1
      mails.push({ mail_id: lastMail, to, subject, text, html: shown, at: new Date(businessTime()).toISOString() })
      if (mails.length > mostMails) mails.shift()
    },
    async run(options) {
      running = options
      const { signal } = options
      while (!signal.aborted) {
        const now = businessTime()
        const pause = Math.min(pauseBetweenTicks, Math.ceil((endOfStep(now) - now) / speed) + 1)
        await sleep(pause, undefined, { signal }).catch(() => {})
        if (signal.aborted || simulatedTime() === undefined || speed === 0) continue
        await inTurn(tick).catch(onError)
      }
      if (simulatedTime() !== undefined) await save({ clock: readClock() })
    },
  }
}

function shownScenario({ holds: _holds, ...scenario }: StartedScenario): Scenario {
  return scenario
}

function targetOf({ now, advance, speed }: ClockChange, present: number): number {
  if (now !== undefined && advance !== undefined)
    throw invalid([{ pointer: '/advance', detail: 'must not be given together with now' }])
  if (now === undefined && advance === undefined && speed === undefined)
    throw invalid([{ pointer: '', detail: 'must have now, advance or speed' }])
  if (now !== undefined && !isDateWithTime(now) && !isSimpleDate(now)) {
    const detail = 'must be a time with its UTC offset, such as 2026-03-04T10:00:00+08:00, or a date'
    throw invalid([{ pointer: '/now', detail }])
  }
  const target = now === undefined ? present + durationOf(advance ?? 'PT0M') : Date.parse(now)
  const pointer = now === undefined ? '/advance' : '/now'
  if (target < present) {
    const detail = `must not be before ${new Date(present).toISOString()}: time only moves forward`
    throw invalid([{ pointer, detail }])
  }
  if (target > present + mostDaysAhead * day)
    throw invalid([{ pointer, detail: `must not be more than ${mostDaysAhead} days ahead` }])
  return target
}
