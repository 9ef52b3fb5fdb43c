import { expect, test } from 'vitest'
import type { Example } from '../src/contract/openapi.js'
import { operatorExamples } from '../src/contract/ops/examples.js'
import type { OperatorOperation } from '../src/contract/ops/operation.js'
import {
  type OperatorOperationName,
  operatorOperationNames,
  operatorOperations,
} from '../src/contract/ops/operations.js'
import type { RefusalCode } from '../src/contract/refusals.js'
import { pointersOf, startForwarding } from './support/forwarder.js'
import { checkedOperatorAnswer } from './support/operator.js'
import { queryOf } from './support/operator-examples.js'
import { startService } from './support/service.js'

const service = await startService()
const { slug, operatorKey, revision } = await startForwarding(service)

const operationOf = (name: OperatorOperationName): OperatorOperation => operatorOperations[name]
const withJson = operatorOperationNames.filter((name) => operationOf(name).body && !operationOf(name).accepts)

type Sent = { body?: string | Buffer; type?: string | undefined; params?: Record<string, string>; query?: string }

async function send(name: OperatorOperationName, { body, type = 'application/json', params, query }: Sent) {
  const { method, path } = operationOf(name)
  const example: Example = operatorExamples[name]
  const given: Record<string, string> = { ...example.params, account: slug, ...params }
  const address = path.replaceAll(/\{(\w+)\}/g, (_, each: string) => encodeURIComponent(given[each] ?? ''))
  const search = query ?? queryOf(example)
  const response = await fetch(`${service.baseUrl}${address}${search && `?${search}`}`, {
    method,
    headers: { authorization: `Bearer ${operatorKey}`, ...(body !== undefined && { 'content-type': type }) },
    ...(body !== undefined && { body: Buffer.from(body) }),
  })
  return checkedOperatorAnswer(name, response)
}

async function refused(name: OperatorOperationName, sent: Sent, code: RefusalCode) {
  const before = await revision()
  const answer = await send(name, sent)
  expect(answer, name).toBeRefused(code)
  expect(await revision()).toBe(before)
  return answer
}

async function refusedAt(name: OperatorOperationName, body: unknown, pointer: string) {
  const answer = await refused(name, { body: JSON.stringify(body) }, 'invalid_request')
  expect(
    pointersOf(answer).some((each) => each === pointer || each.startsWith(`${pointer}/`)),
    `${pointer} in ${answer.text}`,
  ).toBe(true)
  return answer
}

const bodyOf = (name: OperatorOperationName) => operatorExamples[name].body as Record<string, unknown>

test.each(withJson)('%s names the fields that it does not know', async (name) => {
  for (const field of ['no_such_field', '__proto__', 'constructor']) {
    const body = `{"${field}":1,${JSON.stringify(bodyOf(name)).slice(1)}`.replace(',}', '}')
    const answer = await refused(name, { body }, 'invalid_request')
    expect(pointersOf(answer), answer.text).toEqual([`/${field}`])
  }
})

test.each(withJson)('%s names every field of a wrong type', async (name) => {
  for (const [field, value] of Object.entries(bodyOf(name))) {
    const wrong = typeof value === 'object' && !Array.isArray(value) ? [] : {}
    await refusedAt(name, { ...bodyOf(name), [field]: wrong }, `/${field}`)
  }
  const all = Object.fromEntries(Object.keys(bodyOf(name)).map((field) => [field, () => undefined]))
  const wrong = JSON.stringify(all, (_, value: unknown) => (typeof value === 'function' ? [[[]]] : value))
  const answer = await refused(name, { body: wrong }, 'invalid_request')
  for (const field of Object.keys(bodyOf(name))) {
    expect(
      pointersOf(answer).some((pointer) => pointer.split('/')[1] === field),
      `${field} ${answer.text}`,
    ).toBe(true)
  }
})

