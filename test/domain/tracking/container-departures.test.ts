import { expect, test } from 'vitest'
import type { TrackingRecord } from '../../../src/contract/public/tracking.js'
import { mainTrackingDates } from '../../../src/domain/tracking/tracking-dates.js'
import { wholeTracking } from '../../../src/ledger/whole-tracking.js'
import { C1 } from '../../support/carrier-history.js'

/** A container that "departed" at the first port, in data of texts alone: by its vessel, or by the truck that brings it there. */

type Report = [text: string, day: string, more?: { container_number?: string | undefined; code?: 'DEPARTED' }]

function departureAfter(reports: { pickup?: Report[]; origin_port?: Report[]; destination_port?: Report[] }) {
  const tracking_steps: TrackingRecord['tracking_steps'] = (
    ['pickup', 'origin_port', 'destination_port', 'delivery'] as const
  ).map((type) => ({
    id: type,
    type,
    events: (type === 'delivery' ? [] : (reports[type] ?? [])).map(([description, date, more]) => ({
      description,
      date: `2026-${date}T10:00:00Z`,
      status: 'actual' as const,
      container_number: C1,
      ...more,
    })),
  }))
  const none = { events: [], positions: [] }
  const whole = wholeTracking({ svc_shipment_id: 'S', tracking_steps }, none, { freight_mode: 'ocean' })
  return mainTrackingDates(whole, [C1]).departure_date?.date.slice(5, 10)
}

const released: Report = ['Empty container released', '03-01']

test('a container of which nothing but its pick-up is known has not departed by sea', () => {
  expect(departureAfter({ origin_port: [released, ['Departed', '03-02']] })).toBeUndefined()
  expect(departureAfter({ pickup: [['Picked up', '03-01']], origin_port: [['Departed', '03-02']] })).toBeUndefined()
})

test.each<[what: string, reports: Parameters<typeof departureAfter>[0]]>([
  ['nothing else is known of it', { origin_port: [['Departed', '03-02']] }],
  ['it came to the port', { origin_port: [released, ['Gate in', '03-02'], ['Departed', '03-02']] }],
  [
    'the shipment came there',
    { origin_port: [released, ['Gate in', '03-02', { container_number: undefined }], ['Departed', '03-02']] },
  ],
  [
    'it is discharged afterwards',
    { origin_port: [released, ['Departed', '03-02']], destination_port: [['Discharged', '03-20']] },
  ],
  ['the text names the vessel', { origin_port: [released, ['Vessel departed', '03-02']] }],
  ['its source states the code', { origin_port: [released, ['Departed', '03-02', { code: 'DEPARTED' }]] }],
])('it departed by sea if %s', (_what, reports) => {
  expect(departureAfter(reports)).toBe('03-02')
})
