import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { portalPages } from '../src/contract/portal/pages.js'
import { portalApplication } from '../src/http/portal/application.js'
import { encodingFor } from '../src/http/portal/built-files.js'
import { paths } from '../src/portal/paths.js'
import { sendRaw } from './support/raw-http.js'
import { startService } from './support/service.js'

/** How the web application is served: as the build made it, to browsers that may run nothing else. */

const { baseUrl } = await startService()
const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

async function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return sendRaw(baseUrl, { method, target: path, headers: Object.entries(headers) })
}

const { text: page } = await ask('/')
const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path as string)
const script = assets.find((path) => path.endsWith('.js')) as string

test('every address of the portal answers with the application, which asks for nothing but files of ours', async () => {
  for (const path of portalPages) {
    const answer = await ask(path.replaceAll(/\{\w+\}/g, 'some%2Fthing'), asBrowser)
    expect(answer.status, path).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.text).toBe(page)
  }
  expect(page).not.toMatch(/<script(?![^>]* src="\/assets\/)/)
  expect(page).not.toMatch(/\shttps?:|\bon\w+=|<style/)
  expect(assets.length).toBeGreaterThan(2)
  for (const path of assets) expect((await ask(path)).status, path).toBe(200)
})

test('the addresses that links lead to are those that are served', () => {
  const patterns = portalPages.map((path) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`))
  for (const [name, build] of Object.entries(paths)) {
    const address = (build as (given: never) => string)('a/b ?#ü' as never).split('?')[0] ?? ''
    expect(
      patterns.some((pattern) => pattern.test(address)),
      `${name}: ${address}`,
    ).toBe(true)
  }
})

test('a page runs only our scripts, is put into no frame and is asked for anew each time', async () => {
  for (const path of ['/', '/shipments/S-1', '/no/such/page']) {
    const { headers } = await ask(path, asBrowser)
    const policy = Object.fromEntries(
      (headers.get('content-security-policy') ?? '').split('; ').map((rule) => rule.split(/ (.*)/).slice(0, 2)),
    ) as Record<string, string>
    expect(policy['default-src']).toBe("'self'")
    expect(policy['script-src']).toBe("'self'")
    expect(policy['connect-src']).toBe("'self'")
    // Papers are shown in frames, which say of themselves that only we may do so.
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

test('a file is kept for ever under its name, and what a browser has is not sent again', async () => {
  const first = await ask(script)
  expect(first.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(first.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  for (const path of [script, '/shipments']) {
    const etag = (await ask(path)).headers.get('etag') as string
    const again = await ask(path, { 'if-none-match': etag })
    expect(again.status).toBe(304)
    expect(again.text).toBe('')
    expect(again.headers.get('etag')).toBe(etag)
    expect((await ask(path, { 'if-none-match': '"another"' })).status).toBe(200)
  }
})

test('what is sent is compressed as the browser wants it, and is the same', async () => {
  for (const path of ['/', script]) {
    const plain = await ask(path)
    const brotli = await ask(path, { 'accept-encoding': 'gzip, deflate, br, zstd' })
    const zipped = await ask(path, { 'accept-encoding': 'gzip;q=1.0, br;q=0' })
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
])('a client that accepts %j is sent %j', (accepted, encoding) => {
  expect(encodingFor(accepted, ['br', 'gzip'])).toBe(encoding)
})

test('HEAD answers as GET does, without the body', async () => {
  for (const path of ['/orders/new', script]) {
    const got = await ask(path)
    const head = await ask(path, {}, 'HEAD')
    expect(head.status).toBe(200)
    expect(head.text).toBe('')
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control']) {
      expect(head.headers.get(name), name).toBe(got.headers.get(name))
    }
  }
})

describe('an address that there is not', () => {
  test('is a page for people, which is not found all the same', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await ask('/shipmentz', asBrowser, method)
      expect(status).toBe(404)
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    }
    expect((await ask('/shipmentz', asBrowser)).text).toBe(page)
  })

  test.each([
    ['/shipmentz', {}],
    ['/shipmentz', { accept: 'application/json' }],
    ['/v1/shipmentz', asBrowser],
    ['/portal/v1/shipmentz', asBrowser],
    ['/assets/none.js', asBrowser],
  ])('is a problem for programs: %s with %j', async (path, headers) => {
    expect(await ask(path, headers as Record<string, string>)).toBeRefused('path_not_found')
  })

  test('that has another method tells which one it has', async () => {
    const answer = await ask('/shipments', asBrowser, 'POST')
    expect(answer).toBeRefused('method_not_allowed')
    expect(answer.headers.get('allow')).toContain('GET')
  })
})

test('no request reaches a file that the build did not make', async () => {
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
  for (const path of wanted) expect(await ask(path), path).toBeRefused('path_not_found')
})

test('a service that runs goes on with what it began with when another build takes its place', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-replaced-'))
  await cp(new URL('../dist/portal/', import.meta.url), folder, { recursive: true })
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
      const [answer, before] = [await app.inject({ url: path, headers }), await ask(path, headers)]
      expect(answer.statusCode, path).toBe(200)
      expect(answer.headers['content-encoding'] ?? null).toBe(before.headers.get('content-encoding'))
      expect(answer.rawPayload.equals(before.bytes), path).toBe(true)
    }
  }
})

test('without a build the portal says how to make one, and the service goes on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-unbuilt-'))
  const app = fastify()
  onTestFinished(() => app.close())
  portalApplication(pathToFileURL(`${folder}/`)).register(app)
  const answer = await app.inject('/shipments')
  expect(answer.statusCode).toBe(503)
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(answer.body).toContain('npm run build')
  expect((await app.inject('/assets/any.js')).statusCode).not.toBe(200)
})
