/** Refusals of the operator interface, besides those it shares with the public one. */
export const operatorRefusals = {
  insufficient_role: {
    status: 403,
    title: 'The role lacks the right',
    explanation: 'The key is valid, but the role of its operator does not allow the operation.',
    remedy: 'Use the key of an operator with one of the roles that `detail` names.',
  },
  account_not_found: {
    status: 404,
    title: 'There is no such account',
    explanation: 'The forwarder has no account with this short name.',
    remedy: 'Take short names from `GET /ops/v1/accounts`.',
  },
  account_exists: {
    status: 409,
    title: 'The account exists already',
    explanation: 'There is an account with this short name. Nothing was changed.',
    remedy: 'Choose another short name, or change the account with `PATCH /ops/v1/accounts/{account}`.',
  },
  key_not_found: {
    status: 404,
    title: 'There is no such key',
    explanation: 'The account has no key with this `key_id`.',
    remedy: "Take identifiers from the list of the account's keys.",
  },
  key_not_active: {
    status: 409,
    title: 'The key no longer works',
    explanation: 'The key was revoked or has expired. Nothing was changed.',
    remedy: 'Create a new key.',
  },
  too_many_keys: {
    status: 409,
    title: 'The account has too many keys',
    explanation:
      'An account has at most 100 keys that are neither revoked nor expired, and a user creates at most 50 of them. Nothing was created.',
    remedy: 'Revoke keys that are no longer used.',
  },
  provider_not_configured: {
    status: 409,
    title: 'The service has no OpenID Connect provider',
    explanation: 'Without one, nobody of the account could sign in. Nothing was changed.',
    remedy: 'Set the `WAYBILL_OIDC_` settings of the service first.',
  },
  location_exists: {
    status: 409,
    title: 'The location exists already',
    explanation: 'The account has a location with this `id`. Nothing was changed.',
    remedy: 'Replace it with `PUT`, or omit `id`: the next free one is assigned.',
  },
  shipment_exists: {
    status: 409,
    title: 'The shipment exists already',
    explanation: 'The account has a shipment with this `svc_shipment_id`. Nothing was changed.',
    remedy: 'Replace it with `PUT`, or omit the identifier: one is generated.',
  },
  transition_not_allowed: {
    status: 409,
    title: 'The status transition is not allowed',
    explanation: 'The current status does not allow this transition. `detail` lists the allowed ones.',
    remedy: 'Choose one of the allowed statuses; for a shipment, an explicit correction may set any.',
  },
  shipment_cancelled: {
    status: 409,
    title: 'The shipment is cancelled',
    explanation: 'Nothing can be assigned to a cancelled shipment. Nothing was changed.',
    remedy: 'Assign to another shipment, or correct the status first.',
  },
  container_packed: {
    status: 409,
    title: 'A container with packed order lines cannot be removed',
    explanation: 'Shipped lines refer to a container that the request removes. Nothing was changed.',
    remedy: 'Keep the container, or pack its order lines elsewhere first.',
  },
  container_has_events: {
    status: 409,
    title: 'A container with events cannot be removed',
    explanation: 'Tracking events refer to a container that the request removes. Nothing was changed.',
    remedy: 'Keep the container, or correct or retract its events first.',
  },
  line_not_found: {
    status: 404,
    title: 'There is no such order line',
    explanation: 'The purchase order has no line with this reference.',
    remedy: 'Take references from `product_lines` of the order.',
  },
  assignment_not_found: {
    status: 404,
    title: 'There is no such assignment',
    explanation: 'Nothing of this order line is assigned to this shipment.',
    remedy: 'Assign a quantity first.',
  },
  quantity_exceeded: {
    status: 409,
    title: 'The quantity is too large',
    explanation:
      'The assigned quantities of a line must not exceed the ordered one, nor the shipped the assigned. `detail` says by how much they would. Nothing was changed.',
    remedy: 'Assign or ship less, or remove another assignment first.',
  },
  event_not_found: {
    status: 404,
    title: 'There is no such event',
    explanation: 'The tracking of the shipment has no event with this identifier, or it was retracted.',
    remedy: "Take identifiers from the shipment's tracking in the operator interface.",
  },
  event_exists: {
    status: 409,
    title: 'The event exists already',
    explanation: 'The tracking has, or had, an event with this identifier. Nothing was changed.',
    remedy: 'Correct it with `PUT`, or omit `event_id`: one is generated.',
  },
  step_has_events: {
    status: 409,
    title: 'A step with events cannot be removed',
    explanation: 'Events were recorded for a step that the new plan removes. Nothing was changed.',
    remedy: 'Keep the step by its `id`, or retract its events first.',
  },
  invoice_exists: {
    status: 409,
    title: 'The invoice exists already',
    explanation: 'The account has an invoice or credit note with this `reference`. Nothing was changed.',
    remedy: 'Choose another reference, or omit it: one is generated.',
  },
  invoice_is_draft: {
    status: 409,
    title: 'The invoice is still a draft',
    explanation: 'The operation requires an issued invoice.',
    remedy: 'Issue it with `POST .../issue`.',
  },
  invoice_issued: {
    status: 409,
    title: 'The invoice was issued already',
    explanation: 'An issued invoice cannot be changed or discarded. Nothing was changed.',
    remedy: 'Set its status to `in_modification` to change its lines, or create a credit note.',
  },
  invoice_not_printable: {
    status: 409,
    title: 'The invoice cannot be printed',
    explanation: 'The invoice is too long: rendering it took more than a minute or 512 MiB of memory.',
    remedy: 'Read the invoice as JSON.',
  },
  payment_not_found: {
    status: 404,
    title: 'There is no such payment',
    explanation: 'The invoice has no payment with this identifier.',
    remedy: 'Take identifiers from `payments` of the invoice.',
  },
  payment_exists: {
    status: 409,
    title: 'The payment exists already, with other content',
    explanation: 'The account has a payment with this `payment_id` that differs from this one. Nothing was changed.',
    remedy: 'Choose another identifier, or omit it. Repeating a payment with the same content is safe.',
  },
  payment_exceeds_outstanding: {
    status: 409,
    title: 'The payment exceeds the outstanding amount',
    explanation: 'The payments would exceed the amount that is owed. `detail` says by how much. Nothing was changed.',
    remedy: 'Record a smaller payment. Before an invoice leaves `in_modification`, raise its total or remove payments.',
  },
  credit_exceeds_invoice: {
    status: 409,
    title: 'The credit exceeds the invoice',
    explanation:
      'All credit notes against an invoice together must not exceed it. `detail` says by how much they would. Nothing was changed.',
    remedy: 'Credit less, or discard another draft of a credit note.',
  },
  document_not_found: {
    status: 404,
    title: 'There is no such document',
    explanation: 'The account has no document with this `id`, or it was withdrawn.',
    remedy: 'Take identifiers from the list of documents.',
  },
  document_exists: {
    status: 409,
    title: 'The document exists already',
    explanation: 'The account has a document with this `id`. Nothing was changed.',
    remedy: 'Replace its content with `PUT .../content`, or omit `id`: one is generated.',
  },
  file_not_accepted: {
    status: 400,
    title: 'The file is not accepted',
    explanation: 'The content of the file does not match its name, or its type is not accepted.',
    remedy: 'Send a file of an accepted type, with the matching extension. Nothing was changed.',
  },
  message_not_found: {
    status: 404,
    title: 'There is no such message',
    explanation: 'There is no message with this number, or it was removed after the retention period.',
    remedy: 'Take numbers from `GET /ops/v1/messages`.',
  },
  message_applied: {
    status: 409,
    title: 'The message was applied',
    explanation: 'All of the message was applied or known: there is nothing to drop. Nothing was changed.',
    remedy: 'Retract its events in the tracking of the shipment, if they are wrong.',
  },
  version_not_found: {
    status: 404,
    title: 'The resource did not exist at that time',
    explanation: 'The resource was created after the time given by `as_of`.',
    remedy: 'Use a later time; the history shows when it was created.',
  },
  history_not_found: {
    status: 404,
    title: 'There is no such history',
    explanation: 'The account never had a resource of this kind with this identifier.',
    remedy: 'Check the kind and the identifier; percent-encode it in the path.',
  },
  import_rejected: {
    status: 400,
    title: 'The import has invalid lines',
    explanation:
      'At least one line is invalid, so nothing was stored. `errors` lists the errors, at most 100; the pointer starts with the line number.',
    remedy:
      'Correct the lines, or use `skip_invalid=true` to store the valid ones; `check=true` reports all errors and changes nothing.',
  },
} as const satisfies Record<string, { status: number; title: string; explanation: string; remedy: string }>
