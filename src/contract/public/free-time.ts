import { type Static, Type } from 'typebox'
import { closed, described, explained, Identifier, named } from '../schema.js'
import { EventCode } from './event-code.js'
import { dayOf, PortCode, Price, ShipmentId, timeOf } from './shared-types.js'

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

export const FreeTimeDirection = explained(freeTimeDirections, 'At which end of the transport.', {
  import: 'At the destination, after the discharge.',
  export: 'At the origin, before the loading.',
})
export const FreeTimeClockKind = explained(freeTimeClocks, 'What is charged after the free time.', {
  demurrage: "The carrier's charge for a full container in the terminal.",
  detention: "The carrier's charge for a container outside of the terminal.",
  combined: 'Both of them with one free period.',
  storage: "The terminal's own charge.",
})
export const FreeTimeUnit = explained(freeTimeUnits, 'What the free time is counted in.', {
  calendar_days: 'Every day counts.',
  working_days: "Days that the place's calendar leaves out do not count.",
  hours: 'Hours from the start.',
})
export const FreeTimeSource = explained(freeTimeSources, 'Who gave it.', {
  carrier: 'The carrier.',
  terminal: 'The terminal.',
  person: "One of the forwarder's people.",
})
const FreeTimeState = explained(freeTimeStates, 'Where the clock stands.', {
  not_started: 'The container is not there yet.',
  running: 'The container is there, and the free time lasts.',
  ending: 'The last free day is at most 3 days away.',
  expired: 'The last free day has passed, and the container is still there.',
  stopped: 'The container has left or was returned.',
  unknown: 'No rule applies, and nobody has given a last free day.',
})

/** A last free day that was given, or days that were granted in addition: one of the two. */
const factFields = {
  direction: FreeTimeDirection,
  clock: FreeTimeClockKind,
  source: FreeTimeSource,
  reason: Type.String({ minLength: 1, maxLength: 1000, description: 'Why it applies, in words.' }),
}
const factOptional = {
  container_number: Type.String({ minLength: 1, maxLength: 20, description: 'Without it, all of the shipment.' }),
  last_free_day: dayOf('As given, in the local days of the port.'),
  extra_days: Type.Integer({ minimum: 1, maximum: 1000, description: 'Granted in addition to the free ones.' }),
}

export const FreeTimeFactFields = named('FreeTimeFactFields', factFields, factOptional)
export type FreeTimeFactFields = Static<typeof FreeTimeFactFields>

/** As it is stored with the tracking of the shipment. */
export const FreeTimeFact = named(
  'FreeTimeFact',
  {
    id: described(Identifier, 'Identifies it within the shipment.'),
    ...factFields,
    recorded_at: Type.String({ format: 'date-time', description: 'When it was recorded, in UTC.' }),
  },
  factOptional,
)
export type FreeTimeFact = Static<typeof FreeTimeFact>

const days = (description: string) => Type.Integer({ minimum: 0, description })

const ClockEvent = closed(
  { code: EventCode, date: timeOf('When it happened, in the local time of the place.') },
  {
    description: Type.String({ description: 'What happened, in words, as the source wrote it.' }),
    source: Type.String({ description: 'Who reported it, such as a carrier.' }),
  },
)
export type ClockEvent = Static<typeof ClockEvent>

const CostLine = closed({
  from_day: Type.Integer({ minimum: 1, description: 'Of the days that are charged; the first is 1.' }),
  to_day: Type.Integer({ minimum: 1, description: 'The last day of the line, counted in the same way.' }),
  days: Type.Integer({ minimum: 1, description: 'How many days that is.' }),
  per_day: Type.Number({ description: 'What each of them costs, in the currency of the whole.' }),
  amount: Type.Number({ description: 'What they cost together.' }),
})

export const FreeTimeCost = named('FreeTimeCost', {
  ...Price.properties,
  lines: Type.Array(CostLine, { description: 'How the amount comes about: rates rise with the days.' }),
})
export type FreeTimeCost = Static<typeof FreeTimeCost>

const FreeTimeRule = named(
  'FreeTimeRule',
  {
    id: described(Identifier, "The forwarder's identifier of the rule."),
    free: days('How much is free, in `unit`.'),
    unit: FreeTimeUnit,
  },
  {
    label: Type.String({ description: "The carrier's or terminal's own name of it." }),
    source: Type.String({ description: 'Where the rule is from, such as a tariff.' }),
  },
)

const GivenDay = closed(
  {
    source: FreeTimeSource,
    last_free_day: dayOf('In the local days of the port.'),
    stated_at: Type.String({ format: 'date-time', description: 'When it was recorded.' }),
  },
  { reason: Type.String({ description: 'Why, in words.' }) },
)

export const FreeTimeClock = named(
  'FreeTimeClock',
  {
    direction: FreeTimeDirection,
    clock: FreeTimeClockKind,
    state: FreeTimeState,
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
    port: described(PortCode, 'The port whose free time it is: country code, slash, place code.'),
    time_zone: Type.String({ description: 'In which days are counted: a time zone, or a UTC offset.' }),
    started_at: timeOf('From when on the free time is counted. Absent until then.'),
    started_by: described(ClockEvent, 'The event that started it.'),
    stopped_at: timeOf('When it stopped. Absent while the container is there.'),
    stopped_by: described(ClockEvent, 'The event that stopped it.'),
    last_free_day: dayOf("The one that counts, in the port's local days."),
    free_until: timeOf('The last second that is free of charge.'),
    last_free_day_source: explained(['computed', ...freeTimeSources], 'Where the last free day is from.', {
      computed: 'From the rule and the events.',
      carrier: 'The carrier gave it.',
      terminal: 'The terminal gave it.',
      person: "One of the forwarder's people gave it.",
    }),
    computed_last_free_day: dayOf('What follows from the rule, also where another day was given.'),
    difference_days: Type.Integer({
      description: 'By how many days the given last free day is after the computed one.',
    }),
    extra_days: Type.Integer({ minimum: 1, description: 'Days that were granted in addition.' }),
    days_used: days('Days of the free time that have begun; hours if it is counted in hours.'),
    days_left: days('Days after today until the last free day.'),
    days_over: days('Days that are charged so far. Absent if it is not known.'),
    rule: described(FreeTimeRule, 'The rule that applies. Absent if none does.'),
    next_change_at: timeOf('When the clock shows something else, if nothing happens before.'),
  },
)
export type FreeTimeClock = Static<typeof FreeTimeClock>

export const ShipmentFreeTime = named('ShipmentFreeTime', {
  svc_shipment_id: ShipmentId,
  clocks: Type.Array(FreeTimeClock, { description: 'One for each container, direction and charge.' }),
})
export type ShipmentFreeTime = Static<typeof ShipmentFreeTime>
