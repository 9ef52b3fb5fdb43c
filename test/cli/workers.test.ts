import { createServer } from 'node:net'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { line, newAccount } from '../support/account.js'
import { samplesIn, valueIn } from '../support/metrics.js'
import { withinOneMinute } from '../support/one-minute.js'
import {
  isRunning,
  runProgram,
  type Serving,
  serverPid,
  startProgram,
  startServing,
  temporaryFolder,
  until,
} from '../support/program.js'
import { startService } from '../support/service.js'
import { type Connection, connectToAll, messagesOf, startWorkers, workersOf } from '../support/workers.js'

// Used to create accounts; the program is what is tested.
const service = await startService()

describe('three workers', async () => {
  const serving = await startWorkers(3)
  const open: Connection[] = []
  afterAll(() => open.forEach((connection) => connection.close()))

  async function connections(key?: string): Promise<Connection[]> {
    const made = await connectToAll(serving, 3, key)
    open.push(...made)
    return made
  }

  test('workers share one address, which the main process logs once', () => {
    expect(workersOf(serving.pid)).toHaveLength(3)
    expect(messagesOf(serving)).toEqual([`Server listening at ${serving.baseUrl}`])
  })

  test('a write through one worker is visible through every other at once, even if responses were cached', async () => {
    const { key } = await newAccount(service)
    const workers = await connections(key)
    const [first] = workers as [Connection]
    const created = await first.ask('/v1/purchaseOrders', {
      method: 'POST',
      body: { reference: 'PO-1', product_lines: [line({ ordered_quantity: 1 })] },
    })
    expect(created.status).toBe(201)
    for (let quantity = 2; quantity < 40; quantity += 1) {
      // Twice each, so that every worker has the response in its cache.
      for (const worker of [...workers, ...workers]) {
        for (const path of ['/v1/purchaseOrders/PO-1', '/v1/purchaseOrders']) {
          expect((await worker.ask(path)).text).toContain(`"ordered_quantity":${quantity - 1},`)
        }
      }
      const writer = workers[quantity % workers.length] as Connection
      const body = { reference: 'PO-1', product_lines: [line({ ordered_quantity: quantity })] }
      const written = await writer.ask('/v1/purchaseOrders', { method: 'PATCH', body })
      expect(written.status).toBe(200)
      const reads = await Promise.all(
        workers.flatMap((worker) => [worker.ask('/v1/purchaseOrders/PO-1'), worker.ask('/v1/purchaseOrders')]),
      )
      for (const { status, text } of reads) {
        expect(status).toBe(200)
        expect(text).toContain(`"ordered_quantity":${quantity},`)
      }
      expect(new Set(reads.map(({ worker }) => worker)).size).toBe(3)
    }
  })

  test('a revoked key stops working at every worker at once', async () => {
    const { key, key_id } = await newAccount(service)
    const workers = await connections(key)
    for (const worker of workers) expect((await worker.ask('/v1/locations')).status).toBe(200)
    const env = { DATABASE_URL: inject('databaseUrl') }
    expect(await runProgram(['key', 'revoke', key_id], { env })).toMatchObject({ code: 0 })
    for (const worker of workers) expect((await worker.ask('/v1/locations')).status).toBe(401)
  })

  test('metrics are summed over all workers, whichever of them responds', async () => {
    const { key } = await newAccount(service)
    const workers = await connections(key)
    const before = await Promise.all(workers.map(countOfLocations))
    expect(new Set(before).size).toBe(1)
    for (const worker of workers) {
      for (let count = 0; count < 5; count += 1) expect((await worker.ask('/v1/locations')).status).toBe(200)
    }
    // A response is counted after it was sent, so the client may read it earlier.
    for (const worker of workers) {
      await until(async () => (await countOfLocations(worker)) === (before[0] as number) + 15)
    }
    const { headers, text } = await (workers[0] as Connection).ask('/metrics')
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(text.match(/^process_cpu_seconds_total /gm)).toHaveLength(1)
    const samples = samplesIn(text)
    expect(valueIn(samples, 'waybill_workers')).toBe(3)
    expect(valueIn(samples, 'waybill_worker_ends_total')).toBe(0)
    // Metrics of processes are summed, those of the database are not, and the version is one.
    expect(valueIn(samples, 'waybill_database_connections_limit')).toBe(6)
    expect(valueIn(samples, 'waybill_database_up')).toBe(1)
    expect(valueIn(samples, 'waybill_documents_writable')).toBe(1)
    expect(valueIn(samples, 'waybill_info')).toBe(1)
  })
})

