import type { FastifyInstance, FastifyRequest } from 'fastify'

export type Defer = (request: FastifyRequest, work: () => Promise<void>) => void

/** Runs work that the response does not wait for. Shutdown waits for it; failures are logged. */
export function deferredWork(app: FastifyInstance): Defer {
  const running = new Set<Promise<void>>()
  app.addHook('onClose', async () => void (await Promise.all(running)))

  return (request, work) => {
    const done: Promise<void> = work()
      .catch((error: unknown) => request.log.error({ err: error }, 'deferred work failed'))
      .finally(() => running.delete(done))
    running.add(done)
  }
}
