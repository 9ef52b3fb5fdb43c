import { hash } from 'node:crypto'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify'
import { PurchaseOrder, PurchaseOrderCreate, PurchaseOrderUpdate } from '../../../src/contract/public/purchase-order.js'
import { Shipment } from '../../../src/contract/public/shipment.js'
import { type RefusalCode, refusals } from '../../../src/contract/refusals.js'
import { purchaseOrderFaults } from '../../../src/domain/purchase-orders/purchase-order.js'

export type Caller = { account_id: number; can_read: boolean; can_write: boolean }

/** A code where nothing was created; `body` is the response. */
export type Created = { refusal: RefusalCode } | { status: number; body: string }

export type IdempotencyKey = { key: string; fingerprint: Buffer }

/** The storage of a server. Results are JSON text, or objects that are serialised by their schema. */
export type Store = {
  findCaller(hash: Buffer): Promise<Caller | undefined>
  listShipments(account: number, page: { skip: number; take: number }): Promise<string | Shipment[] | undefined>
  findShipment(account: number, id: string): Promise<string | Shipment | undefined>
  findOrder(account: number, reference: string): Promise<string | PurchaseOrder | undefined>
  createOrder(account: number, order: PurchaseOrderCreate, key: IdempotencyKey | undefined): Promise<Created>
  updateOrder(account: number, update: PurchaseOrderUpdate): Promise<RefusalCode | undefined>
}

declare module 'fastify' {
  interface FastifyRequest {
    account: number
  }
}

const pageQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    skip: { type: 'integer', minimum: 0, default: 0 },
    take: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
  },
}

const listOf = (items: object) => ({ response: { 200: { type: 'array', items } } })
const oneOf = (schema: object) => ({ response: { 200: schema } })

/** The routes of Waybill that are measured, over another storage. */
export function createApp(store: Store): FastifyInstance {
  // The keyword is for the reference.
  const app = Fastify({ ajv: { customOptions: { removeAdditional: false, keywords: ['x-enumDescriptions'] } } })
  app.decorateRequest('account', 0)
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    if (error.validation) return refuse(reply, 'invalid_request')
    // Fastify's own response.
    throw error
  })

  app.addHook('onRequest', async (request, reply) => {
    const key = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const caller = key === undefined ? undefined : await store.findCaller(hash('sha256', key, 'buffer'))
    if (!caller) return refuse(reply, 'invalid_key')
    if (!(request.method === 'GET' ? caller.can_read : caller.can_write)) return refuse(reply, 'insufficient_scope')
    request.account = caller.account_id
  })

  app.get<{ Querystring: { skip: number; take: number } }>(
    '/v1/shipments',
    { schema: { querystring: pageQuery, ...listOf(Shipment) } },
    async ({ account, query }, reply) =>
      respond(reply, await store.listShipments(account, query), 'no_shipments_found'),
  )

  app.get<{ Params: { id: string } }>(
    '/v1/shipments/:id',
    { schema: oneOf(Shipment) },
    async ({ account, params }, reply) =>
      respond(reply, await store.findShipment(account, params.id), 'shipment_not_found'),
  )

  app.get<{ Params: { reference: string } }>(
    '/v1/purchaseOrders/:reference',
    { schema: oneOf(PurchaseOrder) },
    async ({ account, params }, reply) =>
      respond(reply, await store.findOrder(account, params.reference), 'purchase_order_not_found'),
  )

  app.post<{ Body: PurchaseOrderCreate; Headers: { 'idempotency-key'?: string } }>(
    '/v1/purchaseOrders',
    { schema: { body: PurchaseOrderCreate } },
    async ({ account, body, headers }, reply) => {
      if (purchaseOrderFaults(body).length > 0) return refuse(reply, 'invalid_request')
      const key = headers['idempotency-key']
      const created = await store.createOrder(
        account,
        body,
        key === undefined ? undefined : { key, fingerprint: hash('sha256', JSON.stringify(body), 'buffer') },
      )
      if ('refusal' in created) return refuse(reply, created.refusal)
      return reply.code(created.status).type('application/json; charset=utf-8').send(created.body)
    },
  )

  app.patch<{ Body: PurchaseOrderUpdate }>(
    '/v1/purchaseOrders',
    { schema: { body: PurchaseOrderUpdate } },
    async ({ account, body }, reply) => {
      if (purchaseOrderFaults(body).length > 0) return refuse(reply, 'invalid_request')
      const refusal = await store.updateOrder(account, body)
      return refusal ? refuse(reply, refusal) : reply.send({ reference: body.reference })
    },
  )

  return app
}

function respond(reply: FastifyReply, found: string | object | undefined, otherwise: RefusalCode) {
  if (found === undefined) return refuse(reply, otherwise)
  if (typeof found === 'string') reply.type('application/json; charset=utf-8')
  return reply.send(found)
}

function refuse(reply: FastifyReply, code: RefusalCode) {
  const { status, title } = refusals[code]
  const problem = { type: `/errors/${code}`, title, status, code }
  return reply.code(status).type('application/problem+json').send(JSON.stringify(problem))
}
