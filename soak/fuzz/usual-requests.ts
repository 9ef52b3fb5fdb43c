import { type ImportKind, importData, importKinds } from '../../src/contract/import-line.js'
import type { Random } from '../../src/sandbox/random.js'
import type { Described, Parameter, Schema } from './description.js'
import { type Body, boundary, type FormPart, type Request } from './request.js'
import { sampleFile, sampleSheet } from './sample-files.js'
import { type Hint, validValue } from './valid-values.js'
import {
  containers,
  credentialsFor,
  type Known,
  type KnownKind,
  personAt,
  pickKnown,
  stepNames,
  type World,
} from './world.js'

/** Valid requests, mostly about existing resources. */

/** The resource of a request: path parameters and fields of the body. */
export type Focus = Known

export function usualRequest(operation: Described, world: World, random: Random, focus: Focus = {}): Request {
  const about = { ...knownFor(operation, world, random, focus), ...focus }
  const request: Request = {
    operation,
    method: operation.method,
    params: paramsOf(operation, world, random, about),
    query: queryOf(operation, world, random, focus),
    headers: headersOf(operation, world, random),
    kinds: [],
  }
  const body = bodyOf(operation, world, random, about)
  if (!body) return request
  const type = body.is === 'form' ? `multipart/form-data; boundary=${boundary}` : operation.body?.mediaType
  return { ...request, headers: [...request.headers, ['content-type', type ?? '']], body }
}

