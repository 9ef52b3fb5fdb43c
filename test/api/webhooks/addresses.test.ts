import { expect, test } from 'vitest'
import { runWebhooks } from '../../../src/usecases/webhooks/run-webhooks.js'
import { newAccount } from '../../support/account.js'
import { ownDatabase } from '../../support/own-database.js'
import { newPerson } from '../../support/person.js'
import { until } from '../../support/program.js'
import { startService } from '../../support/service.js'
import { startReceiver } from '../../support/webhook-receiver.js'

/** Webhooks cannot be aimed at what only the forwarder can reach. */

const db = await ownDatabase('webhook_addresses')
const service = await startService({ db })

const hostile = [
  'http://example.com/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://①②⑦.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:0:7f00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://0.0.0.0/',
  'https://255.255.255.255/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://user:password@8.8.8.8/',
  'https://8.8.8.8/#fragment',
  'ftp://8.8.8.8/',
  'file:///etc/passwd',
  'gopher://8.8.8.8/',
  '//8.8.8.8/',
  'https://',
  'not an address',
]

test('addresses that are private, reserved or not of the web are refused when they are saved', async () => {
  const { call } = await newAccount(service)
  const created = await call('createWebhook', { body: { url: 'https://8.8.8.8/hook' } })
  const params = { webhook_id: created.body.webhook.webhook_id }
  for (const url of hostile) {
    for (const { problem } of [
      await call('createWebhook', { body: { url } }),
      await call('updateWebhook', { params, body: { url } }),
    ])
      expect([problem.code, problem.errors?.[0]?.pointer], url).toEqual(['invalid_request', '/url'])
  }
  expect((await call('getWebhook', { params })).body.url).toBe('https://8.8.8.8/hook')
})

test('the address that is connected to is checked when it is sent to, and nothing is sent', async () => {
  const { call, id, forwarder } = await newAccount(service)
  const receiver = await startReceiver()
  const { port } = new URL(receiver.url)
  const addresses = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '169.254.169.254']
  for (const [index, host] of addresses.entries()) {
    const { body } = await call('createWebhook', { body: { url: 'https://hooks.invalid/' } })
    // As if the name led elsewhere since.
    const url = `${index % 2 === 0 ? 'http' : 'https'}://${host}:${port}/`
    await db`
      update webhooks set url = ${url} where account_id = ${id} and webhook_id = ${body.webhook.webhook_id}`
  }
  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S-1', status: 'booked' } })
  const stop = new AbortController()
  const options = { allowsPrivate: false, mail: undefined, signal: stop.signal, pause: 20, onError: () => {} }
  const running = runWebhooks(db, options)
  const failed = () => db<{ error: string }[]>`select error from webhook_deliveries where account_id = ${id}`
  await until(async () => (await failed()).length === addresses.length)
  stop.abort()
  await running
  for (const { error } of await failed()) {
    expect(error).toMatch(/^The address is private or reserved/)
    expect(error).not.toContain('127.0.0.1')
  }
  expect(receiver.received).toEqual([])
})

test('only admins among people manage endpoints, and secrets are stored encrypted and shown once', async () => {
  const account = await newAccount(service)
  const { secret, webhook } = (await account.call('createWebhook', { body: { url: 'https://8.8.8.8/' } })).body
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
  const stored = await db<{ text: string }[]>`
    select webhook_secrets::text || (select string_agg(changes::text, ' ') from changes where account_id = ${account.id}) ||
      (select string_agg(audit_log::text, ' ') from audit_log where account_id = ${account.id}) as text
    from webhook_secrets where account_id = ${account.id}`
  expect(stored[0]?.text).not.toContain(secret.slice(6))
  const params = { webhook_id: webhook.webhook_id }
  expect((await account.call('getWebhook', { params })).text).not.toContain('whsec_')
  for (const role of ['member', 'viewer'] as const) {
    const { headers } = await newPerson(service, account, role)
    const send = (path: string, method: string) =>
      fetch(`${service.baseUrl}/v1/webhooks${path}`, { method, headers: { ...headers } })
    expect((await send('', 'GET')).status, role).toBe(200)
    expect((await send(`/${params.webhook_id}/test`, 'POST')).status, role).toBe(403)
    expect((await send(`/${params.webhook_id}`, 'DELETE')).status, role).toBe(403)
  }
  for (let count = 1; count < 20; count += 1) await account.call('createWebhook', { body: { url: 'https://8.8.8.8/' } })
  const refused = await account.call('createWebhook', { body: { url: 'https://8.8.8.8/' } })
  expect(refused.problem.code).toBe('too_many_webhooks')
})
