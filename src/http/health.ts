import type { FastifyInstance } from 'fastify'
import { Refusal } from '../contract/refusals.js'
import type { Readiness } from './readiness.js'

/**
 * Alive: the process answers. Ready: it can serve, which it cannot without a database that has its schema, nor while it
 * stops. Degraded: it serves, but takes in no documents; that is no reason to send everybody else away.
 */
export function registerHealth(app: FastifyInstance, readiness: Readiness): void {
  const config = { operation: 'health' } as const
  app.get('/health/live', { config }, async () => ({ status: 'ok' }))
  app.get('/health/ready', { config }, async () => {
    const fault = await readiness.fault()
    if (fault !== undefined) throw new Refusal('service_unavailable', fault)
    const documentsFault = await readiness.documentsFault()
    return documentsFault === undefined ? { status: 'ok' } : { status: 'degraded', problems: [documentsFault] }
  })
}
