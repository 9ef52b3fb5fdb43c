import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { type ClientHttp2Session, type ClientHttp2Stream, connect, type IncomingHttpHeaders } from 'node:http2'
import { BlockList } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../bench/processes.js'
import { issueKey } from '../src/usecases/accounts/create-key.js'
import { newAccount } from './support/account.js'
import { newOperator } from './support/operator.js'
import { newPerson } from './support/person.js'
import { temporaryFolder, until } from './support/program.js'
import { binaryFiles } from './support/sample-files.js'
import { startService } from './support/service.js'

/** The configurations of docs/deploy.md, with the proxies of Debian: `apt-get install nginx caddy openssl`. */

const host = 'api.forwarder.example'
const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'deploy.md'), 'utf8')
const isInstalled = (...names: string[]) =>
  names.every((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0)

// The client has another address of the loopback network, which is no proxy.
const proxies = new BlockList()
proxies.addAddress('127.0.0.1')
const client = '127.0.0.2'

type Place = { folder: string; port: number; upstream: string }

const starts: Record<string, (place: Place) => Promise<string[]>> = {
  async nginx({ folder, port, upstream }) {
    const redirected = await freePort()
    const server = replaced(blockOf('nginx'), [
      ['listen 80;', `listen 127.0.0.1:${redirected};`],
      ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
      ['/etc/ssl/certs/api.pem', `${folder}/certificate.pem`],
      ['/etc/ssl/private/api.key', `${folder}/key.pem`],
      ['http://127.0.0.1:4010', upstream],
    ])
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    const settings = `pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {} http { access_log off; ${temporary.join(' ')} ${server} }`
    writeFileSync(join(folder, 'nginx.conf'), settings)
    return ['nginx', '-p', folder, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;']
  },
  async caddy({ folder, port, upstream }) {
    const site = replaced(blockOf('caddy'), [
      [host, `https://${host}:${port}`],
      [
        'reverse_proxy 127.0.0.1:4010',
        `bind 127.0.0.1\n  tls ${folder}/certificate.pem ${folder}/key.pem\n  reverse_proxy ${new URL(upstream).host}`,
      ],
    ])
    writeFileSync(join(folder, 'Caddyfile'), `{\n  admin off\n  auto_https disable_redirects\n}\n${site}`)
    return ['caddy', 'run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
  },
}

for (const [name, start] of Object.entries(starts)) {
  test.skipIf(!isInstalled(name, 'openssl'))(
    `${name} serves TLS and HTTP/2, and passes on addresses, paths, uploads and events as they are (needs ${name}, openssl)`,
    async () => {
      const service = await startService({ trustedProxies: proxies })
      const session = await startProxy(start, service.baseUrl)
      expect(session.alpnProtocol).toBe('h2')

      const account = await newAccount(service)
      const authorization = `Bearer ${account.key}`
      const order = { reference: 'PO/1', product_lines: [{ ordered_quantity: 1, product: { sku: 'A' } }] }
      const created = await request(session, 'POST', '/v1/purchaseOrders', {
        headers: { authorization, 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify(order)),
      })
      expect(created.status, created.text).toBe(201)
      const read = await request(session, 'GET', '/v1/purchaseOrders/PO%2F1', { headers: { authorization } })
      expect([read.status, JSON.parse(read.text)]).toEqual([200, expect.objectContaining({ po_number: 'PO/1' })])

      // The client's own address, and not the one that it claims.
      const keyFrom = async (network: string) =>
        (await issueKey(service.db, account.id, { scopes: ['read'], networks: [network] })).key
      for (const [network, status] of [
        [client, 200],
        ['203.0.113.7', 403],
        ['127.0.0.1', 403],
      ] as const) {
        const headers = { authorization: `Bearer ${await keyFrom(network)}`, 'x-forwarded-for': '203.0.113.7' }
        expect((await request(session, 'GET', '/v1/locations', { headers })).status, network).toBe(status)
      }

      const operator = await newOperator(service, 'operations')
      const form = await formWith(Buffer.concat([binaryFiles.pdf as Buffer, Buffer.alloc(20_000_000, '\n')]))
      const uploaded = await request(session, 'POST', `/ops/v1/accounts/${account.slug}/documents`, {
        headers: { authorization: `Bearer ${operator.key}`, 'content-type': form.type },
        body: form.body,
      })
      expect(uploaded.status, uploaded.text).toBe(201)
      const [document] = (await account.call('listDocuments')).body
      const { pathname, search } = new URL(document?.link ?? '')
      const downloaded = await request(session, 'GET', pathname + search)
      expect(downloaded.bytes.length).toBe((binaryFiles.pdf as Buffer).length + 20_000_000)

      const { token } = await newPerson(service, account)
      const stream = session.request({ ':path': '/portal/v1/changes', cookie: `__Host-waybill_session=${token}` })
      const events = await eventsOf(stream)
      await account.forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'PROXY-1' } })
      await until(() => events().includes('PROXY-1'), 5000)
      stream.close()
    },
  )
}

