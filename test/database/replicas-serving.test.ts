import { expect, test } from 'vitest'
import { openDatabase } from '../../src/database/database.js'
import { newAccount } from '../support/account.js'
import { runProgram, startServing, temporaryFolder, until } from '../support/program.js'
import { startPrimaryAndStandby } from '../support/replica.js'
import { startService } from '../support/service.js'
import { connectToAll, messagesOf, startWorkers } from '../support/workers.js'

const { primaryUrl, standby } = await startPrimaryAndStandby()
// Used to create accounts; the program is what is tested.
const service = await startService({ db: openDatabase({ url: primaryUrl }) })

// An unused port.
const away = 'postgres://waybill:s3cr3t-word@127.0.0.1:1/waybill'

test('every worker reads from the configured replicas and exits cleanly', async () => {
  const { key, forwarder } = await newAccount(service)
  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S-1', name: 'first' } })
  const serving = await startWorkers(2, {
    DATABASE_URL: primaryUrl,
    DATABASE_READ_URLS: ` ${standby.url} , ${away}`,
    WAYBILL_RESPONSE_CACHE: '0',
  })
  const workers = await connectToAll(serving, 2, key)
  await until(async () => {
    for (const worker of workers) expect((await worker.ask('/v1/shipments')).text).toContain('first')
    const requested = await standby.servingProcesses()
    return requested.filter(({ query }) => query.includes('from shipments')).length >= workers.length
  })
  await expect.poll(() => messagesOf(serving).filter((message) => message === 'reading from a replica')).toHaveLength(2)
  await expect
    .poll(() => messagesOf(serving).filter((message) => message.startsWith('a replica is unavailable')))
    .toHaveLength(2)
  for (const worker of workers) worker.close()
  serving.kill('SIGTERM')
  const { code, stdout, stderr } = await serving.ended
  expect(code).toBe(0)
  expect(stderr).toBe('')
  expect(stdout).not.toContain('s3cr3t-word')
  await until(async () => (await standby.servingProcesses()).length === 0)
})

test('the embedded database can be replicated as well, and an unreachable replica is harmless', async () => {
  const env = { WAYBILL_DATA_DIR: await temporaryFolder(), DATABASE_READ_URLS: away }
  const serving = await startServing({ env })
  expect(await runProgram(['account', 'create', 'northwind', '--name', 'Northwind'], { env })).toMatchObject({
    code: 0,
  })
  const created = await runProgram(['key', 'create', '--account', 'northwind'], { env })
  const headers = { authorization: `Bearer ${created.stdout.trim()}` }
  for (let read = 0; read < 5; read += 1) {
    expect((await fetch(`${serving.baseUrl}/v1/locations?skip=${read}`, { headers })).status).toBe(200)
  }
  serving.kill('SIGTERM')
  expect(await serving.ended).toMatchObject({ code: 0, stderr: '' })
})
