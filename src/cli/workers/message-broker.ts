import type { CounterDelta } from '../../api/limits/worker-channel.js'
import type { ToMain, ToWorker } from './ipc-messages.js'

export type BrokerClient = { send(message: ToWorker): void }

type Collection = { missing: Set<BrokerClient>; metrics: object[][]; end(metrics: object[][] | undefined): void }

const collectionTimeout = 2000

export type MessageBroker = ReturnType<typeof messageBroker>

/**
 * Distributes counter increments between the workers and collects their metrics, in the main process. `ownMetrics` adds those
 * of the main process, for a number of workers.
 */
export function messageBroker(ownMetrics: (workers: number) => object[]) {
  const workers = new Set<BrokerClient>()
  const totals = new Map<string, { window: number; counts: Map<string, number> }>()
  const collections = new Map<number, Collection>()
  let lastCollection = 0

  function add(worker: BrokerClient): void {
    workers.add(worker)
    // A new worker needs the counts of the current window.
    for (const [name, { window, counts }] of totals) {
      worker.send({ type: 'counts', name, delta: { window, counts: [...counts] } })
    }
  }

  function forwardCounts(from: BrokerClient, name: string, delta: CounterDelta): void {
    addTotals(name, delta)
    for (const worker of workers) if (worker !== from) worker.send({ type: 'counts', name, delta })
  }

  function addTotals(name: string, { window, counts }: CounterDelta): void {
    const known = totals.get(name)
    if (known && known.window > window) return
    const total = known?.window === window ? known : { window, counts: new Map<string, number>() }
    for (const [id, count] of counts) total.counts.set(id, (total.counts.get(id) ?? 0) + count)
    totals.set(name, total)
  }

  function collect(from: BrokerClient, name: string, request: number): void {
    const collection = (lastCollection += 1)
    const timer = setTimeout(() => collections.get(collection)?.end(undefined), collectionTimeout)
    collections.set(collection, {
      missing: new Set(workers),
      metrics: [],
      end(metrics) {
        clearTimeout(timer)
        collections.delete(collection)
        from.send({ type: 'collected metrics', request, metrics: metrics && [...metrics, ownMetrics(workers.size)] })
      },
    })
    for (const worker of workers) worker.send({ type: 'read metrics', collection, name })
  }

  function settle(collection: Collection, worker: BrokerClient): void {
    collection.missing.delete(worker)
    if (collection.missing.size === 0) collection.end(collection.metrics)
  }

  return {
    remove(worker: BrokerClient): void {
      workers.delete(worker)
      for (const collection of collections.values()) if (collection.missing.has(worker)) settle(collection, worker)
    },
    receive(worker: BrokerClient, message: ToMain): void {
      if (message.type === 'listening') add(worker)
      if (message.type === 'counts') forwardCounts(worker, message.name, message.delta)
      if (message.type === 'collect metrics') collect(worker, message.name, message.request)
      if (message.type === 'metrics') {
        const collection = collections.get(message.collection)
        collection?.metrics.push(message.metrics)
        if (collection) settle(collection, worker)
      }
    },
  }
}
