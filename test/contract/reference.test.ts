import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Node = {
  $ref?: string
  description?: string
  enum?: string[]
  'x-enumDescriptions'?: Record<string, string>
  properties?: Record<string, Node>
  items?: Node
  anyOf?: Node[]
}
type Field = { $ref?: string; name: string; in: string; description?: string; schema: Node }
type Content = Record<string, { schema: Node }>
type Response = { $ref?: string; description?: string; headers?: Record<string, Field>; content?: Content }
type Operation = {
  operationId: string
  summary?: string
  description?: string
  parameters: Field[]
  requestBody?: { content: Content }
  responses: Record<string, Response>
}
type Reference = {
  info: { description: string }
  paths: Record<string, Record<string, Operation>>
  components: Record<'schemas' | 'headers' | 'parameters' | 'responses', Record<string, unknown>>
}

// The codes say it themselves: ISO 4217.
const selfExplanatory = ['EUR', 'USD', 'CNY']
// What a date is, and not what it means.
const meaningless = /^(?:Date and time with UTC offset|Calendar date)/

/** What the reference leaves unexplained, by its place. */
function unexplainedIn({ paths, components }: Reference): string[] {
  const found = new Set<string>()
  function target<Part extends { $ref?: string }>(part: Part): Part {
    const [, , section, name] = part.$ref?.split('/') ?? []
    return section ? (components[section as 'schemas'][name ?? ''] as Part) : part
  }
  function explains(text: string | undefined): boolean {
    return text !== undefined && text.length > 3 && !meaningless.test(text)
  }
  function visit(node: Node, place: string): void {
    const { enum: values = [], 'x-enumDescriptions': meanings = {}, properties = {}, items, anyOf = [] } = node
    const isCurrency = selfExplanatory.every((code) => values.includes(code))
    for (const value of values) if (!isCurrency && !explains(meanings[value])) found.add(`${place}: ${value}`)
    for (const [name, property] of Object.entries(properties)) {
      if (!explains(property.description)) found.add(`${place}.${name}`)
      visit(property, `${place}.${name}`)
    }
    if (items) visit(items, `${place}[]`)
    for (const each of anyOf) visit(each, place)
  }
  for (const [name, schema] of Object.entries(components.schemas)) visit(schema as Node, name)
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const { operationId, summary, description, parameters, requestBody, responses } = operation
    if (!explains(summary) || !explains(description)) found.add(operationId)
    for (const parameter of parameters.map((each) => target(each))) {
      if (!explains(parameter.description)) found.add(`${operationId}: parameter ${parameter.name}`)
      visit(parameter.schema, `${operationId}: parameter ${parameter.name}`)
    }
    const bodies: Response[] = [requestBody ?? {}, ...Object.values(responses)]
    for (const { content = {}, headers = {} } of bodies.map((each) => target(each))) {
      for (const { schema } of Object.values(content)) visit(schema, operationId)
      for (const [name, header] of Object.entries(headers)) {
        if (!explains(target(header).description)) found.add(`${operationId}: header ${name}`)
      }
    }
  }
  return [...found]
}

test.each(['openapi.json', 'ops-openapi.json', 'portal-openapi.json', 'office-openapi.json'])(
  '%s explains every property, value, operation, parameter and header',
  (file) => {
    const reference = JSON.parse(readFileSync(file, 'utf8')) as Reference
    expect(unexplainedIn(reference)).toEqual([])
    expect(reference.info.description).toContain('`Allow`')
  },
)

// By status, and by code where only some refusals have it.
const headersOfResponses: Record<string, [header: string, codes?: RegExp]> = {
  304: ['ETag'],
  401: ['WWW-Authenticate', /missing_key/],
  405: ['Allow'],
  429: ['Retry-After', /rate_limited/],
  503: ['Retry-After', /service_unavailable/],
}
const ofEvery = ['Allow', 'ETag', 'RateLimit', 'Retry-After']
// Browsers have a cookie and send no keys.
const ofKeys = [...ofEvery, 'Idempotent-Replayed', 'WWW-Authenticate']

test.each([
  ['openapi.json', ofKeys],
  ['ops-openapi.json', ofKeys],
  ['portal-openapi.json', ofEvery],
  ['office-openapi.json', ofEvery],
] as const)(
  '%s describes the headers of limits, validators, retries and refusals at every response that has them',
  (file, expected) => {
    const { paths, components } = JSON.parse(readFileSync(file, 'utf8')) as Reference
    const { responses: named } = components as { responses: Record<string, Response> }
    const found = new Set<string>()
    for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
      const { operationId, responses } = operation
      expect(Object.keys(responses), operationId).toContain('405')
      for (const [status, given] of Object.entries(responses)) {
        const response = named[given.$ref?.split('/').at(-1) ?? ''] ?? given
        const [header = '', codes] = headersOfResponses[status] ?? []
        if (header !== '' && (!codes || codes.test(response.description ?? ''))) {
          expect(response.headers, `${operationId} ${status}`).toHaveProperty([header])
        }
        for (const name of Object.keys(response.headers ?? {})) found.add(name)
      }
      const takesKey = operation.parameters.some(({ $ref = '' }) => $ref.endsWith('/Idempotency-Key'))
      const success = responses[Object.keys(responses).find((status) => status.startsWith('2')) ?? ''] as Response
      expect('Idempotent-Replayed' in (success.headers ?? {}), operationId).toBe(takesKey)
    }
    expect([...found]).toEqual(expect.arrayContaining(expected))
  },
)

test.each(['openapi.json', 'ops-openapi.json', 'portal-openapi.json', 'office-openapi.json'])(
  '%s leaves every response open to new fields, and closes every request',
  (file) => {
    const { paths, components } = JSON.parse(readFileSync(file, 'utf8')) as Reference
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
    const objectsIn = (part: unknown, seen = new Set<unknown>()): object[] => {
      if (typeof part !== 'object' || part === null || seen.has(part)) return []
      seen.add(part)
      const [, , section, name] = ('$ref' in part ? String(part.$ref) : '').split('/')
      const parts = section ? [components[section as 'schemas'][name ?? '']] : Object.values(part)
      const isObject = 'properties' in part && 'type' in part && part.type === 'object'
      return [...(isObject ? [part] : []), ...parts.flatMap((each) => objectsIn(each, seen))]
    }
    const isClosed = (schema: object) => 'additionalProperties' in schema && schema.additionalProperties === false
    const responses = objectsIn(operations.map((operation) => operation.responses))
    const requests = objectsIn(operations.map(({ parameters, requestBody }) => [parameters, requestBody]))
    expect(responses.length).toBeGreaterThan(10)
    expect(responses.filter(isClosed)).toEqual([])
    expect(requests.length).toBeGreaterThan(10)
    expect(requests.filter((schema) => !isClosed(schema))).toEqual([])
  },
)
