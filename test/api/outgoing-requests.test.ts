import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { ZipFile } from 'yazl'
import { documentBucket } from '../../src/documents/document-bucket.js'
import { newAccount } from '../support/account.js'
import { startBucket } from '../support/bucket.js'
import { newFullAccount, portalRequests, publicRequests } from '../support/every-operation.js'
import { everyResource, newIdentifiers } from '../support/every-resource.js'
import { startProvider } from '../support/oidc-test-provider.js'
import { newOperator } from '../support/operator.js'
import { newPerson } from '../support/person.js'
import { binaryFiles } from '../support/sample-files.js'
import { startService } from '../support/service.js'

/**
 * The service connects only to the addresses in its settings, of feeds and of webhooks, whatever a field, a file or a header contains, and
 * follows no redirects.
 */

// The files that can open a connection, and the target. A new one needs an entry here and in SECURITY.md.
const outgoing = {
  'database/database.ts': 'the PostgreSQL and the replicas of the settings',
  'database/pooler.ts': 'the PostgreSQL of the settings, to see whether a pooler is before it',
  'database/embedded/embedded-database.ts': 'our own PostgreSQL, by its socket',
  'documents/document-bucket.ts': 'the bucket of the settings',
  'documents/bucket-requests.ts': 'the same',
  'api/portal/oidc-provider.ts': 'the OpenID Connect provider of the settings',
  'usecases/feeds/carrier-request.ts': 'the addresses of feeds, as admins among operators set them',
  'usecases/outgoing/allowed-lookup.ts': 'name servers, for the addresses of feeds and webhooks',
  'usecases/webhooks/webhook-request.ts':
    'the endpoints that accounts set, at public addresses only unless a setting allows others',
  'cli/mail.ts': 'the mail server of the settings',
  'api/mcp/mcp-endpoint.ts': 'nothing: the handler of the protocol, which has a method `fetch`, runs in this process',
}

test('only the files listed here make outgoing requests', () => {
  const opening =
    /\bfetch\(|(?<!type )\{[^}]*\b(?:connect|request|get|createConnection|lookup|resolve\d?|(?<!type )Socket)\b[^}]*\} from 'node:(?:net|tls|https?|http2|dgram|dns(?:\/promises)?)'|(?:from|import\() ?'(?:pg|s3mini|nodemailer|openid-client|undici|ws)'|new (?:WebSocket|EventSource|XMLHttpRequest)/
  // Clients for browsers and customers, and what operators run to check the settings.
  const elsewhere = /^(?:client|cli\/doctor|cli\/commands)\//
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path))
  const found = files.filter(
    (file) =>
      !elsewhere.test(file) &&
      opening.test(readFileSync(join('src', file), 'utf8').replaceAll(/^import type .*$/gm, '')),
  )
  expect(found.toSorted()).toEqual(Object.keys(outgoing).toSorted())
})

/** An internal server that must never be contacted. */
const visits: string[] = []
const inside = createServer((request, response) => {
  visits.push(`${request.method} ${request.url}`)
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
})
await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
const { port } = inside.address() as AddressInfo
const address = `http://127.0.0.1:${port}/inside`
afterAll(() => inside.close())
beforeEach(() => visits.splice(0))

const bucket = await startBucket()
const waiting = await mkdtemp(join(tmpdir(), 'waybill-waiting-'))
afterAll(() => rm(waiting, { recursive: true, force: true }))

/** A service with everything it can be connected to. */
async function startConnected() {
  const provider = await startProvider({ emailIn: 'ID token' })
  const service = await startService({
    files: documentBucket(bucket.address, waiting),
    portal: { sendMail: async () => {}, provider: provider.settings },
  })
  provider.trust(service.baseUrl)
  return { provider, service }
}

