import type { ExceptionPage } from '../../../../src/contract/portal/exceptions.js'
import type { Format } from '../../i18n/format.js'
import type { Messages } from '../../i18n/messages.js'

export type ListedException = ExceptionPage['exceptions'][number]

type Explained = {
  exception: Pick<ListedException['exception'], 'reason_key' | 'details'>
  place_name?: string | undefined
}

/** The reason of an exception in one sentence of the reader's language. */
export function reasonText({ exception, place_name }: Explained, messages: Messages, f: Format): string {
  const { reason_key, details } = exception
  const { hours = 0, milestone, clock = '', code, document, place, amounts = [] } = details
  // Within two days, or between two times of one day, the hour matters.
  const isExact = reason_key === 'connection_short' || (reason_key === 'date_moved' && Math.abs(hours) < 48)
  const dayOf = (date = '') => {
    if (date === '') return messages.common.unknown
    return isExact && date.length > 10 ? `${f.day(date)}, ${f.time(date)}` : f.day(date)
  }
  const clocks: Record<string, string | undefined> = messages.shipment.freeTime.clocks
  const sentence = messages.exceptions.sentences[reason_key]({
    milestone: milestone ? messages.shipment.why.milestones[milestone] : messages.common.unknown,
    date: dayOf(details.date),
    previousDate: dayOf(details.previous_date),
    otherDate: dayOf(details.other_date),
    desired: dayOf(details.desired_date),
    day: dayOf(details.day),
    otherDay: dayOf(details.other_day),
    days: details.days,
    hours,
    isTakenOff: code === 'OFFLOADED',
    isCarrier: code === 'CARRIER_HOLD',
    hasDate: details.date !== undefined,
    place: place_name ?? place,
    vessel: details.vessel,
    source: details.source,
    otherSource: details.other_source,
    document: document ? messages.proposals.required[document] : messages.common.unknown,
    quantity: f.number(details.quantity ?? 0),
    amounts: f.list(amounts.map((price) => f.money(price))),
    clock: (clocks[clock] ?? clock).toLowerCase(),
  })
  // French months are abbreviated with a full stop.
  return sentence.replace(/\.\.$/, '.')
}
