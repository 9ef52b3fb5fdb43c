import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { line, newAccount, type TestAccount } from '../../support/account.js'
import { importEverything, newIdentifiers } from '../../support/every-resource.js'
import { evaluate } from '../../support/exceptions.js'
import { listed } from '../../support/listed.js'
import { newOperator } from '../../support/operator.js'
import { startService } from '../../support/service.js'

const service = await startService()
const { ops } = await newOperator(service)

const typesOf = ({ body }: { body: { events: { type: string; object: { id: string } }[] } }) =>
  body.events.map(({ type, object }) => `${type} ${object.id}`)

async function cursorOf({ call }: TestAccount): Promise<string> {
  return (await call('listEvents', { query: { after: 'now' } })).body.cursor
}

/** All events from a cursor on, in pages of a length. */
async function allEvents({ call }: TestAccount, limit: number, after?: string) {
  const events = []
  for (let cursor = after; ; ) {
    const { body } = await call('listEvents', { query: { limit, ...(cursor !== undefined && { after: cursor }) } })
    events.push(...body.events)
    cursor = body.cursor
    if (!body.has_more) return { events, cursor }
  }
}

test('every change is an event once and in order, whatever the length of the pages', async () => {
  const account = await newAccount(service)
  const ids = newIdentifiers()
  await importEverything(service, account, ids, 'first')
  await account.call('updatePurchaseOrder', { body: { reference: ids.reference, supplier_id: 'x' } })
  await ops('updateShipment', account.slug, {
    params: { svc_shipment_id: ids.svc_shipment_id },
    body: { name: 'changed' },
  })
  const { events, cursor } = await allEvents(account, 1000)
  expect((await allEvents(account, 1)).events).toEqual(events)
  expect((await allEvents(account, 3)).events).toEqual(events)
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  expect(events.map(({ revision }) => revision)).toEqual(
    events.map(({ revision }) => revision).toSorted((a, b) => a - b),
  )
  expect(events.map(({ type }) => type)).toEqual([
    'document.created',
    'invoice.issued',
    'location.created',
    'purchase_order.created',
    'shipment.created',
    'tracking.created',
    // What was wrong when it was imported.
    'exception.updated',
    'exception.updated',
    'shipment.updated',
  ])
  expect((await allEvents(account, 10, cursor)).events).toEqual([])
})

test('read from the newest back, the events are the same in the other order, whatever the length of the pages', async () => {
  const account = await newAccount(service)
  await importEverything(service, account, newIdentifiers(), 'first')
  await account.call('createPurchaseOrder', { body: { reference: 'PO-8', product_lines: [line()] } })
  const { events } = await allEvents(account, 1000)
  for (const limit of [1, 3, 1000]) {
    const found = []
    for (let after: string | undefined; ; ) {
      const query = { limit, order: 'newest_first' as const, ...(after !== undefined && { after }) }
      const { body } = await account.call('listEvents', { query })
      found.push(...body.events)
      after = body.cursor
      if (!body.has_more) break
    }
    expect(found).toEqual(events.toReversed())
  }
  const orders = { order: 'newest_first', types: 'purchase_order.created', limit: 1 } as const
  expect(typesOf(await account.call('listEvents', { query: orders }))).toEqual(['purchase_order.created PO-8'])
  // What happened meanwhile is newer than the cursor.
  const now = await cursorOf(account)
  await account.call('createPurchaseOrder', { body: { reference: 'PO-9', product_lines: [line()] } })
  const before = await account.call('listEvents', { query: { ...orders, after: now } })
  expect(typesOf(before)).toEqual(['purchase_order.created PO-8'])
  const waiting = await account.call('listEvents', { query: { order: 'newest_first', wait: 1 } })
  expect(waiting.problem.errors?.[0]?.pointer).toBe('/wait')
  // Not what is older than the feed goes back.
  await service.db`update changes set at = at - interval '91 days' where account_id = ${account.id}`
  expect((await account.call('listEvents', { query: { order: 'newest_first' } })).body.events).toEqual([])
})

test('an update names the fields that it concerns', async () => {
  const account = await newAccount(service)
  const ids = newIdentifiers()
  const { svc_shipment_id } = ids
  await importEverything(service, account, ids, 'first')
  await account.call('createPurchaseOrder', { body: { reference: 'PO-9', product_lines: [line()] } })
  const start = await cursorOf(account)
  await account.call('updatePurchaseOrder', { body: { reference: 'PO-9', supplier_id: 'x' } })
  await ops('updateShipment', account.slug, { params: { svc_shipment_id }, body: { name: 'changed' } })
  await account.forwarder.imports({
    kind: 'invoice',
    data: { reference: 'I-2', number: 'I-2', svc_shipment_id, type: 'invoice', status: 'available', lines: [] },
  })
  const { events } = await allEvents(account, 1000, start)
  const changed = events.map(({ type, changed: fields }) => [type, fields])
  expect(changed).toContainEqual(['purchase_order.updated', ['supplier_name']])
  expect(changed).toContainEqual(['shipment.updated', ['name']])
  expect(changed).toContainEqual(['shipment.updated', ['invoice_references', 'invoice_status']])
  expect(changed).toContainEqual(['invoice.issued', undefined])
})

