import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { send } from '../src/client/client.js'
import { endKey, issueKey } from '../src/operator/keys.js'
import { type Database, openDatabase } from '../src/storage/database.js'
import { migrate } from '../src/storage/migrate.js'
import { line, newAccount, type TestAccount } from './support/account.js'
import { countingQueries } from './support/counting.js'
import { administer, withDatabase } from './support/database.js'
import { startForwarding } from './support/forwarder.js'
import { holdNewOrders } from './support/held-orders.js'
import { roadToDatabase } from './support/road.js'
import { type RunningService, startService } from './support/service.js'

/** Who is alone with the database answers from memory without a look at it, and still nobody is shown what was before. */

const newName = () => `waybill ${randomBytes(8).toString('hex')}`

// Each in a database of its own: in the one that the tests share, nobody is ever alone.
let databases = 0
async function aloneInDatabase({ reach = async (url: string) => url } = {}) {
  databases += 1
  const database = `waybill_lease_${process.pid}_${databases}`
  await administer(inject('serverUrl'), `create database ${database}`)
  afterAll(() => administer(inject('serverUrl'), `drop database ${database} with (force)`))
  const url = withDatabase(inject('serverUrl'), database)
  const counted = countingQueries(openDatabase({ url: await reach(url) }, { connections: 5, name: newName() }))
  await migrate(counted.db)
  const service = await startService({ db: counted.db, answerMemory: 1_000_000 })
  const account = await newAccount(service)
  await account.call('createPurchaseOrder', { body: { reference: 'P', product_lines: [line()] } })
  return { url, service, account, count: counted.count }
}

/** A connection as any other program would have it. */
function stranger(url: string): Database {
  const db = openDatabase({ url }, { connections: 1, name: 'psql' })
  onTestFinished(() => db.end({ timeout: 1 }))
  return db
}

async function read({ baseUrl }: RunningService, { key }: TestAccount) {
  const response = await fetch(`${baseUrl}/v1/purchaseOrders/P`, {
    headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
  })
  return { status: response.status, text: await response.text() }
}

/** Until a read costs no query at all. */
async function untilAlone({ service, account, count }: Awaited<ReturnType<typeof aloneInDatabase>>): Promise<void> {
  await vi.waitFor(
    async () => {
      const before = count()
      for (let time = 0; time < 5; time += 1) expect((await read(service, account)).status).toBe(200)
      expect(count()).toBe(before)
    },
    { timeout: 15_000, interval: 50 },
  )
}

/** Changes the order as a program would that knows nothing of the lease. */
async function changeBehind(db: Database, { id }: TestAccount, supplier: string): Promise<void> {
  await db.begin(async (sql) => {
    const [raised] = await sql<{ revision: number }[]>`
      update accounts set revision = revision + 1, purchase_order_revision = revision + 1 where account_id = ${id}
      returning revision`
    await sql`
      update purchase_orders set revision = ${raised?.revision ?? 0},
        body = jsonb_set(body::jsonb, '{supplier_id}', to_jsonb(${supplier}::text))::text
      where account_id = ${id} and reference = 'P'`
  })
}

test('read again and again, a resource is answered without a single query', async () => {
  await untilAlone(await aloneInDatabase())
})

test('every write of our own is seen by the next read: of a customer, an operator, an import', async () => {
  const alone = await aloneInDatabase()
  const { service, account } = alone
  for (let time = 0; time < 20; time += 1) {
    if (time % 5 === 0) await untilAlone(alone)
    else await read(service, account)
    await account.call('updatePurchaseOrder', { body: { reference: 'P', supplier_id: `customer ${time}` } })
    expect((await read(service, account)).text).toContain(`customer ${time}`)
    await account.forwarder.imports({
      kind: 'purchase_order',
      data: { reference: 'P', supplier_id: `import ${time}`, product_lines: [line()] },
    })
    expect((await read(service, account)).text).toContain(`import ${time}`)
  }
  await untilAlone(alone)
  const { ops } = await startForwarding(service)
  await ops('updateAccount', account.slug, { body: { suspended: true } })
  expect((await read(service, account)).status).toBe(403)
})

test('after a write of the key, its account is not looked at again: only what has changed is read', async () => {
  const alone = await aloneInDatabase()
  const { service, account, count } = alone
  const write = (supplier_id: string) => account.call('updatePurchaseOrder', { body: { reference: 'P', supplier_id } })
  await vi.waitFor(
    async () => {
      await untilAlone(alone)
      const before = count()
      const supplier = `supplier ${before}`
      await write(supplier)
      expect((await read(service, account)).text).toContain(supplier)
      // Two of the write, one for the order; and the next read needs none.
      expect(count() - before).toBe(3)
      await read(service, account)
      expect(count() - before).toBe(3)
    },
    { timeout: 30_000, interval: 50 },
  )
})

test('of several writes that come at once, with several keys, each key is shown all', async () => {
  const alone = await aloneInDatabase()
  const { service, account } = alone
  const { key: otherKey } = await issueKey(service.db, account.id, { scopes: ['read', 'write'], name: 'another' })
  const create = (key: string, reference: string) => {
    const body = { reference, product_lines: [line()] }
    return send({ baseUrl: service.baseUrl, key }, 'createPurchaseOrder', { body })
  }
  for (let time = 0; time < 20; time += 1) {
    await untilAlone(alone)
    await read(service, { ...account, key: otherKey })
    const references = ['one', 'another', 'third'].map((name) => `${name} ${time}`)
    const keys = [account.key, otherKey, account.key]
    const written = await Promise.all(references.map((reference, place) => create(keys[place] ?? '', reference)))
    expect(written.map(({ status }) => status)).toEqual([201, 201, 201])
    for (const key of keys) {
      const listed = await send({ baseUrl: service.baseUrl, key }, 'listPurchaseOrders')
      const text = await listed.text()
      expect(references.filter((reference) => !text.includes(`"${reference}"`))).toEqual([])
    }
  }
})

