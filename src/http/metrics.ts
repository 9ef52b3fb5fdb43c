import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** `GET /metrics`, for Prometheus. */
export function registerMetrics(app: FastifyInstance): (operation: string, status: number, seconds: number) => void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'waybill_request_duration_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['operation', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const { operation = 'other' } = request.routeOptions.config
    durations.observe({ operation, method: request.method, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()))

  const known = new Map<string, { observe(seconds: number): void }>()
  return (operation, status, seconds) => {
    const name = `${operation} ${status}`
    const labelled = known.get(name) ?? durations.labels({ operation, method: 'GET', status })
    known.set(name, labelled)
    labelled.observe(seconds)
  }
}
