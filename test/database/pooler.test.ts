import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, inject, onTestFinished, test } from 'vitest'
import { findDatabaseFailure } from '../../src/cli/database-failure.js'
import { withStorage } from '../../src/cli/open-storage.js'
import { readSettings } from '../../src/cli/settings.js'
import { isPooledByTransaction } from '../../src/database/pooler.js'

const url = inject('databaseUrl')

test('a pooler that shares connections between transactions is refused at the start, with what to do', async () => {
  const pooled = await startTransactionPooler()
  expect(await isPooledByTransaction({ url: pooled })).toBe(true)
  const settings = readSettings({ DATABASE_URL: pooled })
  await expect(withStorage(settings, async () => {})).rejects.toThrow(
    /^DATABASE_URL leads to a connection pooler that gives each transaction another connection/,
  )
})

test('PostgreSQL itself is not taken for a pooler', async () => {
  expect(await isPooledByTransaction({ url })).toBe(false)
})

test('a pooler that refuses a setting of the connection is explained', () => {
  const error = Object.assign(new Error('unsupported startup parameter: statement_timeout'), { code: '08P01' })
  expect(findDatabaseFailure(error, 'postgres://waybill@pooler:6432/waybill')).toMatchObject({
    message: expect.stringContaining('unsupported startup parameter: statement_timeout'),
    advice: expect.stringContaining('ignore_startup_parameters'),
  })
})

/** Like PgBouncer with one connection: clients that take turns share it. */
async function startTransactionPooler(): Promise<string> {
  const given = new URL(url)
  const host = given.searchParams.get('host')
  const upstream = host
    ? connect(`${host}/.s.PGSQL.${given.port || 5432}`)
    : connect(Number(given.port || 5432), given.hostname)
  let greeting: Buffer | undefined
  let current: Socket | undefined
  upstream.on('data', (bytes) => {
    if (greeting) return current?.write(bytes)
    greeting = Buffer.from(bytes)
    // Its own number instead of the id of the process, in the message K, which precedes Z.
    greeting.writeInt32BE(77, greeting.lastIndexOf('K') + 5)
    return current?.write(greeting)
  })
  const server = createServer((client) => {
    let hasStarted = false
    client.on('error', () => {})
    client.on('data', (bytes) => {
      current = client
      const isStart = !hasStarted
      hasStarted = true
      // X: the client leaves, the connection stays.
      if (bytes[0] === 'X'.charCodeAt(0)) return client.end()
      return isStart && greeting ? client.write(greeting) : upstream.write(bytes)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    upstream.destroy()
    server.close()
  })
  given.searchParams.delete('host')
  given.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return given.href
}