test('a page ends early where large records are compared, and the next one goes on', async () => {
  const account = await newAccount(service)
  const lines = Array.from({ length: 1000 }, (_, at) => line({ reference: String(at) }))
  const name = 'x'.repeat(1500)
  for (const quantity of [1, 2, 3, 4]) {
    const product_lines = lines.map(({ reference }) => ({
      reference,
      ordered_quantity: quantity,
      product: { sku: 'S', name },
    }))
    await account.forwarder.imports({ kind: 'purchase_order', data: { reference: 'P', product_lines } })
  }
  await account.call('createPurchaseOrder', { body: { reference: 'Q', product_lines: [line()] } })
  const first = (await account.call('listEvents')).body
  expect(first.events.map(({ type }) => type)).toEqual([
    'purchase_order.created',
    'purchase_order.updated',
    'purchase_order.updated',
  ])
  expect(first.events.at(-1)).toMatchObject({ changed: ['purchase_order_lines'] })
  expect(first.has_more).toBe(true)
  const { events } = await allEvents(account, 100, first.cursor)
  expect(events.map(({ type, object: { id } }) => `${type} ${id}`)).toEqual([
    'purchase_order.updated P',
    'purchase_order.created Q',
  ])
})

test('what the account cannot read makes no event', async () => {
  const account = await newAccount(service)
  const { slug } = account
  await account.forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'S1', status: 'booked' } },
    {
      kind: 'purchase_order',
      data: { reference: 'PO1', desired_ex_factory_date: '2020-01-31', product_lines: [line({ reference: '1' })] },
    },
  )
  await evaluate(service, account.id)
  const start = await cursorOf(account)
  const drafted = await ops('draftInvoice', slug, {
    body: { svc_shipment_id: 'S1', lines: [{ description: 'Freight', price: { amount: 10, currency: 'EUR' } }] },
  })
  expect(drafted.status, drafted.text).toBe(201)
  const [exception] = (await account.call('listExceptions')).body
  const exception_id = exception?.exception_id ?? ''
  const hidden = [
    await ops('actOnException', slug, { params: { exception_id }, body: { action: 'note', note: 'for ourselves' } }),
    await ops('createKey', slug, { body: { name: 'another', scopes: ['read'] } }),
  ]
  expect(hidden.map(({ status }) => status)).toEqual([200, 201])
  const nothing = await account.call('listEvents', { query: { after: start } })
  expect(typesOf(nothing)).toEqual([])
  // Nor does the cursor behind them show anything.
  expect(Buffer.from(nothing.body.cursor, 'base64url').toString('latin1')).not.toMatch(/key|exception|invoice/)
  await ops('actOnException', slug, { params: { exception_id }, body: { action: 'close', reason: 'done' } })
  expect(typesOf(await account.call('listEvents', { query: { after: start } }))).toEqual([
    `exception.cleared ${exception_id}`,
  ])
})

test('a request waits for an event of the wanted types, and a revoked key ends it', async () => {
  const account = await newAccount(service)
  const after = await cursorOf(account)
  const waiting = account.call('listEvents', {
    query: { after, wait: 30, types: 'shipment.created', include: 'object' },
  })
  await account.call('createPurchaseOrder', { body: { reference: 'PO1', product_lines: [line()] } })
  await account.forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S1', status: 'booked' } })
  const { body } = await waiting
  expect(body.events.map(({ type, state }) => [type, (state as { svc_shipment_id: string }).svc_shipment_id])).toEqual([
    ['shipment.created', 'S1'],
  ])
  const refused = account.call('listEvents', { query: { after: body.cursor, wait: 30 } })
  const revoked = await ops('revokeKey', account.slug, { params: { key_id: account.key_id } })
  expect(revoked.status).toBe(200)
  expect((await refused).problem.code).toBe('invalid_key')
})

