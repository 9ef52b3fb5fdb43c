import { type Static, Type } from 'typebox'
import { Document } from '../public/document.js'
import { DateWithTime, Price } from '../public/shared-types.js'
import { Shipment } from '../public/shipment.js'
import { Port, Tracking, TrackingEvent } from '../public/tracking.js'
import { closed, Identifier, named, oneOf } from '../schema.js'
import { Journey } from './journey.js'
import type { PortalOperation } from './operation.js'

/** What somebody sees who has the link of a shared shipment. */

const { name, status, freight_mode, freight_type, main_tracking_dates } = Shipment.properties
const step = Tracking.properties.tracking_steps.items.properties

const SharedParty = closed(
  { role: oneOf(['pickup', 'delivery']) },
  {
    company_name: Type.String(),
    name: Type.String(),
    address: Type.String(),
    zip_code: Type.String(),
    city: Type.String(),
    country: Type.String(),
  },
)
export type SharedParty = Static<typeof SharedParty>

export const SharedShipment = named(
  'SharedShipment',
  {
    forwarder: Type.String(),
    shipment: closed(
      { svc_shipment_id: Identifier },
      {
        name,
        status,
        freight_mode,
        freight_type,
        main_tracking_dates,
        route: closed({}, { origin_port_unlocode: Type.String(), destination_port_unlocode: Type.String() }),
      },
    ),
    journey: Journey,
    documents: Type.Array(
      closed({
        id: Document.properties.id,
        name: Document.properties.name,
        type: Document.properties.type,
        size: Document.properties.size,
      }),
    ),
  },
  {
    expires_at: DateWithTime,
    tracking: closed(
      { svc_shipment_id: Identifier },
      {
        status: Tracking.properties.status,
        initial_dates: Tracking.properties.initial_dates,
        tracking_steps: Type.Array(closed({}, { type: step.type, port: Port, events: Type.Array(TrackingEvent) })),
      },
    ),
    commercial_value: Price,
    carrier: Type.String(),
    parties: Type.Array(SharedParty),
  },
)
export type SharedShipment = Static<typeof SharedShipment>

export const sharedShipmentOperations = {
  getSharedShipment: {
    method: 'GET',
    path: '/portal/v1/shared-shipment',
    tag: 'Shipments',
    access: 'anyone',
    byLink: 'shared',
    summary: 'Get the shipment that is shared by a link',
    query: closed(
      {},
      { refresh: oneOf(['true'], { description: 'The page is open already: this is not counted as a view.' }) },
    ),
    success: { status: 200, body: SharedShipment },
    refusals: [],
  },
  getSharedDocument: {
    method: 'GET',
    path: '/portal/v1/shared-shipment/documents/{id}',
    tag: 'Shipments',
    access: 'anyone',
    byLink: 'shared',
    summary: 'Download a document that is shared by a link',
    params: closed({ id: Identifier }),
    returns: 'file',
    success: { status: 200, body: Type.String({ contentMediaType: 'application/octet-stream' }) },
    refusals: ['document_not_found'],
  },
} as const satisfies Record<string, PortalOperation>
