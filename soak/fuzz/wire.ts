import { Agent, request as ask, type IncomingMessage } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Wire } from './request.js'

/** Sends requests verbatim, without encoding or normalization. */

export type HttpResponse = {
  status: number
  headers: Record<string, string>
  bytes: Buffer
  text: string
  /** The parsed body, if it is JSON. */
  json: unknown
}

export type Send = (wire: Wire) => Promise<HttpResponse>

const timeout = 60_000
// Long enough for the first events of a stream.
const streamTimeout = 25

export function openWire(baseUrl: string): { send: Send; close: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  return {
    // A keep-alive connection may have been closed by the server: the request was not processed, and is retried.
    send: async (wire) => {
      try {
        return await sendOnce(baseUrl, wire, agent)
      } catch (error) {
        if (!(error instanceof Unheard)) throw error
        return sendOnce(baseUrl, { ...wire, isAlone: true }, agent)
      }
    },
    close: () => agent.destroy(),
  }
}

class Unheard extends Error {}

function sendOnce(
  baseUrl: string,
  { method, target, headers, body, isAlone }: Wire,
  agent: Agent,
): Promise<HttpResponse> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve, reject) => {
    const sent = ask({
      hostname,
      port,
      method,
      path: target,
      agent: isAlone ? false : agent,
      headers: headersOf({ method, headers, body, isAlone, host: `${hostname}:${port}` }),
    })
    const timer = setTimeout(() => sent.destroy(new Error(`no response within ${timeout / 1000} s`)), timeout)
    sent.once('response', (response) => {
      read(response)
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer)
          if (isAlone) sent.destroy()
        })
    })
    sent.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      const wasUnheard = sent.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
      reject(wasUnheard ? new Unheard(error.message) : error)
    })
    // After an early response the rest of the body is not sent.
    sent.end(body)
  })
}

type Head = Omit<Wire, 'target'> & { host: string }

function headersOf({ method, headers, body, isAlone, host }: Head): string[] {
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  const added: [string, string][] = []
  if (!names.has('host')) added.push(['host', host])
  if (!names.has('connection')) added.push(['connection', isAlone ? 'close' : 'keep-alive'])
  const isFramed = names.has('content-length') || names.has('transfer-encoding')
  // Without this, Node sends a request without a body as chunked.
  const takesBody = body !== undefined || ['POST', 'PUT', 'PATCH'].includes(method)
  if (takesBody && !isFramed) added.push(['content-length', String(body?.length ?? 0)])
  return [...added, ...headers].flat()
}

async function read(response: IncomingMessage): Promise<HttpResponse> {
  const chunks: Buffer[] = []
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true
  // A stream does not end: its first events are enough.
  const timer = isStream ? setTimeout(() => response.destroy(), streamTimeout) : undefined
  try {
    for await (const chunk of response) {
      chunks.push(chunk as Buffer)
      if (isStream) break
    }
  } catch (error) {
    if (!isStream) throw error
  } finally {
    clearTimeout(timer)
  }
  const bytes = unpacked(Buffer.concat(chunks), response.headers['content-encoding'])
  const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]))
  const text = bytes.toString()
  return { status: response.statusCode ?? 0, headers, bytes, text, json: parsed(headers['content-type'], text) }
}

function unpacked(bytes: Buffer, encoding: string | undefined): Buffer {
  if (bytes.length === 0 || encoding === undefined) return bytes
  return encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes
}

function parsed(type: string | undefined, text: string): unknown {
  if (!type?.includes('json')) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
