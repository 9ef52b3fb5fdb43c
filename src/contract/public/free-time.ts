import { type Static, Type } from 'typebox'
import { closed, Identifier, named, oneOf } from '../schema.js'
import { eventCodes } from './event-codes.js'
import { DateWithTime, PortCode, Price, SimpleDate } from './shared-types.js'

/** An extension: until when containers are free of charge at the terminal and outside of it, and what they cost after that. */

export const freeTimeDirections = ['import', 'export'] as const
export type FreeTimeDirection = (typeof freeTimeDirections)[number]

/** Full in the terminal; outside of it; both with one free period; the terminal's own charge. */
export const freeTimeClocks = ['demurrage', 'detention', 'combined', 'storage'] as const
export type FreeTimeClockName = (typeof freeTimeClocks)[number]

export const freeTimeUnits = ['calendar_days', 'working_days', 'hours'] as const

export const freeTimeSources = ['carrier', 'terminal', 'person'] as const
export type FreeTimeSource = (typeof freeTimeSources)[number]

export const freeTimeStates = ['not_started', 'running', 'ending', 'expired', 'stopped', 'unknown'] as const
export type FreeTimeState = (typeof freeTimeStates)[number]

/** A last free day that was given, or days that were granted in addition: one of the two. */
const factFields = {
  direction: oneOf(freeTimeDirections),
  clock: oneOf(freeTimeClocks),
  source: oneOf(freeTimeSources, { description: 'Who gave it.' }),
  reason: Type.String({ minLength: 1, maxLength: 1000 }),
}
const factOptional = {
  container_number: Type.String({ minLength: 1, maxLength: 20, description: 'Without it, all of the shipment.' }),
  last_free_day: Object.assign({ ...SimpleDate }, { description: 'As given, in the local days of the port.' }),
  extra_days: Type.Integer({ minimum: 1, maximum: 1000, description: 'Granted in addition to the free ones.' }),
}

export const FreeTimeFactFields = named('FreeTimeFactFields', factFields, factOptional)
export type FreeTimeFactFields = Static<typeof FreeTimeFactFields>

/** As it is stored with the tracking of the shipment. */
export const FreeTimeFact = named(
  'FreeTimeFact',
  { id: Identifier, ...factFields, recorded_at: Type.String({ format: 'date-time' }) },
  factOptional,
)
export type FreeTimeFact = Static<typeof FreeTimeFact>

const days = (description: string) => Type.Integer({ minimum: 0, description })

const ClockEvent = closed(
  { code: oneOf(eventCodes), date: DateWithTime },
  { description: Type.String(), source: Type.String() },
)
export type ClockEvent = Static<typeof ClockEvent>

const CostLine = closed({
  from_day: Type.Integer({ minimum: 1, description: 'Of the days that are charged; the first is 1.' }),
  to_day: Type.Integer({ minimum: 1 }),
  days: Type.Integer({ minimum: 1 }),
  per_day: Type.Number(),
  amount: Type.Number(),
})

export const FreeTimeCost = named('FreeTimeCost', { ...Price.properties, lines: Type.Array(CostLine) })
export type FreeTimeCost = Static<typeof FreeTimeCost>

const FreeTimeRule = named(
  'FreeTimeRule',
  {
    id: Identifier,
    free: days('How much is free.'),
    unit: oneOf(freeTimeUnits),
  },
  {
    label: Type.String({ description: "The carrier's or terminal's own name of it." }),
    source: Type.String({ description: 'Where the rule is from, such as a tariff.' }),
  },
)

const GivenDay = closed(
  {
    source: oneOf(freeTimeSources),
    last_free_day: SimpleDate,
    stated_at: Type.String({ format: 'date-time', description: 'When it was recorded.' }),
  },
  { reason: Type.String() },
)

export const FreeTimeClock = named(
  'FreeTimeClock',
  {
    direction: oneOf(freeTimeDirections),
    clock: oneOf(freeTimeClocks),
    state: oneOf(freeTimeStates, {
      description:
        '`ending`: the last free day is at most 3 days away. `expired`: it has passed, and the container is still there. `stopped`: the container has left or was returned. `unknown`: no rule applies, and nobody has given a last free day.',
    }),
    cost: Type.Union([FreeTimeCost, Type.Null()], {
      description: 'So far; `null` if the rates or the days are not known.',
    }),
    each_further_day: Type.Union([Price, Type.Null()], {
      description: 'What the next day that is charged costs; `null` if no rate is known, or nothing is to come.',
    }),
    given: Type.Array(GivenDay, { description: 'Last free days that were given, the one that counts first.' }),
    why: Type.Array(Type.String(), { description: 'How it came about, in sentences.' }),
  },
  {
    container_number: Type.String({ description: 'Absent for a shipment whose containers are not known.' }),
    port: PortCode,
    time_zone: Type.String({ description: 'In which days are counted: a time zone, or a UTC offset.' }),
    started_at: DateWithTime,
    started_by: ClockEvent,
    stopped_at: DateWithTime,
    stopped_by: ClockEvent,
    last_free_day: Object.assign({ ...SimpleDate }, { description: "In the port's local days. The one that counts." }),
    free_until: Object.assign({ ...DateWithTime }, { description: 'The last second that is free of charge.' }),
    last_free_day_source: oneOf(['computed', ...freeTimeSources]),
    computed_last_free_day: SimpleDate,
    difference_days: Type.Integer({
      description: 'By how many days the given last free day is after the computed one.',
    }),
    extra_days: Type.Integer({ minimum: 1, description: 'Days that were granted in addition.' }),
    days_used: days('Days of the free time that have begun; hours if it is counted in hours.'),
    days_left: days('Days after today until the last free day.'),
    days_over: days('Days that are charged so far. Absent if it is not known.'),
    rule: FreeTimeRule,
    next_change_at: Object.assign(
      { ...DateWithTime },
      { description: 'When the clock shows something else, if nothing happens before.' },
    ),
  },
)
export type FreeTimeClock = Static<typeof FreeTimeClock>

export const ShipmentFreeTime = named('ShipmentFreeTime', {
  svc_shipment_id: Identifier,
  clocks: Type.Array(FreeTimeClock),
})
export type ShipmentFreeTime = Static<typeof ShipmentFreeTime>
