import type { FastifyBaseLogger } from 'fastify'

const interval = 5 * 60_000
const batch = 2000

/** Removes old rows of a log periodically, in batches. The returned function stops that. */
export function removeOldRows(
  log: FastifyBaseLogger,
  name: string,
  removeBatch: (most: number) => Promise<number>,
): () => Promise<void> {
  let isStopped = false
  let removing: Promise<void> | undefined

  async function remove(): Promise<void> {
    try {
      const removed = await removeBatch(batch)
      if (removed === batch && !isStopped) await remove()
    } catch (error) {
      log.warn({ err: error }, `old rows of the ${name} could not be removed`)
    }
  }

  async function start(): Promise<void> {
    if (removing) return
    removing = remove()
    await removing
    removing = undefined
  }

  const timer = setInterval(() => void start(), interval).unref()
  return async () => {
    isStopped = true
    clearInterval(timer)
    await removing
  }
}