test('a cursor of another account, of nothing, or with unread changes of long ago is gone', async () => {
  const [account, other] = [await newAccount(service), await newAccount(service)]
  await account.call('createPurchaseOrder', { body: { reference: 'PO1', product_lines: [line()] } })
  for (const after of [await cursorOf(other), 'abc', 'A'.repeat(200), `${(await cursorOf(account)).slice(0, -2)}AA`]) {
    const { status, problem } = await account.call('listEvents', { query: { after } })
    expect([status, problem.code]).toEqual([410, 'cursor_expired'])
    expect(problem.detail).toContain('Start over: get a new cursor with `after=now`')
  }
  const first = (await account.call('listEvents', { query: { limit: 1 } })).body
  const beginning = await cursorOf(account)
  await account.call('createPurchaseOrder', { body: { reference: 'PO2', product_lines: [line()] } })
  await service.db`update changes set at = at - interval '91 days' where account_id = ${account.id}`
  expect(first.retention_days).toBe(90)
  expect((await account.call('listEvents', { query: { after: beginning } })).problem.code).toBe('cursor_expired')
  expect((await account.call('listEvents')).body.events).toEqual([])
  const unknown = await account.call('listEvents', { query: { types: 'shipment.created,nothing' } })
  expect(unknown.problem.errors?.[0]?.pointer).toBe('/types')
})

test('a key for one resource does not read the feed', async () => {
  const { call } = await newAccount(service, { scopes: ['shipments:read'] })
  expect((await call('listEvents')).problem.code).toBe('insufficient_scope')
})

test('operators read the changes of all accounts, those of each account in order', async () => {
  const start = (await ops('listEvents', undefined, { query: { after: 'now' } })).body.cursor
  const accounts = [await newAccount(service), await newAccount(service)]
  for (const reference of ['PO1', 'PO2'])
    for (const { call } of accounts) await call('createPurchaseOrder', { body: { reference, product_lines: [line()] } })
  for (const { slug } of accounts) {
    const found: string[] = []
    for (let after = start; ; ) {
      const { body } = await ops('listEvents', undefined, {
        query: { after, limit: 1, account: slug, include: 'object' },
      })
      for (const event of body.events) {
        expect([event.account, (event.state as { po_number: string }).po_number]).toEqual([slug, event.object.id])
        found.push(event.object.id)
      }
      after = body.cursor
      if (!body.has_more) break
    }
    expect(found).toEqual(['PO1', 'PO2'])
  }
  const waiting = ops('listEvents', undefined, {
    query: {
      after: (await ops('listEvents', undefined, { query: { after: 'now' } })).body.cursor,
      wait: 30,
      account: accounts[0]?.slug ?? '',
    },
  })
  await accounts[0]?.call('createPurchaseOrder', { body: { reference: 'PO3', product_lines: [line()] } })
  expect(typesOf(await waiting)).toEqual(['purchase_order.created PO3'])
  expect((await ops('listEvents', undefined, { query: { after: 'abc' } })).problem.code).toBe('cursor_expired')
})

const folder = await mkdtemp(join(tmpdir(), 'waybill-mirror-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const hasPython = spawnSync('python3', ['--version']).status === 0

const programs = [
  ['mirror.ts', process.execPath, ['--import', 'tsx', 'docs/examples/mirror.ts'], true],
  ['mirror.py', 'python3', ['docs/examples/mirror.py'], hasPython],
] as const

for (const [name, command, args, isThere] of programs) {
  test.skipIf(!isThere)(
    `the example ${name} keeps a copy of what the lists show (needs ${name.endsWith('.py') ? 'python3' : 'Node'})`,
    async () => {
      const account = await newAccount(service)
      const ids = newIdentifiers()
      const file = join(folder, `${account.slug}.json`)
      const mirrored = async () => {
        const env = { ...process.env, WAYBILL_KEY: account.key }
        await promisify(execFile)(command, [...args, service.baseUrl, file, '--once'], { env })
        return (JSON.parse(await readFile(file, 'utf8')) as { resources: object }).resources
      }
      await importEverything(service, account, ids, 'first')
      expect(await mirrored()).toEqual(await listed(account))
      await importEverything(service, account, newIdentifiers(), 'second')
      await ops('withdrawDocument', account.slug, { params: { id: ids.document } })
      await ops('updateShipment', account.slug, {
        params: { svc_shipment_id: ids.svc_shipment_id },
        body: { name: 'changed' },
      })
      await ops('updateLocation', account.slug, { params: { id: String(ids.location) }, body: { retired: true } })
      await account.call('createPurchaseOrder', { body: { reference: 'Ünï/1', product_lines: [line()] } })
      // A kind that has events, but no list.
      const { webhook_id } = (await account.call('createWebhook', { body: { url: 'https://erp.example.com/' } })).body
        .webhook
      await ops('disableWebhook', account.slug, { params: { webhook_id } })
      expect((await account.call('listEvents')).body.events.at(-1)?.type).toBe('webhook.disabled')
      expect(await mirrored()).toEqual(await listed(account))
    },
  )
}
