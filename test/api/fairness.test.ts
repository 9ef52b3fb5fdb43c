import { request } from 'node:http'
import { BlockList, connect, type Socket } from 'node:net'
import { expect, inject, test } from 'vitest'
import { openDatabase } from '../../src/database/database.js'
import { newAccount } from '../support/account.js'
import { charge } from '../support/invoices.js'
import { newOperator } from '../support/operator.js'
import { asVisitor, newEmail, newPerson } from '../support/person.js'
import { startService } from '../support/service.js'
import { xlsxOf } from '../support/tables.js'

/** One account, person or address cannot use up what others need. */

const service = await startService()

/** References of issued invoices. */
async function invoicesOf(account: Awaited<ReturnType<typeof newAccount>>, count: number): Promise<string[]> {
  const references = Array.from({ length: count }, (_, index) => `INV-${index}`)
  await account.forwarder.imports(
    ...references.map((reference) => ({
      kind: 'invoice' as const,
      data: { reference, lines: [{ description: 'Freight', price: { amount: 1, currency: 'EUR' as const } }] },
    })),
  )
  return references
}

test('a viewer who floods PDFs is refused beyond the share of the account; another account gets all of its own', async () => {
  const [flooding, other] = [await newAccount(service), await newAccount(service)]
  const viewer = await newPerson(service, flooding, 'viewer')
  const neighbour = await newPerson(service, other, 'viewer')
  const flood = (await invoicesOf(flooding, 30)).map((reference) =>
    viewer.portal('getInvoicePdf', { params: { reference } }),
  )
  const own = (await invoicesOf(other, 6)).map((reference) =>
    neighbour.portal('getInvoicePdf', { params: { reference } }),
  )
  expect((await Promise.all(own)).map(({ status }) => status)).toEqual(own.map(() => 200))
  const statuses = (await Promise.all(flood)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(20)
  expect(statuses).toContain(503)
})

test('a PDF is printed again only after something that it shows has changed', async () => {
  const { slug } = await newAccount(service)
  const { ops } = await newOperator(service)
  const { body } = await ops('draftInvoice', slug, { body: { lines: [charge(5)] } })
  const params = { reference: body.record.reference }
  const pdf = async () => (await ops('getInvoicePdf', slug, { params })).text
  const first = await pdf()
  expect(await pdf()).toBe(first)
  await ops('updateAccount', slug, { body: { name: 'Renamed' } })
  expect(await pdf()).not.toBe(first)
})

test('somebody who uploads many workbooks does not keep another account from checking one', async () => {
  const [flooding, other] = [await newAccount(service), await newAccount(service)]
  const member = await newPerson(service, flooding, 'member')
  const neighbour = await newPerson(service, other, 'member')
  const file = { name: 'orders.xlsx', bytes: await xlsxOf([{ sheet: 'Orders', data: [['reference'], ['PO-1']] }]) }
  const flood = Array.from({ length: 12 }, () => member.sendFile('checkOrderSheet', file))
  expect((await neighbour.sendFile('checkOrderSheet', file)).status).toBe(200)
  const statuses = (await Promise.all(flood)).map(({ status }) => status)
  expect(statuses).toContain(200)
  expect(statuses).toContain(503)
})

test('300 sign-ins at once delay the read of another account by little, and somebody elsewhere signs in', async () => {
  const account = await newAccount(service)
  const person = await newPerson(service, account, 'admin', { hasPassword: true })
  const body = () => ({ email: newEmail(), password: 'a guess of it' })
  const attempts = Array.from({ length: 300 }, () => asVisitor(service, 'signIn', { body: body() }, '203.0.113.7'))
  const started = performance.now()
  const read = await account.call('listLocations')
  const waited = performance.now() - started
  expect(read.status).toBe(200)
  const signedIn = await asVisitor(service, 'signIn', {
    body: { email: person.email, password: 'a password for tests' },
  })
  const signInTook = performance.now() - started
  expect(signedIn.status).toBe(201)
  const statuses = new Set((await Promise.all(attempts)).map(({ status }) => status))
  expect(statuses).toContain(503)
  // 10 s before; on an idle machine some 0.2 s, of which most is the client's own work.
  expect(waited).toBeLessThan(4000)
  expect(signInTook).toBeLessThan(8000)
})

test('a person has at most 20 event streams, and another one of the account can still open one', async () => {
  const account = await newAccount(service)
  const [person, colleague] = [await newPerson(service, account), await newPerson(service, account)]
  const stop = new AbortController()
  const open = ({ headers }: { headers: Record<string, string> }) =>
    fetch(`${service.baseUrl}/portal/v1/changes`, { headers, signal: stop.signal })
  const streams = await Promise.all(Array.from({ length: 20 }, () => open(person)))
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
  const refused = await open(person)
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([429, 'too_many_streams'])
  expect(refused.headers.get('retry-after')).toBe('30')
  expect((await open(colleague)).status).toBe(200)
  stop.abort()
  await expect.poll(async () => (await fetch(`${service.baseUrl}/health/live`)).status).toBe(200)
  const again = new AbortController()
  await expect
    .poll(async () => {
      const response = await fetch(`${service.baseUrl}/portal/v1/changes`, {
        headers: person.headers,
        signal: again.signal,
      })
      return response.status
    })
    .toBe(200)
  again.abort()
})

test('a person has at most 100 saved views, also with concurrent requests', async () => {
  const account = await newAccount(service)
  const [person, colleague] = [await newPerson(service, account), await newPerson(service, account)]
  await service.db`
    insert into saved_views (account_id, person_id, view_id, page, name, query)
    select ${account.id}, ${person.person_id}, 'view_' || each, 'shipments', 'View', '' from generate_series(1, 98) each`
  const body = { page: 'shipments', name: 'Mine', query: '' } as const
  const created = await Promise.all(Array.from({ length: 6 }, () => person.portal('createView', { body })))
  expect(created.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    201, 201, 409, 409, 409, 409,
  ])
  expect(created.find(({ status }) => status === 409)).toBeRefused('too_many_views')
  expect((await colleague.portal('createView', { body })).status).toBe(201)
})

