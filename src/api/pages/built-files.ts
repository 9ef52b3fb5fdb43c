import { readFile } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesTag } from '../cache/etag.js'

/**
 * Static files of the build. Only files in the build's list are served. All are kept in memory (a few megabytes), so that a
 * running service keeps serving its build when a new one replaces it on disk.
 */

type FileEntry = { path: string; type: string; etag: string; encodings: string[] }

export type BuiltFile = FileEntry & {
  /** The bytes in one of its encodings, or uncompressed. */
  bytesIn(encoding: string | undefined): Buffer
}

export class NotBuilt extends Error {
  constructor(cause: unknown) {
    super('the web pages are not built: run `npm run build`', { cause })
    this.name = 'NotBuilt'
  }
}

/** The files in a folder of `dist`. */
export function builtFiles(folder: URL): { find(path: string): Promise<BuiltFile | undefined> } {
  // Read on the first request, to keep the start fast.
  let files: Promise<Map<string, BuiltFile>> | undefined

  return {
    async find(path) {
      files ??= readFiles(folder).catch((error: unknown) => {
        files = undefined
        throw new NotBuilt(error)
      })
      return (await files).get(path)
    },
  }
}

/** The folder of a build: next to the program, or in `dist` if the sources run, as in tests. */
export function builtFolder(name: string): URL {
  const dist = import.meta.url.endsWith('.ts') ? '../../../dist/' : '../'
  return new URL(`${dist}${name}/`, import.meta.url)
}

/** Sends a file in an encoding that the client accepts. The route needs `compress: false`. */
export async function sendBuiltFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: BuiltFile,
): Promise<FastifyReply> {
  const etag = `W/"${file.etag}"`
  reply.header('etag', etag).header('vary', 'accept-encoding')
  if (reply.statusCode === 200 && matchesTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  const encoding = encodingFor(request.headers['accept-encoding'], file.encodings)
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  return reply.type(file.type).send(file.bytesIn(encoding))
}

async function readFiles(folder: URL): Promise<Map<string, BuiltFile>> {
  const list = JSON.parse(await readFile(new URL('files.json', folder), 'utf8')) as FileEntry[]
  const files = await Promise.all(list.map((entry) => readEncodings(folder, entry)))
  return new Map(files.map((file) => [file.path, file]))
}

async function readEncodings(folder: URL, entry: FileEntry): Promise<BuiltFile> {
  const { path, encodings } = entry
  const plain = await readFile(new URL(path, folder))
  const compressed = await Promise.all(
    encodings.map(async (encoding) => [encoding, await readFile(new URL(`${path}.${encoding}`, folder))] as const),
  )
  const byEncoding = new Map(compressed)
  return { ...entry, bytesIn: (encoding) => byEncoding.get(encoding ?? '') ?? plain }
}

/** The first available encoding that the client accepts (RFC 9110, 12.5.3); undefined: uncompressed. */
export function encodingFor(accepted: string | undefined, encodings: string[]): string | undefined {
  const weights = new Map(
    (accepted ?? '').split(',').map((item) => {
      const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2))]
    }),
  )
  return encodings.find((encoding) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0)
}
