import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client'
import { Refusal } from '../../contract/refusals.js'
import { bearerOf } from '../authentication/authentication.js'
import type { Service } from '../service.js'
import { hasTrustedHost, isDirectFromPrivateNetwork } from '../transport/client-address.js'
import { addCounter, addGauge } from './collected-metrics.js'
import { databaseMetrics } from './database-metrics.js'
import { addRequestMetrics, type RequestMetrics } from './request-metrics.js'
import { addServiceMetrics, type MetricSources } from './service-metrics.js'

/** `GET /metrics` for Prometheus: combines all workers, whichever of them receives the request. */
export function registerMetrics(
  app: FastifyInstance,
  service: Service,
  sources: Omit<MetricSources, 'db'>,
): RequestMetrics {
  const { db, serves, workerChannel, version = 'unknown' } = service
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = addRequestMetrics(registry)
  // A separate operator address counts its own requests; service metrics are exported once, on the customers' address.
  if (serves.customers) addServiceMetrics(registry, { db, ...sources })
  const info = { name: 'waybill_info', help: 'The running version.', label: 'version', aggregator: 'max' } as const
  addGauge(registry, info, () => ({ [version]: 1 }))
  // With several workers, the main process provides these.
  if (!workerChannel) {
    addGauge(registry, { name: 'waybill_workers', help: 'Processes that serve.' }, () => 1)
    addCounter(registry, { name: 'waybill_worker_ends_total', help: 'Workers that were replaced.' }, () => 0)
  }

  const name = serves.customers ? 'customers' : 'operators'
  workerChannel?.provideMetrics(name, () => registry.getMetricsAsJSON())
  async function readOwn(): Promise<string> {
    if (!workerChannel) return registry.metrics()
    const all = await workerChannel.collectMetrics(name)
    // A sum without one of the workers would look like a counter reset.
    if (!all) throw new Refusal('service_unavailable', 'A worker does not respond.')
    return AggregatorRegistry.aggregate(all).metrics()
  }
  const readDatabase = serves.customers ? databaseMetrics(db, app.log) : async () => ''

  app.get('/metrics', async ({ raw }, reply) => {
    refuseUnauthorized(raw, service)
    const texts = await Promise.all([readOwn(), readDatabase()])
    return reply.type(registry.contentType).send(texts.join(''))
  })
  return requests
}

/**
 * Without a token, only direct requests from private networks are allowed: a proxy may forward requests of anyone. The Host
 * header is checked against DNS rebinding.
 */
function refuseUnauthorized(request: IncomingMessage, { metricsToken: token, publicUrl }: Service): void {
  if (token === undefined) {
    if (isDirectFromPrivateNetwork(request) && hasTrustedHost(request, publicUrl)) return
    throw new Refusal(
      'path_not_found',
      'Metrics are available from private networks without a proxy and by an internal name, or with a token.',
    )
  }
  const { authorization } = request.headers
  if (authorization === undefined) throw new Refusal('missing_key', 'Metrics need a bearer token.')
  if (!isEqual(bearerOf(authorization) ?? '', token)) throw new Refusal('invalid_key', 'The token is not valid.')
}

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer]
  return timingSafeEqual(one, other)
}
