/** Every way in which the operator interface says no, beside those that it shares with the public one. */
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
  too_many_keys: {
    status: 409,
    title: 'The account has many keys already',
    explanation: 'An account has at most 100 keys that are neither revoked nor expired. Nothing was created.',
    remedy: 'Revoke those that nobody uses any more.',
  },
  location_exists: {
    status: 409,
    title: 'The location exists already',
    explanation: 'The account has a location with this `id`. Nothing was changed.',
    remedy: 'Replace it with `PUT`, or create one without an `id`: it gets the next free one.',
  },
  shipment_exists: {
    status: 409,
    title: 'The shipment exists already',
    explanation: 'The account has a shipment with this `svc_shipment_id`. Nothing was changed.',
    remedy: 'Replace it with `PUT`, or create one without an identifier: it gets one of its own.',
  },
  transition_not_allowed: {
    status: 409,
    title: 'The status cannot follow the present one',
    explanation: 'Statuses follow one another in an order. `detail` names those that are allowed now.',
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
    title: 'A container that order lines are packed into cannot be left out',
    explanation: 'The shipment would lack a container that shipped lines name. Nothing was changed.',
    remedy: 'Keep the container, or pack its order lines elsewhere first.',
  },
  container_has_events: {
    status: 409,
    title: 'A container that has events cannot be left out',
    explanation: 'The shipment would lack a container that events of its tracking name. Nothing was changed.',
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
      'The assigned quantities of a line never exceed the ordered one, and shipped never exceeds assigned. `detail` says by how much. Nothing was changed.',
    remedy: 'Assign or ship less, or take something off elsewhere first.',
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
    remedy: 'Correct it with `PUT`, or leave out `event_id`: the event gets one of its own.',
  },
  step_has_events: {
    status: 409,
    title: 'A step that has events cannot be left out',
    explanation: 'The new plan lacks a step that events were recorded for. Nothing was changed.',
    remedy: 'Keep the step by its `id`, or retract its events first.',
  },
  invoice_exists: {
    status: 409,
    title: 'The invoice exists already',
    explanation: 'The account has an invoice or credit note with this `reference`. Nothing was changed.',
    remedy: 'Choose another reference, or leave it out: it gets one of its own.',
  },
  invoice_is_draft: {
    status: 409,
    title: 'The invoice is still a draft',
    explanation: 'A draft owes nothing: it must be issued first.',
    remedy: 'Issue it with `POST .../issue`.',
  },
  invoice_issued: {
    status: 409,
    title: 'The invoice was issued already',
    explanation: 'What was issued stands: it has a number and was sent. Nothing was changed.',
    remedy: 'Set its status to `in_modification` to change its lines, or write a credit note.',
  },
  invoice_not_printable: {
    status: 409,
    title: 'The invoice cannot be printed',
    explanation: 'Laying out its pages took more than a minute, or more than 512 MiB of memory: it is too long.',
    remedy:
      'Read the invoice as JSON. Lines, payments and credit notes that belong together may be summed up elsewhere.',
  },
  payment_not_found: {
    status: 404,
    title: 'There is no such payment',
    explanation: 'The invoice has no payment with this identifier.',
    remedy: 'Take identifiers from `payments` of the invoice.',
  },
  payment_exists: {
    status: 409,
    title: 'There is another payment of this identifier',
    explanation: 'The account has a payment with this `payment_id` that differs from this one. Nothing was changed.',
    remedy: 'Choose another identifier, or leave it out. The very same payment may be sent again: it counts once.',
  },
  payment_exceeds_outstanding: {
    status: 409,
    title: 'More was paid than is outstanding',
    explanation:
      'What is left to pay is less than what is, or was, paid. `detail` says by how much. Nothing was changed.',
    remedy:
      'Record what was paid for this invoice, and the rest elsewhere; before an invoice leaves `in_modification`, ask for enough or take payments back.',
  },
  credit_exceeds_invoice: {
    status: 409,
    title: 'The credit is larger than the invoice',
    explanation:
      'All credit notes against an invoice together never exceed it. `detail` says by how much. Nothing was changed.',
    remedy: 'Credit less, or discard a draft of a credit note.',
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
    remedy: 'Replace its bytes with `PUT .../content`, or leave out `id`: it gets one of its own.',
  },
  file_not_accepted: {
    status: 400,
    title: 'The file is not accepted',
    explanation: 'The content of the file is not what its name says, or is of a kind that is not taken in.',
    remedy: 'Send a file of an accepted kind under a name with its extension. Nothing was changed.',
  },
  version_not_found: {
    status: 404,
    title: 'There was nothing then',
    explanation: 'At the time given by `as_of` the resource did not exist.',
    remedy: 'Ask for a later time; the history tells when it was created.',
  },
  history_not_found: {
    status: 404,
    title: 'There is no history of this',
    explanation: 'The account never had a resource of this kind with this identifier.',
    remedy: 'Check the kind and the identifier; percent-encode it in the path.',
  },
  import_rejected: {
    status: 400,
    title: 'The import has bad lines',
    explanation:
      'At least one line is not valid, so nothing was kept. `errors` lists the faults, 100 at most: the pointer begins with the number of the line.',
    remedy:
      'Correct the lines, or ask with `skip_invalid=true` to keep the good ones; `check=true` reports all faults and changes nothing.',
  },
} as const satisfies Record<string, { status: number; title: string; explanation: string; remedy: string }>
