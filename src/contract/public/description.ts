import { bearerKey, type DescribedInterface, type OpenApiDocument, openApiOf } from '../openapi.js'
import { Problem } from '../problem.js'
import type { Examples } from './examples.js'
import { MessageForm } from './message.js'
import { neededScopes, operationNames, operations, type PublicOperation, refusalsOf } from './operations.js'
import { ProposalForm } from './proposal.js'

export const interfaceVersion = '1.3.2'

const description = `A freight forwarding service: shipments, purchase orders, locations, invoices, tracking and documents of one account.

**[Guides](/docs/guides/)**: quick start, paging, polling, the feed, webhooks, errors, limits, documents, retries, going live.

**Authentication.** Send \`Authorization: Bearer <key>\`. Keys have the scopes \`read\` and \`write\`. In the sandbox, requests from the same machine need no key.

**Errors** are problem bodies (RFC 9457) with a stable \`code\`; invalid input lists every error in \`errors\`.

**Polling is cheap.** Send the \`ETag\` of the last response as \`If-None-Match\`: unchanged resources return \`304\` without a body.

**Retries are safe.** Send an \`Idempotency-Key\` with every write: for 24 hours a retry gets the first response.

**Fields without a value** are omitted, never \`null\`; only \`Document.type\` may be \`null\`.`

const tags = [
  ['Shipments', 'Ocean, air, rail and truck shipments.'],
  ['Purchase orders', 'Orders that the account creates, and that the forwarder assigns to shipments.'],
  ['Locations', 'Saved pick-up and delivery locations.'],
  ['Invoices', 'Invoices and credit notes.'],
  ['Tracking', 'The steps, events and positions of a shipment.'],
  ['Documents', 'Documents of the account and of its shipments.'],
  ['Exceptions', 'What needs attention: an extension of the interface.'],
  ['Events', 'What changed in the account: an extension of the interface.'],
] as const

const tagOf = {
  shipment: 'Shipments',
  purchase_order: 'Purchase orders',
  location: 'Locations',
  invoice: 'Invoices',
  tracking: 'Tracking',
  document: 'Documents',
  exception: 'Exceptions',
} satisfies Record<PublicOperation['kind'], (typeof tags)[number][0]>

export function publicOpenApi(examples: Examples): OpenApiDocument {
  const described: DescribedInterface = {
    title: 'Waybill: freight forwarding service',
    version: interfaceVersion,
    description,
    security: bearerKey('A key of the account (`wb_...`).'),
    tags,
    operations: Object.fromEntries(
      operationNames.map((name) => {
        const operation: PublicOperation = operations[name]
        const needs = `Requires the scope ${neededScopes(operation)}.`
        const tag = operation.isFeed ? 'Events' : tagOf[operation.kind]
        const form = operation.accepts && {
          operation: { ...operation, body: name === 'proposeDocument' ? ProposalForm : MessageForm },
          bodyMediaType: 'multipart/form-data',
        }
        return [name, { operation, tag, needs, refusals: refusalsOf(operation), example: examples[name], ...form }]
      }),
    ),
    problem: Problem,
  }
  return openApiOf(described)
}
