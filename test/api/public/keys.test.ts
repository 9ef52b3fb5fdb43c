import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Problem } from '../../../src/contract/problem.js'
import {
  accessOf,
  type OperationName,
  operationNames,
  operations,
  type PublicOperation,
} from '../../../src/contract/public/operations.js'
import { formatApiKey } from '../../../src/domain/accounts/api-key.js'
import { issueKey } from '../../../src/usecases/accounts/create-key.js'
import { revokeAnyKey } from '../../../src/usecases/accounts/revoke-key.js'
import { line, newAccount } from '../../support/account.js'
import { withinOneMinute } from '../../support/one-minute.js'
import { proposalForm } from '../../support/proposals.js'
import { startService } from '../../support/service.js'

const service = await startService()

async function request(authorization: string | undefined, target = '/v1/locations', baseUrl = service.baseUrl) {
  const response = await fetch(baseUrl + target, { headers: authorization === undefined ? {} : { authorization } })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function works(key: string): Promise<boolean> {
  const result = await request(`Bearer ${key}`)
  if (result.status === 200) return true
  expect(result).toBeRefused('invalid_key')
  return false
}

async function send(name: OperationName, key: string | undefined) {
  const operation: PublicOperation = operations[name]
  const isForm = operation.accepts !== undefined
  const response = await fetch(service.baseUrl + operation.path.replaceAll(/\{\w+\}/g, '1'), {
    method: operation.method,
    headers: {
      ...(!isForm && { 'content-type': 'application/json' }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    ...(isForm && { body: proposalForm() }),
    ...(!isForm && operation.body && { body: JSON.stringify(bodyOf(name)) }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const hasOptionalBody = new Set<OperationName>([
  'acknowledgeException',
  'cancelPurchaseOrder',
  'createSharedLink',
  'updateWebhook',
  'rotateWebhookSecret',
  'replayWebhook',
])

function bodyOf(name: OperationName): object {
  if (name === 'postMessage') return { svc_shipment_id: '1', text: 'When?' }
  if (name === 'createWebhook') return { url: 'https://hooks.invalid/' }
  return hasOptionalBody.has(name) ? {} : { reference: 'P', product_lines: [line()] }
}

test.each(operationNames)('%s requires a key', async (name) => {
  const result = await send(name, undefined)
  expect(result).toBeRefused('missing_key')
  expect(result.headers.get('www-authenticate')).toBe('Bearer realm="waybill"')
})

test('without a key, all operations are refused alike, with valid and invalid input', async () => {
  for (const target of ['/v1/shipments?take=0', '/v1/shipments?nonsense=1', `/v1/shipments/${'x'.repeat(300)}`]) {
    expect(await request(undefined, target)).toBeRefused('missing_key')
  }
})

test.each([
  ['empty', ''],
  ['of another scheme', 'Basic d2I6d2I='],
  ['without a key', 'Bearer'],
  ['with two keys', 'Bearer a b'],
  ['not a key', 'Bearer hello'],
  ['with the key alone', formatApiKey('account', randomBytes(24))],
])('an Authorization header that is %s is refused', async (_, authorization) => {
  const result = await request(authorization)
  expect(result.status).toBe(401)
  expect(result).toBeRefused('invalid_key')
  expect(result.headers.get('www-authenticate')).toBe('Bearer realm="waybill", error="invalid_token"')
})

test('the refusal of a key explains what is wrong with it', async () => {
  const { key } = await newAccount(service)
  const operators = formatApiKey('operator', randomBytes(24))
  const cases: [string, string][] = [
    ['', 'The Authorization header is empty; send Bearer and a key.'],
    ['Basic d2I6d2I=', 'The scheme is Basic; send Bearer.'],
    ['token d2I6d2I=', 'The scheme is Token; send Bearer.'],
    ['s3cr3t-word', 'The scheme is not known; send Bearer.'],
    [key, 'The scheme is missing: send `Authorization: Bearer <key>`.'],
    ['Bearer', 'There is no key after Bearer.'],
    [`Bearer "${key}"`, 'There are quotes, brackets or spaces around the key; send the key alone.'],
    [`Bearer <${key}>`, 'There are quotes, brackets or spaces around the key; send the key alone.'],
    [`Bearer ' ${key} '`, 'There are quotes, brackets or spaces around the key; send the key alone.'],
    ['Bearer hello', 'This is not a key of Waybill: keys begin with wb_.'],
    [`Bearer ${operators}`, "This is an operator's key; it works on /ops/v1."],
    [`Bearer ${key.slice(0, 30)}`, 'The key is cut off: its checksum does not match.'],
    ['Bearer wb_', 'The key is cut off: its checksum does not match.'],
    [`Bearer ${key}x`, 'The key is mistyped: its checksum does not match.'],
    [
      `Bearer ${key.slice(0, 9)}${key[9] === 'a' ? 'b' : 'a'}${key.slice(10)}`,
      'The key is mistyped: its checksum does not match.',
    ],
  ]
  for (const [authorization, detail] of cases) {
    const result = await request(authorization)
    expect(result).toBeRefused('invalid_key')
    expect({ authorization, detail: (JSON.parse(result.text) as Problem).detail }).toEqual({ authorization, detail })
  }
})

test('a revoked, expired or unknown key is refused with the same text', async () => {
  const { id } = await newAccount(service)
  const issue = (expires_at?: Date) => issueKey(service.db, id, { scopes: ['read'], name: 'x', expires_at })
  const revoked = await issue()
  await revokeAnyKey(service.db, revoked.key_id)
  const expired = await issue(new Date('2020-01-01'))
  const never = formatApiKey('account', randomBytes(24))
  for (const key of [revoked.key, expired.key, never]) {
    const { text } = await request(`Bearer ${key}`)
    expect((JSON.parse(text) as Problem).detail).toBe('The key is unknown, expired or revoked.')
  }
})

test('an unknown key is refused', async () => {
  const result = await request(`Bearer ${formatApiKey('account', randomBytes(24))}`)
  expect(result).toBeRefused('invalid_key')
  expect(result.headers.get('www-authenticate')).toContain('error="invalid_token"')
})

test('a key with a changed, missing or extra character is refused', async () => {
  const { key } = await newAccount(service)
  expect(await works(key)).toBe(true)
  for (const index of [0, 3, 20, key.length - 1]) {
    const changed = key[index] === 'a' ? 'b' : 'a'
    expect(await works(key.slice(0, index) + changed + key.slice(index + 1))).toBe(false)
    expect(await works(key.slice(0, index) + key.slice(index + 1))).toBe(false)
  }
  expect(await works(`${key}a`)).toBe(false)
  expect(await works(key.toLowerCase())).toBe(false)
})

test('the authentication scheme is case-insensitive', async () => {
  const { key } = await newAccount(service)
  expect((await request(`bearer ${key}`)).status).toBe(200)
  expect((await request(`BEARER   ${key}`)).status).toBe(200)
})

test('a revoked key stops working with the next request, and other keys keep working', async () => {
  const { key, key_id, id } = await newAccount(service)
  const second = await issueKey(service.db, id, { scopes: ['read'], name: 'second' })
  expect(await works(key)).toBe(true)
  await revokeAnyKey(service.db, key_id)
  expect(await works(key)).toBe(false)
  expect(await works(second.key)).toBe(true)
})

test('a key works until it expires, even if it was just used', async () => {
  const { id } = await newAccount(service)
  const expires_at = new Date(Date.now() + 1500)
  const { key } = await issueKey(service.db, id, { scopes: ['read'], expires_at })
  expect(await works(key)).toBe(true)
  while (Date.now() <= expires_at.getTime()) await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await works(key)).toBe(false)
})

test('only the hash of a key is stored', async () => {
  const { id, key, key_id } = await newAccount(service)
  const [row] = await service.db<{ stored: string }[]>`
    select row_to_json(keys)::text as stored from keys where account_id = ${id} and key_id = ${key_id}`
  expect(row?.stored).toContain(key_id)
  expect(row?.stored).not.toContain(key)
  expect(row?.stored).not.toContain(key.slice(3, 15))
})

test('a key is recognizable by its format', async () => {
  const { key } = await newAccount(service)
  expect(key).toMatch(/^wb_[0-9A-Za-z]{39}$/)
})

test.each(operationNames)('%s requires a key with its scope', async (name) => {
  const account = await newAccount(service, { scopes: [] })
  const needed = accessOf(operations[name])
  const other = needed === 'read' ? 'write' : 'read'
  const { key: wrong } = await issueKey(service.db, account.id, { scopes: [other] })
  const { key: right } = await issueKey(service.db, account.id, { scopes: [needed] })
  for (const key of [account.key, wrong]) {
    const refused = await send(name, key)
    expect(refused).toBeRefused('insufficient_scope')
    expect(refused.text).toContain(`\`${needed}\``)
  }
  expect([200, 201, 404]).toContain((await send(name, right)).status)
})

test('a read-only key changes nothing', async () => {
  const { call, id } = await newAccount(service, { scopes: ['read'] })
  const body = { reference: 'P', product_lines: [line()] }
  expect(await call('createPurchaseOrder', { body })).toBeRefused('insufficient_scope')
  expect(await call('updatePurchaseOrder', { body })).toBeRefused('insufficient_scope')
  const [row] = await service.db`select revision from accounts where account_id = ${id}`
  // Those of the account and its key.
  expect(row?.revision).toBe(2)
})

describe('a rate limit of three requests per minute', async () => {
  const limited = await startService({ rateLimit: 3 })

  /** Four requests of a new account, within one minute. */
  function four() {
    return withinOneMinute(async () => {
      const { id, key } = await newAccount(limited)
      const responses = []
      for (let count = 0; count < 4; count += 1) {
        responses.push(await request(`Bearer ${key}`, '/v1/locations', limited.baseUrl))
      }
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 429])
      return { id, responses }
    })
  }

  test('the fourth request is refused, and every response states the remaining requests', async () => {
    const { responses } = await four()
    expect(responses.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['2', '1', '0', '0'])
    for (const { headers } of responses) {
      expect(headers.get('ratelimit-limit')).toBe('3')
      expect(headers.get('ratelimit-policy')).toBe('"minute";q=3;w=60')
      expect(headers.get('ratelimit')).toMatch(/^"minute";r=\d;t=\d{1,2}$/)
      const reset = Number(headers.get('ratelimit-reset'))
      expect(reset).toBeGreaterThanOrEqual(1)
      expect(reset).toBeLessThanOrEqual(60)
    }
    const refused = responses[3] as (typeof responses)[number]
    expect(refused).toBeRefused('rate_limited')
    expect(refused.headers.get('retry-after')).toBe(refused.headers.get('ratelimit-reset'))
  })

  test('a key at its limit does not affect other keys, not even of its account', async () => {
    const { id } = await four()
    const other = await issueKey(limited.db, id, { scopes: ['read'] })
    expect((await request(`Bearer ${other.key}`, '/v1/locations', limited.baseUrl)).status).toBe(200)
  })
})

test('without a rate limit no response has rate-limit headers', async () => {
  const { key } = await newAccount(service)
  expect((await request(`Bearer ${key}`)).headers.get('ratelimit-limit')).toBeNull()
})
