import { expect, inject, test } from 'vitest'
import { refusalOf } from '../../src/api/transport/problems.js'
import { openDatabase } from '../../src/database/database.js'
import { commit } from '../../src/ledger/commit.js'
import { line, newAccount } from '../support/account.js'
import { startService } from '../support/service.js'

/** An account whose lock is held, as by a long import, blocks no other account. */

const service = await startService()

async function lockAccount(account: number): Promise<() => Promise<void>> {
  const db = openDatabase({ url: inject('databaseUrl') }, { connections: 1 })
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let isHeld = () => {}
  const holding = new Promise<void>((resolve) => {
    isHeld = resolve
  })
  const ended = db.begin(async (sql) => {
    await sql`select from accounts where account_id = ${account} for no key update`
    isHeld()
    await held
  })
  await holding
  return async () => {
    letGo()
    await ended
    await db.end()
  }
}

test('writes that wait for the lock of their account leave connections to others', async () => {
  const busy = await newAccount(service)
  const other = await newAccount(service)
  const release = await lockAccount(busy.id)
  const waiting = Array.from({ length: 20 }, (_, index) =>
    busy.call('createPurchaseOrder', { body: { reference: `P-${index}`, product_lines: [line()] } }),
  )
  const written = await other.call('createPurchaseOrder', { body: { reference: 'P', product_lines: [line()] } })
  expect(written.status).toBe(201)
  expect((await other.call('listPurchaseOrders')).body).toHaveLength(1)
  expect((await busy.call('listPurchaseOrders')).body).toEqual([])
  await release()
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201))
})

test('a write that waits too long is refused with 503 and Retry-After, and changes nothing', async () => {
  const { id, call } = await newAccount(service)
  const release = await lockAccount(id)
  const refused = await Promise.all(
    ['A', 'B'].map((reference) => call('createPurchaseOrder', { body: { reference, product_lines: [line()] } })),
  )
  await release()
  for (const response of refused) {
    expect(response).toBeRefused('service_unavailable')
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect((await call('listPurchaseOrders')).body).toEqual([])
})

test('a hanging write delays the writes behind it no longer than the lock timeout', async () => {
  const { id, call } = await newAccount(service)
  let letGo = () => {}
  const stuck = commit(
    service.db,
    id,
    'test',
    () =>
      new Promise<void>((resolve) => {
        letGo = resolve
      }),
  )
  const body = { reference: 'A', product_lines: [line()] }
  expect(await call('createPurchaseOrder', { body, idempotencyKey: 'A' })).toBeRefused('service_unavailable')
  expect((await call('listPurchaseOrders')).body).toEqual([])
  letGo()
  await stuck
  expect((await call('createPurchaseOrder', { body, idempotencyKey: 'A' })).status).toBe(201)
})

test('a write that PostgreSQL rolls back because of a deadlock may be tried again', () => {
  const error = Object.assign(new Error('deadlock detected'), { code: '40P01' })
  expect(refusalOf(error)).toMatchObject({ code: 'service_unavailable', status: 503 })
})
