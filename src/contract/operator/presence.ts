import { type Static, Type } from 'typebox'
import { closed, described, explained, Identifier, named, oneOf } from '../schema.js'
import type { OperatorOperation } from './operation.js'
import { accountParam } from './version.js'

/** Who else has a shipment open. */

export const editedParts = ['details', 'route', 'event', 'units'] as const
export type EditedPart = (typeof editedParts)[number]

const EditedPart = explained(editedParts, 'The form in which changes are being made.', {
  details: 'Mode, parties, booking and cargo.',
  route: 'The places that it goes by.',
  event: 'A new event.',
  units: 'Containers and seals.',
})

const PresentPerson = named('PresentPerson', {
  operator_id: described(Identifier, 'Of the person, or of the key of a system.'),
  name: Type.String({ description: 'Of the person.' }),
  editing: Type.Array(EditedPart, {
    description: 'The forms in which the person is making changes; none: only looking.',
  }),
  since: Type.String({ format: 'date-time', description: 'Since when the person has the shipment open.' }),
})

export const ShipmentPresence = named('ShipmentPresence', {
  people: Type.Array(PresentPerson, { description: 'The others, those first who came first.' }),
  revision: Type.Integer({ description: 'Of what is shown of the shipment: it rises with every change of it.' }),
})
export type ShipmentPresence = Static<typeof ShipmentPresence>

export const presenceOperations = {
  getPresence: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/shipments/{svc_shipment_id}/presence',
    tag: 'Shipments',
    right: 'read',
    summary:
      'Get who else has a shipment open. With `tab`, the caller has it open, too, for 12 seconds from each request on',
    params: closed({ ...accountParam, svc_shipment_id: Identifier }),
    query: closed(
      {},
      {
        tab: described(Identifier, 'Of the caller: what identifies a page in which the shipment is open.'),
        editing: EditedPart,
        leaving: oneOf(['true'], { description: 'The page was closed.' }),
      },
    ),
    isFeed: true,
    success: { status: 200, body: ShipmentPresence },
    refusals: ['shipment_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>
