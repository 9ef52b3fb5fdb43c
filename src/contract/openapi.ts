import type { TObject, TSchema } from 'typebox'
import { openResponses } from './open-responses.js'
import {
  createdAt,
  idempotencyKey,
  ifNoneMatch,
  rateLimit,
  refusalHeaders,
  replayed,
  requestId,
  validator,
} from './openapi-headers.js'
import type { Operation } from './operation.js'
import { problemMediaType, problemPath } from './problem.js'
import { type RefusalCode, refusalCodes, refusals } from './refusals.js'
import { explain } from './vocabulary/explain.js'

/** The OpenAPI 3.1 description of an interface, generated from its table of operations. */

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
  response?: unknown
}

export type DescribedOperation = {
  operation: Omit<Operation, 'body'> & { body?: TSchema | undefined }
  tag: string
  /** A sentence on who may call it. */
  needs: string
  refusals: RefusalCode[]
  example?: Example | undefined
  /** A write that accepts no `Idempotency-Key`. */
  withoutIdempotencyKey?: boolean
  /** A read without an `ETag`. */
  withoutValidator?: boolean
  /** No authentication. */
  isOpen?: boolean
  /** Additional headers of the request and of the response. */
  headers?: Json[]
  responseHeaders?: Json
  /** Media type of the request body, if not JSON. */
  bodyMediaType?: string | undefined
  /** Schemas of the response by media type, if not JSON. */
  responseFiles?: Record<string, TSchema> | undefined
}

/** A key in the `Authorization` header. */
export function bearerKey(description: string): DescribedInterface['security'] {
  return { name: 'key', scheme: { type: 'http', scheme: 'bearer', description } }
}

export type DescribedInterface = {
  title: string
  version: string
  description: string
  /** How callers authenticate. */
  security: { name: string; scheme: Json }
  tags: readonly (readonly [name: string, about: string])[]
  operations: Record<string, DescribedOperation>
  problem: TSchema
}

/** Parts that operations share, by section: each is written once and referenced. */
type Components = Record<'schemas' | 'responses' | 'parameters' | 'headers', Json>

// They belong to no operation. The 405 is described with every operation, as OpenAPI has no other place for it.
const otherAddresses = `**Other addresses.** A path that does not exist responds with \`404\`; a method that a path does not have with \`405\`, and the methods that it has in the header \`Allow\`.`
const ofOtherMethods = 'method_not_allowed'

export function openApiOf(described: DescribedInterface): OpenApiDocument {
  const components: Components = { schemas: {}, responses: {}, parameters: {}, headers: {} }
  const paths: Record<string, Json> = {}
  for (const [name, each] of Object.entries(described.operations)) {
    const { path: address, method } = each.operation
    const path = paths[address] ?? {}
    paths[address] = path
    path[method.toLowerCase()] = describeOperation(name, each, described.problem, components)
  }
  explain(paths, components)
  openResponses(paths, components)
  return {
    openapi: '3.1.0',
    info: {
      title: described.title,
      version: described.version,
      description: `${described.description}\n\n${otherAddresses}`,
      contact: { name: 'The forwarder who runs this service' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    } as OpenApiDocument['info'],
    servers: [{ url: '/', description: 'The service that served this description' }],
    security: [{ [described.security.name]: [] }],
    tags: described.tags.map(([tag, about]) => ({ name: tag, description: about })),
    paths,
    components: {
      securitySchemes: { [described.security.name]: described.security.scheme },
      examples: Object.fromEntries(declaredCodes(described).map((code) => [code, { value: problemExample(code) }])),
      ...Object.fromEntries(Object.entries(components).map(([section, entries]) => [section, sorted(entries)])),
    },
  }
}

function sorted(entries: Json): Json {
  return Object.fromEntries(Object.entries(entries).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** A reference to the component, added if it is new. A different value of the same name is inlined instead. */
function shared(components: Components, section: keyof Components, name: string, value: Json): Json {
  const entries = components[section]
  entries[name] ??= value
  if (JSON.stringify(entries[name]) !== JSON.stringify(value)) return value
  return { $ref: `#/components/${section}/${name}` }
}

function describeOperation(
  name: string,
  described: DescribedOperation,
  problem: TSchema,
  components: Components,
): Json {
  const { operation, tag, needs, example, bodyMediaType = 'application/json' } = described
  return {
    operationId: name,
    tags: [tag],
    summary: operation.summary,
    description: needs,
    ...(described.isOpen && { security: [] }),
    parameters: [
      ...parametersIn('path', operation.params, components, example?.params),
      ...parametersIn('query', operation.query, components, example?.query),
      ...(described.headers ?? []),
      ...(isValidated(described) ? [ifNoneMatch] : []),
      ...(takesIdempotencyKey(described) ? [idempotencyKey] : []),
    ].map((parameter) => shared(components, 'parameters', String(parameter.name), parameter)),
    ...(operation.body && {
      requestBody: {
        required: true,
        content: { [bodyMediaType]: { schema: referenced(operation.body, components), ...exampleOf(example?.body) } },
      },
    }),
    responses: {
      ...success(described, components),
      ...refused([...described.refusals, ofOtherMethods], problem, components),
    },
  }
}

/** The schemas of a file response by media type; of any type if the schema names none. */
export function filesOf(body: TSchema): Record<string, TSchema> {
  const kinds = 'anyOf' in body ? (body.anyOf as TSchema[]) : [body]
  return Object.fromEntries(
    kinds.map((kind) => [(kind as { contentMediaType?: string }).contentMediaType ?? '*/*', kind]),
  )
}

function isValidated({ operation, withoutValidator }: DescribedOperation): boolean {
  return operation.method === 'GET' && !withoutValidator
}

function takesIdempotencyKey({ operation, withoutIdempotencyKey }: DescribedOperation): boolean {
  return operation.method !== 'GET' && !withoutIdempotencyKey
}

function exampleOf(value: unknown): Json {
  return value === undefined ? {} : { example: value }
}

function parametersIn(
  place: 'path' | 'query',
  schema: TObject | undefined,
  components: Components,
  values: Json = {},
): Json[] {
  if (!schema) return []
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description, ...rest } = property as TSchema & { description?: string }
    return {
      name,
      in: place,
      required: place === 'path' || (schema.required?.includes(name) ?? false),
      ...(description && { description }),
      schema: referenced(rest, components),
      ...exampleOf(values[name]),
    }
  })
}