/** Starts a proxy before the service, and connects to it from the address of the client. */
async function startProxy(start: (place: Place) => Promise<string[]>, upstream: string): Promise<ClientHttp2Session> {
  const folder = await temporaryFolder()
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
  const files = ['-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...names, ...files], {
    stdio: 'ignore',
  })
  const port = await freePort()
  const [program = '', ...args] = await start({ folder, port, upstream })
  const proxy = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, HOME: folder },
  })
  let errors = ''
  proxy.stderr.on('data', (bytes: Buffer) => (errors += bytes.toString()))
  onTestFinished(async () => {
    proxy.kill('SIGTERM')
    if (proxy.exitCode === null) await once(proxy, 'exit')
  })
  const secure = { ca: readFileSync(certificate), servername: host, localAddress: client, ALPNProtocols: ['h2'] }
  const open = () => connectTls({ host: '127.0.0.1', port, ...secure })
  await until(async () => {
    if (proxy.exitCode !== null) throw new Error(`${program} exited: ${errors}`)
    const socket = open()
    const isOpen = await once(socket, 'secureConnect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    return isOpen
  }, 20_000)
  const session = connect(`https://${host}:${port}`, { createConnection: open })
  onTestFinished(() => session.destroy())
  await once(session, 'connect')
  return session
}

async function request(
  session: ClientHttp2Session,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: Buffer } = {},
) {
  const stream = session.request({ ':method': method, ':path': path, ...headers }, { endStream: body === undefined })
  if (body) stream.end(body)
  const [found] = (await once(stream, 'response')) as [IncomingHttpHeaders]
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  return { status: found[':status'], text: bytes.subarray(0, 10_000).toString(), bytes }
}

/** What an event stream has sent so far, once it has begun. */
async function eventsOf(stream: ClientHttp2Stream): Promise<() => string> {
  let text = ''
  stream.on('data', (bytes: Buffer) => (text += bytes.toString()))
  const [found] = (await once(stream, 'response')) as [IncomingHttpHeaders]
  expect(found[':status']).toBe(200)
  return () => text
}

async function formWith(bytes: Buffer<ArrayBuffer>): Promise<{ type: string; body: Buffer }> {
  const form = new FormData()
  form.set('type', 'packing_list')
  form.set('file', new Blob([bytes]), 'packing list.pdf')
  const response = new Response(form)
  return { type: response.headers.get('content-type') ?? '', body: Buffer.from(await response.arrayBuffer()) }
}

function blockOf(language: string): string {
  const block = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'm').exec(page)?.[1]
  if (block === undefined) throw new Error(`docs/deploy.md has no configuration of ${language}`)
  return block
}

function replaced(text: string, replacements: [from: string, to: string][]): string {
  return replacements.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`docs/deploy.md has no ${from}`)
    return result.replace(from, to)
  }, text)
}
