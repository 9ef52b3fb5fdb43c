import { errorReport } from '../error-report.js'
import type { SharedDatabase } from '../open-storage.js'
import { serveUntilStopped } from '../service-lifecycle.js'
import type { Settings } from '../settings.js'
import { interruptionOf, stopManually, stopSignal } from '../stop-signal.js'
import type { ToMain, ToWorker } from './ipc-messages.js'
import { workerChannel } from './worker-channel.js'

/**
 * Runs a worker: it serves on the address shared by all workers, with the database that the main process has opened. Node ends
 * it if the main process disappears.
 */
export async function serveAsWorker(settings: Settings): Promise<never> {
  const stopNow = followMainProcess()
  const stop = stopSignal()
  const channel = workerChannel(send)
  const database = new Promise<SharedDatabase>((resolve, reject) => {
    stop.addEventListener('abort', () => reject(stop.reason))
    process.on('message', (message: ToWorker) => {
      if (message.type === 'database') resolve(message.database)
      else if (message.type === 'stop') stopNow()
      else void channel.receive(message)
    })
    send({ type: 'ready' })
  })
  try {
    // Load the server while the main process opens the database.
    const [{ listen }, shared] = await Promise.all([import('../server.js'), database])
    return await serveUntilStopped(
      settings,
      async (storage) => {
        const running = await listen(storage, settings, { workerChannel: channel })
        send({ type: 'listening', addresses: running.announced })
        return running
      },
      shared,
    )
  } catch (error) {
    if (interruptionOf(error)) process.exit(0)
    const report = errorReport(error)
    await new Promise<void>((resolve) => send({ type: 'failure', report }, resolve))
    process.exit(report.exitCode)
  }
}

/**
 * The main process distributes connections, so it must stop doing that before the worker stops. A signal that reaches the
 * worker directly, such as Ctrl-C, is forwarded to the main process.
 */
function followMainProcess(): () => void {
  const stopNow = stopManually()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => send({ type: 'stopping' }))
  process.once('disconnect', stopNow)
  // The main process may have disconnected before the listener was added.
  if (!process.connected) process.exit(0)
  return stopNow
}

// If the main process is gone, the message is dropped and Node ends this process.
function send(message: ToMain, onSent = () => {}): void {
  process.send?.(message, undefined, undefined, onSent)
}