test.each(withJson)('%s refuses NUL and broken Unicode in every text', async (name) => {
  for (const [field, value] of Object.entries(bodyOf(name))) {
    if (typeof value !== 'string') continue
    for (const broken of ['a\u0000b', '\ud800']) {
      await refusedAt(name, { ...bodyOf(name), [field]: broken }, `/${field}`)
    }
  }
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  await refused(name, { body: `{"no_such_field":${deep}}` }, 'invalid_request')
})

test.each(withJson)(
  '%s refuses a body that is empty, no JSON, no object, too large or of another type',
  async (name) => {
    for (const body of ['', '{', '{} {}', 'a=b', '{"a":\0}', Buffer.from([0xff, 0xfe])]) {
      await refused(name, { body }, 'malformed_json')
    }
    for (const body of ['null', '[]', '"text"', '1', 'true']) {
      expect(pointersOf(await refused(name, { body }, 'invalid_request'))).toEqual([''])
    }
    const body = JSON.stringify({ ...bodyOf(name), name: 'x'.repeat(4 * 1024 * 1024) })
    await refused(name, { body }, 'payload_too_large')
    await refused(name, { body: JSON.stringify(bodyOf(name)), type: 'text/plain' }, 'unsupported_media_type')
    await refused(name, { body: JSON.stringify(bodyOf(name)), type: 'application/x-ndjson' }, 'unsupported_media_type')
  },
)

const withoutBody = operatorOperationNames.filter((name) => {
  const { method, body, accepts } = operationOf(name)
  return method !== 'GET' && !body && !accepts
})

test.each(withoutBody)('%s takes no body, and says so', async (name) => {
  const answer = await refused(name, { body: '{"reason":"told in the wrong place"}' }, 'invalid_request')
  expect(pointersOf(answer)).toEqual(['/reason'])
  await refused(name, { body: '{' }, 'malformed_json')
  await refused(name, { body: 'reason', type: 'text/plain' }, 'unsupported_media_type')
  // Many clients tell the type of a body that they do not send. It is what the address names that is not there.
  for (const body of ['', '{}']) expect((await send(name, { body })).status, name).toBe(404)
})

test.each(operatorOperationNames.filter((name) => !operationOf(name).accepts))(
  '%s refuses query parameters that it does not know, and says which it does',
  async (name) => {
    const { query, body } = operationOf(name)
    const sent = body ? { body: JSON.stringify(bodyOf(name)) } : {}
    const answer = await refused(name, { ...sent, query: 'asof=2026-01-01' }, 'invalid_request')
    expect(pointersOf(answer)).toContain('/asof')
    for (const accepted of Object.keys(query?.properties ?? {})) expect(answer.text).toContain(accepted)
  },
)

test.each(operatorOperationNames.filter((name) => operationOf(name).query?.properties.take))(
  '%s refuses a page that cannot be',
  async (name) => {
    const properties = operationOf(name).query?.properties ?? {}
    const { maximum } = properties.take as unknown as { maximum: number }
    for (const take of ['0', '-1', '1.5', 'x', '', String(maximum + 1)]) {
      expect(pointersOf(await refused(name, { query: `take=${take}` }, 'invalid_request'))).toEqual(['/take'])
    }
    if (!('skip' in properties)) return
    for (const skip of ['-1', '1.5', 'x', '99999999999999999999']) {
      expect(pointersOf(await refused(name, { query: `skip=${skip}` }, 'invalid_request'))).toEqual(['/skip'])
    }
  },
)

test.each(operatorOperationNames.filter((name) => operationOf(name).params && !operationOf(name).accepts))(
  '%s refuses identifiers that nothing can have',
  async (name) => {
    const { params, body } = operationOf(name)
    const sent = body ? { body: JSON.stringify(bodyOf(name)) } : {}
    for (const [param, schema] of Object.entries(params?.properties ?? {})) {
      const { maxLength = 255 } = schema as { maxLength?: number }
      for (const wrong of ['a\0b', 'x'.repeat(maxLength + 1)]) {
        const answer = await refused(name, { ...sent, params: { [param]: wrong } }, 'invalid_request')
        expect([...new Set(pointersOf(answer))], name).toEqual([`/${param}`])
      }
    }
  },
)
