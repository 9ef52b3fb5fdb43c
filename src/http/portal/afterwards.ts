import type { FastifyInstance, FastifyRequest } from 'fastify'

export type Afterwards = (request: FastifyRequest, work: () => Promise<void>) => void

/** Does what no answer waits for. A service that closes waits for it; a failure is told in the log. */
export function openAfterwards(app: FastifyInstance): Afterwards {
  const underWay = new Set<Promise<void>>()
  app.addHook('onClose', async () => void (await Promise.all(underWay)))

  return (request, work) => {
    const done: Promise<void> = work()
      .catch((error: unknown) => request.log.error({ err: error }, 'what was to be done after an answer has failed'))
      .finally(() => underWay.delete(done))
    underWay.add(done)
  }
}
