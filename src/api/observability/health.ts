import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../contract/refusals.js'
import type { Readiness } from './readiness.js'

/**
 * Live: the process responds. Ready: it can serve, which needs a reachable database with the current schema, and no shutdown
 * in progress. Degraded: documents cannot be stored, or there is no primary; the service stays ready, as the rest works.
 */
export function registerHealth(app: FastifyInstance, readiness: Readiness): void {
  const config = { operation: 'health' } as const
  app.get('/health/live', { config }, async () => ({ status: 'ok' }))
  app.get('/health/ready', { config }, async () => {
    const fault = await readiness.fault()
    if (fault !== undefined) throw new Refusal('service_unavailable', fault)
    const problems = [readiness.limitation(), await readiness.documentsFault()].filter((each) => each !== undefined)
    return problems.length === 0 ? { status: 'ok' } : { status: 'degraded', problems }
  })
}
