import { expect, test } from 'vitest'
import { readDescriptions } from '../../../soak/fuzz/description.js'
import { fuzz } from '../../../soak/fuzz/fuzz.js'
import { mutated } from '../../../soak/fuzz/mutations.js'
import { textMatching } from '../../../soak/fuzz/pattern-text.js'
import { type Wire, writtenRequest } from '../../../soak/fuzz/request.js'
import { usualRequest } from '../../../soak/fuzz/usual-requests.js'
import type { HttpResponse, Send } from '../../../soak/fuzz/wire.js'
import { knownKinds, type World } from '../../../soak/fuzz/world.js'
import { createRandom } from '../../../src/sandbox/random.js'
import { ownDatabase } from '../../support/own-database.js'
import { startService } from '../../support/service.js'

/** A short run of the fuzzer of `npm run soak`, and tests that it detects faults. */

// It also changes what applies to all accounts.
const service = await startService({ db: await ownDatabase('fuzz'), requestLogDays: 1 })

test('random requests get declared responses; accepted data can be read, refused requests have no effect', async () => {
  const outcome = await fuzz(service, { seed: 1, requests: 2000 })
  expect(outcome.violations.join('\n\n')).toBe('')
  expect([outcome.failures, outcome.leaks]).toEqual([0, 0])
  expect([...outcome.asked].filter(([, count]) => count === 0)).toEqual([])
  expect(outcome.acknowledgedWrites).toBeGreaterThan(100)
})

test('the same seed generates the same requests', () => {
  const draw = (seed: string) => {
    const random = createRandom(seed)
    return readDescriptions().map((operation) => {
      const request = usualRequest(operation, world(), random)
      const { method, target, headers, body } = writtenRequest(
        mutated(request, { random, world: world(), foreign: [] }),
      )
      return [method, target, headers, body?.toString('base64')]
    })
  }
  expect(draw('one')).toEqual(draw('one'))
  expect(draw('one')).not.toEqual(draw('other'))
})

test('a text is found for a pattern that wants a long one, whatever the seed', () => {
  const random = createRandom('patterns')
  for (let times = 0; times < 3000; times += 1) {
    expect(textMatching('^[\\w-]+$', random, { least: 20, most: 100 })).toMatch(/^[\w-]{20,100}$/)
  }
})

function world(): World {
  const known = Object.fromEntries(knownKinds.map((kind) => [kind, []])) as unknown as World['known']
  const person = { person_id: 'per_1', email: 'a@example.com', password: 'a password', token: 'a token' }
  const names = { slug: 'fuzz', account: 1, key: 'wb_key', key_id: 'key_1', operatorKey: 'wb_op_key' }
  return { ...names, person, operator: person, known, moments: [], etags: [], retries: [], cursors: [] }
}

type Lie = (wire: Wire, response: HttpResponse) => Partial<HttpResponse>

/** A man in the middle that alters responses. */
const liar = (lie: Lie) => (send: Send) => async (wire: Wire) => {
  const response = await send(wire)
  return { ...response, ...lie(wire, response) }
}

const problem = { type: '/errors/invalid_request', title: 'x', status: 400, detail: 'x', request_id: 'req_1' }
const refused = {
  status: 400,
  headers: { 'content-type': 'application/problem+json', 'x-request-id': 'req_1' },
  json: { ...problem, code: 'invalid_request' },
}
const says = ({ body }: Wire, text: string) => body?.includes(text) === true
const changed = (json: unknown, from: string, to: string) =>
  json === undefined ? {} : { json: JSON.parse(JSON.stringify(json).replaceAll(from, to)) as unknown }

test.each<[string, number, Lie, RegExp]>([
  [
    'a failure',
    11,
    (wire) => (says(wire, 'Gate in') ? { status: 500 } : {}),
    /^\w+\.\w+ responds with 500\n {2}seed 11, request \d+,[^]*\ncurl -i [^]*"\$ADDRESS"[^]*--data-binary '[^]{0,200}Gate in/,
  ],
  [
    'a status that is not declared',
    12,
    ({ method, target }, { status }) =>
      method === 'GET' && target.startsWith('/v1/') && status === 200 ? { status: 202 } : {},
    /responds with 202, which is not declared/,
  ],
  [
    'an effect of what was refused',
    13,
    ({ method }, { status }) => (method === 'PATCH' && status === 200 ? refused : {}),
    /has an effect although it was refused/,
  ],
  [
    'a write that is shown as something else',
    14,
    ({ method }, { json }) => (method === 'GET' ? changed(json, 'Gate in', 'Gate on') : {}),
    /in a follow-up read returns something else/,
  ],
])('the fuzzer detects %s and reports a minimal request', async (_, seed, lie, reported) => {
  const { violations } = await fuzz(service, { seed, requests: 2000, mostViolations: 1, through: liar(lie) })
  expect(violations[0]).toMatch(reported)
})
