import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningService } from './service.js'

/** Hand-written forms and other long bodies: complete or broken off, fast or slow. */

export const boundary = 'a-boundary-that-does-not-occur'
export const formType = `multipart/form-data; boundary=${boundary}`

type Part = { headers: string[]; content: string | Buffer }

export function field(name: string, content: string): Part {
  return { headers: [`Content-Disposition: form-data; name="${name}"`], content }
}

export function file(name: string, content: string | Buffer, fieldName = 'file'): Part {
  return {
    headers: [
      `Content-Disposition: form-data; name="${fieldName}"; filename="${name}"`,
      'Content-Type: application/octet-stream',
    ],
    content,
  }
}

export function form(...parts: Part[]): Buffer {
  const pieces = parts.flatMap(({ headers, content }) => [
    Buffer.from(`--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)])
}

type Sent = { method?: string; path: string; key: string; type?: string; headers?: Record<string, string> }

/** Sends a chunked body piece by piece, and returns the response, which may come before the end. */
export async function sendPieces(
  { baseUrl }: { baseUrl: string },
  { method = 'POST', path, key, type, headers }: Sent,
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = request(`${baseUrl}${path}`, {
      method,
      agent: false,
      headers: { authorization: `Bearer ${key}`, ...(type && { 'content-type': type }), ...headers },
    })
    sent.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode: status = 0, headers: given } = response
        resolve(new Response(Buffer.concat(chunks), { status, headers: given as Record<string, string> }))
        sent.destroy()
      })
    })
    // After its response the service may stop reading.
    sent.once('error', reject)
    pipeline(Readable.from(pieces), sent).catch(() => {})
  })
}

/** Sends the beginning of a request, then closes the connection. */
export async function sendAndDisconnect(
  { baseUrl }: { baseUrl: string },
  { method = 'POST', path, key, type }: Sent,
  bytes: Buffer,
  { length, politely = false }: { length: number; politely?: boolean },
): Promise<void> {
  const { hostname, port } = new URL(baseUrl)
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Authorization: Bearer ${key}`,
    `Content-Type: ${type}`,
    `Content-Length: ${length}`,
  ]
  await new Promise<void>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
      socket.write(bytes, () => {
        // By now the service processes what was sent.
        setTimeout(() => (politely ? socket.end() : socket.resetAndDestroy()), 100)
      })
    })
    socket.resume()
    socket.once('error', reject)
    socket.once('close', () => resolve())
  })
}

/** The pieces, with a pause before each. */
export async function* slowly(pieces: Buffer[], pause: number): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    await sleep(pause)
    yield piece
  }
}

/** All files and folders in the data folder, except the documents folder itself, which the first document creates. */
export async function storedPaths({ dataFolder }: RunningService): Promise<string[]> {
  const paths = await readdir(dataFolder, { recursive: true })
  return paths.filter((path) => path !== 'documents').toSorted()
}
