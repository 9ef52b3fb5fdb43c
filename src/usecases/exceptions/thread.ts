import { hash } from 'node:crypto'
import type { Condition, ExceptionSubject } from '../../domain/exceptions/condition.js'

/** What is wrong with what: the identity of all its episodes. */
export function threadOf({
  kind,
  topic = '',
  ...subject
}: Pick<Condition, 'kind' | 'topic'> & ExceptionSubject): string {
  const { svc_shipment_id, container_number, po_number, invoice_reference } = subject
  // An invoice stays the same when it is moved to another shipment.
  const named =
    invoice_reference === undefined ? { svc_shipment_id, container_number, po_number } : { invoice_reference }
  return hash('sha256', JSON.stringify([kind, topic, named]), 'hex').slice(0, 20)
}
