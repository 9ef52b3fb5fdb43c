import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Answer, line, newAccount, type TestAccount } from '../../support/account.js'
import { startService } from '../../support/service.js'

const service = await startService()
const elsewhere = await startService()

const order = (reference: string, supplier_id = 'Fabrika') => ({ reference, supplier_id, product_lines: [line()] })

/** The number of writes since the account and its key were created. */
async function writesOf({ id }: TestAccount): Promise<number> {
  const [row] = await service.db<{ revision: number }[]>`select revision from accounts where account_id = ${id}`
  return (row?.revision ?? -1) - 2
}

function replayed({ headers }: Answer<'createPurchaseOrder'>): string | null {
  return headers.get('idempotent-replayed')
}

test('a creation retried with its idempotency key is done once, with the same response', async () => {
  const account = await newAccount(service)
  const retry = () => account.call('createPurchaseOrder', { body: order('P/1'), idempotencyKey: 'key-1' })
  const [first, second] = [await retry(), await retry()]
  expect(first.status).toBe(201)
  expect(replayed(first)).toBeNull()
  expect(second.status).toBe(201)
  expect(second.text).toBe(first.text)
  expect(second.headers.get('location')).toBe('/v1/purchaseOrders/P%2F1')
  expect(replayed(second)).toBe('true')
  expect(await writesOf(account)).toBe(1)
})

test('without an idempotency key a retried creation is refused as existing', async () => {
  const account = await newAccount(service)
  expect((await account.call('createPurchaseOrder', { body: order('P') })).status).toBe(201)
  expect(await account.call('createPurchaseOrder', { body: order('P') })).toBeRefused('purchase_order_exists')
})

test('a retried update does not undo later changes', async () => {
  const account = await newAccount(service)
  await account.call('createPurchaseOrder', { body: order('P') })
  const retry = () =>
    account.call('updatePurchaseOrder', { body: { reference: 'P', supplier_id: 'first' }, idempotencyKey: 'key-1' })
  await retry()
  await account.call('updatePurchaseOrder', { body: { reference: 'P', supplier_id: 'second' } })
  const again = await retry()
  expect(again.status).toBe(200)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  const read = await account.call('getPurchaseOrder', { params: { reference: 'P' } })
  expect(read.body.supplier_name).toBe('second')
})

test('a refusal is replayed even if its reason is gone', async () => {
  const account = await newAccount(service)
  const retry = () =>
    account.call('updatePurchaseOrder', { body: { reference: 'P', supplier_id: 'x' }, idempotencyKey: 'key-1' })
  const first = await retry()
  expect(first).toBeRefused('purchase_order_not_found')
  await account.call('createPurchaseOrder', { body: order('P') })
  const second = await retry()
  expect(second).toBeRefused('purchase_order_not_found')
  expect(second.text).toBe(first.text)
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect((await account.call('getPurchaseOrder', { params: { reference: 'P' } })).body.supplier_name).toBe('Fabrika')
})

test('a refused creation stores only its response', async () => {
  const account = await newAccount(service)
  await account.call('createPurchaseOrder', { body: order('P') })
  const body = order('P', 'other')
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const response = await account.call('createPurchaseOrder', { body, idempotencyKey: 'key-1' })
    expect(response).toBeRefused('purchase_order_exists')
  }
  expect(await writesOf(account)).toBe(1)
})

test('an invalid request does not use up its idempotency key', async () => {
  const account = await newAccount(service)
  const send = (product_lines: ReturnType<typeof line>[]) =>
    account.call('createPurchaseOrder', { body: { reference: 'P', product_lines }, idempotencyKey: 'key-1' })
  expect(await send([])).toBeRefused('invalid_request')
  expect((await send([line()])).status).toBe(201)
})

test('an idempotency key is refused for a different request, which is not executed', async () => {
  const account = await newAccount(service)
  const idempotencyKey = 'key-1'
  await account.call('createPurchaseOrder', { body: order('P'), idempotencyKey })
  for (const body of [order('Q'), order('P', 'other')]) {
    expect(await account.call('createPurchaseOrder', { body, idempotencyKey })).toBeRefused('idempotency_key_reused')
  }
  // The same body with another method.
  expect(await account.call('updatePurchaseOrder', { body: order('P'), idempotencyKey })).toBeRefused(
    'idempotency_key_reused',
  )
  expect(await writesOf(account)).toBe(1)
  expect(replayed(await account.call('createPurchaseOrder', { body: order('P'), idempotencyKey }))).toBe('true')
})

