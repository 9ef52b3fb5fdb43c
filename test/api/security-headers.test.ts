import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { officeOperations } from '../../src/contract/office/operations.js'
import { operatorOperationNames, operatorOperations } from '../../src/contract/operator/operations.js'
import { portalOperationNames, portalOperations } from '../../src/contract/portal/operations.js'
import { operationNames, operations } from '../../src/contract/public/operations.js'
import { line } from '../support/account.js'
import { newFullAccount } from '../support/every-operation.js'
import { newOperator } from '../support/operator.js'
import { type RawResponse, sendBytes, sendRaw } from '../support/raw-http.js'
import { startService } from '../support/service.js'

/** Security headers of every response, and the absence of CORS. */

const service = await startService()
const overTls = await startService({ publicUrl: 'https://api.forwarder.example' })
const forOperators = await startService({ serves: { customers: false, operators: true } })
const resident = await newFullAccount(service)
const { ids, account, admin } = resident
const operator = await newOperator(service)

const key: [string, string] = ['Authorization', `Bearer ${account.key}`]
const operatorKey: [string, string] = ['Authorization', `Bearer ${operator.key}`]
const session = Object.entries(admin.headers)
const json: [string, string] = ['Content-Type', 'application/json']
const asBrowser: [string, string] = ['Accept', 'text/html']
const shipment = `/v1/shipments/${ids.svc_shipment_id}`
const [paper] = (await account.call('listDocuments')).body
const document = new URL(paper?.link ?? '').pathname
const { text: page } = await sendRaw(service.baseUrl, { target: '/', headers: [asBrowser] })
const asset = /"(\/assets\/[^"]+\.js)"/.exec(page)?.[1] as string

type Case = [what: string, status: number, request: (baseUrl: string, more: [string, string][]) => Promise<RawResponse>]

function get(what: string, status: number, target: string, ...headers: [string, string][]): Case {
  return [what, status, (baseUrl, more) => sendRaw(baseUrl, { target, headers: [...headers, ...more] })]
}

function post(what: string, status: number, target: string, body: () => string, ...headers: [string, string][]): Case {
  const send: Case[2] = (baseUrl, more) =>
    sendRaw(baseUrl, { method: 'POST', target, body: body(), headers: [...headers, ...more] })
  return [what, status, send]
}

function anOrder(): string {
  return JSON.stringify({ reference: randomUUID(), product_lines: [line()] })
}

const data: Case[] = [
  get('a plain read', 200, shipment, key),
  get('a plain read again, from memory', 200, shipment, key),
  get('a long list', 200, '/v1/purchaseOrders', key),
  get('a read with a session', 200, shipment, ...session),
  post('a plain write', 201, '/v1/purchaseOrders', anOrder, json, key),
  post('a write that is kept in mind', 201, '/v1/purchaseOrders', anOrder, json, key, [
    'Idempotency-Key',
    randomUUID(),
  ]),
  get('a read of an operator', 200, `/ops/v1/accounts/${account.slug}/shipments`, operatorKey),
  get('a file of an operator', 200, `/ops/v1/accounts/${account.slug}/documents/${ids.document}/content`, operatorKey),
  get('a read of the portal', 200, '/portal/v1/overview', ...session),
  get('a file of the portal', 200, '/portal/v1/shipments/export?format=csv', ...session),
  get('how to sign in', 200, '/portal/v1/sign-in'),
  get('a document', 200, document),
  get('a document that is to be shown', 200, `${document}?inline=1`),
  get('a description', 200, '/openapi.json'),
  get('the health', 200, '/health/live'),
  get('a refusal without a key', 401, shipment),
  get('a refusal with a key', 404, '/v1/shipments/none', key),
  get('a refusal of the portal', 401, '/portal/v1/overview'),
  get('a refusal of the office', 401, '/office/v1/session'),
  get('a refused link', 403, '/documents/none'),
  get('an unknown path', 404, '/none'),
  get('a path that cannot be decoded', 400, '/v1/shipments/%zz', key),
  get('a query that cannot be decoded', 400, '/v1/shipments?take=%zz', key),
  get('headers that are too large', 431, '/', ['X-Long', 'x'.repeat(20_000)]),
  post('a body that is not JSON', 400, '/v1/purchaseOrders', () => '{', json, key),
  post('an unknown method', 405, '/v1/shipments', () => '{}', json, key),
  ['bytes that are no request', 400, (baseUrl) => sendBytes(baseUrl, Buffer.from('hello\r\n\r\n'))],
  ['no host', 400, (baseUrl) => sendBytes(baseUrl, Buffer.from('GET / HTTP/1.1\r\nConnection: close\r\n\r\n'))],
]

const pages: Case[] = [
  get('a page of the portal', 200, '/shipments', asBrowser),
  get('a page of the office', 200, '/office', asBrowser),
  get('an unknown page', 404, '/none', asBrowser),
  get('the reference', 200, '/docs/'),
  get('the reference of the portal', 200, '/portal/docs/'),
  get('the reference of the office', 200, '/office/docs/'),
  get('the reference of operators', 200, '/ops/docs/'),
  get('a guide', 200, '/docs/guides/quick-start'),
  get('a guide of operators', 200, '/ops/docs/guides/'),
  get('the list of errors', 200, '/errors/'),
  get('the page of an error', 200, '/errors/missing_key'),
]

