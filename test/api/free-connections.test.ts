import { expect, test } from 'vitest'
import { openDatabase, type TransactionSql } from '../../src/database/database.js'
import { beginForwarderWrite } from '../../src/ledger/idempotent-write.js'
import { newAccount } from '../support/account.js'
import { newOperator } from '../support/operator.js'
import { ownDatabase, ownDatabaseUrl } from '../support/own-database.js'
import { newPerson } from '../support/person.js'
import { startService } from '../support/service.js'

/** Requests that wait for one row or lock leave connections to the database for the others. The service has five. */

const service = await startService({ db: await ownDatabase('connections') })
const blocker = openDatabase({ url: ownDatabaseUrl('connections') }, { connections: 1 })

/** While somebody holds a lock, sends requests that wait for it; another account must be able to read. */
async function readWhile(
  lock: (sql: TransactionSql) => Promise<unknown>,
  send: () => Promise<{ status: number }>[],
  begin: typeof beginForwarderWrite = (db, work) => db.begin(work),
) {
  const other = await newAccount(service)
  const sent = await begin(blocker, async (sql) => {
    await lock(sql)
    const waiting = send()
    // Those that take a connection have taken it.
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect((await other.call('listLocations')).status).toBe(200)
    return { waiting }
  })
  return (await Promise.all(sent.waiting)).map(({ status }) => status)
}

const lockAttempts = (sql: TransactionSql) => sql`lock table sign_in_failures in exclusive mode`

test('wrong links of a stranger leave connections for others, and are refused beyond 60 in a minute', async () => {
  const path = `/portal/v1/calendar/${'x'.repeat(32)}`
  const statuses = await readWhile(lockAttempts, () => Array.from({ length: 100 }, () => fetch(service.baseUrl + path)))
  expect(new Set(statuses)).toEqual(new Set([404, 429, 503]))
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(40)
})

test('wrong passwords and codes of somebody who is signed in leave connections for others', async () => {
  const person = await newPerson(service, await newAccount(service), 'admin', { hasPassword: true })
  const tries = [
    () => person.portal('reauthenticate', { body: { password: 'a guess of it' } }),
    () => person.portal('reauthenticateWithFactor', { body: { code: '123456' } }),
    () => person.portal('confirmTotp', { body: { code: '123456' } }),
  ]
  const statuses = await readWhile(lockAttempts, () =>
    Array.from({ length: 10 }, () => tries.map((send) => send())).flat(),
  )
  expect(statuses).toContain(429)
})

test('writes of operators that wait for another one leave connections for others, and take place', async () => {
  const { ops } = await newOperator(service)
  const create = (at: number) => ops('createAccount', undefined, { body: { slug: `waits-${at}`, name: 'Waits' } })
  const statuses = await readWhile(
    (sql) => sql`select from service for update`,
    () => Array.from({ length: 10 }, (_, at) => create(at)),
    beginForwarderWrite,
  )
  expect(new Set(statuses)).toEqual(new Set([201]))
})

test('a customer creates a webhook while an operator changes the shipments of another account', async () => {
  const [changed, other] = [await newAccount(service), await newAccount(service)]
  const { ops } = await newOperator(service)
  await ops('createShipment', changed.slug, { body: { svc_shipment_id: 'S-1', status: 'booked' } })
  const change = { account: changed.slug, svc_shipment_id: 'S-1', revision: 1, patch: { name: 'Lamps' } }
  const { waiting } = await blocker.begin(async (sql) => {
    await sql`select from accounts where account_id = ${changed.id} for update`
    const waits = ops('changeShipments', undefined, { body: { changes: [change] } })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect((await other.call('createWebhook', { body: { url: 'https://hooks.example.com' } })).status).toBe(201)
    return { waiting: waits }
  })
  expect((await waiting).status).toBe(200)
})

test('readers of one calendar leave connections for others, and are refused beyond five at the same time', async () => {
  const account = await newAccount(service)
  const person = await newPerson(service, account)
  const { url } = (await person.portal('createCalendar', { body: {} })).body
  const address = service.baseUrl + new URL(url).pathname
  expect((await fetch(address)).status).toBe(200)
  const statuses = await readWhile(
    (sql) => sql`select from calendars where account_id = ${account.id} for update`,
    () => Array.from({ length: 20 }, () => fetch(address)),
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(5)
  expect(statuses.filter((status) => status === 503)).toHaveLength(15)
})
