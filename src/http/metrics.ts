import type { FastifyInstance } from 'fastify'
import { AggregatorRegistry, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { Refusal } from '../contract/refusals.js'
import type { Service } from './service.js'

/** `GET /metrics`, for Prometheus: of all workers, whichever of them is asked. */
export function registerMetrics(
  app: FastifyInstance,
  { serves, colleagues }: Pick<Service, 'serves' | 'colleagues'>,
): (operation: string, method: string, status: number, seconds: number) => void {
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

  // Each side that has an address of its own has metrics of its own.
  const name = serves.customers ? 'customers' : 'operators'
  colleagues?.offerMetrics(name, () => registry.getMetricsAsJSON())
  async function readMetrics(): Promise<string> {
    if (!colleagues) return registry.metrics()
    const all = await colleagues.gatherMetrics(name)
    // A sum without one of them would look as if counters had been set back.
    if (!all) throw new Refusal('service_unavailable', 'A worker does not answer.')
    return AggregatorRegistry.aggregate(all).metrics()
  }
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await readMetrics()))

  const known = new Map<string, { observe(seconds: number): void }>()
  return (operation, method, status, seconds) => {
    const label = `${operation} ${status}`
    let labelled = known.get(label)
    if (!labelled) {
      labelled = durations.labels({ operation, method, status })
      known.set(label, labelled)
    }
    labelled.observe(seconds)
  }
}
