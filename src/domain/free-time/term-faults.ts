import { Big } from 'big.js'
import type { FreeTimeTermFields, Tier, WorkingDaysFields } from '../../contract/operator/free-time.js'
import type { FreeTimeFactFields } from '../../contract/public/free-time.js'
import type { Fault } from '../../contract/refusals.js'
import { isTimeZone } from '../dates/local-time.js'
import { currencyDigits, fitsCurrency } from '../invoices/money.js'

/** What is wrong with a rule of free time, a calendar, or what is given for a shipment. */

export function termFaults(term: FreeTimeTermFields): Fault[] {
  const { unit, start_rule, account, svc_shipment_id, valid_from, valid_to, tiers = [] } = term
  const faults: Fault[] = [...eventFaults(term)]
  if ((unit === 'hours') !== (start_rule === 'at_time')) {
    faults.push({ pointer: '/start_rule', detail: 'must be at_time if the unit is hours, and only then' })
  }
  if (svc_shipment_id !== undefined && account === undefined) {
    faults.push({ pointer: '/account', detail: 'is required with a shipment' })
  }
  if (valid_from !== undefined && valid_to !== undefined && valid_to < valid_from) {
    faults.push({ pointer: '/valid_to', detail: 'must not be before valid_from' })
  }
  return [...faults, ...tierFaults(tiers)]
}

const events = {
  import: { start: ['ARRIVED', 'BERTHED', 'DISCHARGED', 'AVAILABLE', 'GATE_OUT'], stop: ['GATE_OUT', 'EMPTY_IN'] },
  export: { start: ['EMPTY_OUT', 'GATE_IN'], stop: ['GATE_IN', 'LOADED'] },
}

function eventFaults({ direction, start_event, stop_event }: FreeTimeTermFields): Fault[] {
  const { start, stop } = events[direction]
  const faults: Fault[] = []
  if (!start.includes(start_event)) {
    faults.push({ pointer: '/start_event', detail: `must be one of ${start.join(', ')} for ${direction}` })
  }
  if (!stop.includes(stop_event)) {
    faults.push({ pointer: '/stop_event', detail: `must be one of ${stop.join(', ')} for ${direction}` })
  } else if (stop_event === start_event) {
    faults.push({ pointer: '/stop_event', detail: 'must not be the event that starts the clock' })
  }
  return faults
}

/** Tiers follow each other without gaps, from the first day on. */
function tierFaults(tiers: Tier[]): Fault[] {
  const faults: Fault[] = []
  let next: number | undefined = 1
  for (const [index, { from_day, to_day, amount, currency }] of tiers.entries()) {
    const pointer = `/tiers/${index}`
    if (next === undefined) {
      faults.push({ pointer: `${pointer}/from_day`, detail: 'comes after a tier without an end' })
    } else if (from_day !== next) {
      const detail = index === 0 ? 'must be 1' : `must be ${next}, the day after the tier before`
      faults.push({ pointer: `${pointer}/from_day`, detail })
    }
    if (to_day !== undefined && to_day < from_day) {
      faults.push({ pointer: `${pointer}/to_day`, detail: 'must not be before from_day' })
    }
    if (currency !== tiers[0]?.currency) {
      faults.push({ pointer: `${pointer}/currency`, detail: 'must be the same for all tiers' })
    }
    if (!fitsCurrency(new Big(amount), currency)) {
      const detail = `must have at most ${currencyDigits(currency)} decimals`
      faults.push({ pointer: `${pointer}/amount`, detail })
    }
    next = to_day === undefined ? undefined : Math.max(from_day, to_day) + 1
  }
  return faults
}

export function calendarFaults(place: string, { time_zone, days }: WorkingDaysFields): Fault[] {
  const faults: Fault[] = []
  if (time_zone !== undefined && !isTimeZone(time_zone)) {
    faults.push({ pointer: '/time_zone', detail: 'must be a time zone, such as Europe/Amsterdam' })
  } else if (time_zone !== undefined && place.length === 2) {
    faults.push({ pointer: '/time_zone', detail: 'belongs to a port, not to a country' })
  }
  const seen = new Set<string>()
  for (const [index, { date }] of days.entries()) {
    if (seen.has(date)) faults.push({ pointer: `/days/${index}/date`, detail: 'occurs twice' })
    seen.add(date)
  }
  return faults
}

export function factFaults({ last_free_day, extra_days }: FreeTimeFactFields): Fault[] {
  if ((last_free_day === undefined) !== (extra_days === undefined)) return []
  const detail =
    last_free_day === undefined ? 'is required, or extra_days' : 'must be absent: last_free_day is given already'
  return [{ pointer: last_free_day === undefined ? '/last_free_day' : '/extra_days', detail }]
}
