import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { routeOf } from '../../src/api/transport/input.js'
import { addressOf } from '../../src/client/client.js'
import { officeOperations } from '../../src/contract/office/operations.js'
import { operatorOperationNames, operatorOperations } from '../../src/contract/operator/operations.js'
import { portalOperationNames, portalOperations } from '../../src/contract/portal/operations.js'
import { officePages, portalPages } from '../../src/contract/portal/pages.js'
import { operationNames, operations } from '../../src/contract/public/operations.js'
import { documentBucket } from '../../src/documents/document-bucket.js'
import { line, newAccount } from '../support/account.js'
import { startBucket } from '../support/bucket.js'
import { dereferenced } from '../support/dereferenced.js'
import { newFullAccount } from '../support/every-operation.js'
import { newOperator } from '../support/operator.js'
import { newEmail } from '../support/person.js'
import { bearer, rawGet } from '../support/raw-get.js'
import { sendRaw } from '../support/raw-http.js'
import { routesOf, startService } from '../support/service.js'

/** The second half of the OWASP API Security Top 10 (2023); the first is owasp-api.test.ts. */

const service = await startService()
const { baseUrl, db } = service

const get = (path: string, headers: Record<string, string> = {}, at = baseUrl) => rawGet(at + path, headers)

// Delays for sign-in, password resets and invitations: portal/sign-in.test.ts, portal/people.test.ts.
describe('API6:2023 Unrestricted Access to Sensitive Business Flows', () => {
  test('orders sent repeatedly with one idempotency key are one order', async () => {
    const { call } = await newAccount(service)
    const body = { reference: 'PO-1', product_lines: [line()] }
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => call('createPurchaseOrder', { body, idempotencyKey: 'once' })),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
    expect((await call('listPurchaseOrders')).body).toHaveLength(1)
  })

  test('the numbers of keys and invitation mails of an account are limited', async () => {
    const { account, admin } = await newFullAccount(service)
    await db`
      insert into keys (account_id, key_id, hash, hint, scopes)
      select ${account.id}, 'key_' || each, sha256((${account.slug} || each)::bytea), '', '{read}' from generate_series(1, 99) each`
    expect(await admin.portal('createOwnKey', { body: {} })).toBeRefused('too_many_keys')
    const email = newEmail()
    const { person_id } = (await admin.portal('invitePerson', { body: { email, name: 'K', role: 'viewer' } })).body
    const again = () => admin.portal('inviteAgain', { params: { person_id } })
    const statuses: number[] = []
    for (let time = 0; time < 6; time += 1) statuses.push((await again()).status)
    expect(statuses.slice(-2)).toEqual([429, 429])
  })
})

// Outgoing requests and redirects: outgoing-requests.test.ts.
describe('API7:2023 Server Side Request Forgery', () => {
  // The addresses of webhooks: webhooks/addresses.test.ts.
  test('no operation accepts a URL to fetch, except for feeds, which only admins among operators add and change, and webhooks', () => {
    const addresses = /(?:^|_)(?:url|uri|href|callback|webhook|endpoint)$/
    for (const file of ['openapi.json', 'ops-openapi.json', 'portal-openapi.json', 'office-openapi.json']) {
      type Taken = { parameters: unknown; requestBody?: unknown }
      const { paths } = dereferenced(
        JSON.parse(readFileSync(file, 'utf8')) as { paths: Record<string, Record<string, Taken>> },
      )
      const taken = Object.entries(paths).flatMap(([path, methods]) =>
        Object.values(/^\/(?:ops\/v1\/feeds|v1\/webhooks)/.test(path) ? {} : methods).map(
          ({ parameters, requestBody }) => ({
            parameters,
            requestBody,
          }),
        ),
      )
      const names = new Set<string>()
      JSON.stringify(taken, (name, value: unknown) => {
        // Its names are values.
        if (name === 'x-enumDescriptions') return undefined
        names.add(name)
        if (name === 'name' && typeof value === 'string') names.add(value)
        return value
      })
      expect([...names].filter((name) => addresses.test(name))).toEqual([])
    }
    for (const { right } of [operatorOperations.createFeed, operatorOperations.updateFeed])
      expect(right).toBe('administer')
  })

  test('no URL of the service redirects to another host', async () => {
    for (const path of [
      '//evil.example',
      '/%2f%2fevil.example',
      '/docs/..//evil.example',
      '/\\evil.example',
      '/docs?x=//e',
    ]) {
      const { headers } = await get(path, { accept: 'text/html' })
      const location = headers.get('location') ?? '/'
      expect(new URL(location, baseUrl).origin, path).toBe(new URL(baseUrl).origin)
    }
  })
})

