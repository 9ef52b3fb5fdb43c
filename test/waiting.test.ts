import { expect, inject, test } from 'vitest'
import { openDatabase } from '../src/storage/database.js'
import { inTurn } from '../src/storage/transaction.js'
import { line, newAccount } from './support/account.js'
import { startService } from './support/service.js'

/** An account that is held up, as by a long import, holds up nobody else. */

const service = await startService()

async function holdUp(account: number): Promise<() => Promise<void>> {
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

test('writes that wait for their account leave the connections to others', async () => {
  const busy = await newAccount(service)
  const other = await newAccount(service)
  const release = await holdUp(busy.id)
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

test('a write that waits for too long is refused with 503 and a time to try again, and changes nothing', async () => {
  const { id, call } = await newAccount(service)
  const release = await holdUp(id)
  const refused = await Promise.all(
    ['A', 'B'].map((reference) => call('createPurchaseOrder', { body: { reference, product_lines: [line()] } })),
  )
  await release()
  for (const answer of refused) {
    expect(answer).toBeRefused('service_unavailable')
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect((await call('listPurchaseOrders')).body).toEqual([])
})

test('a write that never ends holds up those behind it no longer than any other', async () => {
  const { id, call } = await newAccount(service)
  let letGo = () => {}
  const stuck = inTurn(
    service.db,
    id,
    () =>
      new Promise<void>((resolve) => {
        letGo = resolve
      }),
  )
  const body = { reference: 'A', product_lines: [line()] }
  // With a key it goes the usual way, by turns.
  expect(await call('createPurchaseOrder', { body, idempotencyKey: 'A' })).toBeRefused('service_unavailable')
  expect((await call('listPurchaseOrders')).body).toEqual([])
  letGo()
  await stuck
  expect((await call('createPurchaseOrder', { body, idempotencyKey: 'A' })).status).toBe(201)
})
