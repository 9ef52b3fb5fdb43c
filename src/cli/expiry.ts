import { systemTime } from '../clock/clock.js'
import { isDateWithTime, isSimpleDate } from '../contract/formats.js'
import { day } from '../domain/dates/local-time.js'
import { Failure } from './failure.js'

/** Parses `--expires`. */
export function expiryOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  if (!isSimpleDate(text) && !isDateWithTime(text)) {
    throw new Failure(
      `--expires ${text}: write a date (2027-01-31), or a date and time with offset (2027-01-31T12:00:00Z)`,
      2,
    )
  }
  // A date includes the whole day in UTC.
  const expiry = isSimpleDate(text) ? new Date(Date.parse(text) + day) : new Date(text)
  if (expiry.getTime() <= systemTime())
    console.error(`waybill: --expires ${text} is in the past: the key does not work`)
  return expiry
}
