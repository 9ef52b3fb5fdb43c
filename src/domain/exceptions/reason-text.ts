import type { ExceptionDetails, ReasonKey } from '../../contract/public/exception.js'
import type { Price } from '../../contract/public/shared-types.js'
import type { ReasonTexts } from './reason-texts.js'

/** How the reader writes values. */
export type ReasonFormat = {
  /** As the clocks at the place show it, which the date has. */
  day(date: string): string
  time(date: string): string
  number(value: number): string
  money(price: Price): string
  list(texts: string[]): string
}

export type Explained = { reason_key: ReasonKey; details: ExceptionDetails; place_name?: string | undefined }

/** Why an exception was raised, in one sentence of the reader's language: for pages, mails and exports. */
export function reasonText(
  { reason_key, details, place_name }: Explained,
  texts: ReasonTexts,
  format: ReasonFormat,
): string {
  const { hours = 0, milestone, clock = '', code, document, place, amounts = [] } = details
  // Within two days, or between two times of one day, the hour matters.
  const isExact = reason_key === 'connection_short' || (reason_key === 'date_moved' && Math.abs(hours) < 48)
  const dayOf = (date = '') => {
    if (date === '') return texts.unknown
    return isExact && date.length > 10 ? `${format.day(date)}, ${format.time(date)}` : format.day(date)
  }
  const sentence = texts.sentences[reason_key]({
    milestone: milestone ? texts.milestones[milestone] : texts.unknown,
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
    document: document ? texts.documents[document] : texts.unknown,
    quantity: format.number(details.quantity ?? 0),
    amounts: format.list(amounts.map((price) => format.money(price))),
    clock: texts.clocks[clock] ?? clock,
  })
  // French months are abbreviated with a full stop.
  return sentence.replace(/\.\.$/, '.')
}
