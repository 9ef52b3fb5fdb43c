import { expect, test } from 'vitest'
import { startCarrier } from '../../support/messages.js'
import { startService } from '../../support/service.js'

const service = await startService()

test('a column of a table says by which means of transport a row is, in English or French words', async () => {
  const { ship, post, tracked, dates, booking } = await startCarrier(service)
  const id = await ship()
  const rows = [
    ['Booking no.', 'Event', 'Mode de transport', 'Date', 'Status', 'Port'],
    [booking, 'Departed', 'Route', '2026-03-10 10:00', 'Actual', 'CNNGB'],
    [booking, 'Departed', 'Navire', '2026-03-12 10:00', 'Actual', 'CNNGB'],
    [booking, 'Arrived', 'Barge', '2026-04-10 10:00', 'Actual', 'DEHAM'],
  ]
  const { body } = await post(rows.map((row) => `${row.join(';')}\n`).join(''), 'table')
  expect(body).toMatchObject({ outcome: 'applied' })
  const { tracking_steps = [] } = await tracked(id)
  const shown = tracking_steps.flatMap(({ type, events = [] }) => events.map((each) => `${type}: ${each.description}`))
  expect(shown.toSorted()).toEqual(['inland_terminal: Arrived', 'inland_terminal: Departed', 'origin_port: Departed'])
  expect(await dates(id)).toMatchObject({ departure_date: { date: '2026-03-12T10:00:00+08:00', status: 'actual' } })
  expect((await dates(id)).arrival_date?.status).not.toBe('actual')
})
