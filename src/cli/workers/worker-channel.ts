import type { SharedCounter, WorkerChannel } from '../../api/limits/worker-channel.js'
import type { ToMain, ToWorker } from './ipc-messages.js'

const interval = 200

/** The channel to the other workers through the main process. Only requests for metrics wait for messages. */
export function workerChannel(
  send: (message: ToMain) => void,
): WorkerChannel & { receive(message: ToWorker): Promise<void> } {
  const counters = new Map<string, SharedCounter>()
  const providers = new Map<string, () => Promise<object[]>>()
  const pending = new Map<number, (metrics: object[][] | undefined) => void>()
  let lastRequest = 0

  function sendDeltas(): void {
    for (const [name, counter] of counters) {
      const delta = counter.takeDelta()
      if (delta) send({ type: 'counts', name, delta })
    }
  }
  setInterval(sendDeltas, interval).unref()

  return {
    shareCounter(name, counter) {
      counters.set(name, counter)
    },
    provideMetrics(name, read) {
      providers.set(name, read)
    },
    collectMetrics(name) {
      const request = (lastRequest += 1)
      return new Promise((resolve) => {
        pending.set(request, resolve)
        send({ type: 'collect metrics', request, name })
      })
    },
    async receive(message) {
      if (message.type === 'counts') counters.get(message.name)?.applyDelta(message.delta)
      if (message.type === 'read metrics') {
        const metrics = (await providers.get(message.name)?.()) ?? []
        send({ type: 'metrics', collection: message.collection, metrics })
      }
      if (message.type === 'collected metrics') {
        pending.get(message.request)?.(message.metrics)
        pending.delete(message.request)
      }
    },
  }
}
