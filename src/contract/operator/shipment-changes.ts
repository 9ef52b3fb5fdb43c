import { type Static, Type } from 'typebox'
import { ShipmentRecord } from '../public/shipment.js'
import { closed, Identifier, named, oneOf } from '../schema.js'
import { Reason, Warning } from './version.js'

/** Changes of several shipments, each with an outcome of its own. */

const ShipmentChange = named('ShipmentChange', {
  account: Identifier,
  svc_shipment_id: Identifier,
  revision: Type.Integer({
    minimum: 0,
    description: 'The `revision` that the change is based on: a shipment that has changed since is not changed.',
  }),
  // Validated one by one: a wrong value refuses its own shipment, not all.
  patch: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'A merge patch as of `PATCH /ops/v1/accounts/{account}/shipments/{svc_shipment_id}`: null removes a field.',
  }),
})
export type ShipmentChange = Static<typeof ShipmentChange>

export const ShipmentChanges = named(
  'ShipmentChanges',
  {
    changes: Type.Array(ShipmentChange, {
      minItems: 1,
      maxItems: 100,
      description: 'The changes, at most one of each shipment.',
    }),
  },
  { reason: Reason },
)

const ShipmentOutcome = named(
  'ShipmentOutcome',
  {
    account: Identifier,
    svc_shipment_id: Identifier,
    outcome: oneOf(['changed', 'unchanged', 'refused'] as const, {
      description: '`unchanged`: it has these values already. With `check=true`, `changed` is what would be changed.',
    }),
  },
  {
    revision: Type.Integer({ description: 'Its present revision.' }),
    code: Type.String({ description: 'Of the refusal.' }),
    detail: Type.String({ description: 'Why it was refused.' }),
    errors: Type.Array(closed({ pointer: Type.String(), detail: Type.String() }), {
      description: 'The wrong values; pointers are into the shipment.',
    }),
    warnings: Type.Array(Warning, { description: 'Values that were accepted, but look wrong.' }),
    record: Object.assign(
      { ...ShipmentRecord },
      { description: 'What somebody else has stored, if it has changed since.' },
    ),
  },
)
export type ShipmentOutcome = Static<typeof ShipmentOutcome>

export const ShipmentOutcomes = named('ShipmentOutcomes', { outcomes: Type.Array(ShipmentOutcome) })
