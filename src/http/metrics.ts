import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client'
import { Refusal } from '../contract/refusals.js'
import { bearerOf } from './authentication.js'
import { databaseMetrics } from './database-metrics.js'
import { addCounter, addGauge } from './measures.js'
import { isAskedFromNearby } from './portal/machines.js'
import { addRequestMetrics, type RequestMetrics } from './request-metrics.js'
import type { Service } from './service.js'
import { addServiceMetrics, type Watched } from './service-metrics.js'

/** `GET /metrics`, for Prometheus: of all workers, whichever of them is asked. */
export function registerMetrics(app: FastifyInstance, service: Service, watched: Omit<Watched, 'db'>): RequestMetrics {
  const { db, serves, colleagues, version = 'unknown', metricsToken } = service
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = addRequestMetrics(registry)
  // Each side that has an address of its own counts its own requests. The rest is told once, where customers are served.
  if (serves.customers) addServiceMetrics(registry, { db, ...watched })
  const info = { name: 'waybill_info', help: 'The version that runs.', label: 'version', aggregator: 'max' } as const
  addGauge(registry, info, () => ({ [version]: 1 }))
  // Of several, their main process tells.
  if (!colleagues) {
    addGauge(registry, { name: 'waybill_workers', help: 'Processes that serve.' }, () => 1)
    addCounter(registry, { name: 'waybill_worker_ends_total', help: 'Workers that were replaced.' }, () => 0)
  }

  const name = serves.customers ? 'customers' : 'operators'
  colleagues?.offerMetrics(name, () => registry.getMetricsAsJSON())
  async function readOwn(): Promise<string> {
    if (!colleagues) return registry.metrics()
    const all = await colleagues.gatherMetrics(name)
    // A sum without one of them would look as if counters had been set back.
    if (!all) throw new Refusal('service_unavailable', 'A worker does not answer.')
    return AggregatorRegistry.aggregate(all).metrics()
  }
  const readDatabase = serves.customers ? databaseMetrics(db, app.log) : async () => ''

  app.get('/metrics', async ({ raw }, reply) => {
    refuseStrangers(raw, metricsToken)
    const texts = await Promise.all([readOwn(), readDatabase()])
    return reply.type(registry.contentType).send(texts.join(''))
  })
  return requests
}

/** What a proxy passes on comes from anybody: only who asks directly is known to be nearby. */
function refuseStrangers(request: IncomingMessage, token: string | undefined): void {
  if (token === undefined) {
    if (isAskedFromNearby(request)) return
    throw new Refusal('path_not_found', 'Metrics are told to machines nearby that ask directly, or for a token.')
  }
  const { authorization } = request.headers
  if (authorization === undefined) throw new Refusal('missing_key', 'Metrics are told for their token.')
  if (!isSame(bearerOf(authorization) ?? '', token)) throw new Refusal('invalid_key', 'This is not the token.')
}

function isSame(given: string, wanted: string): boolean {
  const [one, other] = [given, wanted].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer]
  return timingSafeEqual(one, other)
}
