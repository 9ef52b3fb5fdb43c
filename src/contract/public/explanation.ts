import { type Static, Type } from 'typebox'
import { closed, Identifier, named, oneOf } from '../schema.js'
import { eventCodes } from './event-codes.js'
import { DateWithTime, TrackingDate } from './shared-types.js'
import { eventFields, statedFields, stepTypes } from './tracking.js'

/** An extension: why a shipment shows the dates that it does. */

export const milestoneNames = ['pickup_date', 'departure_date', 'arrival_date', 'delivery_date'] as const

export const dateRules = [
  'happened',
  'pinned',
  'expected',
  'expected_of_others',
  'first_plan',
  'happened_to_others',
  'given',
] as const

export const lossReasons = [
  'other_unit',
  'replaced',
  'happened',
  'first_stands',
  'believed_less',
  'weaker',
  'no_date',
  'rolled',
  'not_recognised',
] as const
export type LossReason = (typeof lossReasons)[number]

const ExplainedEvent = named(
  'ExplainedEvent',
  {
    code: oneOf(eventCodes, { description: 'As given, or recognised from the description.' }),
    step: oneOf(stepTypes),
  },
  {
    ...eventFields,
    issued_at: statedFields.issued_at,
    source: statedFields.source,
    place: Type.String({ description: 'UN/LOCODE of the port, or the city.' }),
  },
)
export type ExplainedEvent = Static<typeof ExplainedEvent>

const UnitState = closed(
  {},
  { container_number: Type.String(), date: DateWithTime, status: TrackingDate.properties.status },
)

const MilestoneExplanation = named(
  'MilestoneExplanation',
  {
    milestone: oneOf(milestoneNames),
    sentence: Type.String({ description: 'The explanation in one sentence, or a few.' }),
    changed_by: Type.String({ description: 'What would change the date.' }),
    units: Type.Array(UnitState, {
      description: 'What is known of each container, or of the whole shipment if it has none. The first 100.',
    }),
    other_events: Type.Array(closed({ event: ExplainedEvent, reason: oneOf(lossReasons) }), {
      description: 'The events that say something about the milestone but do not decide, newest first. The first 100.',
    }),
  },
  {
    date: TrackingDate,
    rule: oneOf(dateRules, {
      description:
        'The rule that decided: all units have reached it; what the forwarder has set; what is expected of those that have not; of the others; the first plan; when the others reached it; given with the shipment.',
    }),
    event: ExplainedEvent,
    problem: ExplainedEvent,
    pin_reason: Type.String({ description: 'Why the forwarder has set the date.' }),
    conflicts_with: ExplainedEvent,
    stale: Type.Boolean({
      description: 'The expected date passed more than 24 hours ago, and nobody has said that it happened.',
    }),
    implied_by: ExplainedEvent,
    moved_from: Object.assign(
      { ...DateWithTime },
      {
        description: 'The date before it was moved, so that it is not before the milestone that precedes it.',
      },
    ),
    more_units: Type.Integer({ minimum: 1 }),
    more_events: Type.Integer({ minimum: 1 }),
  },
)
export type MilestoneExplanation = Static<typeof MilestoneExplanation>

export const TrackingExplanation = named('TrackingExplanation', {
  svc_shipment_id: Identifier,
  milestones: Type.Array(MilestoneExplanation, { description: 'Those of which anything is known, in order.' }),
})
export type TrackingExplanation = Static<typeof TrackingExplanation>
