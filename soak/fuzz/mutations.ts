import type { Random } from '../../src/sandbox/random.js'
import { bodyMutations } from './body-mutations.js'
import { extremeMutation } from './extreme-mutation.js'
import { fieldMutation } from './field-mutations.js'
import { headerMutations } from './header-mutations.js'
import { hostileDate, hostileNumber, hostileText, prototypeNames } from './hostile-values.js'
import { Verbatim } from './json-text.js'
import { type Given, type Mutation, withKind } from './mutation.js'
import { pathOf, type Request, type Text } from './request.js'

const mutations: [mutation: Mutation, weight: number][] = [
  [fieldMutation, 44],
  [mutateParam, 12],
  [mutateQuery, 10],
  [addQuery, 5],
  [mutateCursor, 8],
  [takeForeign, 5],
  [(request, given) => given.random.pick(headerMutations)(request, given), 11],
  [(request, given) => given.random.pick(bodyMutations)(request, given), 8],
  [mutateMethod, 2],
  [mutatePath, 3],
]

/** Applies one or more mutations to a request. */
export function mutated(request: Request, given: Given): Request {
  const { random } = given
  // Alone: together with a mutation that is refused, it would not be checked.
  const extreme = random.chance(0.4) ? extremeMutation(request, given) : undefined
  if (extreme) return extreme
  const times = random.weighted([
    [0, 10],
    [1, 55],
    [2, 22],
    [3, 13],
  ] as const)
  let bent = request
  for (let index = 0; index < times; index += 1) bent = bentOnce(bent, given)
  return bent
}

// Not every mutation applies to every request.
function bentOnce(request: Request, given: Given): Request {
  for (let tries = 0; tries < 10; tries += 1) {
    const bent = given.random.weighted(mutations)(request, given)
    if (bent) return bent
  }
  return request
}

// A longer path would exceed the limit of the headers, 16 KiB.
const longestInAddress = 3000

function mutateParam(request: Request, { random }: Given): Request | undefined {
  const places = request.operation.parameters.filter(
    (each) => each.in === 'path' && (each.name !== 'account' || random.chance(0.1)),
  )
  if (places.length === 0) return undefined
  const { name } = random.pick(places)
  const { kind, value } = hostileText(random, { longest: random.chance(0.1) ? 20_000 : longestInAddress })
  return withKind(request, `path parameter: ${kind}`, { params: { ...request.params, [name]: String(value) } })
}

function mutateQuery(request: Request, { random }: Given): Request | undefined {
  const declared = request.operation.parameters.filter((each) => each.in === 'query')
  if (declared.length === 0) return undefined
  const { name, schema } = random.pick(declared)
  const rest = request.query.filter(([each]) => each !== name)
  const put = (kind: string, ...values: (Text | undefined)[]) =>
    withKind(request, `query: ${kind}`, { query: [...rest, ...values.map((value) => [name, value] as [string, Text])] })
  if (random.chance(0.15)) return put('twice', '1', random.pick(['1', '2']))
  if (random.chance(0.1))
    return put('encoding', { written: random.pick(['%zz', '%', '%E9', '%ED%A0%80', '%00', '+', '%c0%af']) })
  if (random.chance(0.05)) return put('no value', undefined)
  if (schema.format === 'date' || schema.format === 'date-time') {
    return put('date', String(hostileDate(random, schema.format).value))
  }
  if (schema.type === 'integer' && random.chance(0.7)) {
    const { value } = hostileNumber(random)
    return put('number', value instanceof Verbatim ? value.text : String(value))
  }
  const { kind, value } = hostileText(random, { longest: longestInAddress })
  return put(kind, String(value))
}

/** A forged cursor. */
function mutateCursor(request: Request, { random, world }: Given): Request | undefined {
  const declared = request.operation.parameters
  if (!declared.some(({ name, schema }) => name === 'after' && schema.type === 'string')) return undefined
  const known = world.cursors.filter(({ name }) => name === request.operation.name)
  const { query, after } = known.length > 0 ? random.pick(known) : { query: [], after: firstCursor(request) }
  return withKind(request, 'query: cursor', { query: [...query, ['after', forgedCursor(random, after)]] })
}

