import { readFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import fastify from 'fastify'
import type { FloorAnswer } from './floor-contender.js'

/**
 * The floor: Fastify as it comes, which sends the very bytes that Waybill would, from memory. No key is looked at, no
 * database is asked; a write is parsed and answered.
 */

type Kept = { etag: string; type: string; body: Buffer }

const { PORT, WAYBILL_URL = '', FLOOR_ANSWERS = '' } = process.env
const kept = new Map<string, Kept>()
await fetchAll(JSON.parse(await readFile(FLOOR_ANSWERS, 'utf8')) as FloorAnswer[])

const app = fastify()
for (const path of ['shipments', 'shipments/:id', 'purchaseOrders', 'purchaseOrders/:reference']) {
  app.get(`/:account/v1/${path}`, (request, reply) => {
    const answer = kept.get(request.url)
    if (!answer) return reply.code(404).send()
    return reply.header('etag', answer.etag).type(answer.type).send(answer.body)
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

async function fetchAll(answers: FloorAnswer[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const waiting = answers.values()
  // Each takes the next one from what is left.
  const worker = async () => {
    for (const answer of waiting) kept.set(answer.as, await fetchOne(agent, answer))
  }
  await Promise.all(Array.from({ length: 16 }, worker))
  agent.destroy()
}

function fetchOne(agent: Agent, { path, key }: FloorAnswer): Promise<Kept> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${key}` }
    get(`${WAYBILL_URL}${path}`, { agent, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { etag = '', 'content-type': type = '' } = response.headers
        if (response.statusCode === 200) resolve({ etag, type, body: Buffer.concat(chunks) })
        else reject(new Error(`Waybill answers ${path} with ${response.statusCode}`))
      })
    }).on('error', reject)
  })
}