const scripts: Case[] = [
  get('a script of the portal', 200, asset),
  get('the script of the reference', 200, '/docs/js/scalar.js'),
  get('the script that starts the reference', 200, '/docs/js/start.js'),
  get('the way to the reference', 301, '/docs'),
]

const everything = [...data, ...pages, ...scripts]

function policyOf({ headers }: RawResponse): Map<string, string> {
  const rules = (headers.get('content-security-policy') ?? '').split('; ').filter((rule) => rule !== '')
  return new Map(rules.map((rule) => [rule.split(' ')[0] as string, rule.replace(/^\S+ ?/, '')]))
}

test.each(everything)(
  '%s has its declared type, and cannot be embedded by other origins',
  async (_, status, request) => {
    const result = await request(service.baseUrl, [])
    expect(result.status).toBe(status)
    expect(result.headers.get('x-content-type-options')).toBe('nosniff')
    expect(result.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(result.headers.get('referrer-policy')).toMatch(/^(?:no-referrer|same-origin)$/)
    // Server software and versions are not revealed.
    for (const name of ['server', 'x-powered-by', 'via']) expect(result.headers.get(name), name).toBeNull()
    expect(result.headers.get('strict-transport-security')).toBeNull()
    const policy = policyOf(result)
    expect(policy.get('default-src')).toMatch(/^'(?:none|self)'$/)
    const [scripting, styles] = [policy.get('script-src') ?? '', [...policy.values()].join(' ')]
    expect(scripting).not.toMatch(/unsafe|data:|blob:|https?:|\*/)
    expect(styles).not.toMatch(/unsafe-eval|https?:|\*/)
  },
)

test.each(data)('%s is data: nothing in it runs, and only our pages can frame it', async (_, __, request) => {
  const policy = policyOf(await request(service.baseUrl, []))
  expect(policy.get('default-src')).toBe("'none'")
  expect(policy.has('script-src')).toBe(false)
  expect(policy.has('sandbox') || policy.get('frame-ancestors') === "'none'").toBe(true)
})

test.each(pages)('%s cannot be framed, and is isolated from the window that opened it', async (_, __, request) => {
  const result = await request(service.baseUrl, [])
  const policy = policyOf(result)
  expect(policy.get('frame-ancestors')).toBe("'none'")
  expect(policy.get('base-uri')).toBe("'none'")
  expect(policy.has('form-action')).toBe(true)
  expect(result.headers.get('x-frame-options')).toBe('DENY')
  expect(result.headers.get('cross-origin-opener-policy')).toBe('same-origin')
  expect(result.headers.get('permissions-policy')).toContain('geolocation=()')
})

test('with an https public URL, responses have Strict-Transport-Security', async () => {
  for (const [what, , request] of everything) {
    const { headers } = await request(overTls.baseUrl, [])
    expect(headers.get('strict-transport-security'), what).toBe('max-age=31536000')
  }
})

test('a separate operator address sends the same security headers', async () => {
  for (const target of ['/ops/v1/operator', '/ops/docs/', '/health/live', '/none', '/v1/shipments/%zz']) {
    const { headers } = await sendRaw(forOperators.baseUrl, { target })
    expect(headers.get('x-content-type-options'), target).toBe('nosniff')
    expect(headers.get('content-security-policy'), target).toContain("frame-ancestors 'none'")
  }
})

test('an event stream has the security headers', async () => {
  const leaving = new AbortController()
  const { status, headers } = await fetch(`${service.baseUrl}/portal/v1/changes`, {
    headers: admin.headers,
    signal: leaving.signal,
  })
  leaving.abort()
  expect(status).toBe(200)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
})

const origins = ['https://evil.example', 'null', service.baseUrl, 'http://localhost:3000']

function corsHeadersOf(headers: Headers): string[] {
  return [...headers.keys()].filter((name) => name.startsWith('access-control-'))
}

describe('other origins', () => {
  test.each(everything)('%s cannot be read by a page of another origin', async (_, __, request) => {
    for (const origin of origins) {
      const { headers } = await request(service.baseUrl, [['Origin', origin]])
      expect(corsHeadersOf(headers), origin).toEqual([])
    }
  })

  const paths = [
    ...operationNames.map((name) => operations[name]),
    ...operatorOperationNames.map((name) => operatorOperations[name]),
    ...portalOperationNames.map((name) => portalOperations[name]),
    ...Object.values(officeOperations),
  ].map(({ method, path }) => ({ method, path: path.replaceAll(/\{\w+\}/g, 'x') }))

  test('preflight requests of other origins are refused by every operation', async () => {
    expect(paths.length).toBeGreaterThan(80)
    for (const { method, path } of [...paths, { method: 'GET', path: document }, { method: 'GET', path: '/' }]) {
      const { status, headers } = await sendRaw(service.baseUrl, {
        method: 'OPTIONS',
        target: path,
        headers: [
          ['Origin', 'https://evil.example'],
          ['Access-Control-Request-Method', method],
          ['Access-Control-Request-Headers', 'authorization, content-type'],
          ['Access-Control-Request-Private-Network', 'true'],
        ],
      })
      expect(status, path).toBe(405)
      expect(corsHeadersOf(headers), path).toEqual([])
    }
  })
})
