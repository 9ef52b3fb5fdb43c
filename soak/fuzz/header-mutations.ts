import { hostileText } from './hostile-values.js'
import { type Given, type Mutation, withKind } from './mutation.js'
import type { Request } from './request.js'
import { credentialsFor } from './world.js'

/** Mutations of headers: credentials, validators, and headers that influence a server. */
export const headerMutations: Mutation[] = [
  mutateDeclared,
  mutateDeclared,
  mutateCredentials,
  addHeader,
  addHeader,
  repeatHeader,
  dropHeader,
]

// The characters that a header value can contain.
function headerValue(text: string): string {
  return text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?')
}

function put(request: Request, kind: string, name: string, ...values: string[]): Request {
  const rest = request.headers.filter(([each]) => each !== name)
  return withKind(request, kind, { headers: [...rest, ...values.map((value): [string, string] => [name, value])] })
}

const validators = ['*', '"', '""', 'W/"x"', '"a","b",*', ', ,', '"\u00e9"', '\u00ff', 'null', '"x'.repeat(500)]
const retries = ['', ' ', 'x', 'x'.repeat(255), 'x'.repeat(256), '\u00e9', 'a\tb', '{"a":1}', "'; drop table keys; --"]
const events = ['-1', '0', '1e3', '9007199254740993', '99999999999999999999', 'x', '', '1.5', '2147483648']

function mutateDeclared(request: Request, { random }: Given): Request | undefined {
  const declared = request.operation.parameters.filter((each) => each.in === 'header')
  if (declared.length === 0) return undefined
  const name = random.pick(declared).name.toLowerCase()
  const values: Record<string, string[]> = {
    'if-none-match': validators,
    'idempotency-key': retries,
    'last-event-id': events,
  }
  const odd = random.chance(0.5)
    ? random.pick(values[name] ?? [''])
    : String(hostileText(random, { longest: 2000 }).value)
  return put(request, `header: ${name}`, name, headerValue(odd))
}

function mutateCredentials(request: Request, { random, world }: Given): Request {
  const { room } = request.operation
  const others = credentialsFor(world, room === 'public' ? 'operator' : 'public')
  const own = new Set(['authorization', 'cookie', 'x-csrf-token'])
  const rest = request.headers.filter(([name]) => !own.has(name))
  const credentials = random.pick<[string, string][]>([
    [],
    others,
    [['authorization', 'Bearer']],
    [['authorization', `Bearer ${world.key.slice(0, -1)}`]],
    [['authorization', `Bearer ${world.key} x`]],
    [['authorization', `Basic ${Buffer.from(`x:${world.key}`).toString('base64')}`]],
    [['authorization', headerValue(`Bearer ${String(hostileText(random, { longest: 2000 }).value)}`)]],
    [['cookie', 'waybill_session=; waybill_session=x']],
    [['cookie', `waybill_session=${'x'.repeat(32)}`]],
    [['cookie', `a=b; __Host-waybill_session=${world.person.token}`]],
    [['cookie', `waybill_session=${world.person.token}`]],
    [
      ['cookie', `waybill_session=${world.person.token}`],
      ['x-csrf-token', headerValue(String(hostileText(random, { longest: 2000 }).value))],
    ],
  ])
  return withKind(request, 'credentials', { headers: [...rest, ...credentials] })
}

const odd: [string, string][] = [
  ['accept', 'text/html'],
  ['accept', 'nonsense;;q=,*/*'],
  ['accept-encoding', 'gzip;q=0, identity;q=0'],
  ['accept-encoding', 'br'],
  ['accept-encoding', 'nonsense'],
  ['accept-encoding', '*'],
  ['accept-language', 'x'.repeat(300)],
  ['range', 'bytes=0-1'],
  ['range', 'bytes=-1,5-2'],
  ['expect', '100-continue'],
  ['expect', 'nonsense'],
  ['if-modified-since', 'yesterday'],
  ['if-match', '"x"'],
  ['host', 'example.com'],
  ['host', '127.0.0.1@evil'],
  ['host', ''],
  ['origin', 'https://example.com'],
  ['origin', 'null'],
  ['sec-fetch-site', 'cross-site'],
  ['referer', 'https://example.com/<script>'],
  ['x-forwarded-for', "1.2.3.4, '; --"],
  ['x-forwarded-for', ':::::::'],
  ['x-forwarded-host', 'evil'],
  ['x-forwarded-proto', 'gopher'],
  ['forwarded', 'for=_x;host=evil'],
  ['x-request-id', 'req_chosen'],
  ['x-http-method-override', 'DELETE'],
  ['content-md5', 'x'],
  ['upgrade', 'h2c'],
  ['connection', 'upgrade'],
  ['te', 'trailers'],
  ['x-long', 'x'.repeat(9000)],
  ['x-too-long', 'x'.repeat(17_000)],
  ['user-agent', '${jndi:ldap://127.0.0.1/a} <script>'],
  ['accept-version', '99.0.0'],
]

function addHeader(request: Request, { random }: Given): Request {
  const [name, value] = random.pick(odd)
  return { ...put(request, `header: ${name}`, name, value), isAlone: true }
}

function repeatHeader(request: Request, { random }: Given): Request | undefined {
  if (request.headers.length === 0) return undefined
  const [name, value] = random.pick(request.headers)
  return withKind(request, 'header twice', { headers: [...request.headers, [name, random.pick([value, 'other'])]] })
}

function dropHeader(request: Request, { random }: Given): Request | undefined {
  if (request.headers.length === 0) return undefined
  const dropped = random.integer(0, request.headers.length - 1)
  return withKind(request, 'header missing', { headers: request.headers.toSpliced(dropped, 1) })
}
