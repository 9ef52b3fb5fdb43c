import { type Static, Type } from 'typebox'
import type { EventCode } from '../public/event-codes.js'
import {
  FreeTimeFact,
  freeTimeClocks,
  freeTimeDirections,
  freeTimeUnits,
  ShipmentFreeTime,
} from '../public/free-time.js'
import { currencies, SimpleDate } from '../public/shared-types.js'
import { closed, Identifier, named, oneOf, patterned } from '../schema.js'

/** Rules of free time and calendars of working days: the forwarder's own data. */

export const equipmentClasses = ['dry', 'reefer', 'open_top', 'flat_rack', 'tank'] as const
export type EquipmentClass = (typeof equipmentClasses)[number]

/** As the customer sees it, with what was given beyond the rules. */
export const ForwarderFreeTime = named('ForwarderFreeTime', {
  ...ShipmentFreeTime.properties,
  given: Type.Array(FreeTimeFact, { description: 'Last free days that were given, and days granted in addition.' }),
})
export type ForwarderFreeTime = Static<typeof ForwarderFreeTime>

export const startEvents = [
  'EMPTY_OUT',
  'GATE_IN',
  'ARRIVED',
  'BERTHED',
  'DISCHARGED',
  'AVAILABLE',
  'GATE_OUT',
] as const satisfies readonly EventCode[]
export const stopEvents = ['GATE_IN', 'LOADED', 'GATE_OUT', 'EMPTY_IN'] as const

export const startRules = ['same_day', 'next_day', 'next_working_day', 'at_time'] as const

/** A port, or all of a country. */
export const FreeTimePlace = patterned(
  '^[A-Z]{2}(/[A-Z0-9]{3})?$',
  'must be a UN/LOCODE such as NL/RTM, or a country such as NL',
  { description: 'UN/LOCODE of a port, or a country.', examples: ['NL/RTM'] },
)

const Tier = closed(
  {
    from_day: Type.Integer({
      minimum: 1,
      maximum: 3650,
      description: 'Of the days after the free ones; the first is 1.',
    }),
    amount: Type.Number({ minimum: 0, maximum: 1_000_000, description: 'For each day.' }),
    currency: oneOf(currencies),
  },
  { to_day: Type.Integer({ minimum: 1, maximum: 3650, description: 'Without it, the tier has no end.' }) },
)
export type Tier = Static<typeof Tier>

const text = (maxLength: number, options = {}) => Type.String({ minLength: 1, maxLength, ...options })

const termRequired = {
  direction: oneOf(freeTimeDirections),
  clock: oneOf(freeTimeClocks),
  free: Type.Integer({ minimum: 0, maximum: 1000, description: 'How many days, or hours, are free.' }),
  unit: oneOf(freeTimeUnits),
  start_event: oneOf(startEvents),
  start_rule: oneOf(startRules, {
    description:
      'The first day that counts: that of the event, the next, or the next working day. `at_time`: hours from the event on.',
  }),
  stop_event: oneOf(stopEvents),
  after_free: oneOf(['calendar', 'working'], {
    description: 'Which days are charged. Days of an unscheduled closure never are.',
  }),
}
const termOptional = {
  carrier: text(255, { description: 'As in the booking of shipments; upper and lower case are the same.' }),
  terminal: text(100, { description: 'Code of the terminal, as events name it.' }),
  port: FreeTimePlace,
  equipment: Type.Array(oneOf(equipmentClasses), { minItems: 1, maxItems: equipmentClasses.length, uniqueItems: true }),
  account: Identifier,
  contract: text(255, { description: 'The `accepted_quote.id` of shipments.' }),
  svc_shipment_id: Object.assign({ ...Identifier }, { description: 'One shipment of the account.' }),
  tiers: Type.Array(Tier, { minItems: 1, maxItems: 50, description: 'Without any, no cost is known.' }),
  label: text(255, { description: "The carrier's or terminal's own name of it." }),
  valid_from: SimpleDate,
  valid_to: SimpleDate,
  source: text(1000, { description: 'Where it is from, such as a tariff.' }),
}

/** What is sent: its identifier is in the path. */
export const FreeTimeTermFields = named('FreeTimeTermFields', termRequired, termOptional)
export type FreeTimeTermFields = Static<typeof FreeTimeTermFields>

const recorded = {
  recorded_at: Type.String({ format: 'date-time' }),
  recorded_by: Type.String(),
}

export const FreeTimeTerm = named('FreeTimeTerm', { id: Identifier, ...termRequired }, { ...termOptional, ...recorded })
export type FreeTimeTerm = Static<typeof FreeTimeTerm>

export const dayKinds = ['holiday', 'closure', 'working'] as const
export type DayKind = (typeof dayKinds)[number]

const CalendarDay = closed(
  {
    date: SimpleDate,
    kind: oneOf(dayKinds, {
      description:
        '`closure`: closed without having been announced; never charged. `working`: open although it is a weekend or a holiday of the country.',
    }),
  },
  { name: text(255) },
)
export type CalendarDay = Static<typeof CalendarDay>

const calendarFields = {
  days: Type.Array(CalendarDay, { maxItems: 2000 }),
}
const calendarOptional = {
  time_zone: text(100, { description: 'Of a port that the service does not know, such as `Europe/Amsterdam`.' }),
  weekend: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
    maxItems: 6,
    uniqueItems: true,
    description: 'Days of the week without work: 1 is Monday, 7 is Sunday. Of a port: as in its country, if absent.',
  }),
}

export const WorkingDaysFields = named('WorkingDaysFields', calendarFields, calendarOptional)
export type WorkingDaysFields = Static<typeof WorkingDaysFields>

export const WorkingDays = named(
  'WorkingDays',
  { place: FreeTimePlace, ...calendarFields },
  { ...calendarOptional, ...recorded },
)
export type WorkingDays = Static<typeof WorkingDays>

const next = { next: Type.String({ description: 'Cursor of the next page: send it as `after`.' }) }

export const FreeTimeTerms = named('FreeTimeTerms', { terms: Type.Array(FreeTimeTerm) }, next)
export const WorkingDaysList = named('WorkingDaysList', { calendars: Type.Array(WorkingDays) }, next)

export const freeTimeTables = ['terms', 'working_days'] as const

const count = Type.Integer({ minimum: 0 })

export const FreeTimeTableResult = named(
  'FreeTimeTableResult',
  {
    kept: Type.Boolean({ description: 'Whether anything was changed.' }),
    rows: count,
    created: count,
    updated: count,
    changes: Type.Array(
      closed({
        id: Type.String({ description: 'Of the rule; the place of the calendar.' }),
        what: oneOf(['created', 'updated']),
        fields: Type.Array(Type.String(), { description: 'What differs, as JSON pointers. The first 20.' }),
      }),
      { description: 'The first 200.' },
    ),
    faults: Type.Array(closed({ row: count, column: Type.String(), detail: Type.String() }), {
      description: 'The first 200. With any, nothing is changed.',
    }),
  },
  { more_changes: count, more_faults: count },
)
export type FreeTimeTableResult = Static<typeof FreeTimeTableResult>
