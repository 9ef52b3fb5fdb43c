import { billingRefusals } from './billing-refusals.js'
import { mailRefusals } from './mail-refusals.js'
import { peopleRefusals } from './people-refusals.js'
import { shipmentRefusals } from './shipment-refusals.js'

/** Refusals of the operator interface, besides those it shares with the public one. */
export const operatorRefusals = {
  ...shipmentRefusals,
  ...mailRefusals,
  ...billingRefusals,
  ...peopleRefusals,
  insufficient_role: {
    status: 403,
    title: 'The role lacks the right',
    explanation: 'The key is valid, but the role of its operator does not allow the operation.',
    remedy: 'Use the key of an operator with one of the roles that `detail` names.',
  },
  limited_to_accounts: {
    status: 403,
    title: 'The operator works for some accounts only',
    explanation: 'The operation concerns all accounts of the forwarder, and the operator is limited to some of them.',
    remedy: 'Ask somebody who works for all accounts, or an admin to lift the limit.',
  },
  exception_not_waivable: {
    status: 409,
    title: 'Only a missing document can be waived',
    explanation: 'The exception is of another kind. Nothing was changed.',
    remedy: 'Close it, with a reason.',
  },
  work_item_not_found: {
    status: 404,
    title: 'Nothing like it waits',
    explanation:
      'There is no such item, it no longer waits, or the operator does not work for all that it concerns. It was not changed.',
    remedy: 'Read the list that it is from again.',
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
      'The assigned quantities of a line must not exceed the ordered one by more than the tolerance of the account, unless `over_shipment_reason` says why, nor the shipped the assigned. `detail` says by how much they would. Nothing was changed.',
    remedy: 'Assign or ship less, or remove another assignment first.',
  },
  event_not_found: {
    status: 404,
    title: 'There is no such event',
    explanation: 'The tracking of the shipment has no event with this identifier, or it was retracted.',
    remedy: "Take identifiers from the shipment's tracking in the operator interface.",
  },
  columns_not_found: {
    status: 404,
    title: 'No columns are set for this sender',
    explanation:
      'No operator has set what the columns of its tables stand for; headings are recognised by their words.',
    remedy: 'Save the columns of the sender, if its headings are not recognised.',
  },
  sender_not_found: {
    status: 404,
    title: 'Nothing is set for this sender',
    explanation: 'No operator has set what kind of party it is; its messages are accepted all the same.',
    remedy: 'List the senders to see what is set for which.',
  },
  container_not_found: {
    status: 404,
    title: 'The shipment has no such container',
    explanation: 'No container of the shipment has this number.',
    remedy: 'Take the numbers from the cargo of the shipment.',
  },
  pin_not_found: {
    status: 404,
    title: 'The date is not pinned',
    explanation: 'Nobody has set the date of this milestone, or it was given back to the sources.',
    remedy: 'Take what is pinned from the tracking of the shipment in the operator interface.',
  },
  free_time_term_not_found: {
    status: 404,
    title: 'There is no such rule of free time',
    explanation: 'The forwarder has no rule of free time with this identifier, or it was removed.',
    remedy: 'Take identifiers from `GET /ops/v1/freeTimeTerms`.',
  },
  working_days_not_found: {
    status: 404,
    title: 'There is no such calendar',
    explanation: 'The forwarder has no calendar of working days for this port or country, or it was removed.',
    remedy: 'Take places from `GET /ops/v1/workingDays`.',
  },
  free_time_fact_not_found: {
    status: 404,
    title: 'Nothing was given under this identifier',
    explanation: 'No last free day and no days in addition were recorded under it, or they were retracted.',
    remedy: 'Take what was recorded from the history of the tracking of the shipment.',
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
    remedy:
      'Create a credit note, and another invoice. If the setting `credit_and_reissue_only` is off, its lines can be changed in the status `in_modification`.',
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
  payment_refunded: {
    status: 409,
    title: 'Part of the payment was paid back',
    explanation:
      'What was unapplied of the payment, or some of it, was refunded: it cannot be reversed. Nothing was changed.',
    remedy: 'Record what is missing as an invoice of its own, or credit and issue again.',
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
    remedy:
      'Record a smaller payment. Before an invoice leaves `in_modification`, raise its total or reverse payments.',
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
  proposal_not_found: {
    status: 404,
    title: 'There is no such proposal',
    explanation: 'The account has no proposed document with this `id`.',
    remedy: 'Take identifiers from `GET /ops/v1/documentProposals`.',
  },
  supplier_link_not_found: {
    status: 404,
    title: 'There is no such link',
    explanation: 'The account has no link for a supplier with this `link_id`.',
    remedy: 'Take identifiers from the list of links of the shipment.',
  },
  too_many_supplier_links: {
    status: 409,
    title: 'Too many links for suppliers',
    explanation: 'The shipment has 20 links for suppliers that work. Nothing was created.',
    remedy: 'Revoke a link that is not needed.',
  },
  proposal_decided: {
    status: 409,
    title: 'The proposal was decided otherwise',
    explanation: 'The proposed document was already accepted, or returned. Nothing was changed.',
    remedy: 'Withdraw the document that it became, or ask for it to be proposed again.',
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
  message_not_acknowledged: {
    status: 409,
    title: 'The message has no acknowledgement',
    explanation:
      'It is no interchange of EDIFACT or X12, its header cannot be read, or it is an acknowledgement itself.',
    remedy: 'Acknowledgements are for messages of the formats `iftsta` and `x12`.',
  },
  code_not_mapped: {
    status: 404,
    title: 'The code is not mapped',
    explanation: 'No operator has set a meaning for this status code of the sender. Nothing was changed.',
    remedy: 'Take codes from `GET /ops/v1/codes?state=mapped`.',
  },
  feed_not_found: {
    status: 404,
    title: 'There is no such feed',
    explanation: 'There is no feed with this `feed_id`, or it was removed.',
    remedy: 'Take identifiers from `GET /ops/v1/feeds`.',
  },
  feed_not_push: {
    status: 409,
    title: 'The feed has no secret of ours',
    explanation: 'Events of this feed are fetched: its key comes from the carrier. Nothing was changed.',
    remedy: 'Send the new key of the carrier as `key` with `PATCH /ops/v1/feeds/{feed_id}`.',
  },
  too_many_feeds: {
    status: 409,
    title: 'There are too many feeds',
    explanation: 'There are 1,000 feeds, which is the limit. Nothing was created.',
    remedy: 'Remove feeds that are not used.',
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
