import { expect, test } from 'vitest'
import type { OperatorOperation } from '../../src/contract/operator/operation.js'
import { operatorOperationNames, operatorOperations } from '../../src/contract/operator/operations.js'
import { forwarderLog, recordAudit, removeOldAudit } from '../../src/store/audit.js'
import { newAccount } from '../support/account.js'
import { accountWithExamples, newOperator } from '../support/operator.js'
import { asVisitor, newClientAddress, newPerson, testPassword } from '../support/person.js'
import { startService } from '../support/service.js'

const service = await startService()

async function newAdmin() {
  const account = await newAccount(service)
  return { account, ...(await newPerson(service, account, 'admin')) }
}

test('the audit log says who did what to people and keys, when and from where', async () => {
  const { portal, person_id, account } = await newAdmin()
  const viewer = await newPerson(service, account, 'viewer')
  const { key_id } = (await portal('createOwnKey', { body: { name: 'ERP' } })).body
  await portal('revokeOwnKey', { params: { key_id } })
  // Revoking again changes nothing, and is not an act.
  await portal('revokeOwnKey', { params: { key_id } })
  await portal('updateRole', { params: { person_id: viewer.person_id }, body: { role: 'member' } })
  await portal('removePerson', { params: { person_id: viewer.person_id } })
  const { entries: all } = (await portal('listAudit', { query: { actor: `person:${person_id}` } })).body
  const entries = all.filter(({ kind }) => kind !== 'sign_in')
  expect(entries.map(({ kind, action, subject }) => [kind, action, subject])).toEqual([
    ['person', 'person_removed', viewer.person_id],
    ['role', 'role_changed', viewer.person_id],
    ['key', 'key_revoked', key_id],
    ['key', 'key_created', key_id],
  ])
  for (const { address, at } of entries) {
    expect(address).toBe('127.0.0.1')
    expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(60_000)
  }
  expect(entries[1]?.details).toMatchObject({ before: 'viewer', after: 'member' })
})

test('sign-ins are recorded for their account, failures too, and those with an unknown address for the forwarder only', async () => {
  const { portal, email, account } = await newAdmin()
  const { ops } = await newOperator(service)
  const unknown = `nobody-${account.slug}@example.com`
  const machine = newClientAddress()
  const tries = [email, unknown].map((tried) =>
    asVisitor(service, 'signIn', { body: { email: tried, password: 'not the password' } }, machine),
  )
  const [known, strange] = await Promise.all(tries)
  expect(known).toBeRefused('sign_in_failed')
  expect(strange).toBeRefused('sign_in_failed')
  expect(known?.problem.detail).toBe(strange?.problem.detail)
  const { entries } = (await portal('listAudit', { query: { kind: 'sign_in' } })).body
  expect(entries.map(({ action }) => action)).toEqual(['sign_in_failed', 'signed_in'])
  expect(entries[0]).toMatchObject({ address: machine, details: { with: 'password' } })
  const own = (await ops('listForwarderAudit', undefined, { query: { kind: 'sign_in', take: 200 } })).body.entries
  expect(own.filter(({ details }) => details.email === unknown)).toMatchObject([{ actor: 'visitor', address: machine }])
  expect(own.filter(({ details }) => details.email === email)).toEqual([])
})

test('acts of operators on an account are in its audit log, and refused or rolled back ones are not', async () => {
  const { portal, account } = await newAdmin()
  const { ops, operator_id } = await newOperator(service)
  await ops('createLocation', account.slug, { body: { name: 'Warehouse' } })
  await ops('updateAccount', account.slug, { body: { name: 'Renamed' } })
  await ops('createShipment', account.slug, { body: { svc_shipment_id: 'S-1' } })
  expect((await ops('createShipment', account.slug, { body: { svc_shipment_id: 'S-1' } })).status).toBe(409)
  const { entries } = (await portal('listAudit', { query: { actor: `operator:${operator_id}` } })).body
  expect(entries.map(({ kind, details }) => [kind, details.operation ?? details.name])).toEqual([
    ['operator', 'createShipment'],
    ['setting', 'Renamed'],
    ['operator', 'createLocation'],
  ])
})

