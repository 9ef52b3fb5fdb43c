import { Agent, request as ask, type IncomingMessage } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Wire } from './request.js'

/** Sends requests as they are written: nothing is encoded, corrected or merged on the way. */

export type Answer = {
  status: number
  headers: Record<string, string>
  bytes: Buffer
  text: string
  /** The body where it is JSON. */
  json: unknown
}

export type Send = (wire: Wire) => Promise<Answer>

const patience = 60_000
// Long enough for what a stream has to tell at once.
const streamPatience = 25

export function openWire(baseUrl: string): { send: Send; close: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  return {
    // A client may find the connection that it has kept closed by the other side: it was not heard, and asks again.
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

function sendOnce(baseUrl: string, { method, target, headers, body, isAlone }: Wire, agent: Agent): Promise<Answer> {
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
    const timer = setTimeout(() => sent.destroy(new Error(`no answer within ${patience / 1000} s`)), patience)
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
    // Who is answered early need not send the rest.
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
  // Left alone, Node frames what has no body as one of unknown length.
  const takesBody = body !== undefined || ['POST', 'PUT', 'PATCH'].includes(method)
  if (takesBody && !isFramed) added.push(['content-length', String(body?.length ?? 0)])
  return [...added, ...headers].flat()
}

async function read(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true
  // A stream has no end: what it says at first is enough.
  const timer = isStream ? setTimeout(() => response.destroy(), streamPatience) : undefined
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
