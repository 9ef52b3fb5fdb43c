import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { isDateWithTime, isSimpleDate, isUuid } from '../../src/contract/formats.js'

/** The three interfaces as their own descriptions tell them: what can be asked, and what may be answered. */

export type Schema = {
  type?: string
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  contentMediaType?: string
}

export type Place = 'path' | 'query' | 'header'
export type Parameter = { name: string; in: Place; required: boolean; schema: Schema }
export type DescribedAnswer = { content: Record<string, Schema>; codes: string[]; headers: string[] }
export type Room = 'public' | 'operator' | 'portal'

export type Described = {
  /** With its interface, as in `operator.createShipment`: two of them have a `listShipments`. */
  name: string
  room: Room
  /** Nobody has to say who they are. */
  isOpen: boolean
  method: string
  path: string
  parameters: Parameter[]
  body?: { mediaType: string; schema: Schema }
  answers: Map<number, DescribedAnswer>
}

const files: Record<Room, string> = {
  public: 'openapi.json',
  operator: 'ops-openapi.json',
  portal: 'portal-openapi.json',
}

type Content = Record<string, { schema: unknown; examples?: object }>
type DescribedOperation = {
  operationId: string
  security?: unknown[]
  parameters: (Omit<Parameter, 'schema'> & { schema: unknown })[]
  requestBody?: { content: Content }
  responses: Record<string, { headers?: object; content?: Content }>
}
type Document = { paths: Record<string, Record<string, DescribedOperation>>; components: { schemas: object } }

export function readDescriptions(): Described[] {
  return (Object.keys(files) as Room[]).flatMap((room) => operationsOf(room, readDocument(room)))
}

function readDocument(room: Room): Document {
  return JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', files[room]), 'utf8')) as Document
}

function operationsOf(room: Room, { paths, components }: Document): Described[] {
  const resolve = resolverOf(components.schemas as Record<string, unknown>)
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => describe(room, method, path, operation, resolve)),
  )
}

type Resolve = (schema: unknown) => Schema

function describe(
  room: Room,
  method: string,
  path: string,
  { operationId, security, parameters, requestBody, responses }: DescribedOperation,
  resolve: Resolve,
): Described {
  const [sent] = Object.entries(requestBody?.content ?? {})
  return {
    name: `${room}.${operationId}`,
    room,
    isOpen: security?.length === 0,
    method: method.toUpperCase(),
    path,
    parameters: parameters.map((each) => ({ ...each, schema: resolve(each.schema) })),
    ...(sent && { body: { mediaType: sent[0], schema: resolve(sent[1].schema) } }),
    answers: new Map(
      Object.entries(responses).map(([status, { headers = {}, content = {} }]) => [
        Number(status),
        {
          headers: Object.keys(headers),
          codes: Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples)),
          content: Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, resolve(schema)])),
        },
      ]),
    ),
  }
}

/** Schemas with what they refer to in place; what is named once is resolved once. */
function resolverOf(schemas: Record<string, unknown>): Resolve {
  const known = new Map<string, unknown>()
  function resolved(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(resolved)
    if (typeof node !== 'object' || node === null) return node
    if (!('$ref' in node)) {
      return Object.fromEntries(Object.entries(node).map(([name, part]) => [name, resolved(part)]))
    }
    const name = String(node.$ref).split('/').at(-1) as string
    if (!known.has(name)) known.set(name, resolved(schemas[name]))
    return known.get(name)
  }
  return (schema) => resolved(schema) as Schema
}

// Another reader of schemas than the service's own: what both take for valid is.
const ajv = new Ajv2020({
  strict: false,
  allErrors: false,
  formats: {
    date: isSimpleDate,
    'date-time': isDateWithTime,
    uuid: isUuid,
    uri: (text) => URL.canParse(text),
    'uri-reference': (text) => URL.canParse(text, 'http://localhost/'),
  },
})
const validators = new WeakMap<Schema, ValidateFunction>()

/** What is wrong with a value, if anything. */
export function faultIn(schema: Schema, value: unknown): string | undefined {
  const validate = validators.get(schema) ?? ajv.compile(schema)
  validators.set(schema, validate)
  return validate(value) ? undefined : ajv.errorsText(validate.errors)
}

/** The operation that an address belongs to, as a router finds it: what is written out comes before what is a place. */
export function operationAt(operations: Described[], method: string, path: string): Described | undefined {
  const segments = path.split('/')
  const found = operations.filter((each) => hasMethod(each, method) && fits(each.path.split('/'), segments))
  return found.toSorted((one, other) => placesIn(one.path) - placesIn(other.path))[0]
}

// What can be read can be asked for its head alone, unless it never ends.
function hasMethod({ method, answers }: Described, wanted: string): boolean {
  if (wanted !== 'HEAD') return method === wanted
  return method === 'GET' && answers.get(200)?.content['text/event-stream'] === undefined
}

function fits(pattern: string[], segments: string[]): boolean {
  if (pattern.length !== segments.length) return false
  return pattern.every((part, index) => (part.startsWith('{') ? segments[index] !== '' : part === segments[index]))
}

function placesIn(path: string): number {
  return path.split('{').length
}
