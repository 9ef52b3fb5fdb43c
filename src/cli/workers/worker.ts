import { countTogether } from '../../storage/own-writes.js'
import { SharedWrites, settleAfterOthers } from '../../storage/shared-writes.js'
import { explanationOf } from '../explanation.js'
import type { KeptDatabase } from '../open-storage.js'
import { serveUntilStopped } from '../serving.js'
import type { Settings } from '../settings.js'
import { interruptionOf, stopByHand, stopSignal } from '../stop-signal.js'
import { colleaguesThrough } from './colleagues.js'
import { type ToMain, type ToWorker, writesDescriptor } from './messages.js'

/**
 * One of the processes that serve: on the address that all of them share, with the database that the main process
 * has opened. Without that one it ends: Node sees to it.
 */
export async function serveAsWorker(settings: Settings): Promise<never> {
  const stopNow = obeyMainProcess()
  const stop = stopSignal()
  const colleagues = colleaguesThrough(tell)
  const database = new Promise<KeptDatabase>((resolve, reject) => {
    stop.addEventListener('abort', () => reject(stop.reason))
    process.on('message', (message: ToWorker) => {
      if (message.tells === 'database') resolve(message.database)
      else if (message.tells === 'stop') stopNow()
      else void colleagues.hear(message)
    })
    tell({ tells: 'hearing' })
  })
  try {
    // Loaded while the main process opens the database.
    const [{ listen }, kept] = await Promise.all([import('../server.js'), database])
    return await serveUntilStopped(
      settings,
      async (storage) => {
        const writes = new SharedWrites({ descriptor: writesDescriptor, posts: settings.workers }, kept.post)
        countTogether(storage.db, writes)
        void settleAfterOthers(storage.db, writes, stop)
        const listening = await listen(storage, settings, { colleagues })
        tell({ tells: 'listening', addresses: listening.announced })
        return listening
      },
      kept,
    )
  } catch (error) {
    if (interruptionOf(error)) process.exit(0)
    const explanation = explanationOf(error)
    await new Promise<void>((resolve) => tell({ tells: 'failure', explanation }, resolve))
    process.exit(explanation.exitCode)
  }
}

/**
 * Connections come by way of the main process: it stops sending any first, and then tells us. A signal that reaches us
 * as well, as Ctrl-C does, is passed on.
 */
function obeyMainProcess(): () => void {
  const stopNow = stopByHand()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tell({ tells: 'leaving' }))
  process.once('disconnect', stopNow)
  // It may have let us go before we began to listen.
  if (!process.connected) process.exit(0)
  return stopNow
}

// Where the main process has gone there is nobody to tell, and Node ends this one.
function tell(message: ToMain, onSent = () => {}): void {
  process.send?.(message, undefined, undefined, onSent)
}