const kindsByPath: [pattern: RegExp, kind: KnownKind][] = [
  [/\/assignments\/|\/lines\//, 'assignment'],
  [/\{payment_id\}/, 'payment'],
  [/\{event_id\}/, 'event'],
  [/\/tracking\/(?:events|positions)/, 'tracked'],
  [/\/history\//, 'history'],
  [/\/locations\/\{id\}/, 'location'],
  [/\/documents\/\{id\}/, 'document'],
  [/\/documentProposals\/\{id\}/, 'proposal'],
  [/\/invoices\/\{reference\}/, 'invoice'],
  [/\/purchaseOrders/, 'order'],
  [/\{svc_shipment_id\}/, 'shipment'],
  [/\{key_id\}/, 'key'],
  [/\{person_id\}/, 'person'],
  [/\{view_id\}/, 'view'],
  [/\{subscription_id\}/, 'subscription'],
  [/\/links/, 'link'],
]

function knownFor({ name, path }: Described, world: World, random: Random, focus: Focus): Known | undefined {
  const kind = kindsByPath.find(([pattern]) => pattern.test(path))?.[1]
  if (kind === undefined || name === 'public.createPurchaseOrder') return undefined
  // Unassigned lines can be assigned.
  if (name === 'operator.assign' || (kind === 'assignment' && world.known.assignment.length === 0)) {
    return { ...pickKnown(world, 'order', random, focus), ...pickKnown(world, 'shipment', random, focus) }
  }
  return pickKnown(world, kind, random, focus)
}

function paramsOf({ parameters }: Described, world: World, random: Random, about: Known): Record<string, string> {
  const places = parameters.filter((parameter) => parameter.in === 'path')
  const given = { account: world.slug, ...about }
  return Object.fromEntries(
    places.map(({ name, schema }): [string, string] => {
      const known = (given as Known)[name]
      return [name, known ?? String(validValue(schema, random, () => undefined))]
    }),
  )
}

function queryOf(
  { name: operation, parameters }: Described,
  world: World,
  random: Random,
  focus: Focus,
): Request['query'] {
  const known = world.cursors.filter(({ name }) => name === operation)
  if (known.length > 0 && random.chance(0.1)) {
    const { query, after } = random.pick(known)
    return [...query, ['after', after]]
  }
  const wanted = parameters.filter(
    (parameter) => parameter.in === 'query' && (parameter.required || random.chance(0.3)),
  )
  return wanted.map(({ name, schema }): [string, string] => [name, queryValue(name, schema, world, random, focus)])
}

function queryValue(name: string, schema: Schema, world: World, random: Random, focus: Focus): string {
  if (name === 'as_of' && world.moments.length > 0) return random.pick(world.moments)
  if (name === 'svc_shipment_id') return focus[name] ?? pickKnown(world, 'shipment', random)?.[name] ?? 'S'
  if (name === 'ids') return pickKnown(world, 'document', random)?.id ?? random.uuid()
  if (name === 'after' && schema.type === 'string') return world.cursors.at(-1)?.after ?? 'x'
  // Waiting for changes takes as long as it says.
  if (name === 'wait') return random.pick(['0', '1'])
  if (name === 'types') return random.pick(['shipment.created', 'invoice.issued,exception.raised'])
  if (name === 'take') return String(random.integer(1, 5))
  return String(validValue(schema, random, () => undefined))
}

function headersOf({ room, isOpen, parameters }: Described, world: World, random: Random): Request['headers'] {
  // A distinct IP address: failed sign-ins are counted by it.
  const visitor: Request['headers'] = [['x-forwarded-for', `2001:db8:${random.digits(4)}:${random.digits(4)}::1`]]
  const others = parameters.flatMap((each) => headerFor(each, world, random))
  // A session can also call the public interface.
  const caller = room === 'public' && random.chance(0.1) ? 'portal' : room
  return [...(isOpen ? visitor : credentialsFor(world, caller)), ...others]
}

function headerFor({ name, in: place }: Parameter, world: World, random: Random): [string, string][] {
  if (place !== 'header' || !random.chance(0.2)) return []
  if (name === 'If-None-Match' && world.etags.length > 0) return [['if-none-match', random.pick(world.etags)]]
  if (name === 'Last-Event-ID') return [['last-event-id', String(random.integer(0, 9))]]
  if (name !== 'Idempotency-Key') return []
  if (world.retries.length === 0 || random.chance(0.8)) world.retries.push(`retry-${random.digits(9)}`)
  return [['idempotency-key', random.pick(world.retries)]]
}

function bodyOf({ name, body }: Described, world: World, random: Random, about: Known): Body | undefined {
  if (!body) return undefined
  if (name === 'operator.import') return { is: 'lines', lines: importLines(world, random) }
  const hint = hintsFor(name, world, random, about)
  if (body.mediaType !== 'multipart/form-data') return { is: 'json', value: validValue(body.schema, random, hint) }
  const { file: _file, ...fields } = validValue(body.schema, random, hint) as Record<string, string>
  const parts: FormPart[] = Object.entries(fields).map(([field, content]) => ({ name: field, content }))
  const file = name.startsWith('portal.') ? sampleSheet(random) : sampleFile(random)
  return { is: 'form', parts: [...parts, { name: 'file', ...file }] }
}

const anew = (random: Random, prefix: string) => `${prefix}-${random.digits(9)}`
const creates = /\.(?:create|draft|upload)|^operator\.import/

/** Values that match existing resources; other values come from the schema. */
function hintsFor(operation: string, world: World, random: Random, about: Known): Hint {
  const isNew = creates.test(operation)
  const locationId = () => pickKnown(world, 'location', random)?.id ?? '1'
  const hints: Record<string, (place: { depth: number; index: number }) => unknown> = {
    reference: ({ depth, index }) => {
      if (depth > 1) return String(index + 1)
      return isNew ? anew(random, 'R') : (about.reference ?? pickKnown(world, 'order', random)?.reference)
    },
    svc_shipment_id: () => {
      if (operation === 'operator.createShipment') return anew(random, 'S')
      return about.svc_shipment_id ?? pickKnown(world, 'shipment', random)?.svc_shipment_id
    },
    pickup_location_id: locationId,
    delivery_location_id: locationId,
    location_id: () => Number(locationId()),
    container_number: ({ index }) => containers[index % containers.length],
    id: ({ depth, index }) => {
      if (operation === 'operator.planTracking') return stepNames[index % stepNames.length]
      if (operation === 'operator.createLocation' && depth === 1) return random.integer(1000, 999_999_999)
      return undefined
    },
    token: () => about.token,
    step: () => (random.chance(0.6) ? stepNames[0] : random.pick(stepNames)),
    event_id: () => anew(random, 'E'),
    payment_id: () => anew(random, 'P'),
    slug: () => `${world.slug}-${random.digits(9)}`,
    email: () =>
      isNew || operation === 'portal.invitePerson'
        ? `${anew(random, 'x')}@example.com`
        : personAt(world, operation).email,
    password: () =>
      operation.endsWith('.signIn') ? personAt(world, operation).password : `${anew(random, 'password')}-long`,
    current_password: () => personAt(world, operation).password,
    time_zone: () => random.pick(['UTC', 'Europe/Paris', 'Asia/Shanghai', 'America/St_Johns']),
    expires_at: () => '2099-12-31T00:00:00Z',
    ordered_quantity: () => random.integer(100, 1000),
    assigned_quantity: () => random.integer(1, 5),
    shipped_quantity: () => random.pick([0, 0.5, 1]),
    currency: () => (random.chance(0.8) ? 'EUR' : undefined),
    suspended: () => random.chance(0.2),
    disabled: () => random.chance(0.2),
    // Prices must match quantity and rate, and credit notes must not exceed the invoice.
    'lines[]': () => (random.chance(0.8) ? invoiceLine(operation.includes('Credit') ? 1 : 50, random) : undefined),
    status: () => (operation === 'operator.moveInvoice' && random.chance(0.4) ? 'in_modification' : undefined),
    vatRate: () => random.pick([0, 5.5, 19, 20]),
  }
  return (name, place) => (Object.hasOwn(hints, name) ? hints[name]?.(place) : undefined)
}

function invoiceLine(most: number, random: Random): object {
  const amount = random.integer(1, most)
  const how = random.chance(0.5)
    ? { price: { amount, currency: 'EUR' } }
    : { quantity: { value: random.integer(1, 5), unit: 'day' }, unit_rate: { amount, currency: 'EUR' } }
  return { description: 'Freight', ...how, ...(random.chance(0.5) && { vatRate: random.pick([0, 5.5, 20]) }) }
}

function importLines(world: World, random: Random): unknown[] {
  return Array.from({ length: random.integer(1, 4) }, () => {
    const kind = random.pick(importKinds.filter((each) => each !== 'account'))
    const hint = importHints(kind, world, random)
    return { kind, account: world.slug, data: validValue(importData[kind], random, hint) }
  })
}

function importHints(kind: ImportKind, world: World, random: Random): Hint {
  const hint = hintsFor('operator.import', world, random, {})
  return (name, place) => {
    if (kind === 'document' && name === 'content_base64') return Buffer.from('Some text.').toString('base64')
    if (kind === 'document' && name === 'name') return 'note.txt'
    if (kind === 'payment' && name === 'reference') return pickKnown(world, 'invoice', random)?.reference
    if (kind === 'assignment' && name === 'reference') return pickKnown(world, 'order', random)?.reference
    if (kind === 'assignment' && name === 'line') return '1'
    if (kind === 'shipment' && name === 'svc_shipment_id' && place.depth === 1) return anew(random, 'S')
    return hint(name, place)
  }
}
