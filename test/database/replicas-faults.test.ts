import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { writeBackup } from '../../src/database/backup/backup.js'
import { restoreBackup } from '../../src/database/backup/restore.js'
import { openDatabase } from '../../src/database/database.js'
import { line } from '../support/account.js'
import { changeOrder, countedReplica, startReplicatedService } from '../support/replicated-service.js'
import { startService } from '../support/service.js'

const followed = await startReplicatedService()
const { primaryUrl, standby, replica, service, counting, untilReadFromReplica } = followed

afterEach(() => standby.resume())

test('a replica that accepts connections but never responds delays no read', async () => {
  const connections = new Set<Socket>()
  const silent = createServer((socket) => void connections.add(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const url = `postgres://waybill@127.0.0.1:${(silent.address() as AddressInfo).port}/waybill`
  const other = await startService({ db: openDatabase({ url: primaryUrl }), replicas: [countedReplica(url)] })
  const account = await followed.newAccount()
  for (let read = 0; read < 20; read += 1) {
    expect((await account.callAt(other, 'listShipments', { query: { take: 1 + read } })).status).toBe(200)
  }
  // They were served while the first connection attempt was still running.
  expect(connections.size).toBe(1)
  for (const socket of connections) expect(socket.readableEnded || socket.destroyed).toBe(false)
  for (const socket of connections) socket.destroy()
  silent.close()
})

test('of two replicas the available one is used', async () => {
  const there = countedReplica(standby.url)
  const away = countedReplica('postgres://waybill@127.0.0.1:1/waybill')
  const db = openDatabase({ url: primaryUrl })
  const other = await startService({ db, replicas: [away, there], cacheBytes: 0 })
  const account = await followed.newAccount()
  await untilReadFromReplica(account)
  while (there.count() < 10) expect((await account.callAt(other, 'listShipments')).status).toBe(200)
  const before = { there: there.count(), away: away.count() }
  for (let read = 0; read < 10; read += 1) await account.callAt(other, 'listShipments')
  expect(there.count() - before.there).toBe(10)
  // One more probe at most.
  expect(away.count() - before.away).toBeLessThanOrEqual(1)
})

test('a replica that stops responding is marked unavailable, and used again when it responds', async () => {
  const account = await followed.newAccount()
  await untilReadFromReplica(account)
  const frozen = await standby.servingProcesses()
  expect(frozen.length).toBeGreaterThan(0)
  for (const { pid } of frozen) process.kill(pid, 'SIGSTOP')
  try {
    for (let round = 0; round < 3; round += 1) {
      const responses = await Promise.all(Array.from({ length: 10 }, () => account.call('listShipments')))
      expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200))
    }
    await changeOrder(account, { sku: 'second' })
    expect((await account.call('listPurchaseOrders')).text).toContain('second')
  } finally {
    for (const { pid } of frozen) process.kill(pid, 'SIGCONT')
  }
  await untilReadFromReplica(account)
})

test('a long list started by a dying replica is completed by the primary', async () => {
  const account = await followed.newAccount()
  const count = 4000
  const filling = 'x'.repeat(200)
  await account.forwarder.imports(
    ...Array.from({ length: count }, (_, index) => ({
      kind: 'purchase_order' as const,
      data: {
        reference: `L-${index}`,
        product_lines: Array.from({ length: 20 }, () => line({ sku: filling })),
      },
    })),
  )
  await untilReadFromReplica(account)
  const before = replica.count()
  const headers = { authorization: `Bearer ${account.key}`, 'accept-encoding': 'identity' }
  const [response] = (await once(get(`${service.baseUrl}/v1/purchaseOrders`, { headers }), 'response')) as [
    IncomingMessage,
  ]
  expect(response.statusCode).toBe(200)
  // The client does not read, so only buffers are filled.
  expect(replica.count() - before).toBeGreaterThanOrEqual(2)
  await standby.kill()
  const begun = replica.count() - before
  const requested = await counting(async () => {
    const orders = JSON.parse(await text(response)) as { po_number: string }[]
    expect(new Set(orders.map(({ po_number }) => po_number)).size).toBe(count + 1)
  })
  expect(requested.primary).toBeGreaterThan(0)
  expect(begun + requested.primary).toBeGreaterThanOrEqual(count / 500)
  await standby.start()
  await untilReadFromReplica(account)
})

test('a restored database is not read from a replica that has not seen the restore, even if its revision is higher', async () => {
  const account = await followed.newAccount()
  const path = join(service.dataFolder, 'backup.tar.gz')
  const { signal } = new AbortController()
  await writeBackup(service, path, signal)
  await changeOrder(account, { sku: 'second' })
  await untilReadFromReplica(account)
  expect((await account.call('listPurchaseOrders')).text).toContain('second')

  await standby.pause()
  const file = await open(path)
  await restoreBackup(service, file, signal)
  await file.close()
  for (let round = 0; round < 3; round += 1) {
    expect((await account.call('listPurchaseOrders')).text).toContain('first')
    expect((await account.call('getPurchaseOrder', { params: { reference: 'P-1' } })).text).toContain('first')
  }
  await standby.resume()
  await untilReadFromReplica(account)
  expect((await account.call('listPurchaseOrders')).text).toContain('first')
})