test('a person creates at most half of the keys that an account may have', async () => {
  const account = await newAccount(service)
  const [person, colleague] = [await newPerson(service, account), await newPerson(service, account)]
  for (let each = 0; each < 50; each += 1) await person.portal('createOwnKey', { body: {} })
  expect(await person.portal('createOwnKey', { body: {} })).toBeRefused('too_many_keys')
  expect((await colleague.portal('createOwnKey', { body: {} })).status).toBe(201)
})

test('an address beyond its open connections is refused with a code, and served again when it closes some', async () => {
  const limited = await startService({ connectionsPerAddress: 10, trustedProxies: new BlockList() })
  const { port } = new URL(limited.baseUrl)
  const idle = await Promise.all(Array.from({ length: 10 }, () => connectTo(Number(port))))
  const refused = await freshRequest(limited.baseUrl)
  expect(refused).toMatchObject({ status: 429, code: 'too_many_connections', connection: 'close' })
  for (const socket of idle.slice(0, 3)) socket.destroy()
  await expect.poll(async () => (await freshRequest(limited.baseUrl)).status).toBe(200)
  for (const socket of idle) socket.destroy()
})

test('a key beyond its open connections is refused with a code; another key is served', async () => {
  const [account, other] = [await newAccount(service), await newAccount(service)]
  const { port } = new URL(service.baseUrl)
  const sockets = await Promise.all(Array.from({ length: 200 }, () => connectTo(Number(port))))
  await Promise.all(sockets.map((socket) => readOn(socket, account.key)))
  const refused = await freshRequest(service.baseUrl, '/v1/locations', account.key)
  expect(refused).toMatchObject({ status: 429, code: 'too_many_connections' })
  expect((await freshRequest(service.baseUrl, '/v1/locations', other.key)).status).toBe(200)
  for (const socket of sockets) socket.destroy()
  await expect.poll(async () => (await freshRequest(service.baseUrl, '/v1/locations', account.key)).status).toBe(200)
})

test('a read that takes longer than the statement timeout is cancelled with 503', async () => {
  const db = openDatabase({ url: inject('databaseUrl') }, { connections: 3, statementTimeout: 300 })
  const impatient = await startService({ db })
  const account = await newAccount(impatient)
  const person = await newPerson(impatient, account)
  await service.db.begin(async (sql) => {
    await sql`lock table saved_views in access exclusive mode`
    const refused = await person.portal('listViews')
    expect(refused).toBeRefused('service_unavailable')
    expect(refused.problem.detail).toContain('took too long')
  })
  expect((await person.portal('listViews')).status).toBe(200)
})

function connectTo(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.on('error', reject)
  })
}

async function readOn(socket: Socket, key: string): Promise<void> {
  const answered = new Promise((resolve) => {
    socket.once('data', resolve)
  })
  socket.write(`GET /v1/locations HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  await answered
}

/** A request on a connection of its own. */
function freshRequest(baseUrl: string, path = '/health/live', key?: string) {
  return new Promise<{ status: number; code?: string; connection?: string }>((resolve, reject) => {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const sent = request(baseUrl + path, { agent: false, headers }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => {
        const { code } = (response.statusCode === 200 ? {} : JSON.parse(text)) as { code?: string }
        const { connection } = response.headers
        resolve({ status: response.statusCode as number, ...(code && { code }), ...(connection && { connection }) })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}
