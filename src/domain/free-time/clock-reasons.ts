import type { FreeTimeTerm } from '../../contract/operator/free-time.js'
import type { FreeTimeClock } from '../../contract/public/free-time.js'
import type { PeriodPlace } from './free-period.js'

/** How a clock came about, in sentences. */
export function clockReasons(
  clock: Omit<FreeTimeClock, 'why'>,
  { term, place, isOver }: { term: FreeTimeTerm | undefined; place: PeriodPlace; isOver: boolean },
): string[] {
  const { given, started_by, stopped_by, stopped_at, computed_last_free_day: computed, difference_days } = clock
  const [best] = given
  return [
    term ? ruleSentence(term) : 'No rule of free time applies.',
    ...(started_by ? [`It counts from ${started_by.code} at ${started_by.date}, in days of ${place.timeZone}.`] : []),
    ...(clock.extra_days === undefined ? [] : [`${counted(clock.extra_days, 'day')} granted in addition.`]),
    ...(usesWorkingDays(term) && !place.calendar.isKnown
      ? ['No calendar of working days is known for the place: Saturdays and Sundays do not count, holidays do.']
      : []),
    ...(best ? [`The last free day ${best.last_free_day} was given by the ${best.source}.`] : []),
    ...(difference_days ? [`It differs from the computed one, ${computed}.`] : []),
    ...(stopped_by && !stopped_at
      ? [`It is not known when it stopped; ${stopped_by.code} at ${stopped_by.date} shows that it has.`]
      : []),
    ...(isOver && !stopped_by ? ['The shipment is finished or cancelled: nothing is counted any more.'] : []),
    ...(term && !term.tiers ? ['No rate is known.'] : []),
    ...(term?.tiers && clock.cost === null && clock.days_over !== undefined
      ? ['No rate is known for all of the days.']
      : []),
  ]
}

const starts: Record<FreeTimeTerm['start_rule'], string> = {
  same_day: 'from the day of',
  next_day: 'from the day after',
  next_working_day: 'from the first working day after',
  at_time: 'from',
}

function ruleSentence({ id, label, free, unit, start_event, start_rule, stop_event }: FreeTimeTerm): string {
  const name = label === undefined ? id : `${label} (${id})`
  return `Rule ${name}: ${free} ${unit.replace('_', ' ')} free, ${starts[start_rule]} ${start_event} to ${stop_event}.`
}

function usesWorkingDays(term: FreeTimeTerm | undefined): boolean {
  return term?.unit === 'working_days' || term?.start_rule === 'next_working_day' || term?.after_free === 'working'
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun} was` : `${count} ${noun}s were`
}
