import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningService } from './service.js'

/** Forms and other long bodies, written by hand: whole or broken, at once or slowly. */

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

/** Sends a body piece by piece, without telling its length, and answers what comes back, whenever it does. */
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
    // Once it has answered, the service need not read to the end.
    sent.once('error', reject)
    pipeline(Readable.from(pieces), sent).catch(() => {})
  })
}

/** The beginning of a request, after which the connection is cut. */
export async function breakOff(
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
        // What was sent is being worked on by now.
        setTimeout(() => (politely ? socket.end() : socket.resetAndDestroy()), 100)
      })
    })
    socket.resume()
    socket.once('error', reject)
    socket.once('close', () => resolve())
  })
}

/** Pieces with a pause before each. */
export async function* slowly(pieces: Buffer[], pause: number): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    await sleep(pause)
    yield piece
  }
}

/** All files and folders in the data folder, but for the folder of documents itself, which the first of them brings. */
export async function storedPaths({ dataFolder }: RunningService): Promise<string[]> {
  const paths = await readdir(dataFolder, { recursive: true })
  return paths.filter((path) => path !== 'documents').toSorted()
}