test('the same idempotency key in another account is independent', async () => {
  const [one, other] = [await newAccount(service), await newAccount(service)]
  const idempotencyKey = randomUUID()
  await one.call('createPurchaseOrder', { body: order('P'), idempotencyKey })
  const response = await other.call('createPurchaseOrder', { body: order('Q'), idempotencyKey })
  expect(response.status).toBe(201)
  expect(replayed(response)).toBeNull()
  expect((await other.call('listPurchaseOrders')).body.map(({ po_number }) => po_number)).toEqual(['Q'])
})

test.each([
  ['empty', ''],
  ['too long', 'x'.repeat(256)],
  ['not ASCII', 'caf\u00e9'],
  ['with a control character', 'a\tb'],
])('an idempotency key that is %s is refused, and nothing is done', async (_, idempotencyKey) => {
  const account = await newAccount(service)
  const response = await account.call('createPurchaseOrder', { body: order('P'), idempotencyKey })
  expect(response).toBeRefused('invalid_request')
  expect(response.problem.errors).toEqual([
    { pointer: '/Idempotency-Key', detail: 'must be 1 to 255 printable ASCII characters' },
  ])
  expect(await writesOf(account)).toBe(0)
})

test('an idempotency key of 255 characters is accepted', async () => {
  const account = await newAccount(service)
  const idempotencyKey = '~ '.repeat(127).concat('!')
  expect((await account.call('createPurchaseOrder', { body: order('P'), idempotencyKey })).status).toBe(201)
  expect(replayed(await account.call('createPurchaseOrder', { body: order('P'), idempotencyKey }))).toBe('true')
})

test('retries that arrive while the first request runs wait for it and get its response', async () => {
  const account = await newAccount(service)
  const input = { body: order('P'), idempotencyKey: 'key-1' }
  const send = () => account.call('createPurchaseOrder', input)
  const sendElsewhere = () => account.callAt(elsewhere, 'createPurchaseOrder', input)
  let responses: Promise<Answer<'createPurchaseOrder'>[]> | undefined
  // While this holds the account lock, no request can finish: all of them run concurrently.
  await service.db.begin(async (sql) => {
    const [holder] = await sql<{ pid: number }[]>`
      select pg_backend_pid() as pid from accounts where account_id = ${account.id} for update`
    responses = Promise.all([send(), send(), sendElsewhere()])
    // One of each service waits in the database, the others behind it.
    await expect.poll(() => waitingFor(holder?.pid ?? 0)).toBe(2)
  })
  const all = (await responses) ?? []
  expect(all.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(new Set(all.map(({ text }) => text)).size).toBe(1)
  expect(all.filter((response) => replayed(response) === 'true')).toHaveLength(2)
  expect(await writesOf(account)).toBe(1)
})

/** The number of sessions that wait for this one, directly or through another. */
async function waitingFor(pid: number): Promise<number> {
  const rows = await service.db`
    with recursive waiting (pid) as (
      select ${pid}::integer
      union
      select activity.pid from waiting join pg_stat_activity activity on waiting.pid = any(pg_blocking_pids(activity.pid))
    )
    select from waiting where pid <> ${pid}`
  return rows.length
}

test('a stored response is replayed for 24 hours, and removed after that', async () => {
  const account = await newAccount(service)
  const idempotencyKey = 'key-1'
  await account.call('createPurchaseOrder', { body: order('P'), idempotencyKey })
  await account.call('createPurchaseOrder', { body: order('R'), idempotencyKey: 'key-2' })
  await age('23 hours 59 minutes')
  expect(replayed(await account.call('createPurchaseOrder', { body: order('P'), idempotencyKey }))).toBe('true')
  await age('2 minutes')
  const other = await account.call('createPurchaseOrder', { body: order('Q'), idempotencyKey })
  expect(other.status).toBe(201)
  expect(replayed(other)).toBeNull()
  // From now on the key belongs to the new request.
  expect(replayed(await account.call('createPurchaseOrder', { body: order('Q'), idempotencyKey }))).toBe('true')
  expect(await service.db`select key from idempotency_keys where account_id = ${account.id}`).toEqual([
    { key: idempotencyKey },
  ])

  async function age(by: string): Promise<void> {
    await service.db`
      update idempotency_keys set created_at = created_at - ${by}::interval where account_id = ${account.id}`
  }
})

test('a request with an invalid body does not use up its idempotency key', async () => {
  const { call } = await newAccount(service)
  const twins = { reference: 'P', product_lines: [line({ reference: '1' }), line({ reference: '1' })] }
  const refused = await call('createPurchaseOrder', { body: twins, idempotencyKey: 'key-1' })
  expect(refused).toBeRefused('invalid_request')
  expect((await call('createPurchaseOrder', { body: order('P'), idempotencyKey: 'key-1' })).status).toBe(201)
})
