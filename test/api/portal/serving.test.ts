import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { encodingFor } from '../../../src/api/pages/built-files.js'
import { portalApplication } from '../../../src/api/portal/application.js'
import { portalPages } from '../../../src/contract/portal/pages.js'
import { paths } from '../../../web/portal/paths.js'
import { sendRaw } from '../../support/raw-http.js'
import { startService } from '../../support/service.js'

/** How the portal is served: the files of the build, with a strict content security policy. */

const { baseUrl } = await startService()
const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

async function request(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return sendRaw(baseUrl, { method, target: path, headers: Object.entries(headers) })
}

const { text: page } = await request('/')
const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path as string)
const script = assets.find((path) => path.endsWith('.js')) as string

test('every path of the portal serves the application, which loads only files of this origin', async () => {
  for (const path of portalPages) {
    const response = await request(path.replaceAll(/\{\w+\}/g, 'some%2Fthing'), asBrowser)
    expect(response.status, path).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.text).toBe(page)
  }
  expect(page).not.toMatch(/<script(?![^>]* src="\/assets\/)/)
  expect(page).not.toMatch(/\shttps?:|\bon\w+=|<style/)
  expect(assets.length).toBeGreaterThan(2)
  for (const path of assets) expect((await request(path)).status, path).toBe(200)
})

test('the paths of links are exactly the served paths', () => {
  const patterns = portalPages.map((path) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`))
  for (const [name, build] of Object.entries(paths)) {
    const address = (build as (given: never) => string)('a/b ?#ü' as never).split(/[?#]/)[0] ?? ''
    expect(
      patterns.some((pattern) => pattern.test(address)),
      `${name}: ${address}`,
    ).toBe(true)
  }
})

test('pages run only our scripts, cannot be framed, and are revalidated on each visit', async () => {
  for (const path of ['/', '/shipments/S-1', '/no/such/page']) {
    const { headers } = await request(path, asBrowser)
    const policy = Object.fromEntries(
      (headers.get('content-security-policy') ?? '').split('; ').map((rule) => rule.split(/ (.*)/).slice(0, 2)),
    ) as Record<string, string>
    expect(policy['default-src']).toBe("'self'")
    expect(policy['script-src']).toBe("'self'")
    expect(policy['connect-src']).toBe("'self'")
    // Documents are shown in frames, whose own policy allows only this origin.
    expect(policy['frame-src']).toBe("'self'")
    expect(policy['frame-ancestors']).toBe("'none'")
    expect(policy['base-uri']).toBe("'none'")
    expect(policy['form-action']).toBe("'self'")
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('permissions-policy')).toContain('camera=()')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('x-request-id')).toMatch(/^req_/)
  }
})

test('assets are cached forever under their hashed name, and not sent again', async () => {
  const first = await request(script)
  expect(first.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(first.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  for (const path of [script, '/shipments']) {
    const etag = (await request(path)).headers.get('etag') as string
    const again = await request(path, { 'if-none-match': etag })
    expect(again.status).toBe(304)
    expect(again.text).toBe('')
    expect(again.headers.get('etag')).toBe(etag)
    expect((await request(path, { 'if-none-match': '"another"' })).status).toBe(200)
  }
})

test('files are sent in an encoding that the browser accepts, with the same content', async () => {
  for (const path of ['/', script]) {
    const plain = await request(path)
    const brotli = await request(path, { 'accept-encoding': 'gzip, deflate, br, zstd' })
    const zipped = await request(path, { 'accept-encoding': 'gzip;q=1.0, br;q=0' })
    expect(plain.headers.get('content-encoding')).toBe(null)
    expect(brotli.headers.get('content-encoding')).toBe('br')
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true)
    expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true)
    expect(brotli.bytes.length).toBeLessThan(zipped.bytes.length)
    for (const { headers, bytes } of [plain, brotli, zipped]) {
      expect(headers.get('vary')).toBe('accept-encoding')
      expect(Number(headers.get('content-length'))).toBe(bytes.length)
    }
  }
})

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;Q=0.5', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0', undefined],
  ['deflate, zstd', undefined],
])('a client that accepts %j gets %j', (accepted, encoding) => {
  expect(encodingFor(accepted, ['br', 'gzip'])).toBe(encoding)
})

test('HEAD returns the headers of GET without the body', async () => {
  for (const path of ['/orders/new', script]) {
    const got = await request(path)
    const head = await request(path, {}, 'HEAD')
    expect(head.status).toBe(200)
    expect(head.text).toBe('')
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control']) {
      expect(head.headers.get(name), name).toBe(got.headers.get(name))
    }
  }
})

describe('unknown paths', () => {
  test('browsers get a page with status 404', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await request('/shipmentz', asBrowser, method)
      expect(status).toBe(404)
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    }
    expect((await request('/shipmentz', asBrowser)).text).toBe(page)
  })

  test.each([
    ['/shipmentz', {}],
    ['/shipmentz', { accept: 'application/json' }],
    ['/v1/shipmentz', asBrowser],
    ['/portal/v1/shipmentz', asBrowser],
    ['/assets/none.js', asBrowser],
  ])('programs get a problem body: %s with %j', async (path, headers) => {
    expect(await request(path, headers as Record<string, string>)).toBeRefused('path_not_found')
  })

  test('a known path with another method names its methods', async () => {
    const response = await request('/shipments', asBrowser, 'POST')
    expect(response).toBeRefused('method_not_allowed')
    expect(response.headers.get('allow')).toContain('GET')
  })
})

test('no request reaches a file outside the build', async () => {
  const wanted = [
    '/assets/../index.html',
    '/assets/..%2findex.html',
    '/assets/%2e%2e%2findex.html',
    '/assets/..%5cindex.html',
    '/assets/..%2f..%2fcli%2fmain.js',
    '/assets/%2fetc%2fpasswd',
    '/assets/files.json',
    '/assets/..%2ffiles.json',
    '/assets/..%2fmanifest.json',
    `${script}.br`,
    `${script}.map`,
    '/assets/',
    '/assets',
    '/files.json',
    '/manifest.json',
    '/index.html',
    '/assets/constructor',
    '/assets/__proto__',
  ]
  for (const path of wanted) expect(await request(path), path).toBeRefused('path_not_found')
})

test('a running service keeps serving its build when another one replaces it on disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-replaced-'))
  await cp(new URL('../../../dist/portal/', import.meta.url), folder, { recursive: true })
  const app = fastify()
  onTestFinished(async () => {
    await app.close()
    await rm(folder, { recursive: true, force: true })
  })
  portalApplication(pathToFileURL(`${folder}/`)).register(app)
  expect((await app.inject('/shipments')).body).toBe(page)
  await rm(folder, { recursive: true })
  for (const encoding of ['br', 'gzip', 'identity']) {
    for (const path of ['/shipments', ...assets]) {
      const headers = { 'accept-encoding': encoding }
      const [response, before] = [await app.inject({ url: path, headers }), await request(path, headers)]
      expect(response.statusCode, path).toBe(200)
      expect(response.headers['content-encoding'] ?? null).toBe(before.headers.get('content-encoding'))
      expect(response.rawPayload.equals(before.bytes), path).toBe(true)
    }
  }
})

test('without a build the portal explains how to build it, and the service works', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-unbuilt-'))
  const app = fastify()
  onTestFinished(() => app.close())
  portalApplication(pathToFileURL(`${folder}/`)).register(app)
  const response = await app.inject('/shipments')
  expect(response.statusCode).toBe(503)
  expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(response.body).toContain('npm run build')
  expect((await app.inject('/assets/any.js')).statusCode).not.toBe(200)
})
