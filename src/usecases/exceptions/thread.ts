import { hash } from 'node:crypto'
import type { Condition, ExceptionSubject } from '../../domain/exceptions/condition.js'

type Matter = Pick<Condition, 'kind' | 'topic'> & ExceptionSubject

/** What is wrong with what: the same for all episodes. */
export function matterOf({
  kind,
  topic = '',
  svc_shipment_id,
  container_number,
  po_number,
  invoice_reference,
}: Matter): string {
  // An invoice stays the same when it is moved to another shipment.
  const named =
    invoice_reference === undefined ? { svc_shipment_id, container_number, po_number } : { invoice_reference }
  return JSON.stringify([kind, topic, named])
}

/** The identifier of all episodes of one matter. */
export function threadOf(matter: Matter): string {
  return hash('sha256', matterOf(matter), 'hex').slice(0, 20)
}
