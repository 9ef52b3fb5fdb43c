import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, inject, test } from 'vitest'
import { openDatabase } from '../../src/database/database.js'
import { migrate } from '../../src/database/migrate.js'
import { issueKey } from '../../src/usecases/accounts/create-key.js'
import { newAccount } from '../support/account.js'
import { startBucket } from '../support/bucket.js'
import { administer, withDatabase } from '../support/database.js'
import { startDatabaseProxy } from '../support/database-proxy.js'
import { everyResource, newIdentifiers } from '../support/every-resource.js'
import { startProvider, Visitor } from '../support/oidc-test-provider.js'
import { newOperator } from '../support/operator.js'
import { asPerson, asVisitor, newEmail, newPerson, testPassword, tokenIn } from '../support/person.js'
import { dataFolderAt, startServing, temporaryFolder, until } from '../support/program.js'
import { startService } from '../support/service.js'

/**
 * One run of the program with all connections, at the most verbose log level, with successes and failures; then its log
 * is searched.
 */

const secrets = new Map<string, string>()

/** Registers a value that must not be logged. */
function secret(what: string, value: string): string {
  secrets.set(what, value)
  return value
}

function newSecret(what: string): string {
  return secret(what, randomBytes(12).toString('hex'))
}

async function startMailServer(password: string) {
  const links: string[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    // A server that echoes what it received.
    onAuth: ({ username, password: given }, _session, done) =>
      given === password ? done(null, { user: username }) : done(new Error(`wrong password ${given}`)),
    onData(stream, _session, done) {
      let text = ''
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      stream.on('end', () => {
        const link = /welcome#([\w-]+)/.exec(text.replaceAll('=\r\n', ''))?.[1]
        if (link) links.push(secret(`link ${links.length} of a mail`, link))
        done(links.length % 2 ? new Error(`no room for ${text}`) : undefined)
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { links, port: (server.server.address() as AddressInfo).port }
}

test('the log of a whole run contains no secret', async () => {
  // A separate database through a connection that can be cut.
  const name = `waybill_log_${process.pid}`
  await administer(inject('serverUrl'), `create database ${name}`)
  const db = openDatabase({ url: withDatabase(inject('serverUrl'), name) }, { connections: 3 })
  afterAll(() => administer(inject('serverUrl'), `drop database ${name} with (force)`))
  await migrate(db)
  const inside = await startService({ db })
  const road = await startDatabaseProxy()
  const databaseUrl = new URL(road.url)
  databaseUrl.pathname = name
  databaseUrl.username ||= 'waybill'
  databaseUrl.password = newSecret('password of the database')
  const mailPassword = newSecret('password of the mail server')
  const mails = await startMailServer(mailPassword)
  const bucket = await startBucket()
  secret('secret of the bucket', bucket.address.secret)
  const provider = await startProvider({ emailIn: 'ID token' })
  const folder = dataFolderAt(await temporaryFolder())
  const metricsToken = newSecret('token of the metrics')
  const serving = await startServing({
    env: {
      DATABASE_URL: databaseUrl.href,
      WAYBILL_DATA_DIR: folder,
      WAYBILL_DOCUMENTS: bucket.url,
      WAYBILL_PUBLIC_URL: 'http://127.0.0.1',
      WAYBILL_SMTP_URL: `smtp://mailer:${mailPassword}@127.0.0.1:${mails.port}?tls=off`,
      WAYBILL_MAIL_FROM: 'portal@forwarder.example',
      WAYBILL_OIDC_ISSUER: provider.settings.issuer,
      WAYBILL_OIDC_CLIENT_ID: provider.settings.clientId,
      WAYBILL_OIDC_CLIENT_SECRET: secret('secret of the provider', provider.settings.clientSecret),
      WAYBILL_OIDC_NAME: 'ID',
      WAYBILL_METRICS_TOKEN: metricsToken,
      WAYBILL_LOG_LEVEL: 'trace',
    },
  })
  const { baseUrl } = serving
  const service = { ...inside, baseUrl }
  provider.trust('http://127.0.0.1')
  const [row] = await inside.db<{ link_secret: string }[]>`select link_secret from service`
  secret('secret of links', row?.link_secret as string)

  const sendRequest = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(baseUrl + path, { redirect: 'manual', ...init })
    await response.clone().arrayBuffer()
    return response
  }
  const send = (path: string, body: string, headers: Record<string, string> = {}) =>
    sendRequest(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })

  // Keys: sent correctly, and in all places where people put them by mistake.
  const account = await newAccount(service)
  const key = secret('key of an account', account.key)
  const operator = await newOperator(service)
  const operatorKey = secret('key of an operator', operator.key)
  const { key: gone, key_id } = await issueKey(inside.db, account.id, { scopes: ['read'], expires_at: new Date(1) })
  secret('key that has expired', gone)
  const bearer = { authorization: `Bearer ${key}` }
  await account.forwarder.imports(...everyResource(newIdentifiers(), account.slug))
  for (const each of [key, gone, operatorKey, `${key.slice(0, -1)}x`]) {
    await sendRequest('/v1/shipments', { headers: { authorization: `Bearer ${each}` } })
    await sendRequest(`/v1/shipments?api_key=${each}`, { headers: { 'x-api-key': each, cookie: `key=${each}` } })
    await sendRequest(`/v1/shipments/${each}`, { headers: bearer })
    await sendRequest(`/none/${each}?key=${each}`, {
      headers: { authorization: `Basic ${btoa(`${each}:`)}`, referer: each },
    })
    await send('/v1/purchaseOrders', `{"reference": "${each}", "secret": }`, bearer)
    await send('/v1/purchaseOrders', JSON.stringify({ reference: 1, [each]: each }), bearer)
  }
  const made = await send(`/ops/v1/accounts/${account.slug}/keys`, '{}', {
    authorization: `Bearer ${operatorKey}`,
    'idempotency-key': 'once',
  })
  secret('key that was made meanwhile', ((await made.json()) as { key: string }).key)
  await sendRequest('/metrics', { headers: { authorization: `Bearer ${metricsToken}` } })
  await sendRequest('/metrics', { headers: { authorization: `Bearer ${metricsToken}x` } })
  expect(key_id).toMatch(/^key_/)

  // People: passwords, cookies, tokens and links.
  const person = await newPerson(service, account, 'admin', { hasPassword: true })
  secret('password of a person', testPassword)
  const wrong = newSecret('mistyped password')
  const signedIn = await asVisitor(service, 'signIn', { body: { email: person.email, password: testPassword } })
  const token = secret('cookie of a session', tokenIn(signedIn))
  secret('token against forgery', signedIn.body.csrf_token)
  secret('cookie of another session', person.token)
  await asVisitor(service, 'signIn', { body: { email: person.email, password: wrong } })
  await send('/portal/v1/session', `{"email": "${person.email}", "password": "${wrong}"`)
  await send('/portal/v1/session', JSON.stringify({ email: person.email, password: wrong, [wrong]: wrong }))
  await sendRequest(`/portal/v1/overview?session=${token}`, { headers: { cookie: `waybill_session=${token}` } })
  const { portal } = asPerson(service, token)
  await portal('changePassword', { body: { current_password: wrong, password: 'short' } })
  for (let time = 0; time < 3; time += 1) {
    await portal('invitePerson', { body: { email: newEmail(), name: 'Kim', role: 'viewer' } })
  }
  await asVisitor(service, 'requestPasswordReset', { body: { email: person.email } })
  await until(() => mails.links.length >= 4)
  for (const link of mails.links) {
    // As in older mails.
    await sendRequest(`/welcome/${link}`, { headers: { accept: 'text/html' } })
    await send('/portal/v1/links', JSON.stringify({ token: link }))
    const password = newSecret(`password by link ${link}`)
    await send('/portal/v1/links/use', JSON.stringify({ token: link, password }))
  }

  // The provider: sign-in, callback, and the callback once more.
  const visitor = new Visitor()
  provider.somebody = { email: person.email, email_verified: true }
  const there = await visitor.get(`${baseUrl}/portal/v1/provider`)
  secret('what the browser keeps for the provider', [...visitor.cookiesOf(baseUrl).values()][0] ?? '')
  const back = new URL(await visitor.leave(there.headers.get('location') as string))
  secret('code of the provider', back.searchParams.get('code') as string)
  for (let time = 0; time < 2; time += 1) await visitor.get(baseUrl + back.pathname + back.search)
  const session = visitor.cookiesOf(baseUrl).get('waybill_session')
  expect(session).toBeDefined()
  secret('cookie of a session by the provider', session as string)
  await provider.stop()
  await visitor.get(`${baseUrl}/portal/v1/provider`)

  // Documents: links, and an unreachable and a refusing bucket.
  const documents = (await (await fetch(`${baseUrl}/v1/documents`, { headers: bearer })).json()) as { link: string }[]
  const path = new URL(documents[0]?.link as string).pathname
  secret('link to a document', path.slice('/documents/'.length))
  await sendRequest(path)
  await sendRequest(`${path}?inline=1`)
  await sendRequest(`${path}x`)
  bucket.traffic.interfere = (request, response) => {
    // A server that echoes its input.
    response.writeHead(403).end(`<Error><Code>Denied</Code><Message>${request.headers.authorization}</Message></Error>`)
    const { authorization = '' } = request.headers
    secret('signature for the bucket', /Signature=(\w+)/.exec(authorization)?.[1] ?? 'none was sent')
    return true
  }
  expect((await sendRequest(path)).status).toBe(503)
  await bucket.stop()
  expect((await sendRequest(path)).status).toBe(503)

  // Internals: a failing statement, and an unreachable database.
  await inside.db`alter table sessions rename to sessions_gone`
  try {
    const broken = await sendRequest('/portal/v1/overview', { headers: { cookie: `waybill_session=${token}` } })
    expect(broken.status).toBe(500)
    expect(
      (await asVisitor(service, 'useLink', { body: { token: mails.links[0] as string, password: wrong } })).status,
    ).toBeGreaterThanOrEqual(400)
  } finally {
    await inside.db`alter table sessions_gone rename to sessions`
  }
  await road.close()
  const away = await sendRequest('/v1/shipments?take=3', { headers: bearer })
  expect(away.status).toBe(503)
  await send('/portal/v1/session', JSON.stringify({ email: person.email, password: wrong }))
  await road.open()
  await until(async () => (await sendRequest('/health/ready')).status === 200)

  serving.kill('SIGTERM')
  const { stdout, stderr } = await serving.ended
  const log = stdout + stderr
  // The run was complete, and everything was logged.
  for (const reported of [
    '"level":50',
    'service unavailable',
    'could not be sent',
    'sign-in with the provider failed',
    account.slug,
  ]) {
    expect(log).toContain(reported)
  }
  expect(stdout.split('\n').length).toBeGreaterThan(50)
  expect(secrets.size).toBeGreaterThan(20)
  for (const [what, value] of secrets) {
    expect(value.length, what).toBeGreaterThan(5)
    const forms = [value, encodeURIComponent(value), btoa(value), Buffer.from(value).toString('hex')]
    for (const form of forms) expect(log.includes(form), `${what}: ${lineWith(log, form)}`).toBe(false)
  }
})

function lineWith(log: string, text: string): string {
  return log.split('\n').find((line) => line.includes(text)) ?? ''
}
