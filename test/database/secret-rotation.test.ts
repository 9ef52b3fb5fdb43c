import { expect, test } from 'vitest'
import { importInto, newInstallation, waybill } from '../support/installation.js'
import { asPerson, asVisitor, testPassword, tokenIn } from '../support/person.js'
import { runProgram, startServing } from '../support/program.js'

/** Secrets are renewed under a running service: the old ones end at once, and nothing else does. */

const installation = await newInstallation()
const serving = await startServing(installation)
const content_base64 = Buffer.from('a bill of lading').toString('base64')
await importInto(installation, [
  { kind: 'account', account: 'acme', data: { name: 'Acme' } },
  { kind: 'shipment', account: 'acme', data: { svc_shipment_id: 'S-1' } },
  {
    kind: 'document',
    account: 'acme',
    data: { id: '7a0cd9bc-5a5e-4a43-9a2a-4a9a4b2f6d11', name: 'bill.txt', svc_shipment_id: 'S-1', content_base64 },
  },
])
const key = await waybill(installation, 'key', 'create', '--account', 'acme')

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(serving.baseUrl + path, { headers: { authorization: `Bearer ${key}`, ...headers } })
}

async function linkToDocument(): Promise<string> {
  const [document] = (await (await get('/v1/documents')).json()) as { link: string }[]
  return document?.link as string
}

test('a new secret invalidates existing document links at once, and the next response has new ones', async () => {
  const link = await linkToDocument()
  const { headers } = await get('/v1/documents')
  expect((await fetch(link)).status).toBe(200)
  expect(JSON.parse(await waybill(installation, 'secret', 'renew', '--json'))).toEqual({ renewed: true })
  const old = await fetch(link)
  expect(await old.json()).toMatchObject({ code: 'invalid_link' })
  // The earlier ETag must not match: its links are invalid.
  const response = await get('/v1/documents', { 'if-none-match': headers.get('etag') as string })
  expect(response.status).toBe(200)
  const renewed = await linkToDocument()
  expect(renewed).not.toBe(link)
  expect(await (await fetch(renewed)).text()).toBe('a bill of lading')
})

test('a key is replaced without downtime: both work until the old one is revoked', async () => {
  const next = await waybill(installation, 'key', 'create', '--account', 'acme', '--name', 'next')
  const request = (each: string) => get('/v1/shipments', { authorization: `Bearer ${each}` })
  const old = await waybill(installation, 'key', 'create', '--account', 'acme', '--name', 'old')
  for (const each of [next, old]) expect((await request(each)).status).toBe(200)
  const keys = JSON.parse(await waybill(installation, 'key', 'list', '--json')) as { key_id: string; name: string }[]
  const { key_id } = keys.find(({ name }) => name === 'old') as { key_id: string }
  await waybill(installation, 'key', 'revoke', key_id)
  expect((await request(old)).status).toBe(401)
  expect((await request(next)).status).toBe(200)
})

async function newSession(email: string): Promise<ReturnType<typeof asPerson>['portal']> {
  const person = ['--account', 'acme', '--email', email, '--name', 'Somebody']
  const link = await waybill(installation, 'user', 'create', ...person)
  const token = link.split('#').at(-1) as string
  const response = await asVisitor(serving, 'useLink', { body: { token, password: testPassword } })
  return asPerson(serving, tokenIn(response)).portal
}

test('one person or everyone is signed out, and can sign in again', async () => {
  const kim = await newSession('kim@acme.example')
  const sam = await newSession('sam@acme.example')
  const lee = await newSession('lee@acme.example')
  expect(await waybill(installation, 'user', 'sign-out', 'kim@acme.example')).toBe('Ended one session.')
  expect(await kim('getSession')).toBeRefused('not_signed_in')
  expect((await sam('getSession')).status).toBe(200)
  expect(JSON.parse(await waybill(installation, 'user', 'sign-out', '--all', '--json'))).toEqual({ sessions: 2 })
  for (const portal of [sam, lee]) expect(await portal('getSession')).toBeRefused('not_signed_in')
  const body = { email: 'sam@acme.example', password: testPassword }
  expect((await asVisitor(serving, 'signIn', { body })).status).toBe(201)
})

test('sign-out requires an e-mail address or --all', async () => {
  const { env } = installation
  const nobody = await runProgram(['user', 'sign-out'], { env })
  expect(nobody).toMatchObject({ code: 2, stderr: 'waybill: give an e-mail address, or --all\n' })
  const both = await runProgram(['user', 'sign-out', 'kim@acme.example', '--all'], { env })
  expect(both).toMatchObject({ code: 2, stderr: 'waybill: give an e-mail address, or --all\n' })
  const unknown = await runProgram(['user', 'sign-out', 'nobody@acme.example'], { env })
  expect(unknown).toMatchObject({
    code: 1,
    stderr: 'waybill: there is no person with the address nobody@acme.example\n',
  })
})
