import { isDateWithTime, isSimpleDate } from '../../contract/formats.js'
import { fastestSpeed, type ScenarioName, scenarioNames } from '../../contract/sandbox/world.js'
import { Failure } from '../failure.js'

/** The time to begin at (ms), how fast it passes, and what happens first. */
export type ClockFlags = { at: number | undefined; speed: number | undefined; scenario: ScenarioName | undefined }

export function readClockFlags({
  at,
  speed,
  scenario,
}: {
  at?: string
  speed?: string
  scenario?: string
}): ClockFlags {
  if (at !== undefined && !isSimpleDate(at) && !isDateWithTime(at))
    throw new Failure(`--at ${at}: write a date, such as 2026-03-01, or a time, such as 2026-03-01T08:00:00Z`, 2)
  if (speed !== undefined && !(/^\d{1,5}(?:\.\d{1,3})?$/.test(speed) && Number(speed) <= fastestSpeed))
    throw new Failure(`--speed ${speed}: write a number from 0 to ${fastestSpeed}`, 2)
  const known = scenarioNames.find((name) => name === scenario)
  if (scenario !== undefined && !known)
    throw new Failure(`--scenario ${scenario}: write one of ${scenarioNames.join(', ')}`, 2)
  return {
    scenario: known,
    at: at === undefined ? undefined : Date.parse(at),
    speed: speed === undefined ? undefined : Number(speed),
  }
}
