import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { BenchAccount, DatabasePlace, HttpRequest, Running, Wish } from '../../contender.js'

/** Starts a server of ours in a process of its own, and waits until it listens. */
export async function startServer(program: URL, place: DatabasePlace): Promise<Running> {
  const child = spawn(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), fileURLToPath(program), JSON.stringify(place)],
    { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env: { ...process.env, NODE_ENV: 'production' } },
  )
  const ended = once(child, 'exit')
  const [message] = (await Promise.race([once(child, 'message'), ended.then(() => [undefined])])) as [Listening?]
  if (!message) throw new Error(`${fileURLToPath(program)} ended before it listened`)
  return {
    url: message.url,
    pids: [child.pid as number],
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

type Listening = { url: string }

/** The same paths and bodies as Waybill's. */
export function sameRequest(wish: Wish): HttpRequest {
  switch (wish.of) {
    case 'shipment':
      return read(wish.account, `/v1/shipments/${encodeURIComponent(wish.id)}`)
    case 'shipments':
      return read(wish.account, `/v1/shipments?skip=${wish.skip}&take=${wish.take}`)
    case 'orders':
      return read(wish.account, '/v1/purchaseOrders')
    case 'order':
      return read(wish.account, `/v1/purchaseOrders/${encodeURIComponent(wish.reference)}`)
    case 'create order':
      return write(wish.account, 'POST', wish.order)
    case 'update order':
      return write(wish.account, 'PATCH', wish.order)
  }
}

function read({ key }: BenchAccount, path: string): HttpRequest {
  return { method: 'GET', path, headers: { authorization: `Bearer ${key}` } }
}

function write({ key }: BenchAccount, method: 'POST' | 'PATCH', order: object): HttpRequest {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return { method, path: '/v1/purchaseOrders', headers, body: JSON.stringify(order) }
}
