import type { Delivery } from '../../contract/portal/notification-kinds.js'
import type { NotificationSettings } from '../../contract/portal/notifications.js'
import { dayOf, startOfDay } from '../dates/local-days.js'
import { atLocalHour, day, minute, offsetAt } from '../dates/local-time.js'

/** When a mail is sent, by the clock of its reader. Instants are milliseconds since 1970. */

export type MailReader = { time_zone: string; settings: NotificationSettings }

/** When something that happened is mailed; undefined if it is not. */
export function mailTime(delivery: Delivery, at: number, reader: MailReader): number | undefined {
  if (delivery === 'portal') return undefined
  if (delivery === 'at_once') return afterQuietHours(at, reader)
  return afterQuietHours(nextDigest(delivery, at, reader), reader)
}

/** The instant itself, or the end of the quiet hours that it is in. */
export function afterQuietHours(at: number, { time_zone, settings: { quiet_hours } }: MailReader): number {
  if (!quiet_hours) return at
  const [from, to] = [minutesOf(quiet_hours.from), minutesOf(quiet_hours.to)]
  const local = Math.floor(((((at + offsetAt(at, time_zone)) % day) + day) % day) / minute)
  const isQuiet = from <= to ? local >= from && local < to : local >= from || local < to
  return isQuiet ? nextLocal(quiet_hours.to, at, time_zone) : at
}

function nextDigest(delivery: 'daily' | 'weekly', at: number, { time_zone, settings }: MailReader): number {
  const { digest_time, digest_weekday } = settings
  const isDay = (number: number) => delivery === 'daily' || weekdayOf(number) === digest_weekday
  return nextLocal(digest_time, at, time_zone, isDay)
}

/** The next time that clocks show this, on a day that counts. */
function nextLocal(
  time: string,
  at: number,
  timeZone: string,
  isDay: (number: number) => boolean = () => true,
): number {
  const today = dayOf(at, timeZone)
  for (let number = today; number < today + 9; number += 1) {
    const instant = atLocalHour(startOfDay(number, timeZone), timeZone, minutesOf(time) / 60)
    if (instant > at && isDay(number)) return instant
  }
  return at
}

// 1970-01-01 was a Thursday.
function weekdayOf(number: number): number {
  return ((((number + 3) % 7) + 7) % 7) + 1
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}
