import { businessTime } from '../../clock/clock.js'
import type { SharedParty, SharedShipment } from '../../contract/portal/shared-shipment.js'
import type { LocationRecord } from '../../contract/public/location.js'
import type { Shipment, ShipmentRecord } from '../../contract/public/shipment.js'
import type { TrackingRecord } from '../../contract/public/tracking.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database, Reader } from '../../database/database.js'
import { readSnapshot } from '../../database/snapshot.js'
import { mediaTypeOf } from '../../domain/documents/media-type.js'
import type { InParts } from '../../domain/records/in-parts.js'
import { sharedSteps } from '../../domain/sharing/shared-events.js'
import { numbersOf } from '../../domain/shipments/shipment-cargo.js'
import { renderTrackingInParts } from '../../domain/tracking/tracking.js'
import { finishInSlices } from '../../jobs/in-slices.js'
import { findStepLocations } from '../../ledger/step-locations.js'
import { type Actor, recordAudit, recordLinkDownload } from '../../store/audit.js'
import { findDocumentFiles, findDocumentRecords } from '../../store/documents.js'
import { countView, type OpenSharedLink } from '../../store/shared-links.js'
import { findShipmentBodies } from '../../store/shipments.js'
import { openContent } from '../documents/document-content.js'
import type { PortalHandler, VisitorContext } from '../portal-context.js'
import { findRouteLocations } from '../shipments/get-journey.js'
import { getShipmentRecord } from '../shipments/shipment-record.js'
import { findWholeTracking } from '../tracking/tracking-record.js'

/** What somebody with the link of a shared shipment sees: what was chosen when it was created, and nothing else. */

export const getSharedShipment: PortalHandler<'getSharedShipment'> = async (context, { query: { refresh } }) => {
  const { db, forwarderName } = context
  const link = linkOf(context)
  const { account_id: account, link_id, svc_shipment_id, expires_at } = link
  const shown = await sharedShipment(db, account, svc_shipment_id, link)
  if (refresh === undefined && (await countView(db, account, link_id))) {
    const details = { svc_shipment_id }
    const act = { kind: 'sharing', action: 'shared_link_opened', subject: link_id, details } as const
    await recordAudit(db, account, actorOf(context, link), act)
  }
  return { forwarder: forwarderName, expires_at: expires_at.toISOString(), ...shown }
}

export const getSharedDocument: PortalHandler<'getSharedDocument'> = async (context, { params }) => {
  const { db, files } = context
  const link = linkOf(context)
  const { account_id: account, link_id, svc_shipment_id } = link
  const id = link.documents.find((each) => each === params.id.toLowerCase())
  const [file] = id === undefined ? [] : await findDocumentFiles(db, account, [id])
  if (file?.svc_shipment_id !== svc_shipment_id) throw new Refusal('document_not_found')
  const { name, content_hash } = file
  const { size, stream } = await openContent(files, content_hash)
  await recordLinkDownload(db, account, actorOf(context, link), { subject: file.id, details: { file: name, link_id } })
  return { name, mediaType: mediaTypeOf(name), size, content: stream }
}

function linkOf({ sharedLink }: VisitorContext): OpenSharedLink {
  if (!sharedLink) throw new Refusal('shared_link_not_valid')
  return sharedLink
}

function actorOf({ visitor }: VisitorContext, { link_id, name }: OpenSharedLink): Actor {
  return { ...visitor, actor: `shared:${link_id}`, ...(name !== null && { actor_name: name }) }
}

type Chosen = Pick<OpenSharedLink, 'documents' | 'prices' | 'parties'>

