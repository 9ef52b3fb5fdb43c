import type { FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, gunzipSync } from 'node:zlib'
import { type ExtractEvents, extract } from 'tar-stream'
import {
  type BackupManifest,
  BadBackup,
  countRows,
  type EntryPlace,
  manifestIn,
  manifestName,
  placeOf,
  sealing,
  sealName,
} from './backup-format.js'
import { SchemaTooNew, schemaVersion } from './migrate.js'

/** What lies between the description and the seal. */
export type BackupEntry = EntryPlace & { content: AsyncIterable<Buffer> }

type Entry = ExtractEvents['entry'][1]

const foreign = 'this is not a backup of Waybill'
const damaged = 'the backup is damaged or cut off'

/** Reads the file from its start to its seal, and tells what it holds. */
export async function checkBackup(file: FileHandle, signal: AbortSignal): Promise<BackupManifest> {
  const { manifest, entries } = await openBackup(file, signal)
  for await (const { content } of entries) for await (const _chunk of content);
  return manifest
}

/**
 * The entries of a backup, each to be read to its end before the next. Only after the last one it is known that the
 * file is whole, and as it was written.
 */
export async function openBackup(
  file: FileHandle,
  signal: AbortSignal,
): Promise<{ manifest: BackupManifest; entries: AsyncGenerator<BackupEntry> }> {
  const archive = unpack(file, signal)
  const first = await archive.next().catch(async (error: unknown) => {
    // A short file may be found out to be damaged before its first entry is asked for.
    throw faultOf(error, (await beginsAsBackup(file)) ? damaged : foreign, signal)
  })
  if (first.done || first.value.header.name !== manifestName) throw new BadBackup(foreign)
  const seal = sealing()
  seal.begin(manifestName, sizeOf(first.value))
  const manifest = manifestIn(await textOf(first.value, seal.cover, signal))
  if (manifest.schema_version > schemaVersion) throw new SchemaTooNew(manifest.schema_version, 'the backup')
  return { manifest, entries: entriesOf(archive, manifest, seal, signal) }
}

/** Whether the archive begins with the description of a backup, whatever follows. */
async function beginsAsBackup(file: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0)
  try {
    const start = gunzipSync(buffer.subarray(0, bytesRead), { finishFlush: constants.Z_SYNC_FLUSH })
    return start.toString('latin1').startsWith(`${manifestName}\0`)
  } catch {
    return false
  }
}

async function* unpack(file: FileHandle, signal: AbortSignal): AsyncGenerator<Entry> {
  const archive = extract()
  const source = file.createReadStream({ start: 0, autoClose: false, highWaterMark: 1 << 18 })
  const unpacked = pipeline(source, createGunzip(), archive, { signal })
  // Told below, or by the entry that it happens in.
  unpacked.catch(() => {})
  yield* archive
  await unpacked
}

async function* entriesOf(
  archive: AsyncGenerator<Entry>,
  manifest: BackupManifest,
  seal: ReturnType<typeof sealing>,
  signal: AbortSignal,
): AsyncGenerator<BackupEntry> {
  const rows = new Map(manifest.tables.map(({ name }) => [name, 0]))
  let documents = 0
  let found: string | undefined
  for await (const entry of explained(archive, signal)) {
    const { name } = entry.header
    if (found !== undefined) throw new BadBackup(`the backup goes on behind its end: ${name}`)
    if (name === sealName) {
      found = await textOf(entry, () => {}, signal)
      continue
    }
    const place = placeOf(name)
    if (!place || (place.kind === 'part' && !rows.has(place.table)))
      throw new BadBackup(`the backup holds what does not belong to it: ${name}`)
    seal.begin(name, sizeOf(entry))
    if (place.kind === 'document') documents += 1
    const content = passing(entry, signal, (chunk) => {
      seal.cover(chunk)
      if (place.kind === 'part') rows.set(place.table, (rows.get(place.table) ?? 0) + countRows(chunk))
    })
    yield { ...place, content }
  }
  const isComplete =
    documents === manifest.documents && manifest.tables.every(({ name, rows: all }) => rows.get(name) === all)
  if (found !== seal.close() || !isComplete) throw new BadBackup(damaged)
}

async function* explained<Item>(source: AsyncIterable<Item>, signal: AbortSignal): AsyncGenerator<Item> {
  try {
    yield* source
  } catch (error) {
    throw faultOf(error, damaged, signal)
  }
}

// What neither the system nor a signal is to blame for is a fault of the file: compression and archive tell it in
// words of their own.
function faultOf(error: unknown, message: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (error instanceof BadBackup || (error as NodeJS.ErrnoException).syscall !== undefined) return error
  return new BadBackup(message, { cause: error })
}

async function* passing(entry: Entry, signal: AbortSignal, note: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of explained(entry as AsyncIterable<Buffer>, signal)) {
    note(chunk)
    yield chunk
  }
}

function sizeOf({ header }: Entry): number {
  return header.size ?? 0
}

const mostText = 4 * 1024 * 1024

async function textOf(entry: Entry, note: (chunk: Buffer) => void, signal: AbortSignal): Promise<string> {
  if (sizeOf(entry) > mostText) throw new BadBackup(damaged)
  const chunks: Buffer[] = []
  for await (const chunk of passing(entry, signal, note)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
