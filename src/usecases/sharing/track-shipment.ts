import { Refusal } from '../../contract/refusals.js'
import type { Database } from '../../database/database.js'
import type { Candidate } from '../../domain/messages/matching.js'
import { customerReferences, normalReference } from '../../domain/messages/references.js'
import { getAccountRow } from '../../store/accounts.js'
import { findReferencedShipments, hasOrderReference } from '../../store/shipment-references.js'
import { clearFailures } from '../../store/sign-in-failures.js'
import { limitAttempts } from '../people/attempt-limits.js'
import type { PortalHandler } from '../portal-context.js'
import { findRouteLocations } from '../shipments/get-journey.js'
import { getShipmentRecord } from '../shipments/shipment-record.js'
import { sharedShipment } from './shared-shipment.js'

const mostCandidates = 20
const nothingChosen = { documents: [], prices: false, parties: false }

/** Shows what a shared shipment shows at least, without its name, to whoever knows a number and one more fact. */
export const trackShipment: PortalHandler<'trackShipment'> = async (context, { body }) => {
  const { db, address, forwarderName, offersTracking } = context
  if (!offersTracking) throw new Refusal('public_tracking_off')
  const [number, fact] = [normalReference(body.number), normalReference(body.fact)]
  // A postcode can be guessed: whoever tries several of one shipment has to wait, longer each time. Others who ask for the number
  // wait only once many networks have failed.
  const ofVisitor = { name: `tracking ${number} from ${address}`, allowed: 10 }
  const ofAddress = { name: `tracking from ${address}`, allowed: 30 }
  const ofNumber = { name: `tracking ${number}`, allowed: 100 }
  await limitAttempts(db, [ofVisitor, ofAddress, ofNumber], 'rate_limited')
  const found = await findTracked(db, number, fact)
  // Unknown numbers and wrong facts get the same response.
  if (!found) throw new Refusal('number_or_fact_wrong')
  await clearFailures(db, ofVisitor, ofAddress, ofNumber)
  const shown = await sharedShipment(db, found.account_id, found.svc_shipment_id, nothingChosen)
  const { name: _name, ...shipment } = shown.shipment
  return { forwarder: forwarderName, ...shown, shipment }
}

async function findTracked(db: Database, number: string, fact: string): Promise<Candidate | undefined> {
  if (number === fact) return undefined
  const candidates = await findReferencedShipments(db, 'all', [number], mostCandidates)
  for (const candidate of candidates) {
    const isShown = candidate.status !== 'draft' && candidate.status !== 'cancelled'
    if (isShown && (await isKnownFact(db, candidate, fact))) return candidate
  }
  return undefined
}

async function isKnownFact(db: Database, candidate: Candidate, fact: string): Promise<boolean> {
  const { account_id: account, svc_shipment_id } = candidate
  if ((await getAccountRow(db, account)).suspended_at) return false
  if (await hasOrderReference(db, account, svc_shipment_id, fact)) return true
  const shipment = await getShipmentRecord(db, account, svc_shipment_id)
  if (customerReferences(shipment).includes(fact)) return true
  const { pickup, delivery } = await findRouteLocations(db, account, shipment)
  return [pickup, delivery].some((place) => normalReference(String(place?.zip_code ?? '')) === fact)
}
