import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A small carrier: `GET /v2/events` with pages, and whatever a test does to its responses. */

type Event = { eventCreatedDateTime: string }
type Interference = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>

export async function startCarrierServer({ pageLength = 2, port = 0 } = {}) {
  const state = {
    events: [] as Event[],
    /** The addresses requested, with their headers. */
    requests: [] as { path: string; headers: IncomingMessage['headers'] }[],
    /** Handles a request in place of the carrier, if it returns true. */
    interfere: undefined as Interference | undefined,
    underWay: 0,
    mostUnderWay: 0,
  }
  const server = createServer((request, response) => void respond(request, response))

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    state.requests.push({ path: request.url ?? '', headers: request.headers })
    state.underWay += 1
    state.mostUnderWay = Math.max(state.mostUnderWay, state.underWay)
    response.once('close', () => {
      state.underWay -= 1
    })
    if (await state.interfere?.(request, response)) return
    sendPage(new URL(request.url ?? '', 'http://carrier.invalid'), response)
  }

  function sendPage(url: URL, response: ServerResponse): void {
    const since = url.searchParams.get('eventCreatedDateTime:gte')
    const offset = Number(url.searchParams.get('cursor') ?? 0)
    const found = state.events.filter(
      ({ eventCreatedDateTime }) => since === null || Date.parse(eventCreatedDateTime) >= Date.parse(since),
    )
    const end = offset + pageLength
    if (end < found.length) {
      url.searchParams.set('cursor', String(end))
      response.setHeader('Next-Page', `${url.pathname}${url.search}`)
    }
    response.setHeader('API-Version', '2.2.0')
    response.setHeader('content-type', 'application/json').end(JSON.stringify(found.slice(offset, end)))
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return Object.assign(state, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sendPage })
}
