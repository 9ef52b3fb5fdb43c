import { createServer } from 'node:http'

/**
 * Receives the deliveries of all endpoints, in a process of its own: `/fast/N`, `/slow/N` (responds after 10 s) and `/dead/N` (never
 * responds). `GET /counts` reports what was received.
 */

const received = new Map<string, Map<string, number>>()
let last = 0

const server = createServer((request, response) => {
  const { url = '', method, headers } = request
  if (method === 'GET') {
    const fast = [...received].filter(([path]) => path.startsWith('/fast/')).map(([, ids]) => ids)
    const deliveries = fast.flatMap((ids) => [...ids.values()])
    response.end(
      JSON.stringify({
        events: deliveries.length,
        repeated: deliveries.reduce((sum, count) => sum + count - 1, 0),
        // Of the endpoint that has the fewest.
        least: Math.min(...fast.map((ids) => ids.size)),
        last,
      }),
    )
    return
  }
  request.resume().once('end', () => {
    const ids = received.get(url) ?? new Map<string, number>()
    received.set(url, ids)
    const id = String(headers['webhook-id'])
    ids.set(id, (ids.get(id) ?? 0) + 1)
    if (url.startsWith('/dead/')) return
    if (url.startsWith('/slow/')) setTimeout(() => response.writeHead(204).end(), 10_000)
    else {
      last = Date.now()
      response.writeHead(204).end()
    }
  })
})
// Longer than any pause of a sender: connections are not closed beside a request.
server.keepAliveTimeout = 120_000
server.listen(Number(process.env['PORT']), '127.0.0.1')