test('a key that was revoked is refused at once', async () => {
  const alone = await aloneInDatabase()
  await untilAlone(alone)
  await endKey(alone.service.db, alone.account.key_id)
  expect((await read(alone.service, alone.account)).status).toBe(401)
})

test('whoever else writes waits for the end of the lease: what they wrote is read as soon as they are told', async () => {
  const alone = await aloneInDatabase()
  for (const time of [1, 2, 3]) {
    await untilAlone(alone)
    const other = stranger(alone.url)
    let isWritten = false
    const writing = changeBehind(other, alone.account, `stranger ${time}`).then(() => {
      isWritten = true
    })
    while (!isWritten) await read(alone.service, alone.account)
    expect((await read(alone.service, alone.account)).text).toContain(`stranger ${time}`)
    await writing
  }
})

test('what somebody else was writing when the lease began is not missed', async () => {
  const { url, service, account } = await aloneInDatabase()
  const other = stranger(url)
  let begin = () => {}
  let end = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const told = new Promise<void>((resolve) => {
    end = resolve
  })
  const writing = other.begin(async (sql) => {
    const [raised] = await sql<{ revision: number }[]>`
      update accounts set revision = revision + 1, purchase_order_revision = revision + 1
      where account_id = ${account.id} returning revision`
    await sql`
      update purchase_orders set body = '{"reference":"P","late":true}', revision = ${raised?.revision ?? 0}
      where account_id = ${account.id} and reference = 'P'`
    begin()
    await told
  })
  await begun
  const deadline = Date.now() + 1500
  while (Date.now() < deadline) expect((await read(service, account)).text).not.toContain('late')
  end()
  await writing
  expect((await read(service, account)).text).toContain('late')
})

test('what was sent through a connection that is lost is seen when it happens after all', async () => {
  let cut = async () => {}
  const alone = await aloneInDatabase({
    async reach(url) {
      const road = await roadToDatabase(url)
      cut = () => road.close().then(road.open)
      return road.url
    },
  })
  const { account, url } = alone
  const db = stranger(url)
  // As a server has it that is not our own: it does not look whether somebody still waits for the answer.
  await db.unsafe(`alter database ${new URL(url).pathname.slice(1)} set client_connection_check_interval = 0`)
  await cut()
  await untilAlone(alone)
  const { held, release } = await holdNewOrders(db)
  const lost = account.call('createPurchaseOrder', { body: { reference: 'LATE', product_lines: [line()] } })
  const shows = async () => (await account.call('listPurchaseOrders')).text.includes('LATE')
  await held()
  await cut()
  expect((await lost).status).toBe(503)
  // Read again and again, so that the lease is kept up.
  for (let time = 0; time < 100; time += 1) {
    expect(await shows()).toBe(false)
    await sleep(10)
  }
  await release()
  await vi.waitFor(async () => expect(await shows()).toBe(true), { timeout: 5000 })
})

test('beside another process of ours nobody takes the lease, and whoever has it lets it go', async () => {
  const alone = await aloneInDatabase()
  await untilAlone(alone)
  const second = await startService({ db: openDatabase({ url: alone.url }, { connections: 2, name: newName() }) })
  for (let time = 0; time < 10; time += 1) {
    const [writer, reader] = time % 2 === 0 ? [alone.service, second] : [second, alone.service]
    const { baseUrl } = writer
    const { key } = alone.account
    const body = { reference: 'P', supplier_id: `process ${time}` }
    expect((await send({ baseUrl, key }, 'updatePurchaseOrder', { body })).status).toBe(200)
    expect((await read(reader, alone.account)).text).toContain(`process ${time}`)
    await read(writer, alone.account)
  }
  await vi.waitFor(async () => {
    const before = alone.count()
    await read(alone.service, alone.account)
    expect(alone.count()).toBe(before + 1)
  })
})

test('connections whose name anybody could have never get it', async () => {
  const { url, account } = await aloneInDatabase()
  const plain = countingQueries(openDatabase({ url }, { connections: 2 }))
  const service = await startService({ db: plain.db, answerMemory: 1_000_000 })
  for (let time = 0; time < 50; time += 1) await read(service, account)
  const [row] = await plain.db`select from reading_lease where holder = 'waybill'`
  expect(row).toBeUndefined()
})

/** As it stands when the clock of the database was ahead while the lease was granted, and its holder is gone. */
async function leaveLeaseAhead(db: Database): Promise<void> {
  await db`
    insert into reading_lease (holder, until) values (${newName()}, clock_timestamp() + interval '6 hours')
    on conflict (only_row) do update set holder = excluded.holder, until = excluded.until`
}

test('a lease from before the clock was set back keeps nobody waiting for longer than a lease lasts', async () => {
  const { url, account } = await aloneInDatabase()
  const db = stranger(url)
  await leaveLeaseAhead(db)
  await changeBehind(db, account, 'Somebody')
  expect(await db`select from reading_lease where until > clock_timestamp() + interval '1 second'`).toEqual([])
})

test('nor does it keep anybody from the next', async () => {
  const alone = await aloneInDatabase()
  await leaveLeaseAhead(stranger(alone.url))
  await untilAlone(alone)
})
