import { expect, test } from 'vitest'
import type { Example } from '../../../src/contract/openapi.js'
import { operatorExamples } from '../../../src/contract/operator/examples.js'
import type { OperatorOperation } from '../../../src/contract/operator/operation.js'
import {
  type OperatorOperationName,
  operatorOperationNames,
  operatorOperations,
} from '../../../src/contract/operator/operations.js'
import type { RefusalCode } from '../../../src/contract/refusals.js'
import { pointersOf, startForwarding } from '../../support/forwarder.js'
import { checkedOperatorResponse } from '../../support/operator.js'
import { queryOf } from '../../support/operator-examples.js'
import { startService } from '../../support/service.js'

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
  return checkedOperatorResponse(name, response)
}

async function refused(name: OperatorOperationName, sent: Sent, code: RefusalCode) {
  const before = await revision()
  const result = await send(name, sent)
  expect(result, name).toBeRefused(code)
  expect(await revision()).toBe(before)
  return result
}

async function refusedAt(name: OperatorOperationName, body: unknown, pointer: string) {
  const result = await refused(name, { body: JSON.stringify(body) }, 'invalid_request')
  expect(
    pointersOf(result).some((each) => each === pointer || each.startsWith(`${pointer}/`)),
    `${pointer} in ${result.text}`,
  ).toBe(true)
  return result
}

const bodyOf = (name: OperatorOperationName) => operatorExamples[name].body as Record<string, unknown>

test.each(withJson)('%s names unknown fields', async (name) => {
  for (const field of ['no_such_field', '__proto__', 'constructor']) {
    const body = `{"${field}":1,${JSON.stringify(bodyOf(name)).slice(1)}`.replace(',}', '}')
    const result = await refused(name, { body }, 'invalid_request')
    expect(pointersOf(result), result.text).toEqual([`/${field}`])
  }
})

test.each(withJson)('%s names every field of a wrong type', async (name) => {
  for (const [field, value] of Object.entries(bodyOf(name))) {
    const wrong = typeof value === 'object' && !Array.isArray(value) ? [] : {}
    await refusedAt(name, { ...bodyOf(name), [field]: wrong }, `/${field}`)
  }
  const all = Object.fromEntries(Object.keys(bodyOf(name)).map((field) => [field, () => undefined]))
  const wrong = JSON.stringify(all, (_, value: unknown) => (typeof value === 'function' ? [[[]]] : value))
  const result = await refused(name, { body: wrong }, 'invalid_request')
  for (const field of Object.keys(bodyOf(name))) {
    expect(
      pointersOf(result).some((pointer) => pointer.split('/')[1] === field),
      `${field} ${result.text}`,
    ).toBe(true)
  }
})

test.each(withJson)('%s refuses NUL and invalid Unicode in every text', async (name) => {
  for (const [field, value] of Object.entries(bodyOf(name))) {
    if (typeof value !== 'string') continue
    for (const broken of ['a\u0000b', '\ud800']) {
      await refusedAt(name, { ...bodyOf(name), [field]: broken }, `/${field}`)
    }
  }
  const deep = `${'['.repeat(90_000)}${']'.repeat(90_000)}`
  await refused(name, { body: `{"no_such_field":${deep}}` }, 'invalid_request')
})

test.each(withJson)(
  '%s refuses a body that is empty, not JSON, not an object, too large or of another media type',
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

test.each(withoutBody)('%s refuses a request with a body', async (name) => {
  const result = await refused(name, { body: '{"reason":"given in the wrong place"}' }, 'invalid_request')
  expect(pointersOf(result)).toEqual(['/reason'])
  await refused(name, { body: '{' }, 'malformed_json')
  await refused(name, { body: 'reason', type: 'text/plain' }, 'unsupported_media_type')
  // Many clients send a Content-Type without a body: that is accepted, and the unknown resource is refused.
  for (const body of ['', '{}']) expect((await send(name, { body })).status, name).toBe(404)
})

test.each(operatorOperationNames.filter((name) => !operationOf(name).accepts))(
  '%s refuses unknown query parameters and names the known ones',
  async (name) => {
    const { query, body } = operationOf(name)
    const sent = body ? { body: JSON.stringify(bodyOf(name)) } : {}
    const result = await refused(name, { ...sent, query: 'asof=2026-01-01' }, 'invalid_request')
    expect(pointersOf(result)).toContain('/asof')
    for (const accepted of Object.keys(query?.properties ?? {})) expect(result.text).toContain(accepted)
  },
)

test.each(operatorOperationNames.filter((name) => operationOf(name).query?.properties.take))(
  '%s refuses invalid skip and take',
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
  '%s refuses invalid identifiers',
  async (name) => {
    const { params, body } = operationOf(name)
    const sent = body ? { body: JSON.stringify(bodyOf(name)) } : {}
    for (const [param, schema] of Object.entries(params?.properties ?? {})) {
      const { maxLength = 255 } = schema as { maxLength?: number }
      for (const wrong of ['a\0b', 'x'.repeat(maxLength + 1)]) {
        const result = await refused(name, { ...sent, params: { [param]: wrong } }, 'invalid_request')
        expect([...new Set(pointersOf(result))], name).toEqual([`/${param}`])
      }
    }
  },
)
