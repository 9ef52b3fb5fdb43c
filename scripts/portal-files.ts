import { createHash } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** What the build has made of the portal, packed to be served: each file in the encodings that are worth it, and the list of them. */

const folder = new URL('../dist/portal/', import.meta.url)

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  png: 'image/png',
}
const packed = new Set(['html', 'js', 'css', 'json', 'svg'])
// The last few percent take seconds for what is as large as the map.
const large = 400_000

function brotli(content: Buffer): Promise<Buffer> {
  const quality = content.length > large ? 9 : constants.BROTLI_MAX_QUALITY
  return promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
}

export async function packPortal(): Promise<void> {
  const paths = (await readdir(folder, { recursive: true })).filter((path) => path === 'index.html' || isAsset(path))
  const files = await Promise.all(paths.toSorted().map(packFile))
  await writeFile(new URL('files.json', folder), `${JSON.stringify(files, null, 2)}\n`)
}

// Maps to the sources stay beside them, for us.
function isAsset(path: string): boolean {
  return path.startsWith('assets/') && !path.endsWith('.map')
}

async function packFile(path: string) {
  const ending = path.split('.').at(-1) ?? ''
  const type = types[ending]
  if (type === undefined) throw new Error(`${path}: nobody has said what type it has`)
  const content = await readFile(new URL(path, folder))
  const etag = createHash('sha256').update(content).digest('base64url').slice(0, 22)
  if (!packed.has(ending)) return { path, type, etag, encodings: [] }
  const forms = {
    br: await brotli(content),
    gzip: await promisify(gzip)(content, { level: 9 }),
  }
  const encodings: string[] = []
  for (const [encoding, bytes] of Object.entries(forms)) {
    if (bytes.length >= content.length) continue
    await writeFile(new URL(`${path}.${encoding}`, folder), bytes)
    encodings.push(encoding)
  }
  return { path, type, etag, encodings }
}

type Chunk = { file: string; imports?: string[]; css?: string[]; assets?: string[] }

/** What a browser loads before it shows a page for the first time, in English: files and the bytes that are sent. */
export async function firstLoad(page: string): Promise<{ file: string; bytes: number }[]> {
  const manifest = JSON.parse(await readFile(new URL('manifest.json', folder), 'utf8')) as Record<string, Chunk>
  const files = new Set(['index.html'])
  const seen = new Set<string>()
  const follow = (name: string) => {
    const chunk = manifest[name]
    if (!chunk) throw new Error(`${name} is not in the manifest`)
    if (seen.has(name)) return
    seen.add(name)
    for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) files.add(file)
    for (const other of chunk.imports ?? []) follow(other)
  }
  for (const name of ['index.html', page, 'i18n/en.ts']) follow(name)
  return Promise.all([...files].map(async (file) => ({ file, bytes: await sentBytes(file) })))
}

async function sentBytes(file: string): Promise<number> {
  const plain = await stat(new URL(file, folder))
  const small = await stat(new URL(`${file}.br`, folder)).catch(() => undefined)
  return small?.size ?? plain.size
}
