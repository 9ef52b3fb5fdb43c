import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Files for browsers, compressed at build time: each in the encodings that make it smaller, and a manifest. */

const dist = new URL('../dist/', import.meta.url)
const portal = new URL('portal/', dist)

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
// The highest quality saves a few percent more, but takes seconds for a file as large as the map.
const large = 400_000

function brotli(content: Buffer): Promise<Buffer> {
  const quality = content.length > large ? 9 : constants.BROTLI_MAX_QUALITY
  return promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
}

export async function packApplication(name: 'portal' | 'office'): Promise<void> {
  const folder = new URL(`${name}/`, dist)
  const paths = await readdir(folder, { recursive: true })
  await packFiles(
    folder,
    paths.filter((path) => path === 'index.html' || isAsset(path)),
  )
}

// Source maps stay in dist and are not served.
function isAsset(path: string): boolean {
  return path.startsWith('assets/') && !path.endsWith('.map')
}

/** The script that shows the API references: the browser build that Scalar's package for Fastify carries. */
export async function packReference(): Promise<void> {
  const folder = new URL('reference/', dist)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')
  await copyFile(join(dirname(entry), 'js', 'standalone.js'), new URL('scalar.js', folder))
  await packFiles(folder, ['scalar.js'])
}

export async function packFiles(folder: URL, paths: string[]): Promise<void> {
  const files = await Promise.all(paths.toSorted().map((path) => packFile(folder, path)))
  await writeFile(new URL('files.json', folder), `${JSON.stringify(files, null, 2)}\n`)
}

async function packFile(folder: URL, path: string) {
  const ending = path.split('.').at(-1) ?? ''
  const type = types[ending]
  if (type === undefined) throw new Error(`${path}: unknown media type`)
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

/** The files that a browser loads for its first page, in English, with their compressed sizes. */
export async function firstLoad(page: string): Promise<{ file: string; bytes: number }[]> {
  const manifest = JSON.parse(await readFile(new URL('manifest.json', portal), 'utf8')) as Record<string, Chunk>
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
  const plain = await stat(new URL(file, portal))
  const small = await stat(new URL(`${file}.br`, portal)).catch(() => undefined)
  return small?.size ?? plain.size
}
