import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/database/database.js'
import { newAccount } from '../support/account.js'
import { newOperator } from '../support/operator.js'
import { ownDatabase, ownDatabaseUrl } from '../support/own-database.js'
import { newClientAddress, newEmail, newPerson } from '../support/person.js'
import { startService } from '../support/service.js'

/** Clients that disconnect while the service still looks up who they are. Nothing of their requests may stay counted. */

const service = await startService({ db: await ownDatabase('disconnected') })
const blocker = openDatabase({ url: ownDatabaseUrl('disconnected') }, { connections: 1 })

type Sent = { path: string; headers: Record<string, string>; body?: string }

/** Sends requests that have to wait for a table, closes their connections meanwhile, and then does something else. */
async function sendAndDisconnect<Result>(requests: Sent[], meanwhile?: () => Result): Promise<{ done?: Result }> {
  return blocker.begin(async (sql) => {
    await sql`lock table keys, sessions, sign_in_failures in access exclusive mode`
    const { hostname, port, host } = new URL(service.baseUrl)
    const sockets = requests.map(({ path, headers, body = '' }) => {
      const lines = Object.entries({ host, 'content-length': String(body.length), ...headers })
      const head = [`${body === '' ? 'GET' : 'POST'} ${path} HTTP/1.1`, ...lines.map((line) => line.join(': '))]
      const socket = connect(Number(port), hostname).on('error', () => {})
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
      return socket
    })
    const waiting = () => sql<{ count: number }[]>`select count(*)::int as count from pg_locks where not granted`
    await expect.poll(async () => (await waiting())[0]?.count).toBeGreaterThan(0)
    await Promise.all(sockets.map((socket) => once(socket.resetAndDestroy(), 'close')))
    // By the time that it answers these, the service knows that the connections are closed.
    for (let each = 0; each < 3; each += 1) await answerOfService()
    const done = meanwhile?.()
    await answerOfService()
    return done === undefined ? {} : { done }
  })
}

async function answerOfService(): Promise<void> {
  await (await fetch(`${service.baseUrl}/health/live`)).text()
}

test('requests of clients that have disconnected do not count as requests in progress', async () => {
  const account = await newAccount(service)
  const { ops } = await newOperator(service)
  await ops('updateAccount', account.slug, { body: { quotas: { concurrent_requests: 1 } } })
  const person = await newPerson(service, account)
  const authorization = `Bearer ${account.key}`
  const json = { authorization, 'content-type': 'application/json' }
  for (const sent of [
    { path: '/v1/locations', headers: { authorization } },
    { path: '/v1/purchaseOrders', headers: json, body: '{}' },
    { path: '/mcp', headers: { ...json, accept: 'application/json, text/event-stream' }, body: '{}' },
    { path: '/portal/v1/overview', headers: person.headers },
  ]) {
    await sendAndDisconnect([sent])
    await expect.poll(async () => (await account.call('listLocations')).status, { message: sent.path }).toBe(200)
  }
})

test('event streams of clients that have disconnected end', async () => {
  const person = await newPerson(service, await newAccount(service))
  const stream = { path: '/portal/v1/changes', headers: person.headers }
  await sendAndDisconnect(Array.from({ length: 20 }, () => stream))
  const opened = async () => {
    const ended = new AbortController()
    const { status } = await fetch(service.baseUrl + stream.path, { headers: person.headers, signal: ended.signal })
    ended.abort()
    return status
  }
  await expect.poll(opened).toBe(200)
})

test('sign-ins of clients that have disconnected leave the queue of their address', async () => {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': newClientAddress() }
  const body = JSON.stringify({ email: newEmail(), password: 'a guess of it' })
  const signIn = { path: '/portal/v1/session', headers, body }
  const { done } = await sendAndDisconnect(
    Array.from({ length: 40 }, () => signIn),
    () => fetch(service.baseUrl + signIn.path, { method: 'POST', headers, body }),
  )
  expect((await done)?.status).toBe(401)
})
