import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { createSecureContext, TLSSocket } from 'node:tls'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openCuttingProxy } from '../../soak/cutting-proxy.js'
import { type Database, openDatabase, type TransactionSql } from '../../src/database/database.js'
import { watchDatabase } from '../../src/database/database-watchdog.js'
import { isUnreachable } from '../../src/database/errors.js'
import { createRandom } from '../../src/sandbox/random.js'
import { administer } from '../support/database.js'

const url = inject('databaseUrl')

test('statements of a transaction after a lost connection are never executed', async () => {
  const { db, log } = await newTable({ connections: 2 })
  const lost = db.begin(async (sql) => {
    await log.insert(sql, 'before')
    await cutOff(sql)
    // The pool opens new connections meanwhile.
    await untilUsable(db)
    await log.insert(sql, 'after')
  })
  await expect(lost).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  await expect(lost).rejects.toSatisfy(isUnreachable)
  expect(await log.all()).toEqual([])
})

test('a lost connection does not end the transaction of another client', async () => {
  const { db, log } = await newTable({ connections: 1 })
  let isOver = false
  const lost = db
    .begin(async (sql) => {
      await log.insert(sql, 'lost')
      await cutOff(sql)
      // By now another client has the only connection.
      await sleep(200)
      throw new Error('and is to be rolled back')
    })
    .catch(() => {
      isOver = true
    })
  const kept = untilUsable(db).then(() =>
    db.begin(async (sql) => {
      await log.insert(sql, 'one')
      await sleep(400)
      await log.insert(sql, 'two')
    }),
  )
  await Promise.all([lost, kept])
  expect(isOver).toBe(true)
  expect(await log.all()).toEqual(['one', 'two'])
})

test('wherever transactions lose their connections, the process survives, and each transaction is stored completely or not at all', async () => {
  const { db, log, name: table } = await newTable({ connections: 4 })
  const random = createRandom('lost connections')
  const acknowledged: string[] = []

  async function write(name: string): Promise<void> {
    try {
      await db.begin(async (sql) => {
        await log.insert(sql, `${name} begun`)
        await sql.savepoint(async () => {
          await log.insert(sql, `${name} within`)
          if (random.chance(0.3)) await sleep(1)
        })
        await log.insert(sql, `${name} ended`)
      })
      acknowledged.push(name)
    } catch (error) {
      expect(error).toSatisfy(isUnreachable)
    }
  }

  for (let round = 0; round < 15; round += 1) {
    const writing = Array.from({ length: 12 }, (_, index) => write(`${round}.${index}`))
    await sleep(random.integer(0, 12))
    await administer(
      inject('serverUrl'),
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${table}'`,
    )
    await Promise.all(writing)
  }
  await untilUsable(db)
  const rows = await log.all()
  const counts = new Map<string, number>()
  for (const row of rows) {
    const name = row.split(' ')[0] as string
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  expect([...counts.values()].filter((count) => count !== 3)).toEqual([])
  expect(acknowledged.filter((name) => !counts.has(name))).toEqual([])
  expect(acknowledged.length).toBeGreaterThan(0)
})

test('an unresponsive database is detected, and used again when it responds', async () => {
  const { db, proxy, changes } = await watchedDatabase()
  await db`select 1`
  proxy.hold(true)
  await expect(db`select 1`).rejects.toSatisfy(isUnreachable)
  await expect(db.begin((sql) => sql`select 1`)).rejects.toSatisfy(isUnreachable)
  expect(changes).toEqual([false])
  proxy.hold(false)
  await untilUsable(db)
  expect(changes).toEqual([false, true])
})

test('a slow statement is not mistaken for an unresponsive database', async () => {
  const { db, changes } = await watchedDatabase()
  expect(await db`select 1 as one, pg_sleep(2.5)::text as slept`).toEqual([{ one: 1, slept: '' }])
  expect(changes).toEqual([])
})

test('every query issued while connections are lost settles', async () => {
  const { db, proxy } = await behindProxy({ connections: 3 })
  for (let round = 0; round < 20; round += 1) {
    const requested: Promise<unknown>[] = []
    for (let turn = 0; turn < 40; turn += 1) {
      requested.push(rejectionOf(db`select ${turn}::integer`), rejectionOf(db.begin((sql) => sql`select 1`)))
      if (turn === 20) proxy.reset()
      await nextTurn()
    }
    const reasons = await Promise.all(requested)
    expect(reasons.filter((reason) => reason !== undefined && !isUnreachable(reason))).toEqual([])
  }
  await untilUsable(db)
})

test.runIf(canMakeCertificates())('lost connections are handled the same with TLS (needs openssl)', async () => {
  const { db, proxy, isSecure } = await behindProxy({ connections: 3, isSecure: true })
  expect(await db`select 1 as one`).toEqual([{ one: 1 }])
  expect(isSecure()).toBe(true)
  for (let round = 0; round < 10; round += 1) {
    const requested: Promise<unknown>[] = []
    for (let turn = 0; turn < 20; turn += 1) {
      const transaction = db.begin((sql) => sql.savepoint(() => sql`select 1`))
      requested.push(rejectionOf(db`select ${turn}::integer`), rejectionOf(transaction))
      if (turn === 10) proxy.reset()
      await nextTurn()
    }
    const reasons = await Promise.all(requested)
    expect(reasons.filter((reason) => reason !== undefined && !isUnreachable(reason))).toEqual([])
    await untilUsable(db)
  }
})

test('a pool that has lost connections can be closed', async () => {
  const { db } = await newTable({ connections: 2 })
  await expect(db.begin((sql) => cutOff(sql).then(() => sql`select 1`))).rejects.toSatisfy(isUnreachable)
  await untilUsable(db)
  await db.end()
  await expect(db`select 1`).rejects.toMatchObject({ code: 'CONNECTION_ENDED' })
})

async function newTable(options: { connections: number }) {
  const name = `said_${randomBytes(6).toString('hex')}`
  const db = openDatabase({ url }, { ...options, name })
  await db.unsafe(`create table ${name} (place serial, words text)`)
  onTestFinished(async () => {
    await db.end({ timeout: 1 })
    const last = openDatabase({ url }, { connections: 1 })
    await last.unsafe(`drop table ${name}`)
    await last.end()
  })
  const log = {
    insert: (sql: TransactionSql, words: string) => sql`insert into ${sql(name)} (words) values (${words})`,
    async all(): Promise<string[]> {
      const rows = await db<{ words: string }[]>`select words from ${db(name)} order by place`
      return rows.map(({ words }) => words)
    },
  }
  return { db, log, name }
}

/** Terminates the connection of a transaction on the server. */
async function cutOff(sql: TransactionSql): Promise<void> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  await administer(inject('serverUrl'), `select pg_terminate_backend(${row?.pid}, 5000)`)
}

