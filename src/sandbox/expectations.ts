import { day, hour } from '../domain/dates/local-time.js'
import type { Itinerary, PlannedMilestone } from './itinerary.js'

/** What is expected today of the milestones that have not happened, and since when. */

export type Expectation = { date: number; issued: number }

export function expectationsAt({ milestones }: Itinerary, now: number): Map<PlannedMilestone, Expectation> {
  const coming = milestones.filter(({ happens }) => happens > now)
  const last = milestones.findLast(({ happens }) => happens <= now)
  const slip = Math.max(0, last ? last.happens - last.planned : 0)
  const obstacle = coming.find(({ problem }) => problem !== undefined)
  const { since = Number.POSITIVE_INFINITY, hasNewDate = false } = obstacle?.problem ?? {}
  const isExplained = hasNewDate && since + 6 * hour <= now
  const arrived = milestones.find(({ code }) => code === 'arrived')
  const expectations = new Map<PlannedMilestone, Expectation>()
  let isHeldUp = false
  let earliest = now
  for (const each of coming) {
    isHeldUp ||= each === obstacle
    // Nobody knows yet how long a problem takes, unless they say so.
    const isGuess = isHeldUp && !isExplained
    const expected = isGuess ? Math.max(each.planned + slip, now + day) : each.happens
    let date = Math.max(expected, earliest)
    if (each.code === 'delivered' && arrived) {
      // As long after the arrival as it was planned.
      date = Math.max(date, (expectations.get(arrived)?.date ?? arrived.happens) + each.planned - arrived.planned)
    }
    date = Math.ceil(date / hour) * hour
    const isOld = isGuess && since <= now
    const recently = isHeldUp && isExplained ? Math.max(since + 6 * hour, now - 9 * hour) : now - 9 * hour
    expectations.set(each, { date, issued: isOld ? since - 5 * hour : recently })
    earliest = date
  }
  return expectations
}
