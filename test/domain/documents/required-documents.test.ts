import { describe, expect, test } from 'vitest'
import type { DocumentType } from '../../../src/contract/public/document.js'
import type { Shipment } from '../../../src/contract/public/shipment.js'
import { missingDocuments, requiredDocuments } from '../../../src/domain/documents/required-documents.js'

const now = new Date('2026-06-20T12:00:00Z')
const on = (day: number, status: 'actual' | 'estimated' = 'actual') => ({
  date: `2026-06-${String(day).padStart(2, '0')}T20:00:00+08:00`,
  status,
})
const ocean = { status: 'in_progress', freight_mode: 'ocean', created_at: '2026-05-01T08:00:00Z' } as const
const air = { ...ocean, freight_mode: 'air' } as const

type Facts = Partial<Shipment>
const missing: [name: string, shipment: Facts, documents: string[], missing: string[]][] = [
  ['booked, not hazardous', { ...ocean, status: 'booked' }, [], []],
  [
    'booked, hazardous',
    { ...ocean, status: 'booked', transported_goods: { is_hazardous: true } },
    [],
    ['dangerous_goods_declaration'],
  ],
  ['requested, hazardous', { ...ocean, status: 'booking_request', transported_goods: { is_hazardous: true } }, [], []],
  ['to depart, and overdue', { ...ocean, main_tracking_dates: { departure_date: on(1, 'estimated') } }, [], []],
  [
    'departed 3 days ago less an hour',
    { ...ocean, main_tracking_dates: { departure_date: { date: '2026-06-17T13:00:00Z', status: 'actual' } } },
    ['packing_list'],
    ['commercial_invoice'],
  ],
  [
    'departed 3 days ago',
    { ...ocean, main_tracking_dates: { departure_date: on(17) } },
    ['packing_list', 'commercial_invoice'],
    ['bill_of_lading'],
  ],
  [
    'a house bill is enough',
    { ...ocean, main_tracking_dates: { departure_date: on(17) } },
    ['packing_list', 'commercial_invoice', 'house_bill_of_lading'],
    [],
  ],
  [
    'by air',
    { ...air, main_tracking_dates: { departure_date: on(10), arrival_date: on(12) } },
    ['packing_list', 'commercial_invoice', 'house_bill_of_lading'],
    ['air_waybill'],
  ],
  [
    'by truck',
    { ...ocean, freight_mode: 'truck', main_tracking_dates: { departure_date: on(10), arrival_date: on(12) } },
    ['packing_list', 'commercial_invoice'],
    [],
  ],
  [
    'arrives in 3 days',
    { ...ocean, main_tracking_dates: { arrival_date: on(23, 'estimated') } },
    [],
    ['arrival_notice'],
  ],
  ['arrives in 4 days', { ...ocean, main_tracking_dates: { arrival_date: on(24, 'estimated') } }, [], []],
  [
    'an arrival notice is known by its name',
    { ...ocean, main_tracking_dates: { arrival_date: on(20, 'estimated') } },
    ['Arrival_Notice 4711.pdf'],
    [],
  ],
  [
    'delivered 2 days ago',
    { ...air, status: 'finished', main_tracking_dates: { delivery_date: on(18) } },
    [],
    ['proof_of_delivery'],
  ],
  ['delivered yesterday', { ...air, status: 'finished', main_tracking_dates: { delivery_date: on(19) } }, [], []],
  ['to a port only', { ...air, freight_type: 'door_to_port', main_tracking_dates: { delivery_date: on(10) } }, [], []],
  ['cancelled', { ...ocean, status: 'cancelled', main_tracking_dates: { departure_date: on(1) } }, [], []],
]

describe('required documents', () => {
  test.each(missing)('%s: missing is what the stage needs', (_, shipment, documents, expected) => {
    const facts = { shipment, documents: documents.map(documentOf), waived: [] }
    expect(missingDocuments(facts, now).map(({ type }) => type)).toEqual(expected)
  })

  test('a checklist has what is there, what is waived and what comes later', () => {
    const shipment = { ...ocean, main_tracking_dates: { departure_date: on(18), arrival_date: on(30, 'estimated') } }
    const documents = [documentOf('packing_list', 0)]
    const list = requiredDocuments({ shipment, documents, waived: ['commercial_invoice'] }, now)
    const departed = '2026-06-18T12:00:00.000Z'
    expect(list).toEqual([
      { type: 'commercial_invoice', required_since: departed, is_required: true, present: false, waived: true },
      {
        type: 'packing_list',
        required_since: departed,
        is_required: true,
        present: true,
        document_id: 'document-0',
        waived: false,
      },
      {
        type: 'bill_of_lading',
        required_since: '2026-06-21T12:00:00.000Z',
        is_required: false,
        present: false,
        waived: false,
      },
      {
        type: 'arrival_notice',
        required_since: '2026-06-27T12:00:00.000Z',
        is_required: false,
        present: false,
        waived: false,
      },
      { type: 'proof_of_delivery', is_required: false, present: false, waived: false },
    ])
    expect(missingDocuments({ shipment, documents, waived: ['commercial_invoice'] }, now)).toEqual([])
  })
})

function documentOf(given: string, index: number) {
  const isName = given.includes('.')
  return {
    id: `document-${index}`,
    name: isName ? given : `${given}.pdf`,
    type: isName ? null : (given as DocumentType),
  }
}