test('the rate limit of a key applies across all workers, including ones started later', async () => {
  const limit = 100
  const serving = await startWorkers(2, { WAYBILL_RATE_LIMIT: String(limit) })
  await withinOneMinute(async () => {
    const { key } = await newAccount(service)
    const [busy, other] = (await connectToAll(serving, 2, key)) as [Connection, Connection]
    for (let count = 0; count < limit; count += 1) await busy.ask('/v1/locations')
    let requested = 0
    await until(async () => {
      requested += 1
      return (await other.ask('/v1/locations')).status === 429
    })
    for (const pid of workersOf(serving.pid)) {
      const arrivals = countOfStarts(serving)
      process.kill(pid, 'SIGKILL')
      await until(() => countOfStarts(serving) > arrivals)
    }
    const late = await Promise.all((await connectToAll(serving, 2, key)).map((worker) => worker.ask('/v1/locations')))
    expect(requested).toBeLessThan(limit / 2)
    expect(late.map(({ status }) => status)).toEqual([429, 429])
    expect(late.map(({ headers }) => headers['ratelimit-remaining'])).toEqual(['0', '0'])
  })
})

test('a killed worker is replaced, after a longer pause each time, while the others serve', async () => {
  const serving = await startWorkers(2)
  const [stays] = workersOf(serving.pid) as [number]
  for (const pause of ['0.25', '0.5', '1']) {
    const doomed = workersOf(serving.pid).find((pid) => pid !== stays) as number
    process.kill(doomed, 'SIGKILL')
    const expected = `worker ${doomed} exited (SIGKILL); starting another one in ${pause} s`
    await until(() => messagesOf(serving).includes(expected))
    expect((await fetch(`${serving.baseUrl}/health/ready`)).status).toBe(200)
    await until(() => {
      const next = workersOf(serving.pid).find((pid) => pid !== stays)
      return messagesOf(serving).includes(`worker ${next} is listening`)
    })
  }
  const [worker] = (await connectToAll(serving, 2)) as [Connection]
  expect(valueIn(samplesIn((await worker.ask('/metrics')).text), 'waybill_worker_ends_total')).toBe(3)
})

