import { type Static, Type } from 'typebox'
import { named, oneOf, patterned } from '../schema.js'

/** What the sandbox has besides the service: a clock that can be moved, scenarios, and the mails that were sent. */

export const SandboxClock = named('SandboxClock', { now: Type.String({ format: 'date-time' }), speed: Type.Number() })
export type SandboxClock = Static<typeof SandboxClock>

export const fastestSpeed = 86_400
export const mostDaysAhead = 366

export const ClockChange = named(
  'ClockChange',
  {},
  {
    now: Type.String({ format: 'date-time' }),
    advance: patterned(
      '^P(?:\\d{1,3}W|(?=\\d|T\\d)(?:\\d{1,4}D)?(?:T(?:\\d{1,4}H)?(?:\\d{1,5}M)?)?)$',
      'must be a duration of weeks, or of days, hours and minutes (ISO 8601), such as P2W, P1D or PT6H',
    ),
    speed: Type.Number({ minimum: 0, maximum: fastestSpeed }),
  },
)
export type ClockChange = Static<typeof ClockChange>

/** Milliseconds of a valid `advance`. */
export function durationOf(advance: string): number {
  const [, weeks = 0, days = 0, hours = 0, minutes = 0] =
    /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?$/.exec(advance) ?? []
  return ((Number(weeks) * 7 + Number(days)) * 24 * 60 + Number(hours) * 60 + Number(minutes)) * 60_000
}

export const scenarioNames = ['rollover at Singapore', 'customs hold', 'strike at Rotterdam for 5 days'] as const
export type ScenarioName = (typeof scenarioNames)[number]
export const ScenarioStart = named('ScenarioStart', { name: oneOf(scenarioNames) })

export type Scenario = {
  name: ScenarioName
  started_at: string
  shipments: string[]
  /** Why it concerns no shipment. */
  detail?: string
}

export type SandboxMail = { to: string; subject: string; text: string; at: string }
