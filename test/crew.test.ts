import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { createAccount } from '../src/operator/accounts.js'
import { issueKey } from '../src/operator/keys.js'
import { type Database, openDatabase } from '../src/storage/database.js'
import { migrate } from '../src/storage/migrate.js'
import { line } from './support/account.js'
import { administer, withDatabase } from './support/database.js'
import { holdNewOrders } from './support/held-orders.js'
import { until } from './support/program.js'
import { type Answered, type Connection, connectToAll, messagesOf, startWorkers } from './support/workers.js'

/**
 * Workers that are alone with their database answer from memory without a look at it, and still nobody is shown what
 * was before a write through any of them.
 */

let databases = 0
async function crewAlone(workers: number) {
  databases += 1
  const database = `waybill_crew_${process.pid}_${databases}`
  await administer(inject('serverUrl'), `create database ${database}`)
  // As a server has it that is not our own: what was begun is ended for whoever has gone meanwhile, too.
  await administer(inject('serverUrl'), `alter database ${database} set client_connection_check_interval = 0`)
  afterAll(() => administer(inject('serverUrl'), `drop database ${database} with (force)`))
  const url = withDatabase(inject('serverUrl'), database)
  const key = await prepare(url)
  const serving = await startWorkers(workers, { DATABASE_URL: url })
  const connections = await connectToAll(serving, workers, key)
  onTestFinished(() => connections.forEach((connection) => connection.close()))
  expect((await create(connections[0] as Connection, 'P')).status).toBe(201)
  return { url, serving, connections, stranger: stranger(url) }
}

const orders = '/v1/purchaseOrders'

function create(connection: Connection, reference: string): Promise<Answered> {
  return connection.ask(orders, { method: 'POST', body: { reference, product_lines: [line()] } })
}

/** Whoever prepares it is gone before the crew comes. */
async function prepare(url: string): Promise<string> {
  const db = openDatabase({ url }, { connections: 1 })
  try {
    await migrate(db)
    const account = await createAccount(db, 'account', 'Account')
    const { key } = await issueKey(db, account as number, { scopes: ['read', 'write'], name: 'test' })
    return key
  } finally {
    await db.end()
  }
}

/** A connection as any other program would have it. */
function stranger(url: string): Database {
  const db = openDatabase({ url }, { connections: 1, name: 'psql' })
  onTestFinished(() => db.end({ timeout: 1 }))
  return db
}

/** Until each answers while no statement could see the accounts. */
async function untilNobodyAsks(db: Database, connections: Connection[]): Promise<void> {
  const answersInTime = async (connection: Connection) => {
    const late = new Promise<boolean>((resolve) => setTimeout(resolve, 1000, false))
    return Promise.race([connection.ask(`${orders}/P`).then(({ status }) => status === 200), late])
  }
  await vi.waitFor(
    async () => {
      for (let time = 0; time < 20; time += 1) await Promise.all(connections.map((each) => each.ask(`${orders}/P`)))
      const answered = await db.begin(async (sql) => {
        await sql`lock table accounts in access exclusive mode`
        return Promise.all(connections.map(answersInTime))
      })
      expect(answered).toEqual(connections.map(() => true))
    },
    { timeout: 60_000, interval: 100 },
  )
}

test('what they remember, all of them answer without a look at the database, and a write of any is seen by all', async () => {
  const { connections, stranger: db } = await crewAlone(2)
  for (let round = 0; round < 3; round += 1) {
    await untilNobodyAsks(db, connections)
    for (let time = 0; time < 20; time += 1) {
      const supplier_id = `supplier ${round}.${time}`
      const writer = connections[time % connections.length] as Connection
      const written = await writer.ask(orders, { method: 'PATCH', body: { reference: 'P', supplier_id } })
      expect(written.status).toBe(200)
      for (const connection of [...connections, ...connections]) {
        expect((await connection.ask(`${orders}/P`)).text).toContain(`"${supplier_id}"`)
      }
    }
  }
}, 120_000)

test('whoever else writes is seen by all of them as soon as they are told', async () => {
  const { url, connections, stranger: db } = await crewAlone(2)
  await untilNobodyAsks(db, connections)
  const other = stranger(url)
  await other.begin(async (sql) => {
    const [raised] = await sql<{ revision: number }[]>`
      update accounts set revision = revision + 1, purchase_order_revision = revision + 1 returning revision`
    await sql`update purchase_orders set revision = ${raised?.revision ?? 0},
      body = jsonb_set(body::jsonb, '{supplier_name}', '"somebody else"')::text`
  })
  const answers = await Promise.all(connections.map((each) => each.ask(`${orders}/P`)))
  for (const { text } of answers) expect(text).toContain('somebody else')
})

test('what a killed worker had begun is seen when it happens after all', async () => {
  const { serving, connections, stranger: db } = await crewAlone(2)
  const [doomed, stays] = connections as [Connection, Connection]
  await untilNobodyAsks(db, connections)
  const { held, release } = await holdNewOrders(db)
  const lost = create(doomed, 'LATE').catch((error: NodeJS.ErrnoException) => error.code)
  let isOver = false
  // Read again and again, so that the lease is kept up.
  const reading = (async () => {
    while (!isOver) expect((await stays.ask(orders)).text).not.toContain('LATE')
  })()
  process.kill(pidIn(await held()), 'SIGKILL')
  expect(await lost).toBe('ECONNRESET')
  // Somebody else has its post.
  await until(() => messagesOf(serving).some((message) => /^worker \d+ listens$/.test(message)))
  await sleep(1000)
  isOver = true
  await reading
  await release()
  await until(async () => (await stays.ask(orders)).text.includes('LATE'))
  // Nothing is left of it.
  await untilNobodyAsks(db, [stays])
})

/** Whose connection has that name. */
function pidIn(name: string): number {
  return Number(/^waybill [0-9a-f]{16} \d+\.(\d+)@/.exec(name)?.[1])
}
