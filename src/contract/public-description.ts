import type { Examples } from './examples.js'
import { bearerKey, type DescribedInterface, type OpenApiDocument, openApiOf } from './openapi.js'
import { operationNames, operations, type PublicOperation, refusalsOf, scopeOf } from './operations.js'
import { Problem } from './problem.js'

export const interfaceVersion = '1.3.2'

const description = `A freight forwarding service: shipments, purchase orders, locations, invoices, tracking and documents of one account.

**Who is calling.** Send \`Authorization: Bearer <key>\`. Keys have the scopes \`read\` and \`write\`. In the sandbox, requests from the same machine need no key.

**Errors** are problem bodies (RFC 9457) with a stable \`code\`; invalid input lists every fault in \`errors\`.

**Polling is cheap.** Send the \`ETag\` of the last answer as \`If-None-Match\`: what has not changed answers \`304\` without a body.

**Retries are safe.** Send an \`Idempotency-Key\` with every write: within 24 hours a retry gets the first answer again.

**Fields without a value** are left out, never \`null\`; only \`Document.type\` may be \`null\`.`

const tags = [
  ['Shipments', 'Ocean, air, rail and truck shipments.'],
  ['Purchase orders', 'Orders that the account creates, and that the forwarder assigns to shipments.'],
  ['Locations', 'Saved pick-up and delivery locations.'],
  ['Invoices', 'Invoices and credit notes.'],
  ['Tracking', 'Where a shipment is, and what happened on the way.'],
  ['Documents', 'Papers of the account and of its shipments.'],
] as const

const tagOf = {
  shipment: 'Shipments',
  purchase_order: 'Purchase orders',
  location: 'Locations',
  invoice: 'Invoices',
  tracking: 'Tracking',
  document: 'Documents',
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
        const needs = `Needs the scope \`${scopeOf(operation)}\`.`
        const tag = tagOf[operation.kind]
        return [name, { operation, tag, needs, refusals: refusalsOf(operation), example: examples[name] }]
      }),
    ),
    problem: Problem,
  }
  return openApiOf(described)
}
