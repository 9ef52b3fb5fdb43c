import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Storage } from '../../src/cli/open-storage.js'
import { importLines } from '../../src/ingest/lines/import.js'
import { listAccountsToEvaluate } from '../../src/store/exception-watches.js'
import { runExceptions } from '../../src/usecases/exceptions/run-exceptions.js'
import { asChunk, laterArrival, type OpenShipments } from './open-shipments.js'

type ImportOptions = Parameters<typeof importLines>[2]

/**
 * The service evaluates what is due, and meanwhile arrivals of shipments in all accounts move, one about every second: how long each
 * write takes, and then until its exception is raised.
 */
export async function measureChanges(
  storage: Storage,
  options: ImportOptions,
  shipments: OpenShipments,
  at: number,
): Promise<void> {
  const { db } = storage
  const stop = new AbortController()
  const eventLoop = monitorEventLoopDelay({ resolution: 5 })
  eventLoop.enable()
  const service = runExceptions(db, {
    signal: stop.signal,
    readTime: () => at,
    onError: (error) => console.error(error),
  })
  const writes: number[] = []
  const reflected: number[] = []
  // Over all accounts, a different one each time.
  const step = Math.max(1, Math.floor(shipments.count / 200) + 1)
  for (let index = 0; writes.length < 200 && (await isRunning()); index = (index + step) % shipments.count) {
    const began = performance.now()
    await importLines(storage, [asChunk([laterArrival(index, shipments)])] as never, options)
    const written = performance.now()
    while (!(await isRaised(index))) await sleep(20)
    writes.push(written - began)
    reflected.push(performance.now() - written)
    await sleep(500)
  }
  while (await isRunning()) await sleep(200)
  stop.abort()
  await service
  eventLoop.disable()
  console.log(
    `${writes.length} changes: ${described(reflected)} until the exception is raised; writes: ${described(writes)}`,
  )
  const [most, usual] = [eventLoop.max, eventLoop.percentile(99)].map((each) => Math.round(each / 1_000_000))
  console.log(`longest delay of the event loop: ${most} ms, 99 of 100 below ${usual} ms`)

  async function isRunning(): Promise<boolean> {
    return (await listAccountsToEvaluate(db, at)).length > 0
  }

  async function isRaised(index: number): Promise<boolean> {
    const [found] = await db`
      select from exceptions where svc_shipment_id = ${`S${index}`} and kind = 'eta_slip' and state <> 'closed'
        and account_id = (select account_id from accounts where slug = ${laterArrival(index, shipments).account ?? ''})`
    return found !== undefined
  }
}

function described(times: number[]): string {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
  return `median ${at(0.5)} ms, longest ${at(1)} ms`
}