function headersOf(headers: Json, components: Components): Json {
  return Object.fromEntries(
    Object.entries(headers).map(([name, header]) => [name, shared(components, 'headers', name, header as Json)]),
  )
}

function success(described: DescribedOperation, components: Components): Json {
  const { operation, example, responseFiles, responseHeaders } = described
  const { status, body, location } = operation.success
  const contents = Object.entries(responseFiles ?? { 'application/json': body })
  const headers = {
    ...requestId,
    ...(isValidated(described) && validator),
    ...(location && createdAt),
    ...(takesIdempotencyKey(described) && replayed),
    ...(!described.isOpen && rateLimit),
    ...responseHeaders,
  }
  return {
    [status]: {
      description: status === 201 ? 'Created' : 'OK',
      headers: headersOf(headers, components),
      content: Object.fromEntries(
        contents.map(([type, schema]) => [
          type,
          { schema: referenced(schema, components), ...exampleOf(example?.response) },
        ]),
      ),
    },
    ...(isValidated(described) && { 304: notModified(components) }),
  }
}

function notModified(components: Components): Json {
  const headers = headersOf({ ...requestId, ...validator }, components)
  return shared(components, 'responses', 'not_modified', { description: 'The cached response is current.', headers })
}

function refused(declared: RefusalCode[], problem: TSchema, components: Components): Json {
  const byStatus = new Map<number, RefusalCode[]>()
  for (const code of declared) {
    const { status } = refusals[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const responses = [...byStatus].toSorted(([one], [other]) => one - other)
  return Object.fromEntries(responses.map(([status, codes]) => [status, refusal(codes, problem, components)]))
}

/** The response with one of these codes, named after them. */
function refusal(codes: RefusalCode[], problem: TSchema, components: Components): Json {
  return shared(components, 'responses', codes.join('.'), {
    description: codes.map((code) => `\`${code}\`: ${refusals[code].title}`).join('. '),
    headers: headersOf(Object.assign({}, requestId, ...codes.map((code) => refusalHeaders[code])), components),
    content: {
      [problemMediaType]: {
        schema: referenced(problem, components),
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  })
}

// Some other refusals belong to no operation, such as that of an unknown path.
function declaredCodes({ operations }: DescribedInterface): RefusalCode[] {
  const declared = new Set([ofOtherMethods, ...Object.values(operations).flatMap((each) => each.refusals)])
  return refusalCodes.filter((code) => declared.has(code))
}

function problemExample(code: RefusalCode): Json {
  const { title, status, explanation } = refusals[code]
  return { type: problemPath(code), title, status, detail: explanation, code, request_id: 'req_9f86d081884c000001' }
}

/**
 * The schema, with every titled part replaced by a reference to its component. A description of a titled part says what it
 * means in that place, and stays there.
 */
function referenced(schema: TSchema, components: Components): unknown {
  if ('title' in schema && typeof schema.title === 'string') {
    const { title, description, ...rest } = schema as TSchema & { title: string; description?: string }
    const { schemas } = components
    if (!(title in schemas)) {
      // Registered before its parts are visited, since they may refer to it.
      schemas[title] = {}
      schemas[title] = plain(rest, components)
    }
    return { $ref: `#/components/schemas/${title}`, ...(description && { description }) }
  }
  return plain(schema, components)
}

function plain(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((item) => (isSchema(item) ? referenced(item, components) : item))
  if (!isSchema(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === 'properties'
        ? Object.fromEntries(
            Object.entries(part as Json).map(([field, schema]) => [field, referenced(schema as TSchema, components)]),
          )
        : isSchema(part)
          ? referenced(part, components)
          : plain(part, components),
    ]),
  )
}

function isSchema(value: unknown): value is TSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
