import { expect, inject, test } from 'vitest'
import { send } from '../../src/client/client.js'
import type { BodyOf } from '../../src/contract/public/operations.js'
import { revokeAnyKey } from '../../src/usecases/accounts/revoke-key.js'
import { line, newAccount, type TestAccount } from '../support/account.js'
import { startServing, temporaryFolder } from '../support/program.js'
import { startService } from '../support/service.js'

// Two processes of the service; the third, in this one, is the forwarder's side.
const service = await startService()
const servers = [await aServer(), await aServer()] as const
const serverOf = (index: number) => servers[index % 2 === 0 ? 0 : 1]

async function aServer(): Promise<string> {
  const WAYBILL_DATA_DIR = await temporaryFolder()
  const env = { DATABASE_URL: inject('databaseUrl'), WAYBILL_DATA_DIR, WAYBILL_RATE_LIMIT: '0' }
  return (await startServing({ env })).baseUrl
}

async function textOf(response: Promise<Response>) {
  const answer = await response
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

function create(baseUrl: string, { key }: TestAccount, body: BodyOf<'createPurchaseOrder'>, idempotencyKey?: string) {
  return textOf(
    send({ baseUrl, key }, 'createPurchaseOrder', { body, ...(idempotencyKey !== undefined && { idempotencyKey }) }),
  )
}

function update(baseUrl: string, { key }: TestAccount, body: BodyOf<'updatePurchaseOrder'>) {
  return textOf(send({ baseUrl, key }, 'updatePurchaseOrder', { body }))
}

async function changesOf({ id }: TestAccount) {
  return service.db<{ revision: number; kind: string; what: string; record: string | null }[]>`
    select revision, kind, what, record from changes
    where account_id = ${id} and kind in ('purchase_order', 'assignment') order by revision`
}

test.each([1, 2, 3])('of 50 updates that race an assignment none takes effect after it (round %i)', async () => {
  const account = await newAccount(service)
  await account.forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'S' } },
    { kind: 'purchase_order', data: { reference: 'P', product_lines: [line({ reference: '1' })] } },
  )
  const updates: ReturnType<typeof update>[] = []
  const inFlight = (from: number, to: number) => {
    for (let index = from; index < to; index += 1) {
      updates.push(update(serverOf(index), account, { reference: 'P', supplier_id: `update ${index}` }))
    }
  }
  inFlight(0, 25)
  // Some updates win, some lose: the assignment starts once the first one has been answered.
  await Promise.race(updates)
  const assigned = account.forwarder.imports({
    kind: 'assignment',
    data: { reference: 'P', line: '1', svc_shipment_id: 'S', assigned_quantity: 1 },
  })
  inFlight(25, 50)
  const [answers] = await Promise.all([Promise.all(updates), assigned])

  const winners = answers.filter(({ status }) => status === 200)
  const losers = answers.filter(({ status }) => status !== 200)
  for (const answer of losers) expect(answer).toBeRefused('purchase_order_assigned')
  expect(winners.length).toBeGreaterThan(0)

  const changes = await changesOf(account)
  const assignment = changes.find(({ kind }) => kind === 'assignment')
  const made = changes.filter(({ kind, what }) => kind === 'purchase_order' && what === 'updated')
  // Each success is one version, and each version one success: all of them before the assignment.
  expect(made).toHaveLength(winners.length)
  for (const { revision } of made) expect(revision).toBeLessThan(assignment?.revision ?? 0)

  const { supplier_id } = JSON.parse(made.at(-1)?.record ?? '{}') as { supplier_id?: string }
  for (const baseUrl of servers) {
    const read = await textOf(send({ baseUrl, key: account.key }, 'getPurchaseOrder', { params: { reference: 'P' } }))
    expect(JSON.parse(read.text)).toMatchObject({
      supplier_name: supplier_id,
      purchase_order_lines: [{ assigned_order_lines: [{ svc_shipment_id: 'S', assigned_quantity: 1 }] }],
    })
  }
  const late = await update(servers[1], account, { reference: 'P', supplier_id: 'late' })
  expect(late).toBeRefused('purchase_order_assigned')
})

test('of 50 creations of one reference one is answered 201, the others 409', async () => {
  const account = await newAccount(service)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      create(serverOf(index), account, { reference: 'P', supplier_id: `${index}`, product_lines: [line()] }),
    ),
  )
  const winner = answers.findIndex(({ status }) => status === 201)
  expect(winner).toBeGreaterThanOrEqual(0)
  for (const [index, answer] of answers.entries()) {
    if (index !== winner) expect(answer).toBeRefused('purchase_order_exists')
  }
  const orders = (await account.call('listPurchaseOrders')).body
  expect(orders.map(({ po_number, supplier_name }) => [po_number, supplier_name])).toEqual([['P', String(winner)]])
  expect(await changesOf(account)).toHaveLength(1)
})

test('50 retries with one idempotency key make one order and get one answer', async () => {
  const account = await newAccount(service)
  const body = { reference: 'P', product_lines: [line()] }
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => create(serverOf(index), account, body, 'the-key')),
  )
  for (const { status, text } of answers) expect({ status, text }).toEqual({ status: 201, text: '{"reference":"P"}' })
  expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
  expect(await changesOf(account)).toHaveLength(1)
})

test('50 creations of different orders all succeed, each with a revision of its own', async () => {
  const account = await newAccount(service)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      create(serverOf(index), account, { reference: `P${index}`, product_lines: [line()] }),
    ),
  )
  expect(answers.every(({ status }) => status === 201)).toBe(true)
  const revisions = (await changesOf(account)).map(({ revision }) => revision)
  // The first two made the account and its key.
  expect(revisions).toEqual(Array.from({ length: 50 }, (_, index) => index + 3))
})

test('what one process has answered the other one reads, in the list, alone and by its tag', async () => {
  const account = await newAccount(service)
  const [one, other] = servers
  let tag: string | undefined
  for (let round = 0; round < 20; round += 1) {
    const reference = `P${round}`
    const [writer, reader] = round % 2 === 0 ? [one, other] : [other, one]
    await create(writer, account, { reference, product_lines: [line()] })
    const options = { baseUrl: reader, key: account.key }
    expect((await textOf(send(options, 'getPurchaseOrder', { params: { reference } }))).status).toBe(200)
    const list = await textOf(send(options, 'listPurchaseOrders', { ...(tag !== undefined && { ifNoneMatch: tag }) }))
    expect(list.status).toBe(200)
    expect(JSON.parse(list.text)).toHaveLength(round + 1)
    tag = list.headers.get('etag') ?? ''
    // Both processes know the list by the same tag.
    const same = await textOf(send({ ...options, baseUrl: writer }, 'listPurchaseOrders', { ifNoneMatch: tag }))
    expect(same.status).toBe(304)
  }
})

test('a revoked key stops at once on every process', async () => {
  const account = await newAccount(service)
  const ask = (baseUrl: string) => textOf(send({ baseUrl, key: account.key }, 'listLocations'))
  for (const baseUrl of servers) expect((await ask(baseUrl)).status).toBe(200)
  await revokeAnyKey(service.db, account.key_id)
  for (const baseUrl of servers) expect(await ask(baseUrl)).toBeRefused('invalid_key')
  const body = { reference: 'P', product_lines: [line()] }
  for (const baseUrl of servers) expect(await create(baseUrl, account, body)).toBeRefused('invalid_key')
  expect(await changesOf(account)).toHaveLength(0)
})
