import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'

/** One request over plain `node:http`, without automatic retries. */

export type Wanted = {
  method: string
  path: string
  key?: string | undefined
  json?: unknown
  form?: FormFile
  idempotencyKey?: string | undefined
  etag?: string | undefined
}

export type FormFile = { name: string; bytes: Buffer; fields: Record<string, string> }

export type HttpResponse = {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  milliseconds: number
}

/** No complete response arrived. */
export type Broken = { status: 0; code: string; milliseconds: number; hasSent: boolean }

export type Outcome = HttpResponse | Broken

/** With keep-alive, or with a new connection for each request, as scripts do. */
export type Connections = { agent: Agent; end: () => void }

export function openConnections({ keepAlive }: { keepAlive: boolean }): Connections {
  const agent = new Agent({ keepAlive, maxSockets: 1000 })
  return { agent, end: () => agent.destroy() }
}

// Ends what hangs: far beyond the promised limits, also on a busy machine.
export const longestWait = 120_000

export async function exchange(
  baseUrl: string,
  { method, path, key, json, form, idempotencyKey, etag }: Wanted,
  { agent }: Connections,
): Promise<Outcome> {
  const startedAt = performance.now()
  const body = form ? formBytes(form) : json === undefined ? undefined : Buffer.from(JSON.stringify(json))
  const headers = {
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(body && { 'content-length': body.length }),
    ...(body && { 'content-type': form ? `multipart/form-data; boundary=${boundary}` : 'application/json' }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...(etag !== undefined && { 'if-none-match': etag }),
  }
  return new Promise((settle) => {
    let hasSent = false
    const request = httpRequest(baseUrl + path, { method, agent, headers })
    const fail = (error: NodeJS.ErrnoException) => {
      settle({ status: 0, code: error.code ?? error.message, milliseconds: performance.now() - startedAt, hasSent })
    }
    const timer = setTimeout(() => request.destroy(Object.assign(new Error('late'), { code: 'LATE' })), longestWait)
    request.once('close', () => clearTimeout(timer))
    request.once('finish', () => {
      hasSent = true
    })
    request.once('error', fail)
    request.once('response', (response) => {
      readWhole(response).then(
        (bytes) =>
          settle({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes,
            milliseconds: performance.now() - startedAt,
          }),
        fail,
      )
    })
    request.end(body)
  })
}

export function isResponse(outcome: Outcome): outcome is HttpResponse {
  return outcome.status !== 0
}

/** A declared 503: with Retry-After and a problem body. */
export function isDeclaredUnavailable({ status, headers }: HttpResponse): boolean {
  return (
    status === 503 &&
    /^\d+$/.test(headers['retry-after'] ?? '') &&
    (headers['content-type'] ?? '').startsWith('application/problem+json')
  )
}

export function textOf({ bytes }: HttpResponse): string {
  return bytes.toString()
}

export function jsonOf(response: HttpResponse): unknown {
  return JSON.parse(textOf(response)) as unknown
}

async function readWhole(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  // Only this flag distinguishes a truncated body.
  if (!response.complete) throw Object.assign(new Error('broken off'), { code: 'BROKEN_OFF' })
  return Buffer.concat(chunks)
}

const boundary = 'a-line-between-the-parts'

function formBytes({ name, bytes, fields }: FormFile): Buffer {
  const parts = Object.entries(fields).map(
    ([field, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  )
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: text/plain\r\n\r\n`
  return Buffer.concat([Buffer.from(parts.join('') + head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
}
