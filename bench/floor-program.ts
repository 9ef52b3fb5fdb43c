import { readFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import fastify from 'fastify'
import type { FloorResponse } from './floor-server.js'

/**
 * The floor: Fastify without options, serving from memory the same bytes as Waybill. It checks no key and queries no
 * database; a write is parsed and acknowledged.
 */

type Stored = { etag: string; type: string; body: Buffer }

const { PORT, WAYBILL_URL = '', FLOOR_RESPONSES = '' } = process.env
const stored = new Map<string, Stored>()
await fetchAll(JSON.parse(await readFile(FLOOR_RESPONSES, 'utf8')) as FloorResponse[])

const app = fastify()
for (const path of ['shipments', 'shipments/:id', 'purchaseOrders/:reference']) {
  app.get(`/:account/v1/${path}`, (request, reply) => {
    const found = stored.get(request.url)
    if (!found) return reply.code(404).send()
    return reply.header('etag', found.etag).type(found.type).send(found.body)
  })
}
app.route<{ Body: { reference: string } }>({
  method: ['POST', 'PATCH'],
  url: '/:account/v1/purchaseOrders',
  handler: ({ body, method }, reply) => reply.code(method === 'POST' ? 201 : 200).send({ reference: body.reference }),
})
app.get('/ready', () => 'ready')
await app.listen({ port: Number(PORT), host: '127.0.0.1' })
process.once('SIGTERM', () => process.exit(0))

async function fetchAll(responses: FloorResponse[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const remaining = responses.values()
  // All workers take from one iterator.
  const worker = async () => {
    for (const response of remaining) stored.set(response.servedAt, await fetchOne(agent, response))
  }
  await Promise.all(Array.from({ length: 16 }, worker))
  agent.destroy()
}

function fetchOne(agent: Agent, { path, key }: FloorResponse): Promise<Stored> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${key}` }
    get(`${WAYBILL_URL}${path}`, { agent, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { etag = '', 'content-type': type = '' } = response.headers
        if (response.statusCode === 200) resolve({ etag, type, body: Buffer.concat(chunks) })
        else reject(new Error(`Waybill responded to ${path} with ${response.statusCode}`))
      })
    }).on('error', reject)
  })
}
