import type { Rendered } from '../../usecases/customer-context.js'

/** Encodes the result of a read. A list that fits into one chunk is sent with its length; a longer one is streamed. */
export async function bodyBytes(rendered: Rendered): Promise<Buffer | AsyncIterable<Buffer>> {
  if ('revision' in rendered) return Buffer.isBuffer(rendered.body) ? rendered.body : Buffer.from(rendered.body)
  if ('page' in rendered) return arrayBytes('[', rendered.page, ']')
  const chunks = rendered.chunks[Symbol.asyncIterator]()
  const first = await chunks.next()
  const second = first.done ? first : await chunks.next()
  const start = first.done ? [] : first.value
  return second.done ? arrayBytes('[', start, ']') : stream(start, second.value, chunks)
}

async function* stream(
  first: string[],
  second: string[],
  chunks: AsyncIterator<string[]>,
): AsyncGenerator<Buffer, void, undefined> {
  yield arrayBytes('[', first, '')
  if (second.length > 0) yield arrayBytes(',', second, '')
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    if (next.value.length > 0) yield arrayBytes(',', next.value, '')
  }
  yield Buffer.from(']')
}

// Writes body by body into one buffer: joining the strings first takes twice the CPU for a page of 100 (280 KB: 0.78 ms
// against 1.44 ms, including the query).
function arrayBytes(start: string, bodies: (string | Buffer)[], end: string): Buffer {
  const length = bodies.reduce((sum, body) => sum + Buffer.byteLength(body), Math.max(0, bodies.length - 1))
  const bytes = Buffer.allocUnsafe(start.length + length + end.length)
  let at = bytes.write(start)
  for (const [index, body] of bodies.entries()) {
    if (index > 0) at += bytes.write(',', at)
    at += typeof body === 'string' ? bytes.write(body, at) : body.copy(bytes, at)
  }
  bytes.write(end, at)
  return bytes
}