test.each([
  ['the main process is', 'SIGTERM', (main: number) => [main]],
  ['all processes are', 'SIGINT', (main: number, workers: number[]) => [...workers, main]],
] as const)(
  'when %s stopped, workers complete accepted requests, and all processes exit with 0',
  async (_, signal, targets) => {
    const serving = await startWorkers(2)
    const { id, key } = await newAccount(service)
    const pids = workersOf(serving.pid)
    const [connection] = (await connectToAll(serving, 2, key)) as [Connection]
    const body = { reference: 'PO-1', product_lines: [line()] }
    let response: ReturnType<Connection['ask']> | undefined
    await service.db.begin(async (tx) => {
      const [row] = await tx`select pg_backend_pid() as pid from accounts where account_id = ${id} for update`
      response = connection.ask('/v1/purchaseOrders', { method: 'POST', body })
      await until(
        async () =>
          (await service.db`select from pg_stat_activity where ${row?.pid} = any(pg_blocking_pids(pid))`).length > 0,
      )
      for (const pid of targets(serving.pid, pids)) process.kill(pid, signal)
      await until(() => isRefused(serving))
      expect(await Promise.all(pids.map(isRunning))).toContain(true)
    })
    expect((await response)?.status).toBe(201)
    expect(await serving.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
    expect(await Promise.all(pids.map(isRunning))).toEqual([false, false])
  },
)

test('a worker that receives SIGTERM itself exits with 0 and is replaced, while the others serve', async () => {
  const serving = await startWorkers(2)
  const [leaving] = workersOf(serving.pid) as [number]
  process.kill(leaving, 'SIGTERM')
  const expected = `worker ${leaving} exited (exit code 0); starting another one in 0.25 s`
  await until(async () => {
    // An idle connection may be closed at any time; completed responses must be right.
    const metrics = await fetch(`${serving.baseUrl}/metrics`).catch(() => undefined)
    expect(metrics?.status ?? 200).toBe(200)
    return messagesOf(serving).includes(expected)
  })
  await until(() => countOfStarts(serving) === 1)
  await connectToAll(serving, 2)
})

test('workers that are stopped while they start exit with 0', async () => {
  const folder = await temporaryFolder()
  const program = startProgram(['serve'], { env: { WAYBILL_DATA_DIR: folder, PORT: '0', WAYBILL_WORKERS: '2' } })
  await until(() => workersOf(program.pid).length >= 2)
  const pids = workersOf(program.pid)
  program.kill('SIGTERM')
  expect(await program.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  expect(await serverPid(folder)).toBeUndefined()
  await until(async () => !(await Promise.all(pids.map(isRunning))).includes(true))
})

test('workers share the database of their main process, and it stops with the last of them', async () => {
  const folder = await temporaryFolder()
  const serving = await startServing({ env: { WAYBILL_DATA_DIR: folder, WAYBILL_WORKERS: '2' } })
  for (const worker of await connectToAll(serving, 2)) {
    expect((await worker.ask('/health/ready')).status).toBe(200)
    worker.close()
  }
  const server = (await serverPid(folder)) as number
  process.kill(server, 'SIGKILL')
  await until(async () => ![undefined, server].includes(await serverPid(folder)))
  for (const worker of await connectToAll(serving, 2)) {
    await until(async () => (await worker.ask('/health/ready')).status === 200)
  }
  serving.kill('SIGTERM')
  expect(await serving.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  expect(await serverPid(folder)).toBeUndefined()
})

test('workers do not outlive the main process', async () => {
  const serving = await startWorkers(2)
  const pids = workersOf(serving.pid)
  expect(pids).toHaveLength(2)
  serving.kill('SIGKILL')
  await until(async () => !(await Promise.all(pids.map(isRunning))).includes(true))
  expect(await isRefused(serving)).toBe(true)
})

test('operators have a separate port at every worker', async () => {
  const serving = await startWorkers(2, { WAYBILL_OPS_PORT: '0' })
  // Each address is logged when it is open: the second a little later.
  const reported = () => messagesOf(serving).filter((message) => message.startsWith('Server listening at '))
  await until(() => reported().length === 2)
  const baseUrl = (reported()[1] as string).replace('Server listening at ', '')
  expect(baseUrl).not.toBe(serving.baseUrl)
  const workers = await connectToAll({ ...serving, baseUrl }, 2)
  for (const worker of workers) {
    expect((await worker.ask('/ops/v1/accounts')).status).toBe(401)
    expect((await worker.ask('/v1/shipments')).status).toBe(404)
  }
  await until(async () => {
    const { text } = await (workers[0] as Connection).ask('/metrics')
    return text.includes(
      'waybill_requests_total{interface="operator",operation="listAccounts",method="GET",status="401"} 2\n',
    )
  })
})

test('workers that cannot start fail like a single process: once, with the same message', async () => {
  const occupant = createServer().listen(0, '127.0.0.1')
  afterAll(() => occupant.close())
  await until(() => occupant.listening)
  const { port } = occupant.address() as { port: number }
  const env = { DATABASE_URL: inject('databaseUrl'), PORT: String(port) }
  const alone = await runProgram(['serve'], { env })
  const together = await runProgram(['serve', '--workers', '3'], { env })
  expect(together).toEqual(alone)
  expect(together).toMatchObject({
    code: 1,
    stderr: `waybill: 127.0.0.1:${port} is in use: stop the program that uses it, or choose another PORT\n`,
  })
})

test('without its database the command fails like a single process, and leaves no worker', async () => {
  const env = { DATABASE_URL: 'postgres://waybill@127.0.0.1:1/waybill', PORT: '0' }
  const alone = await runProgram(['serve'], { env })
  expect(await runProgram(['serve', '--workers', '2'], { env })).toEqual(alone)
  expect(alone.code).toBe(1)
})

async function countOfLocations(worker: Connection): Promise<number> {
  const { status, text } = await worker.ask('/metrics')
  expect(status).toBe(200)
  const counted =
    /^waybill_requests_total\{interface="public",operation="listLocations",method="GET",status="200"\} (\d+)$/m
  return Number(counted.exec(text)?.[1] ?? 0)
}

function countOfStarts(serving: Serving): number {
  return messagesOf(serving).filter((message) => message.endsWith(' is listening')).length
}

async function isRefused({ baseUrl }: Serving): Promise<boolean> {
  return fetch(`${baseUrl}/health/live`).then(
    () => false,
    () => true,
  )
}
