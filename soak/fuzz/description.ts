import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { isDateWithTime, isSimpleDate, isUuid } from '../../src/contract/formats.js'
import { dereferenced } from '../../test/support/dereferenced.js'

/** The operations of the three interfaces, read from their OpenAPI descriptions. */

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
export type DescribedResponse = { content: Record<string, Schema>; codes: string[]; headers: string[] }
export type Room = 'public' | 'operator' | 'portal' | 'office'

export type Described = {
  /** With its interface, as in `operator.createShipment`: two of them have a `listShipments`. */
  name: string
  room: Room
  /** No authentication required. */
  isOpen: boolean
  method: string
  path: string
  parameters: Parameter[]
  body?: { mediaType: string; schema: Schema }
  responses: Map<number, DescribedResponse>
}

const files: Record<Room, string> = {
  public: 'openapi.json',
  operator: 'ops-openapi.json',
  portal: 'portal-openapi.json',
  office: 'office-openapi.json',
}

type Content = Record<string, { schema: Schema; examples?: object }>
type DescribedOperation = {
  operationId: string
  security?: unknown[]
  parameters: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { headers?: Record<string, { required?: boolean }>; content?: Content }>
}
type Document = { paths: Record<string, Record<string, DescribedOperation>> }

export function readDescriptions(): Described[] {
  return (Object.keys(files) as Room[]).flatMap((room) => operationsOf(room, readDocument(room)))
}

function readDocument(room: Room): Document {
  const text = readFileSync(join(import.meta.dirname, '..', '..', files[room]), 'utf8')
  return dereferenced(JSON.parse(text, closed) as Document)
}

/** This release responds with the described fields only: what else it shows may be a leak. Clients accept additions. */
function closed(_: string, node: unknown): unknown {
  const isOpen =
    typeof node === 'object' &&
    node !== null &&
    'properties' in node &&
    'type' in node &&
    !('additionalProperties' in node)
  return isOpen ? { ...node, additionalProperties: false } : node
}

function operationsOf(room: Room, { paths }: Document): Described[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => describe(room, method, path, operation)),
  )
}

function describe(
  room: Room,
  method: string,
  path: string,
  { operationId, security, parameters, requestBody, responses }: DescribedOperation,
): Described {
  const [sent] = Object.entries(requestBody?.content ?? {})
  return {
    name: `${room}.${operationId}`,
    room,
    isOpen: security?.length === 0,
    method: method.toUpperCase(),
    path,
    parameters,
    ...(sent && { body: { mediaType: sent[0], schema: sent[1].schema } }),
    responses: new Map(
      Object.entries(responses).map(([status, { headers = {}, content = {} }]) => [
        Number(status),
        {
          headers: Object.keys(headers).filter((name) => headers[name]?.required),
          codes: Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples)),
          content: Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, schema])),
        },
      ]),
    ),
  }
}

// Another validator than the service's own, as a cross-check.
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

/** Describes what is invalid; undefined for a valid value. */
export function faultIn(schema: Schema, value: unknown): string | undefined {
  const validate = validators.get(schema) ?? ajv.compile(schema)
  validators.set(schema, validate)
  return validate(value) ? undefined : ajv.errorsText(validate.errors)
}

/** The operation of a path, as a router finds it: literal segments take precedence over parameters. */
export function operationAt(operations: Described[], method: string, path: string): Described | undefined {
  const segments = path.split('/')
  const found = operations.filter((each) => hasMethod(each, method) && fits(each.path.split('/'), segments))
  return found.toSorted((one, other) => placesIn(one.path) - placesIn(other.path))[0]
}

// Every GET operation supports HEAD, except streams.
function hasMethod({ method, responses }: Described, wanted: string): boolean {
  if (wanted !== 'HEAD') return method === wanted
  return method === 'GET' && responses.get(200)?.content['text/event-stream'] === undefined
}

function fits(pattern: string[], segments: string[]): boolean {
  if (pattern.length !== segments.length) return false
  return pattern.every((part, index) => (part.startsWith('{') ? segments[index] !== '' : part === segments[index]))
}

function placesIn(path: string): number {
  return path.split('{').length
}
