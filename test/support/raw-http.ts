import { connect } from 'node:net'

export type RawResponse = { status: number; headers: Headers; text: string; bytes: Buffer }

export type RawRequest = {
  method?: string
  /** Path and query, as sent on the wire. */
  target: string
  headers?: [name: string, value: string][]
  body?: string | Buffer
}

/** Sends a request as it is: nothing is encoded, corrected or merged. */
export function sendRaw(baseUrl: string, { method = 'GET', target, headers = [], body }: RawRequest) {
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  const framed = names.has('content-length') || names.has('transfer-encoding')
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${new URL(baseUrl).host}`,
    'Connection: close',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body !== undefined && !framed ? [`Content-Length: ${Buffer.byteLength(body)}`] : []),
  ]
  return sendBytes(baseUrl, Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytesOf(body)]))
}

/** Sends bytes and reads the response until the connection closes. */
export async function sendBytes(baseUrl: string, bytes: Buffer): Promise<RawResponse> {
  const { hostname, port } = new URL(baseUrl)
  const received = await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', () => socket.destroy())
    socket.on('close', () => resolve(Buffer.concat(chunks)))
    // The service may respond and close the connection before it has read everything.
    socket.on('error', (error) => (chunks.length > 0 ? socket.destroy() : reject(error)))
  })
  return responseOf(received)
}

function bytesOf(body: string | Buffer = ''): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : body
}

function responseOf(received: Buffer): RawResponse {
  const end = received.indexOf('\r\n\r\n')
  const [first = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n')
  const headers = new Headers()
  for (const line of lines) headers.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim())
  const rest = received.subarray(end + 4)
  const bytes = headers.get('transfer-encoding') === 'chunked' ? joined(rest) : rest
  return { status: Number(first.split(' ')[1]), headers, text: bytes.toString(), bytes }
}

/** Decodes a chunked body; `HEAD` has none. */
function joined(body: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let rest = body; rest.length > 0; ) {
    const start = rest.indexOf('\r\n') + 2
    const length = Number.parseInt(rest.subarray(0, start).toString('latin1'), 16)
    if (length === 0) break
    pieces.push(rest.subarray(start, start + length))
    rest = rest.subarray(start + length + 2)
  }
  return Buffer.concat(pieces)
}
