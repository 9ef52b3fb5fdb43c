import { type Static, Type } from 'typebox'
import { take } from '../operation.js'
import { exceptionFilter } from '../public/exception.js'
import { DateWithTime } from '../public/shared-types.js'
import { closed, described, explained, Identifier, named, oneOf } from '../schema.js'
import { owner, states } from './exceptions.js'
import type { OperatorOperation } from './operation.js'
import { handledFilter } from './work-filter.js'

/** How much waits for the forwarder, over all accounts, and who looks after it. The items are found by the operations of each source. */

const { kind, severity, svc_shipment_id } = exceptionFilter

export const WorkSearch = closed({}, { account: Identifier, svc_shipment_id, kind, severity, state: states, owner })
export type WorkSearch = Static<typeof WorkSearch>

const count = (description: string) => Type.Integer({ minimum: 0, maximum: 10_000, description })

export const WorkCounts = named('WorkCounts', {
  exceptions: count('By all of the filters.'),
  messages: count('Unmatched, quarantined and unreadable messages of carriers; none of an account.'),
  codes: count('Codes that are not mapped; none of an account.'),
  documents: count('Documents that customers and suppliers have sent, not decided.'),
  conversations: count('Those that wait for an answer.'),
  orders: count('Orders with quantities that are not assigned.'),
  booking_requests: count('Shipments with the status `booking_request`.'),
  disputes: count('Invoices in dispute.'),
})
export type WorkCounts = Static<typeof WorkCounts>

export const workKinds = [
  'message',
  'code',
  'document',
  'conversation',
  'order',
  'booking_request',
  'dispute',
  'needed_documents',
] as const
export type WorkKind = (typeof workKinds)[number]

const WorkKind = explained(workKinds, 'What waits, and what identifies it as `item`.', {
  message: 'A message that no shipment was found for, or that was kept back: its `message_id`.',
  code: 'A code that is not mapped: `sender/format/code`.',
  document: 'A proposed document: its `id`.',
  conversation: 'One that waits for an answer: `shipment/` or `purchase_order/` and the number of its subject.',
  order: 'An order with quantities that are not assigned: its `reference`.',
  booking_request: 'A shipment with the status `booking_request`: its `svc_shipment_id`.',
  dispute: 'An invoice in dispute: its `reference`.',
  needed_documents:
    'Documents that a shipment will need, as `GET /ops/v1/requiredDocuments` lists them: its `svc_shipment_id`.',
})

const item = Type.String({ minLength: 1, maxLength: 300, description: 'What identifies it, depending on `kind`.' })
const ofAccount = { account: described(Identifier, 'Of messages and codes: none.') }

const WorkItem = named(
  'WorkItem',
  {
    kind: WorkKind,
    item,
    by: Type.String({ description: 'Who changed it last.' }),
    at: described(DateWithTime, 'When it was changed last.'),
  },
  {
    ...ofAccount,
    owner: Type.String({ description: 'Who looks after it. Absent: nobody.' }),
    snoozed_until: described(DateWithTime, 'Until when it is put aside. Absent if it is not.'),
  },
)
export type WorkItem = Static<typeof WorkItem>

const WorkItems = named(
  'WorkItems',
  {
    items: Type.Array(WorkItem, { description: 'Those that somebody looks after, or that are put aside.' }),
    people: Type.Array(Type.String(), { description: "The names of the forwarder's people, who can look after it." }),
  },
  { next: Type.String({ description: 'Cursor of the next page: send it as `after`.' }) },
)

export const workActions = ['assign', 'snooze', 'wake'] as const
const namedItem = closed({ kind: WorkKind, item }, ofAccount)
export type NamedWorkItem = Static<typeof namedItem>

export const WorkActing = named(
  'WorkActing',
  {
    action: explained(workActions, 'What to do.', {
      assign: 'Say who looks after it.',
      snooze: 'Put it aside until a time.',
      wake: 'Take it up again.',
    }),
    items: Type.Array(namedItem, { minItems: 1, maxItems: 200, description: 'Each with an outcome of its own.' }),
  },
  {
    owner: Type.String({ maxLength: 255, description: 'Of `assign`: who looks after it; empty for nobody.' }),
    until: described(DateWithTime, 'Of `snooze`.'),
  },
)
export type WorkActing = Static<typeof WorkActing>

const WorkOutcomes = named('WorkOutcomes', {
  outcomes: Type.Array(
    closed(
      { kind: WorkKind, item, outcome: oneOf(['changed', 'refused'] as const) },
      { ...ofAccount, code: Type.String({ description: 'Of the refusal.' }), detail: Type.String() },
    ),
    { description: 'In the order of `items`.' },
  ),
})
export type WorkOutcomes = Static<typeof WorkOutcomes>

export const workOperations = {
  countWork: {
    method: 'GET',
    path: '/ops/v1/work',
    covers: 'own_accounts',
    tag: 'Work',
    right: 'read',
    summary: 'Count what waits for the forwarder in all accounts, up to 10,000 of each source',
    query: WorkSearch,
    // It waits until the changes of the accounts are indexed.
    isFeed: true,
    success: { status: 200, body: WorkCounts },
    refusals: ['account_not_found'],
  },
  listWorkItems: {
    method: 'GET',
    path: '/ops/v1/work/items',
    covers: 'own_accounts',
    tag: 'Work',
    right: 'read',
    summary: 'List what waits in all accounts, except exceptions, and has an owner or is put aside',
    query: closed(
      {},
      {
        account: Identifier,
        ...handledFilter,
        after: Type.String({ maxLength: 2000, description: 'Cursor: `next` of the previous page.' }),
        take: take(1000, { default: 100 }),
      },
    ),
    success: { status: 200, body: WorkItems },
    refusals: ['account_not_found'],
  },
  actOnWorkItems: {
    method: 'POST',
    path: '/ops/v1/work/items/actions',
    covers: 'own_accounts',
    tag: 'Work',
    right: 'handle',
    summary: 'Assign or put aside what waits, except exceptions; it is forgotten when the item no longer waits',
    body: WorkActing,
    recordsAudit: true,
    success: { status: 200, body: WorkOutcomes },
    // Of one item, in its outcome.
    refusals: ['work_item_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>
