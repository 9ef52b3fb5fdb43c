import { expect, test } from 'vitest'
import type { Delivery } from '../../../src/contract/portal/notification-kinds.js'
import type { NotificationSettings } from '../../../src/contract/portal/notifications.js'
import { mailTime } from '../../../src/domain/notifications/mail-time.js'

const usual: NotificationSettings = { digest_time: '07:00', digest_weekday: 1 }
const quiet: NotificationSettings = { ...usual, quiet_hours: { from: '20:00', to: '08:30' } }

function mailedAt(delivery: Delivery, at: string, time_zone: string, settings = usual): string | undefined {
  const time = mailTime(delivery, Date.parse(at), { time_zone, settings })
  return time === undefined ? undefined : new Date(time).toISOString()
}

test('mails follow the clock of their reader, also where clocks change', () => {
  expect(mailedAt('portal', '2026-03-04T12:00:00Z', 'Europe/Paris')).toBeUndefined()
  expect(mailedAt('at_once', '2026-03-04T12:00:00Z', 'Europe/Paris')).toBe('2026-03-04T12:00:00.000Z')
  expect(mailedAt('daily', '2026-03-04T05:59:00Z', 'Europe/Paris')).toBe('2026-03-04T06:00:00.000Z')
  expect(mailedAt('daily', '2026-03-04T06:00:00Z', 'Europe/Paris')).toBe('2026-03-05T06:00:00.000Z')
  expect(mailedAt('daily', '2026-03-28T12:00:00Z', 'Europe/Paris')).toBe('2026-03-29T05:00:00.000Z')
  expect(mailedAt('daily', '2026-10-24T12:00:00Z', 'Europe/Paris')).toBe('2026-10-25T06:00:00.000Z')
  expect(mailedAt('daily', '2026-03-04T12:00:00Z', 'Asia/Kolkata')).toBe('2026-03-05T01:30:00.000Z')
  // A Wednesday: the next Monday, and a week later.
  expect(mailedAt('weekly', '2026-03-04T12:00:00Z', 'America/New_York')).toBe('2026-03-09T11:00:00.000Z')
  expect(mailedAt('weekly', '2026-03-09T11:00:00Z', 'America/New_York')).toBe('2026-03-16T11:00:00.000Z')
})

test('nothing is mailed in quiet hours, which may span midnight', () => {
  expect(mailedAt('at_once', '2026-03-04T18:59:00Z', 'Europe/Paris', quiet)).toBe('2026-03-04T18:59:00.000Z')
  expect(mailedAt('at_once', '2026-03-04T19:00:00Z', 'Europe/Paris', quiet)).toBe('2026-03-05T07:30:00.000Z')
  expect(mailedAt('at_once', '2026-03-05T07:29:59Z', 'Europe/Paris', quiet)).toBe('2026-03-05T07:30:00.000Z')
  expect(mailedAt('at_once', '2026-03-05T07:30:00Z', 'Europe/Paris', quiet)).toBe('2026-03-05T07:30:00.000Z')
  expect(mailedAt('daily', '2026-03-04T12:00:00Z', 'Europe/Paris', quiet)).toBe('2026-03-05T07:30:00.000Z')
  const never = { ...usual, quiet_hours: { from: '00:00', to: '00:00' } }
  expect(mailedAt('at_once', '2026-03-04T00:00:00Z', 'UTC', never)).toBe('2026-03-04T00:00:00.000Z')
})
