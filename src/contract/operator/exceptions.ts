import { type Static, Type } from 'typebox'
import { exceptionExtras, exceptionFields, exceptionKinds } from '../public/exception.js'
import { DateWithTime } from '../public/shared-types.js'
import { closed, explained, Identifier, named, oneOf } from '../schema.js'
import { origin, Reason } from './version.js'

/** Exceptions as the forwarder sees and handles them, and the rules by which they are raised. */

export const states = explained(['open', 'closed', 'new', 'acknowledged', 'snoozed'], 'All if it is omitted.', {
  open: 'Whatever is not closed, also if it is acknowledged or snoozed.',
  closed: 'What is over.',
  new: 'What nobody has acknowledged or snoozed.',
  acknowledged: 'What somebody has acknowledged.',
  snoozed: 'What is put aside until a time.',
})
export const owner = Type.String({ maxLength: 255, description: 'Who looks after it; empty for those of nobody.' })

const Note = closed({ at: DateWithTime, by: Type.String(), text: Type.String() })

const forwarderFields = {
  owner: Type.String({ description: 'Who looks after it.' }),
  notes: Type.Array(Note),
  snoozed_until: DateWithTime,
  ended_at: Object.assign(
    { ...DateWithTime },
    { description: 'When its condition ended, if somebody closed it before: from then on it can be raised again.' },
  ),
  topic: Type.String({ description: 'What it is about, where a subject can have several of the kind.' }),
}

export const ExceptionRecord = named(
  'ExceptionRecord',
  {
    ...exceptionFields,
    visible: Type.Boolean({ description: 'Whether the account sees it.' }),
  },
  {
    ...exceptionExtras,
    ...forwarderFields,
    expected_dates: Type.Record(Type.String(), DateWithTime, {
      description: 'Of `eta_slip`: the dates that acknowledging it accepts.',
    }),
  },
)
export type ExceptionRecord = Static<typeof ExceptionRecord>

export const ExceptionVersion = named(
  'ExceptionVersion',
  { account: Identifier, id: Identifier, ...origin, record: ExceptionRecord },
  {
    reason: Type.String(),
    shipment_name: Type.String({ description: 'The `name` of its shipment. In the list of all accounts.' }),
    place_name: Type.String({ description: 'The name of the place of its details. In the list of all accounts.' }),
  },
)
export type ExceptionVersion = Static<typeof ExceptionVersion>

export const ExceptionVersions = named(
  'ExceptionVersions',
  { exceptions: Type.Array(ExceptionVersion) },
  { next: Type.String({ description: 'Cursor of the next page: send it as `after`.' }) },
)

export const exceptionActions = ['acknowledge', 'assign', 'note', 'snooze', 'wake', 'close', 'waive'] as const

const actionFields = {
  note: Type.String({ minLength: 1, maxLength: 1000 }),
  owner: Type.String({ maxLength: 255, description: 'Of `assign`: who looks after it; empty for nobody.' }),
  until: Object.assign({ ...DateWithTime }, { description: 'Of `snooze`.' }),
  reason: Object.assign({ ...Reason }, { description: 'Of `close` and `waive`, which need one.' }),
}
export const ExceptionActing = named('ExceptionActing', { action: oneOf(exceptionActions) }, actionFields)
export type ExceptionActing = Static<typeof ExceptionActing>

const namedException = { account: Identifier, exception_id: Identifier }

export const ExceptionActingOnMany = named(
  'ExceptionActingOnMany',
  {
    action: oneOf(exceptionActions),
    exceptions: Type.Array(closed(namedException), { minItems: 1, maxItems: 200 }),
  },
  actionFields,
)

export const ExceptionOutcomes = named('ExceptionOutcomes', {
  outcomes: Type.Array(
    closed(
      { ...namedException, outcome: oneOf(['changed', 'unchanged', 'refused'] as const) },
      { code: Type.String({ description: 'Of the refusal.' }), detail: Type.String() },
    ),
  ),
})
export type ExceptionOutcomes = Static<typeof ExceptionOutcomes>

const hours = Type.Number({ exclusiveMinimum: 0, maximum: 8760 })
const days = Type.Integer({ minimum: 0, maximum: 365 })

const thresholds = {
  late_critical_days: days,
  eta_slip_hours_ocean: hours,
  eta_slip_hours_rail: hours,
  eta_slip_hours_air: hours,
  eta_slip_hours_truck: hours,
  overdue_hours_ocean: hours,
  overdue_hours_rail: hours,
  overdue_hours_air: hours,
  overdue_hours_truck: hours,
  not_loaded_hours: hours,
  connection_hours_ocean: hours,
  connection_hours_rail: hours,
  connection_hours_air: hours,
  connection_hours_truck: hours,
  dwell_transshipment_days: days,
  dwell_origin_days: days,
  dwell_destination_days: days,
  dwell_airport_hours: hours,
  dwell_border_hours: hours,
  free_time_warning_days: days,
  free_time_critical_days: days,
  order_unassigned_days: days,
  no_news_hours_ocean: hours,
  no_news_hours_rail: hours,
  no_news_hours_air: hours,
  no_news_hours_truck: hours,
  unbilled_days: days,
}

const KindRules = closed({}, { enabled: Type.Boolean(), shown_to_customers: Type.Boolean() })

/** What differs from the defaults; for an account, from the forwarder's settings. */
export const ExceptionRules = named(
  'ExceptionRules',
  {},
  {
    kinds: closed({}, Object.fromEntries(exceptionKinds.map((kind) => [kind, KindRules])) as KindTable),
    thresholds: closed({}, thresholds),
  },
)
export type ExceptionRules = Static<typeof ExceptionRules>
type KindTable = Record<(typeof exceptionKinds)[number], typeof KindRules>

export const ExceptionSettings = named('ExceptionSettings', {
  settings: ExceptionRules,
  in_force: named('ExceptionRulesInForce', {
    kinds: closed(Object.fromEntries(exceptionKinds.map((kind) => [kind, KindRules])) as KindTable),
    thresholds: closed(thresholds),
  }),
})
export type ExceptionSettings = Static<typeof ExceptionSettings>
