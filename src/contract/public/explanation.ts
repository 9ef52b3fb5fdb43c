import { type Static, Type } from 'typebox'
import { closed, described, explained, named } from '../schema.js'
import { EventCode } from './event-code.js'
import { Milestone } from './exception.js'
import { ContainerNumber, DateStatus, ShipmentId, TrackingDate, timeOf } from './shared-types.js'
import { eventFields, StepType, statedFields, timeFields } from './tracking.js'

/** An extension: why a shipment shows the dates that it does. */

export const milestoneNames = ['pickup_date', 'departure_date', 'arrival_date', 'delivery_date'] as const

export const dateRules = [
  'happened',
  'pinned',
  'expected',
  'expected_of_others',
  'first_plan',
  'happened_to_others',
  'implied',
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
const LossReason = explained(lossReasons, 'Why the event does not decide.', {
  other_unit: 'It is of another container, which does not decide.',
  replaced: 'Something newer was reported.',
  happened: 'It was an expectation, and the milestone has happened since.',
  first_stands: 'The same was reported before, and the first report stands.',
  believed_less: 'Another kind of party takes precedence for this kind of event.',
  weaker: 'Another event shows the milestone more directly.',
  no_date: 'It shows that the milestone has passed, but not when.',
  rolled: 'The container was not on board: it was moved to a later sailing, taken off, or loaded only afterwards.',
  not_recognised: 'It is not known what it means.',
})
const DateRule = explained(dateRules, 'The rule that decided. Absent while there is no date.', {
  happened: 'All containers have reached the milestone: the date of the last one.',
  pinned: 'The forwarder has set the date.',
  expected: 'What is expected of those that have not reached it.',
  expected_of_others: 'Nothing is expected of those that have not reached it: what is expected of the others.',
  first_plan: 'Nothing newer than the first plan is known.',
  happened_to_others: 'Nothing is known of those that have not reached it: when the others did.',
  implied: 'Nothing is expected: when a container came on board, or was seen after the milestone.',
  given: 'Given with the shipment.',
})

const ExplainedEvent = named(
  'ExplainedEvent',
  {
    code: described(EventCode, 'What happened: as given, or recognised from the description.'),
    step: described(StepType, 'At which kind of place it happened.'),
  },
  {
    ...eventFields,
    ...timeFields,
    issued_at: statedFields.issued_at,
    source: statedFields.source,
    place: Type.String({ description: 'UN/LOCODE of the port, or the city.' }),
  },
)
export type ExplainedEvent = Static<typeof ExplainedEvent>

const UnitState = closed(
  {},
  {
    container_number: described(ContainerNumber, 'The container. Absent if it is the whole shipment.'),
    date: timeOf('When it reached the milestone, or is expected to. Absent while nothing is known.'),
    status: DateStatus,
  },
)

const MilestoneExplanation = named(
  'MilestoneExplanation',
  {
    milestone: Milestone,
    sentence: Type.String({ description: 'The explanation in one sentence, or a few.' }),
    changed_by: Type.String({ description: 'What would change the date.' }),
    units: Type.Array(UnitState, {
      description: 'What is known of each container, or of the whole shipment if it has none. The first 100.',
    }),
    other_events: Type.Array(closed({ event: described(ExplainedEvent, 'The event.'), reason: LossReason }), {
      description: 'The events that say something about the milestone but do not decide, newest first. The first 100.',
    }),
  },
  {
    date: described(
      TrackingDate,
      'The date that the shipment shows. Absent while there is none, although there may be a problem.',
    ),
    rule: DateRule,
    event: described(ExplainedEvent, 'The event that decided. Absent if none did.'),
    problem: described(ExplainedEvent, 'What stands in the way. Absent if nothing does.'),
    pin_reason: Type.String({ description: 'Why the forwarder has set the date.' }),
    conflicts_with: described(
      ExplainedEvent,
      'What another source says, more than 12 hours apart. Absent if none does.',
    ),
    stale: Type.Boolean({
      description: 'The expected date passed more than 24 hours ago, and nothing reports that it happened.',
    }),
    implied_by: described(
      ExplainedEvent,
      'A later event, by which the milestone must have happened; or that everything is on board. Absent without any.',
    ),
    moved_from: timeOf('The date before it was moved, so that it is not before the milestone that precedes it.'),
    more_units: Type.Integer({ minimum: 1, description: 'How many containers are not listed.' }),
    more_events: Type.Integer({ minimum: 1, description: 'How many events are not listed.' }),
  },
)
export type MilestoneExplanation = Static<typeof MilestoneExplanation>

export const TrackingExplanation = named('TrackingExplanation', {
  svc_shipment_id: ShipmentId,
  milestones: Type.Array(MilestoneExplanation, { description: 'Those of which anything is known, in order.' }),
})
export type TrackingExplanation = Static<typeof TrackingExplanation>