/** The reason of a rejection; undefined on success. */
function rejectionOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
}

async function untilUsable(db: Database): Promise<void> {
  for (let isUsable = false; !isUsable; ) {
    isUsable = await db`select 1`.then(
      () => true,
      () => false,
    )
    if (!isUsable) await sleep(20)
  }
}

/** A database with the watchdog of a service, behind a proxy. */
async function watchedDatabase() {
  const { db, proxy } = await behindProxy({ connections: 2 })
  const stop = new AbortController()
  const changes: boolean[] = []
  const watching = watchDatabase(db, { signal: stop.signal, onChange: (isAvailable) => void changes.push(isAvailable) })
  onTestFinished(async () => {
    stop.abort()
    await watching
  })
  return { db, proxy, changes }
}

async function behindProxy({ connections, isSecure = false }: { connections: number; isSecure?: boolean }) {
  const given = new URL(url)
  const host = given.searchParams.get('host')
  const place = host ? { path: `${host}/.s.PGSQL.${given.port || 5432}` } : { port: Number(given.port || 5432) }
  const proxy = await openCuttingProxy(place, { random: createRandom('between') })
  const outer = isSecure ? await tlsProxy(proxy.port as number) : undefined
  given.searchParams.delete('host')
  given.hostname = '127.0.0.1'
  given.port = String(outer?.port ?? proxy.port)
  if (isSecure) given.searchParams.set('sslmode', 'require')
  const db = openDatabase({ url: given.href }, { connections })
  onTestFinished(async () => {
    await db.end({ timeout: 1 })
    await proxy.close()
    outer?.close()
  })
  return { db, proxy, isSecure: () => (outer?.handshakes() ?? 0) > 0 }
}

/** Speaks TLS like PostgreSQL, and forwards the traffic. */
async function tlsProxy(target: number) {
  let handshakes = 0
  const { key, cert } = makeCertificate()
  const secureContext = createSecureContext({ key, cert })
  const server = createServer((raw) => {
    raw.on('error', () => raw.destroy())
    raw.once('data', () => {
      raw.write('S')
      const secure = new TLSSocket(raw, { isServer: true, secureContext })
      const upstream = connect(target, '127.0.0.1')
      secure.once('secure', () => {
        handshakes += 1
      })
      for (const [one, other] of [
        [secure, upstream],
        [upstream, secure],
      ] as const) {
        one.on('error', () => raw.resetAndDestroy())
        one.once('close', () => other.destroy())
        one.on('data', (bytes: Buffer) => other.write(bytes))
      }
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return { port, handshakes: () => handshakes, close: () => void server.close() }
}

function canMakeCertificates(): boolean {
  return spawnSync('openssl', ['version']).status === 0
}

function makeCertificate(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-certificate-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=localhost']
  spawnSync('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', cert, '-days', '2'])
  try {
    return { key: readFileSync(key), cert: readFileSync(cert) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
