import type { TObject, TSchema } from 'typebox'
import type { Examples } from './examples.js'
import { type Operation, type OperationName, operationNames, operations, refusalsOf, scopeOf } from './operations.js'
import { Problem, problemMediaType, problemPath } from './problem.js'
import { type RefusalCode, refusalCodes, refusals } from './refusals.js'

/** The OpenAPI 3.1 description of the interface, from the operations table and nothing else. */

export const interfaceVersion = '1.3.2'

type Json = Record<string, unknown>
export type OpenApiDocument = Json & { openapi: string; paths: Json; components: Json }

const description = `A freight forwarding service: shipments, purchase orders, locations, invoices, tracking and documents of one account.

**Who is calling.** Send \`Authorization: Bearer <key>\`. Keys have the scopes \`read\` and \`write\`. In the sandbox, requests from the same machine need no key.

**Errors** are problem bodies (RFC 9457) with a stable \`code\`; invalid input lists every fault in \`errors\`.

**Polling is cheap.** Send the \`ETag\` of the last answer as \`If-None-Match\`: what has not changed answers \`304\` without a body.

**Retries are safe.** Send an \`Idempotency-Key\` with every write: within 24 hours a retry gets the first answer again.

**Fields without a value** are left out, never \`null\`; only \`Document.type\` may be \`null\`.`

export function openApiOf(examples: Examples): OpenApiDocument {
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  for (const name of operationNames) {
    const operation: Operation = operations[name]
    const path = paths[operation.path] ?? {}
    paths[operation.path] = path
    path[operation.method.toLowerCase()] = describeOperation(operation, name, examples[name], schemas)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Waybill: freight forwarding service',
      version: interfaceVersion,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The service that answered with this description' }],
    security: [{ key: [] }],
    tags: tags.map(([tag, about]) => ({ name: tag, description: about })),
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'A key of the account (`wb_...`).' } },
      examples: Object.fromEntries(declaredCodes().map((code) => [code, { value: problemExample(code) }])),
      schemas: Object.fromEntries(Object.entries(schemas).toSorted(([one], [other]) => (one < other ? -1 : 1))),
    },
  }
}

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
} satisfies Record<Operation['kind'], (typeof tags)[number][0]>

function describeOperation(
  operation: Operation,
  name: OperationName,
  example: Examples[OperationName],
  schemas: Json,
): Json {
  return {
    operationId: name,
    tags: [tagOf[operation.kind]],
    summary: operation.summary,
    description: `Needs the scope \`${scopeOf(operation)}\`.`,
    parameters: [
      ...parametersIn('path', operation.params, schemas, example?.params),
      ...parametersIn('query', operation.query, schemas),
      ...(operation.method === 'GET' ? [ifNoneMatch] : [idempotencyKey]),
    ],
    ...(operation.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: referenced(operation.body, schemas), ...exampleOf(example?.body) } },
      },
    }),
    responses: { ...success(operation, schemas, example?.answer), ...refused(operation, schemas) },
  }
}

function exampleOf(value: unknown): Json {
  return value === undefined ? {} : { example: value }
}

function parametersIn(place: 'path' | 'query', schema: TObject | undefined, schemas: Json, values: Json = {}): Json[] {
  if (!schema) return []
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path',
    schema: referenced(property, schemas),
    ...exampleOf(values[name]),
  }))
}

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the answer that the client has.',
  schema: { type: 'string' },
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Makes retries safe: within 24 hours the first answer to this key is given again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const requestId = { 'X-Request-Id': { description: 'Names this request in the logs.', schema: { type: 'string' } } }

function success(operation: Operation, schemas: Json, example: unknown): Json {
  const { status, body, location } = operation.success
  const headers = {
    ...requestId,
    ...(operation.method === 'GET' && {
      ETag: { description: 'Validator of this answer.', schema: { type: 'string' } },
    }),
    ...(location && { Location: { description: 'Where what was created is found.', schema: { type: 'string' } } }),
  }
  return {
    [status]: {
      description: status === 201 ? 'Created' : 'OK',
      headers,
      content: { 'application/json': { schema: referenced(body, schemas), ...exampleOf(example) } },
    },
    ...(operation.method === 'GET' && {
      304: { description: 'The client has the current answer.', headers: requestId },
    }),
  }
}

function refused(operation: Operation, schemas: Json): Json {
  const byStatus = new Map<number, RefusalCode[]>()
  for (const code of refusalsOf(operation)) {
    const { status } = refusals[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const answers = [...byStatus].toSorted(([one], [other]) => one - other)
  return Object.fromEntries(
    answers.map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${refusals[code].title}`).join('. '),
        headers: requestId,
        content: {
          [problemMediaType]: {
            schema: referenced(Problem, schemas),
            examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
          },
        },
      },
    ]),
  )
}

// Some refusals are outside of any operation, such as that of an unknown path.
function declaredCodes(): RefusalCode[] {
  const declared = new Set(operationNames.flatMap((name) => refusalsOf(operations[name])))
  return refusalCodes.filter((code) => declared.has(code))
}

function problemExample(code: RefusalCode): Json {
  const { title, status, explanation } = refusals[code]
  return { type: problemPath(code), title, status, detail: explanation, code, request_id: 'req_9f86d081884c000001' }
}

/** The schema with every named part replaced by a reference to it. */
function referenced(schema: TSchema, schemas: Json): unknown {
  if ('title' in schema && typeof schema.title === 'string') {
    const { title, ...rest } = schema
    if (!(title in schemas)) {
      schemas[title] = {}
      schemas[title] = plain(rest, schemas)
    }
    return { $ref: `#/components/schemas/${title}` }
  }
  return plain(schema, schemas)
}

function plain(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => (isSchema(item) ? referenced(item, schemas) : item))
  if (!isSchema(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === 'properties'
        ? Object.fromEntries(
            Object.entries(part as Json).map(([field, schema]) => [field, referenced(schema as TSchema, schemas)]),
          )
        : isSchema(part)
          ? referenced(part, schemas)
          : plain(part, schemas),
    ]),
  )
}

function isSchema(value: unknown): value is TSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