// Headers and origins: security-headers.test.ts; secrets: secrets-in-logs.test.ts; request framing:
// transport-abuse.test.ts.
describe('API8:2023 Security Misconfiguration', () => {
  test('an internal error reveals no internals', async () => {
    const { account } = await newFullAccount(service)
    const open = () => Promise.reject(new Error('/etc/x: select * from secrets'))
    const broken = await startService({ files: { ...service.files, open } })
    const [document] = (await account.callAt(broken, 'listDocuments')).body
    const result = await get(new URL(document?.link as string).pathname, {}, broken.baseUrl)
    expect(result).toBeRefused('internal_error')
    expect(result.text).not.toMatch(/select|\/etc|secrets|\.ts|\.js|node_modules| at /)
  })

  test('files of the machine, the program and its settings are not served', async () => {
    for (const path of [
      '.env',
      '.git/config',
      'package.json',
      'assets/../../package.json',
      'assets/%2e%2e%2f%2e%2e%2fpackage.json',
      'assets/..%5c..%5cpackage.json',
      'files.json',
      'manifest.json',
      'docs/../package.json',
      'docs/js/..%2f..%2fpackage.json',
      'assets/',
      'assets',
      'documents/',
      'schema.sql',
    ]) {
      const { status, text } = await sendRaw(baseUrl, { target: `/${path}` })
      expect([400, 403, 404], path).toContain(status)
      expect(text).not.toContain('"dependencies"')
    }
  })
})

describe('API9:2023 Improper Inventory Management', () => {
  test('every route is documented or in this list', async () => {
    const described = [
      ...operationNames.map((name) => operations[name]),
      ...operatorOperationNames.map((name) => operatorOperations[name]),
      ...portalOperationNames.map((name) => portalOperations[name]),
      ...Object.values(officeOperations),
    ].map((operation) => `${operation.method} ${routeOf(operation)}`)
    const docs = ['', '/ops', '/portal', '/office'].flatMap((at) => [
      `GET ${at}/docs`,
      `GET ${at}/docs/`,
      `GET ${at}/docs/js/scalar.js`,
      `GET ${at}/docs/js/start.js`,
      `GET ${at}/openapi.json`,
    ])
    const guides = ['', '/ops'].flatMap((at) =>
      ['', '/', '/:name', '/guides.css'].map((path) => `GET ${at}/docs/guides${path}`),
    )
    const pages = [...portalPages, ...officePages].map((path) => `GET ${routeOf({ path })}`)
    const others = [
      '/ops',
      '/ops/',
      '/health/live',
      '/health/ready',
      '/metrics',
      '/errors/',
      '/errors/:code',
      '/documents/:token',
      '/unsubscribe/:token',
    ]
    const providers = ['/portal/v1/provider', '/office/v1/provider'].flatMap((path) => [path, `${path}/callback`])
    const own = [...others, '/assets/:name', '/office/assets/:name', ...providers]
    const feeds = ['POST /feeds/v1/:feed_id', 'POST /feeds/v1/:feed_id/events']
    const known = new Set([
      ...described,
      ...docs,
      ...guides,
      ...pages,
      ...feeds,
      'POST /unsubscribe/:token',
      'POST /mcp',
      ...own.map((path) => `GET ${path}`),
    ])
    const provider = { issuer: 'https://id.example', clientId: 'x', clientSecret: 'y', name: 'Z' }
    const routes = await routesOf(service, { portal: { sendMail: async () => {}, provider } })
    expect(routes.filter((route) => !known.has(route))).toEqual([])
    expect([...known].filter((route) => !routes.includes(route))).toEqual([])
  })

  test('a disabled interface is not reachable under any other name', async () => {
    const [customers, operators] = [
      await startService({ serves: { customers: true, operators: false } }),
      await startService({ serves: { customers: false, operators: true } }),
    ]
    const operator = await newOperator(service)
    const { account, admin } = await newFullAccount(service)
    for (const name of operatorOperationNames) {
      const path = addressOf('', operatorOperations[name].path, { account: account.slug })
      expect((await get(path, bearer(operator.key), customers.baseUrl)).status, name).toBe(404)
    }
    const office = ['/office/v1/session', '/office/openapi.json', '/office/docs/']
    for (const path of office) expect((await get(path, {}, customers.baseUrl)).status, path).toBe(404)
    for (const path of ['/v1/shipments', '/portal/v1/session', '/', '/docs/']) {
      const { status } = await get(path, { ...bearer(account.key), ...admin.headers }, operators.baseUrl)
      expect([302, 404], path).toContain(status)
    }
  })
})

// Providers and buckets that lie, fail or redirect: portal/provider.test.ts, documents/document-bucket.test.ts,
// outgoing-requests.test.ts.
describe('API10:2023 Unsafe Consumption of APIs', () => {
  test('a bucket that returns other bytes than were stored cannot inject a page', async () => {
    const bucket = await startBucket()
    const stored = await startService({ files: documentBucket(bucket.address, service.dataFolder) })
    const { account } = await newFullAccount(stored)
    bucket.traffic.interfere = ({ method }, response) => {
      if (method !== 'GET') return false
      const page = '<script>alert(1)</script>'
      response.writeHead(200, {
        'content-type': 'text/html',
        'content-length': page.length,
        'set-cookie': 'waybill_session=planted',
        'access-control-allow-origin': '*',
        'content-security-policy': "script-src 'unsafe-inline'",
      })
      response.end(page)
      return true
    }
    const [document] = (await account.call('listDocuments')).body
    for (const query of ['', '?inline=1']) {
      const { headers } = await get(new URL(document?.link as string).pathname + query, {}, stored.baseUrl)
      expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
      expect(headers.get('content-disposition')).toMatch(/^attachment/)
      expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
      expect(headers.get('set-cookie')).toBeNull()
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})
