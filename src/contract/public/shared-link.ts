import { type Static, Type } from 'typebox'
import { closed, described, Identifier, named, patterned } from '../schema.js'
import { DateWithTime, ShipmentId } from './shared-types.js'
import { mostSharedDocuments } from './sharing-limits.js'

/** An extension: links by which people without an account follow one shipment. */

const name = patterned('\\S', 'must contain a letter or digit', {
  minLength: 1,
  maxLength: 200,
  description: 'Whom the link is for. The page does not show it.',
})

const LinkId = described(Identifier, 'The identifier of the link, which lets nobody in.')

const chosen = {
  documents: Type.Array(Type.String({ format: 'uuid' }), {
    maxItems: mostSharedDocuments,
    description: 'Identifiers of documents of the shipment that can be downloaded by the link.',
  }),
  prices: Type.Boolean({ description: 'Whether the page shows the value of the goods.' }),
  parties: Type.Boolean({
    description: 'Whether the page shows the carrier, and the companies and addresses of pick-up and delivery.',
  }),
}

export const SharedLinkCreate = named(
  'SharedLinkCreate',
  {},
  {
    name,
    days: Type.Integer({ minimum: 1, maximum: 365, default: 30, description: 'For how long it works.' }),
    ...chosen,
  },
)

export const SharedLink = named(
  'SharedLink',
  {
    link_id: LinkId,
    svc_shipment_id: ShipmentId,
    ...chosen,
    created_at: described(DateWithTime, 'When it was created, in UTC.'),
    created_by: Type.String({ description: 'Who created it: `person:` or `key:` and an identifier.' }),
    expires_at: described(DateWithTime, 'When it stops working, in UTC.'),
    views: Type.Integer({ minimum: 0, description: 'How often the page was opened.' }),
  },
  {
    name: Type.String({ description: 'Whom the link is for.' }),
    created_by_name: Type.String({ description: 'The name of the person who created it.' }),
    revoked_at: described(DateWithTime, 'When it was revoked, in UTC.'),
    last_viewed_at: described(DateWithTime, 'When the page was last opened, in UTC.'),
  },
)
export type SharedLink = Static<typeof SharedLink>

export const CreatedSharedLink = named('CreatedSharedLink', {
  link: described(SharedLink, 'What was created.'),
  url: Type.String({ format: 'uri', description: 'The address to pass on. It is shown only now.' }),
})

const ofShipment = { svc_shipment_id: ShipmentId }

export const sharedLinkOperations = {
  createSharedLink: {
    method: 'POST',
    path: '/v1/shipments/{svc_shipment_id}/links',
    kind: 'shipment',
    containsSecret: true,
    summary: 'Share a shipment: creates a link for people without an account: an extension of the interface',
    params: closed(ofShipment),
    body: SharedLinkCreate,
    success: { status: 201, body: CreatedSharedLink },
    refusals: ['shipment_not_found', 'too_many_shared_links'],
  },
  listSharedLinks: {
    method: 'GET',
    path: '/v1/shipments/{svc_shipment_id}/links',
    kind: 'shipment',
    renderedFrom: ['shipment'],
    validatedByContent: true,
    summary: 'List the links by which a shipment is shared, newest first, at most 100: an extension of the interface',
    params: closed(ofShipment),
    success: { status: 200, body: Type.Array(SharedLink) },
    refusals: ['shipment_not_found'],
  },
  revokeSharedLink: {
    method: 'DELETE',
    path: '/v1/shipments/{svc_shipment_id}/links/{link_id}',
    kind: 'shipment',
    summary: 'Revoke a link: it stops working immediately: an extension of the interface',
    params: closed({ ...ofShipment, link_id: LinkId }),
    success: { status: 200, body: SharedLink },
    refusals: ['shared_link_not_found'],
  },
} as const
