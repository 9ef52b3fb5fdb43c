import type { TObject, TSchema } from 'typebox'
import type { Operation } from './operation.js'
import { problemMediaType, problemPath } from './problem.js'
import { type RefusalCode, refusalCodes, refusals } from './refusals.js'

/** The OpenAPI 3.1 description of an interface, from its operations table and nothing else. */

type Json = Record<string, unknown>
export type OpenApiDocument = Json & {
  openapi: string
  info: { title: string; version: string }
  paths: Json
  components: Json
}

export type Example = {
  params?: Record<string, string>
  query?: Record<string, string | number>
  body?: unknown
  answer?: unknown
}

export type DescribedOperation = {
  operation: Omit<Operation, 'body'> & { body?: TSchema | undefined }
  tag: string
  /** Who may call it, in a sentence. */
  needs: string
  refusals: RefusalCode[]
  example?: Example | undefined
  /** A write of which no answer is kept for retries. */
  withoutIdempotencyKey?: boolean
  /** A read that is made anew each time. */
  withoutValidator?: boolean
  /** Nobody has to say who they are. */
  isOpen?: boolean
  /** What it takes, and answers with, in headers of its own. */
  headers?: Json[]
  answerHeaders?: Json
  /** How its body is sent, where that is not JSON. */
  bodyMediaType?: string | undefined
  /** What it answers with, where that is not JSON: by media type. */
  answerFiles?: Record<string, TSchema> | undefined
}

/** A key, in the usual header. */
export function bearerKey(description: string): DescribedInterface['security'] {
  return { name: 'key', scheme: { type: 'http', scheme: 'bearer', description } }
}

export type DescribedInterface = {
  title: string
  version: string
  description: string
  /** How callers say who they are. */
  security: { name: string; scheme: Json }
  tags: readonly (readonly [name: string, about: string])[]
  operations: Record<string, DescribedOperation>
  problem: TSchema
}

export function openApiOf(described: DescribedInterface): OpenApiDocument {
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  for (const [name, each] of Object.entries(described.operations)) {
    const { path: address, method } = each.operation
    const path = paths[address] ?? {}
    paths[address] = path
    path[method.toLowerCase()] = describeOperation(name, each, described.problem, schemas)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: described.title,
      version: described.version,
      description: described.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    } as OpenApiDocument['info'],
    servers: [{ url: '/', description: 'The service that answered with this description' }],
    security: [{ [described.security.name]: [] }],
    tags: described.tags.map(([tag, about]) => ({ name: tag, description: about })),
    paths,
    components: {
      securitySchemes: { [described.security.name]: described.security.scheme },
      examples: Object.fromEntries(declaredCodes(described).map((code) => [code, { value: problemExample(code) }])),
      schemas: Object.fromEntries(Object.entries(schemas).toSorted(([one], [other]) => (one < other ? -1 : 1))),
    },
  }
}

function describeOperation(name: string, described: DescribedOperation, problem: TSchema, schemas: Json): Json {
  const { operation, tag, needs, example, bodyMediaType = 'application/json' } = described
  return {
    operationId: name,
    tags: [tag],
    summary: operation.summary,
    description: needs,
    ...(described.isOpen && { security: [] }),
    parameters: [
      ...parametersIn('path', operation.params, schemas, example?.params),
      ...parametersIn('query', operation.query, schemas, example?.query),
      ...(described.headers ?? []),
      ...(isValidated(described) ? [ifNoneMatch] : []),
      ...(operation.method === 'GET' || described.withoutIdempotencyKey ? [] : [idempotencyKey]),
    ],
    ...(operation.body && {
      requestBody: {
        required: true,
        content: { [bodyMediaType]: { schema: referenced(operation.body, schemas), ...exampleOf(example?.body) } },
      },
    }),
    responses: { ...success(described, schemas), ...refused(described.refusals, problem, schemas) },
  }
}

/** The kinds of files that an answer may be, by their media types; any, where none is told. */
export function filesOf(body: TSchema): Record<string, TSchema> {
  const kinds = 'anyOf' in body ? (body.anyOf as TSchema[]) : [body]
  return Object.fromEntries(
    kinds.map((kind) => [(kind as { contentMediaType?: string }).contentMediaType ?? '*/*', kind]),
  )
}

function isValidated({ operation, withoutValidator }: DescribedOperation): boolean {
  return operation.method === 'GET' && !withoutValidator
}

function exampleOf(value: unknown): Json {
  return value === undefined ? {} : { example: value }
}

function parametersIn(place: 'path' | 'query', schema: TObject | undefined, schemas: Json, values: Json = {}): Json[] {
  if (!schema) return []
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (schema.required?.includes(name) ?? false),
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

function success(described: DescribedOperation, schemas: Json): Json {
  const { operation, example, answerFiles, answerHeaders } = described
  const { status, body, location } = operation.success
  const contents = Object.entries(answerFiles ?? { 'application/json': body })
  const headers = {
    ...requestId,
    ...(isValidated(described) && { ETag: { description: 'Validator of this answer.', schema: { type: 'string' } } }),
    ...(location && { Location: { description: 'Where what was created is found.', schema: { type: 'string' } } }),
    ...answerHeaders,
  }
  return {
    [status]: {
      description: status === 201 ? 'Created' : 'OK',
      headers,
      content: Object.fromEntries(
        contents.map(([type, schema]) => [
          type,
          { schema: referenced(schema, schemas), ...exampleOf(example?.answer) },
        ]),
      ),
    },
    ...(isValidated(described) && { 304: { description: 'The client has the current answer.', headers: requestId } }),
  }
}

function refused(declared: RefusalCode[], problem: TSchema, schemas: Json): Json {
  const byStatus = new Map<number, RefusalCode[]>()
  for (const code of declared) {
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
            schema: referenced(problem, schemas),
            examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
          },
        },
      },
    ]),
  )
}

// Some refusals are outside of any operation, such as that of an unknown path.
function declaredCodes({ operations }: DescribedInterface): RefusalCode[] {
  const declared = new Set(Object.values(operations).flatMap((each) => each.refusals))
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
