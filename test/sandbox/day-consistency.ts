import type { FreeTimeClock, ShipmentFreeTime } from '../../src/contract/public/free-time.js'
import { sandboxCalendars, sandboxTerms } from '../../src/sandbox/free-time.js'

/** What has to hold on every day of the simulated world, worked out without the code that derives it. */

const hour = 3_600_000
const dayLength = 24 * hour
const milestones = ['pickup_date', 'departure_date', 'arrival_date', 'delivery_date']

type Dated = { svc_shipment_id?: string; main_tracking_dates?: Record<string, { date?: string; status?: string }> }

/** Dates that are out of order, in the future although they happened, or past although they are expected. */
export function wrongDates(shipments: object[], now: number): string[] {
  return shipments.flatMap((shipment) => {
    const { svc_shipment_id, main_tracking_dates: dates = {} } = shipment as Dated
    const faults: string[] = []
    let last = 0
    for (const milestone of milestones) {
      const { date, status } = dates[milestone] ?? {}
      if (date === undefined) continue
      const at = Date.parse(date)
      const fault = (what: string) => faults.push(`${svc_shipment_id}: the ${milestone} ${date} (${status}) ${what}`)
      if (at < last) fault('is before the one before it')
      if (status === 'actual' && at > now) fault('is in the future')
      // Carriers revise what differs by more than six hours.
      if (status === 'estimated' && at < now - 6 * hour) fault('was expected in the past')
      last = at
    }
    return faults
  })
}

/** Clocks of free time that differ from a count of the days by the rules of the sandbox. */
export function wrongClocks({ clocks }: ShipmentFreeTime, tracking: object, now: number): string[] {
  return clocks.flatMap((clock) => {
    const { container_number, started_at, started_by, state, last_free_day, rule, time_zone = 'UTC' } = clock
    const faults: string[] = []
    const fault = (what: string) => faults.push(`${container_number} ${clock.clock}: ${what}`)
    if (started_at === undefined) {
      if (last_free_day !== undefined) fault('ends without having started')
      return faults
    }
    if (!happened(tracking, clock, started_by?.date)) fault(`was started by what has not happened, on ${started_at}`)
    if (clock.stopped_by && !happened(tracking, clock, clock.stopped_by.date))
      fault('was stopped by what has not happened')
    const term = sandboxTerms.find(({ id }) => id === rule?.id)
    if (!term) return [...faults, `${container_number}: has no rule`]
    const expected = lastFreeDay(term, clock, time_zone)
    if (last_free_day !== expected) fault(`ends on ${last_free_day}, counted ${expected}`)
    if (state === 'stopped') return faults
    const today = localDay(now, time_zone)
    const left = (Date.parse(expected) - Date.parse(today)) / dayLength
    const isOver = term.unit === 'hours' ? now > Date.parse(started_at) + term.free * hour : left < 0
    const counted = isOver ? 'expired' : left <= 3 ? 'ending' : 'running'
    if (state !== counted) fault(`is ${state}, counted ${counted} on ${today} until ${expected}`)
    return faults
  })
}

type Happened = { date?: string; status?: string; container_number?: string }

function happened(tracking: object, { container_number }: FreeTimeClock, date: string | undefined): boolean {
  const { tracking_steps = [] } = tracking as { tracking_steps?: { events?: Happened[] }[] }
  return tracking_steps.some(({ events = [] }) =>
    events.some(
      (event) =>
        event.status === 'actual' &&
        event.date === date &&
        (event.container_number === undefined || event.container_number === container_number),
    ),
  )
}

type Term = (typeof sandboxTerms)[number]

/** Days are counted from the one after the start. */
function lastFreeDay({ free, unit }: Term, { started_at = '', port = '' }: FreeTimeClock, timeZone: string): string {
  const start = Date.parse(started_at)
  if (unit === 'hours') return localDay(start + free * hour, timeZone)
  const first = localDay(start, timeZone)
  const calendar = sandboxCalendars(first).find(({ place }) => place === port.slice(0, 2))
  const isFree = (day: Date) =>
    [0, 6].includes(day.getUTCDay()) || calendar?.days.some(({ date }) => date === day.toISOString().slice(0, 10))
  const day = new Date(first)
  for (let counted = 0; counted < free; ) {
    day.setUTCDate(day.getUTCDate() + 1)
    if (unit === 'calendar_days' || !isFree(day)) counted += 1
  }
  return day.toISOString().slice(0, 10)
}

function localDay(time: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(time)
}
