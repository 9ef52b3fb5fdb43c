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
    // A time, or a date: its midnight in UTC, as for `--at`.
    now: Type.String(),
    advance: patterned(
      '^P(?:\\d{1,3}W|(?=\\d|T\\d)(?:\\d{1,4}D)?(?:T(?=\\d)(?:\\d{1,4}H)?(?:\\d{1,5}M)?(?:\\d{1,7}S)?)?)$',
      'must be a duration of weeks, or of days, hours, minutes and seconds (ISO 8601), such as P2W, P1D or PT6H',
    ),
    speed: Type.Number({ minimum: 0, maximum: fastestSpeed }),
  },
)
export type ClockChange = Static<typeof ClockChange>

/** Milliseconds of a valid `advance`. */
export function durationOf(advance: string): number {
  const [, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] =
    /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(advance) ?? []
  const hoursOfAll = (Number(weeks) * 7 + Number(days)) * 24 + Number(hours)
  return (hoursOfAll * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
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

export type SandboxMail = {
  mail_id: number
  to: string
  subject: string
  text: string
  /** With the forwarder's logo inside. */
  html: string
  at: string
}