/** Each field is named here: what a shipment gets later is not shared by itself. */
export async function sharedShipment(
  db: Database,
  account: AccountId,
  svc_shipment_id: string,
  chosen: Chosen,
): Promise<Omit<SharedShipment, 'forwarder' | 'expires_at'>> {
  const found = await readSnapshot(db, (sql) => readShared(sql, account, svc_shipment_id, chosen.documents))
  const { body, record, tracking, locations } = found
  const { name, status, freight_mode, freight_type, main_tracking_dates, route, commercial_value } = body
  const { origin_port_unlocode, destination_port_unlocode } = route ?? {}
  const carrier = body.booking_information?.carrier
  const context = { containers: numbersOf(record), locations: new Map<number, LocationRecord>() }
  const rendered = tracking && (await finishInSlices(renderTrackingInParts(tracking, context)))
  const { initial_dates, tracking_steps, status: reached } = rendered ?? {}
  // Loaded on first use: the ports and sea lanes are large.
  const { journeyMap } = await import('../shipments/journey-map.js')
  const places = { pickup: cityOf(locations.pickup), delivery: cityOf(locations.delivery) }
  const source = { shipment: record, tracking, locations: places, now: businessTime() }
  const map = await finishInSlices(journeyMap(source))
  return {
    shipment: {
      svc_shipment_id,
      ...(name !== undefined && { name }),
      ...(status && { status }),
      ...(freight_mode && { freight_mode }),
      ...(freight_type && { freight_type }),
      ...(main_tracking_dates && { main_tracking_dates }),
      route: {
        ...(origin_port_unlocode && { origin_port_unlocode }),
        ...(destination_port_unlocode && { destination_port_unlocode }),
      },
    },
    journey: { tracked: tracking !== undefined, ...map, arrival_history: [] },
    documents: found.documents,
    ...(rendered && {
      tracking: {
        svc_shipment_id,
        ...(reached && { status: reached }),
        ...(initial_dates && { initial_dates }),
        ...(tracking_steps && { tracking_steps }),
      },
    }),
    ...(chosen.prices && commercial_value && { commercial_value }),
    ...(chosen.parties && carrier !== undefined && { carrier }),
    ...(chosen.parties && { parties: partiesOf(locations) }),
  }
}

type Locations = { pickup?: LocationRecord | undefined; delivery?: LocationRecord | undefined }

async function readShared(sql: Reader, account: AccountId, id: string, documents: string[]) {
  const record = await getShipmentRecord(sql, account, id)
  const body = (await findShipmentBodies(sql, account, [id])).get(id)
  const whole = await findWholeTracking(sql, account, record)
  const saved = whole ? await findStepLocations(sql, account, [whole]) : new Map<number, LocationRecord>()
  const files = documents.length > 0 ? await findDocumentRecords(sql, account, documents) : []
  return {
    record,
    body: JSON.parse(body ?? '{}') as Shipment,
    tracking: whole && (await finishInSlices(sharedTracking(whole, saved, record))),
    locations: await findRouteLocations(sql, account, record),
    documents: files
      .filter(({ svc_shipment_id }) => svc_shipment_id === id)
      .map(({ id: document, name, type, size }) => ({ id: document, name, type, size })),
  }
}

function* sharedTracking(
  whole: TrackingRecord,
  saved: Map<number, LocationRecord>,
  { freight_mode }: ShipmentRecord,
): InParts<TrackingRecord> {
  const { svc_shipment_id, status, initial_dates, ocean_coordinates, replaced_units, tracking_steps = [] } = whole
  const steps = tracking_steps.map((step) => {
    const location = step.location && (saved.get(step.location.id) ?? step.location)
    return location ? { ...step, location } : step
  })
  return {
    svc_shipment_id,
    ...(status && { status }),
    ...(initial_dates && { initial_dates }),
    ...(ocean_coordinates && { ocean_coordinates }),
    ...(replaced_units && { replaced_units }),
    tracking_steps: yield* sharedSteps({ ...whole, tracking_steps: steps }, freight_mode),
  }
}

/** On the map a place is its city. */
function cityOf(location: LocationRecord | undefined): LocationRecord | undefined {
  if (!location) return undefined
  const { city, country } = location
  return { id: 0, city: city ?? country ?? '', ...(country !== undefined && { country }) }
}

function partiesOf({ pickup, delivery }: Locations): SharedParty[] {
  return [['pickup' as const, pickup] as const, ['delivery' as const, delivery] as const].flatMap(
    ([role, location]) => {
      if (!location) return []
      const { company_name, name, address, city, country, zip_code } = location
      return {
        role,
        ...(company_name !== undefined && { company_name }),
        ...(name !== undefined && { name }),
        ...(address !== undefined && { address }),
        ...(zip_code !== undefined && { zip_code: String(zip_code) }),
        ...(city !== undefined && { city }),
        ...(country !== undefined && { country }),
      }
    },
  )
}
