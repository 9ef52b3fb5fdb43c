import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { onTestFinished } from 'vitest'
import type { ChangeEvent } from '../../src/contract/public/event.js'

/** A receiver of webhooks that verifies signatures with the public library of Standard Webhooks. */

export type Received = { id: string; type: string; data: ChangeEvent; at: number; isValid: boolean }

export type Receiver = {
  url: string
  /** Every request, in the order of their arrival. */
  received: Received[]
  /** The most requests that were under way at once. */
  mostUnderWay: number
  secrets: string[]
  /** Responds to a request; 204 unless given. */
  respond:
    | ((request: IncomingMessage, response: ServerResponse, event: ChangeEvent) => void | Promise<void>)
    | undefined
}

export async function startReceiver(): Promise<Receiver> {
  let underWay = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    underWay += 1
    receiver.mostUnderWay = Math.max(receiver.mostUnderWay, underWay)
    response.once('close', () => {
      underWay -= 1
    })
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const { type, data } = JSON.parse(text) as { type: string; data: ChangeEvent }
      const headers = request.headers as Record<string, string>
      const isValid = receiver.secrets.some((secret) => {
        try {
          return new Webhook(secret).verify(text, headers) !== undefined
        } catch {
          return false
        }
      })
      receiver.received.push({ id: headers['webhook-id'] ?? '', type, data, at: Date.now(), isValid })
      if (receiver.respond) void receiver.respond(request, response, data)
      else response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    mostUnderWay: 0,
    secrets: [],
    respond: undefined,
  }
  return receiver
}
