import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type OperationName, operationNames, operations, scopeOf } from '../src/contract/operations.js'
import { formatApiKey } from '../src/domain/api-key.js'
import { endKey, issueKey } from '../src/operator/keys.js'
import { line, newAccount } from './support/account.js'
import { startService } from './support/service.js'

const service = await startService()

async function ask(authorization: string | undefined, target = '/v1/locations', baseUrl = service.baseUrl) {
  const response = await fetch(baseUrl + target, { headers: authorization === undefined ? {} : { authorization } })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function works(key: string): Promise<boolean> {
  const answer = await ask(`Bearer ${key}`)
  if (answer.status === 200) return true
  expect(answer).toBeRefused('invalid_key')
  return false
}

async function send(name: OperationName, key: string | undefined) {
  const operation = operations[name]
  const response = await fetch(service.baseUrl + operation.path.replaceAll(/\{\w+\}/g, '1'), {
    method: operation.method,
    headers: { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    ...('body' in operation && { body: JSON.stringify({ reference: 'P', product_lines: [line()] }) }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test.each(operationNames)('%s asks for a key', async (name) => {
  const answer = await send(name, undefined)
  expect(answer).toBeRefused('missing_key')
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="waybill"')
})

test('an operation is not told apart from another without a key, whether its input is good or not', async () => {
  for (const target of ['/v1/shipments?take=0', '/v1/shipments?nonsense=1', `/v1/shipments/${'x'.repeat(300)}`]) {
    expect(await ask(undefined, target)).toBeRefused('missing_key')
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
  const answer = await ask(authorization)
  expect(answer.status).toBe(401)
  expect(answer).toBeRefused('invalid_key')
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="waybill", error="invalid_token"')
})

test('a key that was never issued is refused', async () => {
  const answer = await ask(`Bearer ${formatApiKey('account', randomBytes(24))}`)
  expect(answer).toBeRefused('invalid_key')
  expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"')
})

test('a key with one character changed, left out or added is refused', async () => {
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

test('the scheme is read in any case, as the standard says', async () => {
  const { key } = await newAccount(service)
  expect((await ask(`bearer ${key}`)).status).toBe(200)
  expect((await ask(`BEARER   ${key}`)).status).toBe(200)
})

test('a revoked key stops working with the next request, and only it', async () => {
  const { key, key_id, id } = await newAccount(service)
  const second = await issueKey(service.db, id, { scopes: ['read'], name: 'second' })
  expect(await works(key)).toBe(true)
  await endKey(service.db, key_id)
  expect(await works(key)).toBe(false)
  expect(await works(second.key)).toBe(true)
})

test('a key works until it expires, also where it was used just before', async () => {
  const { id } = await newAccount(service)
  const expires_at = new Date(Date.now() + 1500)
  const { key } = await issueKey(service.db, id, { scopes: ['read'], expires_at })
  expect(await works(key)).toBe(true)
  while (Date.now() <= expires_at.getTime()) await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await works(key)).toBe(false)
})

test('a key is kept as a hash only', async () => {
  const { id, key, key_id } = await newAccount(service)
  const [row] = await service.db<{ stored: string }[]>`
    select row_to_json(keys)::text as stored from keys where account_id = ${id} and key_id = ${key_id}`
  expect(row?.stored).toContain(key_id)
  expect(row?.stored).not.toContain(key)
  expect(row?.stored).not.toContain(key.slice(3, 15))
})

test('a key is recognised by its form', async () => {
  const { key } = await newAccount(service)
  expect(key).toMatch(/^wb_[0-9A-Za-z]{39}$/)
})

test.each(operationNames)('%s needs a key with its scope', async (name) => {
  const account = await newAccount(service, { scopes: [] })
  const needed = scopeOf(operations[name])
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

test('a key that may only read changes nothing', async () => {
  const { call, id } = await newAccount(service, { scopes: ['read'] })
  const body = { reference: 'P', product_lines: [line()] }
  expect(await call('createPurchaseOrder', { body })).toBeRefused('insufficient_scope')
  expect(await call('updatePurchaseOrder', { body })).toBeRefused('insufficient_scope')
  const [row] = await service.db`select revision from accounts where account_id = ${id}`
  // That of the account and of its key.
  expect(row?.revision).toBe(2)
})

describe('with a limit of three requests a minute', async () => {
  const limited = await startService({ rateLimit: 3 })

  /** Four requests of a new account, within one minute of the clock. */
  async function four() {
    for (;;) {
      const { id, key } = await newAccount(limited)
      const minute = Math.floor(Date.now() / 60_000)
      const answers = []
      for (let count = 0; count < 4; count += 1) {
        answers.push(await ask(`Bearer ${key}`, '/v1/locations', limited.baseUrl))
      }
      if (Math.floor(Date.now() / 60_000) === minute) return { id, answers }
    }
  }

  test('the fourth request is refused, and every answer tells what is left', async () => {
    const { answers } = await four()
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(answers.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['2', '1', '0', '0'])
    for (const { headers } of answers) {
      expect(headers.get('ratelimit-limit')).toBe('3')
      expect(headers.get('ratelimit-policy')).toBe('"minute";q=3;w=60')
      expect(headers.get('ratelimit')).toMatch(/^"minute";r=\d;t=\d{1,2}$/)
      const reset = Number(headers.get('ratelimit-reset'))
      expect(reset).toBeGreaterThanOrEqual(1)
      expect(reset).toBeLessThanOrEqual(60)
    }
    const refused = answers[3] as (typeof answers)[number]
    expect(refused).toBeRefused('rate_limited')
    expect(refused.headers.get('retry-after')).toBe(refused.headers.get('ratelimit-reset'))
  })

  test('a key that has used up its requests takes none from another, not even of its account', async () => {
    const { id } = await four()
    const other = await issueKey(limited.db, id, { scopes: ['read'] })
    expect((await ask(`Bearer ${other.key}`, '/v1/locations', limited.baseUrl)).status).toBe(200)
  })
})

test('without a limit no answer speaks of one', async () => {
  const { key } = await newAccount(service)
  expect((await ask(`Bearer ${key}`)).headers.get('ratelimit-limit')).toBeNull()
})
