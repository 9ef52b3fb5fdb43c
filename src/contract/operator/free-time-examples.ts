import type { Example } from '../openapi.js'
import type { freeTimeOperations } from './free-time-operations.js'

const shipment = { account: 'nordlicht', svc_shipment_id: 'SHP-MYXAAF' }
const given = { ...shipment, fact_id: 'arrival-notice-TGHU7599330' }
const rule = {
  carrier: 'Northern Line',
  port: 'DE/HAM',
  direction: 'import',
  clock: 'demurrage',
  equipment: ['dry'],
  free: 5,
  unit: 'working_days',
  start_event: 'DISCHARGED',
  start_rule: 'next_day',
  stop_event: 'GATE_OUT',
  after_free: 'calendar',
  tiers: [
    { from_day: 1, to_day: 5, amount: 55, currency: 'EUR' },
    { from_day: 6, amount: 90, currency: 'EUR' },
  ],
  label: 'Demurrage import dry',
  valid_from: '2026-01-01',
  source: 'Tariff of January 2026',
}
const calendar = {
  weekend: [6, 7],
  days: [
    { date: '2026-04-03', kind: 'holiday', name: 'Good Friday' },
    { date: '2026-04-08', kind: 'closure', name: 'Storm' },
  ],
}
const recorded = { recorded_at: '2026-01-05T08:00:00.123456Z', recorded_by: 'operator:op_4f1c2a90b7de' }

/** They build on the examples of shipments and tracking. */
export const freeTimeExamples = {
  setFreeTimeTerm: {
    params: { term_id: 'northern-line-hamburg' },
    body: rule,
    response: { id: 'northern-line-hamburg', ...rule, ...recorded },
  },
  listFreeTimeTerms: {
    query: { take: 100 },
    response: { terms: [{ id: 'northern-line-hamburg', ...rule, ...recorded }] },
  },
  setWorkingDays: {
    params: { place: 'DE/HAM' },
    body: calendar,
    response: { place: 'DE/HAM', ...calendar, ...recorded },
  },
  listWorkingDays: {
    query: { take: 50 },
    response: { calendars: [{ place: 'DE/HAM', ...calendar, ...recorded }] },
  },
  importFreeTimeTable: {
    query: { table: 'working_days', check: 'true' },
    body: 'place,weekend,date,kind,name\nDE/HAM,6 7,2026-04-03,holiday,Good Friday\n',
    response: {
      kept: false,
      rows: 1,
      created: 0,
      updated: 1,
      changes: [{ id: 'DE/HAM', what: 'updated', fields: ['/days/1'] }],
      faults: [],
    },
  },
  exportFreeTimeTable: { query: { table: 'terms', format: 'csv' } },
  giveFreeTime: {
    params: given,
    body: {
      direction: 'import',
      clock: 'demurrage',
      last_free_day: '2026-04-21',
      source: 'carrier',
      reason: 'Arrival notice of 14 April',
    },
  },
  getFreeTime: { params: shipment },
  retractFreeTime: { params: given, query: { reason: 'It was of another container' } },
  removeWorkingDays: { params: { place: 'DE/HAM' }, response: { removed: 'DE/HAM' } },
  removeFreeTimeTerm: { params: { term_id: 'northern-line-hamburg' }, response: { removed: 'northern-line-hamburg' } },
} satisfies Record<keyof typeof freeTimeOperations, Example>
