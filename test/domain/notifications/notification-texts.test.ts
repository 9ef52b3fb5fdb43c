import { expect, test } from 'vitest'
import { PurchaseOrder } from '../../../src/contract/public/purchase-order.js'
import { Shipment } from '../../../src/contract/public/shipment.js'
import { Tracking } from '../../../src/contract/public/tracking.js'
import { changedText } from '../../../src/domain/notifications/field-names.js'
import { notificationText } from '../../../src/domain/notifications/notification-texts.js'

test('every field of shipments, tracking and orders that can change has a name in both languages', () => {
  const fields = [Shipment, Tracking, PurchaseOrder].flatMap(({ properties }) => Object.keys(properties))
  const fixed = ['svc_shipment_id', 'created_at', 'po_number']
  for (const field of fields.filter((each) => !fixed.includes(each)))
    for (const language of ['en', 'fr'] as const) expect(changedText([field], language), field).toBeDefined()
  expect(changedText(fixed, 'en')).toBeUndefined()
})

test('exceptions of several containers of a shipment name their container', () => {
  const details = { clock: 'detention', day: '2026-11-26' }
  const exception = {
    kind: 'free_time',
    severity: 'warning',
    stage: 'raised',
    reason_key: 'free_time_ending',
    details,
    container_number: 'MSCU1234566',
  } as const
  const given = { type: 'exception.raised', title: 'Lamps', exception } as const
  expect(notificationText(given, 'en').sentence).toBe('MSCU1234566: Last free day (detention): 26 Nov 2026.')
  expect(notificationText(given, 'fr').sentence).toMatch(/^MSCU1234566\u{a0}: /u)
  const cleared = { ...given, exception: { ...exception, stage: 'cleared' } } as const
  expect(notificationText(cleared, 'en').sentence).toBe('MSCU1234566')
})