test('an import by an operator is in the audit log of each account that it changes, and a rejected one in none', async () => {
  const [{ portal, account }, other] = [await newAdmin(), await newAdmin()]
  const { key, operator_id } = await newOperator(service)
  const send = (...lines: object[]) =>
    fetch(`${service.baseUrl}/ops/v1/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
      body: lines.map((line) => JSON.stringify(line)).join('\n'),
    })
  const shipment = { kind: 'shipment', account: account.slug, data: { svc_shipment_id: 'S-1' } }
  const invoice = { kind: 'invoice', account: account.slug, data: { reference: 'I-1', lines: [] } }
  expect((await send(shipment, { kind: 'unknown', account: account.slug, data: {} })).status).toBe(400)
  const sent = await send(shipment, invoice)
  expect(sent.status, await sent.text()).toBe(200)
  const { entries } = (await portal('listAudit', { query: { kind: 'operator' } })).body
  expect(entries).toMatchObject([
    {
      action: 'imported',
      actor: `operator:${operator_id}`,
      actor_name: expect.any(String) as string,
      address: '127.0.0.1',
      details: { kinds: ['invoice', 'shipment'] },
    },
  ])
  expect((await other.portal('listAudit', { query: { kind: 'operator' } })).body.entries).toEqual([])
})

test('ended sessions and repeated authentications are recorded, failed ones too', async () => {
  const account = await newAccount(service)
  const admin = await newPerson(service, account, 'admin', { hasPassword: true })
  const { portal, email } = admin
  const signIn = () => asVisitor(service, 'signIn', { body: { email, password: testPassword } })
  for (const response of [await signIn(), await signIn(), await signIn()]) expect(response.status).toBe(201)
  const [, other] = (await portal('listSessions')).body
  const session_id = other?.session_id as string
  await portal('endSession', { params: { session_id } })
  await portal('endSession', { params: { session_id } })
  await portal('endOtherSessions')
  await portal('reauthenticate', { body: { password: 'not the password' } })
  await portal('reauthenticate', { body: { password: testPassword } })
  await portal('reauthenticateWithFactor', { body: { code: '000000' } })
  const { entries } = (await portal('listAudit', { query: { kind: 'sign_in' } })).body
  const later = entries.filter(({ action }) => action !== 'signed_in').toReversed()
  expect(later.map(({ action, subject, details }) => [action, subject, details])).toMatchObject([
    ['sessions_ended', session_id, { sessions: 1 }],
    ['sessions_ended', undefined, { sessions: 2 }],
    ['reauthentication_failed', undefined, { with: 'password' }],
    ['reauthenticated', undefined, { with: 'password' }],
    ['reauthentication_failed', undefined, { with: 'code' }],
  ])
  for (const { actor, address } of later) {
    expect([actor, address]).toEqual([`person:${admin.person_id}`, '127.0.0.1'])
  }
})

test('exports and downloads are recorded', async () => {
  const { portal, account } = await newAdmin()
  await account.forwarder.imports({ kind: 'invoice', data: { reference: 'I-1', lines: [] } })
  await portal('exportShipments', { query: { format: 'csv' } })
  await portal('exportAudit', { query: {} })
  const { entries } = (await portal('listAudit', { query: { kind: 'export' } })).body
  expect(entries.map(({ details }) => details.operation)).toEqual(['exportAudit', 'exportShipments'])
})

test('every file that an operator downloads is in the audit log of its account, or of the forwarder', async () => {
  const { id, operator_id } = await accountWithExamples(service)
  for (const name of operatorOperationNames) {
    const { returns, path, audit }: OperatorOperation = operatorOperations[name]
    if (returns !== 'file') continue
    const account = path.includes('{account}') ? id : forwarderLog
    const entries = await service.db`
      select kind, details ->> 'file' as file from audit_log
      where account_id = ${account} and actor = ${`operator:${operator_id}`} and details ->> 'operation' = ${name}`
    expect(entries, name).toEqual([{ kind: audit ?? 'download', file: expect.any(String) as string }])
  }
})

test('the audit log is paged, filtered by time, and exported line by line', async () => {
  const { portal, account } = await newAdmin()
  for (const subject of ['1', '2', '3', '4', '5']) {
    await recordAudit(service.db, account.id, { actor: 'key:test' }, { kind: 'key', action: 'key_revoked', subject })
  }
  const seen: (string | undefined)[] = []
  for (let after: string | undefined, isLast = false; !isLast; ) {
    const { body } = await portal('listAudit', {
      query: { actor: 'key:test', take: 2, ...(after !== undefined && { after }) },
    })
    seen.push(...body.entries.map(({ subject }) => subject))
    after = body.next
    isLast = after === undefined
  }
  expect(seen).toEqual(['5', '4', '3', '2', '1'])
  const past = { actor: 'key:test', to: '2020-01-01T00:00:00Z' }
  expect((await portal('listAudit', { query: past })).body.entries).toEqual([])
  // RFC 3339 has offsets that PostgreSQL does not have.
  const since = { actor: 'key:test', from: '2020-01-01T00:00:00-23:59', to: '9990-01-01T00:00:00+23:59' }
  expect((await portal('listAudit', { query: since })).body.entries).toHaveLength(5)
  expect(await portal('listAudit', { query: { after: 'nonsense' } })).toBeRefused('invalid_request')
  const lines = (await portal('exportAudit', { query: { actor: 'key:test' } })).text.trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { subject: string }).subject)).toEqual(seen)

  const { ops } = await newOperator(service, 'admin')
  const exported = await ops('exportAccountAudit', account.slug, { query: { actor: 'key:test' } })
  expect(exported.headers.get('content-type')).toBe('application/x-ndjson')
  expect(exported.headers.get('content-disposition')).toContain(`audit-${account.slug}.ndjson`)
  const { body } = await ops('listAccountAudit', account.slug, { query: { actor: 'key:test' } })
  expect(linesOf(exported.text)).toEqual(body.entries)
  const none = await ops('exportAccountAudit', account.slug, { query: past })
  expect(none.text).toBe('')
  const recorded = await ops('exportAccountAudit', account.slug, { query: { kind: 'export' } })
  // Each export is recorded before it is sent.
  const act = (operation: string) => ({ action: 'exported', details: { operation } })
  const [ofOperator, ofPerson] = [act('exportAccountAudit'), act('exportAudit')]
  expect(linesOf(recorded.text)).toMatchObject([ofOperator, ofOperator, ofOperator, ofPerson])
})

function linesOf(text: string): unknown[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown)
}

test('only admins read the audit log, and only that of their account', async () => {
  const { portal, account } = await newAdmin()
  const other = await newAdmin()
  await portal('createOwnKey', { body: {} })
  const listed = await other.portal('listAudit', { query: { take: 200 } })
  expect(listed.text).not.toContain(account.slug)
  expect(
    listed.body.entries.filter(({ action, actor }) => action === 'key_created' && actor !== 'command-line'),
  ).toEqual([])
  const member = await newPerson(service, account, 'member')
  expect(await member.portal('listAudit')).toBeRefused('insufficient_role')
  expect(await member.portal('exportAudit')).toBeRefused('insufficient_role')
  const { ops } = await newOperator(service, 'viewer')
  expect(await ops('listAccountAudit', account.slug)).toBeRefused('insufficient_role')
  expect(await ops('exportAccountAudit', account.slug)).toBeRefused('insufficient_role')
  expect(await ops('listForwarderAudit', undefined)).toBeRefused('insufficient_role')
})

test('entries of the audit log cannot be changed, and are deleted after the retention only', async () => {
  const { account } = await newAdmin()
  const { db } = service
  await db`
    insert into audit_log (account_id, at, entry_id, kind, action, actor)
    select ${account.id}, now() - each * interval '100 days', 'aud_' || each, 'key', 'key_revoked', 'test' from generate_series(1, 5) each`
  const count = async () => (await db`select from audit_log where account_id = ${account.id} and actor = 'test'`).length
  const forbidden = 'the audit log cannot be changed'
  await expect(
    Promise.resolve(db`update audit_log set actor = 'other' where account_id = ${account.id}`),
  ).rejects.toThrow(forbidden)
  await expect(Promise.resolve(db`delete from audit_log where account_id = ${account.id}`)).rejects.toThrow(forbidden)
  expect(await removeOldAudit(db, 250, 2)).toBeLessThanOrEqual(2)
  while ((await removeOldAudit(db, 250, 2)) > 0);
  expect(await count()).toBe(2)
})