function firstCursor({ operation }: Request): string {
  const isLog = operation.name === 'portal.listRequests'
  return Buffer.from(isLog ? '2026-01-01T00:00:00.000000Z req_1' : '[1,"x",0]').toString('base64url')
}

const cursorParts: unknown[][] = [
  [
    null,
    0,
    -1,
    1.5,
    2_147_483_648,
    -2_147_483_649,
    9_007_199_254_740_991,
    '2026-02-30',
    '0001-01-01',
    '',
    'x',
    'a\0',
    [],
  ],
  ['x', '', 'x'.repeat(2000), '00000000-0000-0000-0000-000000000000', 'a\0', '\ud800', 1, null],
  [0, -1, 1.5, 9_007_199_254_740_991, 'x', null],
]

/** Decodes a cursor, and changes its content. */
function forgedCursor(random: Random, known: string): string {
  const text = Buffer.from(known, 'base64url').toString()
  const forged = text.startsWith('[') ? forgedPlace(random, JSON.parse(text) as unknown[]) : forgedMoment(random, text)
  return random.chance(0.95) ? Buffer.from(forged).toString('base64url') : forged
}

function forgedPlace(random: Random, parts: unknown[]): string {
  const index = random.integer(0, cursorParts.length - 1)
  const value = random.chance(0.8)
    ? random.pick(cursorParts[index] ?? [])
    : String(hostileText(random, { longest: 300 }).value)
  return JSON.stringify(parts.with(index % parts.length, value))
}

function forgedMoment(random: Random, text: string): string {
  const [at = '', ...rest] = text.split(' ')
  if (random.chance(0.5)) return [at, String(hostileText(random, { longest: 300 }).value)].join(' ')
  return [at.replace(/^\d{4}-\d{2}-\d{2}/, String(hostileDate(random, 'date').value)), ...rest].join(' ')
}

function addQuery(request: Request, { random }: Given): Request {
  const name = random.pick<Text>([
    'no_such_parameter',
    random.pick(prototypeNames),
    'take[]',
    'take[$gt]',
    'TAKE',
    ' take',
    '',
    'q',
    'pretty',
    { written: '%zz' },
    { written: '%E9' },
    { written: '&&' },
  ])
  const value = random.chance(0.5) ? '1' : String(hostileText(random, { longest: 300 }).value)
  const times = random.chance(0.05) ? 300 : 1
  const added = Array.from({ length: times }, (): [Text, Text] => [name, value])
  return withKind(request, 'unknown query parameter', { query: [...request.query, ...added] })
}

/** An identifier of another account. */
function takeForeign(request: Request, { random, foreign }: Given): Request | undefined {
  const fits = foreign.filter((known) => Object.keys(known).some((name) => name in request.params))
  if (fits.length === 0) return undefined
  const taken = Object.entries(random.pick(fits)).filter(([name]) => name in request.params)
  return withKind(request, "another account's", { params: { ...request.params, ...Object.fromEntries(taken) } })
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE', 'BREW']

function mutateMethod(request: Request, { random }: Given): Request {
  // Streams do not support HEAD.
  return withKind(request, 'method', { method: random.pick(methods.filter((method) => method !== request.method)) })
}

function mutatePath(request: Request, { random }: Given): Request {
  const path = pathOf(request)
  const mutatedPath = random.pick([
    `${path}/`,
    `/${path}`,
    path.replace('/v1/', '/V1/'),
    path.replace('/v1/', '/v2/'),
    path.replace('/v1/', '/v1//'),
    path.replace('/v1/', '/v1/./'),
    path.replace('/v1/', '/v1/%2e%2e/v1/'),
    `${path};a=b`,
    `${path}%00`,
    `${path}%zz`,
    `${path}\u00e9`,
    `${path}/../x`,
    path.toUpperCase(),
    `${path}.json`,
    path.replaceAll('/', '%2f').replace('%2f', '/'),
    `${path}/${'x/'.repeat(200)}`,
    `/${'x'.repeat(20_000)}`,
    `http://example.com${path}`,
  ])
  return withKind(request, 'path', { path: mutatedPath })
}