/** A workbook with external references, which an XML reader might resolve. */
async function workbookWithReferenceTo(target: string): Promise<Buffer> {
  const zip = new ZipFile()
  const xml = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "${target}">]>`
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const parts = {
    '[Content_Types].xml': `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    'xl/workbook.xml': `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${office}/externalLink" Target="${target}" TargetMode="External"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `${xml}<worksheet xmlns="${main}"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>reference &e;</t></is></c></row></sheetData></worksheet>`,
  }
  for (const [path, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), path)
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

test('the test notices a request to the internal server', async () => {
  await fetch(address)
  expect(visits).toEqual(['GET /inside'])
})

test('no field and no file makes the service contact an address', async () => {
  const { service } = await startConnected()
  const account = await newAccount(service)
  // Every kind of resource contains the address somewhere.
  await account.forwarder.imports(...everyResource(newIdentifiers(), address))
  const person = await newPerson(service, account, 'admin', { name: address })
  const { ops, sendFile } = await newOperator(service)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><image href="${address}"/></svg>`
  const files = { 'a.svg': svg, 'a.html': `<img src="${address}">`, 'a.url': `[InternetShortcut]\nURL=${address}` }
  for (const [name, content] of Object.entries(files)) {
    await sendFile('uploadDocument', account.slug, {}, { name, bytes: Buffer.from(content) })
  }
  await sendFile('uploadDocument', account.slug, {}, { name: `${address}/x.pdf`, bytes: binaryFiles.pdf as Buffer })
  const workbook = await workbookWithReferenceTo(address)
  await person.sendFile('checkOrderSheet', { name: 'orders.xlsx', bytes: workbook })
  await person.sendFile('saveOrderSheet', { name: 'orders.xlsx', bytes: workbook })
  const lines = [{ description: address, quantity: 1, price_per_unit: 1 }]
  const draft = { currency: 'EUR', recipient: { name: address }, lines } as never
  await ops('draftInvoice', account.slug, { body: draft })
  for (const { reference = '' } of (await account.call('listInvoices')).body) {
    await person.portal('getInvoicePdf', { params: { reference } })
  }
  await person.portal('createView', { body: { page: 'shipments', name: address, query: `to=${address}` } })
  await person.portal('invitePerson', { body: { email: 'x@example.com', name: address, role: 'viewer' } })
  expect(visits).toEqual([])
})

test('no header makes the service contact an address, for any request', async () => {
  const { service } = await startConnected()
  const resident = await newFullAccount(service)
  const host = `127.0.0.1:${port}`
  const misleading = {
    'x-forwarded-host': host,
    'x-forwarded-for': host,
    'x-original-url': address,
    'x-rewrite-url': address,
    forwarded: `for=${host};host=${host}`,
    referer: address,
    'x-callback-url': address,
    'user-agent': address,
    via: address,
    from: address,
  }
  const key = { authorization: `Bearer ${resident.account.key}` }
  for (const { send } of publicRequests(service.baseUrl, resident)) await send({ ...misleading, ...key })
  const requested = portalRequests(service.baseUrl, resident).filter(({ operation }) => operation.method === 'GET')
  for (const { name, send } of requested) {
    if (name !== 'streamChanges') await send({ ...misleading, ...resident.admin.headers })
  }
  // An absolute URI as request target, as for a proxy.
  for (const target of [address, `//127.0.0.1:${port}/inside`]) {
    await fetch(`${service.baseUrl}/portal/v1/provider?to=${encodeURIComponent(target)}`, { redirect: 'manual' })
    await fetch(`${service.baseUrl}/portal/v1/provider/callback?code=x&state=y&iss=${encodeURIComponent(target)}`, {
      redirect: 'manual',
    })
  }
  expect(visits).toEqual([])
})

test.each([301, 302, 307, 308])('a redirect (%d) by a bucket is not followed, by reads or uploads', async (status) => {
  const { service } = await startConnected()
  const account = await newAccount(service)
  await account.forwarder.imports(...everyResource(newIdentifiers(), account.slug))
  bucket.traffic.interfere = (_request, response) => {
    response.writeHead(status, { location: address }).end()
    return true
  }
  onTestFinished(() => {
    bucket.traffic.interfere = undefined
  })
  const [document] = (await account.call('listDocuments')).body
  expect((await fetch(document?.link as string)).status).toBe(503)
  const { sendFile } = await newOperator(service)
  const bytes = Buffer.concat([binaryFiles.pdf as Buffer, Buffer.from(account.slug)])
  expect((await sendFile('uploadDocument', account.slug, {}, { name: 'a.pdf', bytes })).status).toBe(503)
  expect(visits).toEqual([])
})

test('a redirect by a sign-in provider is not followed, at any step', async () => {
  const requested: string[] = []
  let sentOnAt = ''
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://provider.invalid')
    requested.push(pathname)
    if (pathname === sentOnAt) return void response.writeHead(307, { location: address }).end()
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const metadata = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = { issuer, clientId: 'waybill', clientSecret: 'secret', name: 'P' }
  const discovery = '/.well-known/openid-configuration'
  for (const step of [discovery, '/token']) {
    sentOnAt = step
    const { baseUrl } = await startService({ portal: { sendMail: async () => {}, provider } })
    const start = await fetch(`${baseUrl}/portal/v1/provider`, { redirect: 'manual' })
    const state = new URL(start.headers.get('location') ?? '', baseUrl).searchParams.get('state')
    const cookie = start.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    await fetch(`${baseUrl}/portal/v1/provider/callback?code=x&state=${state}`, {
      redirect: 'manual',
      headers: { cookie },
    })
    expect(requested).toContain(step)
  }
  expect(visits).toEqual([])
})
