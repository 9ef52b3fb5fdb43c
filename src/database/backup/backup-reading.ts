import type { FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, gunzipSync } from 'node:zlib'
import { type ExtractEvents, extract } from 'tar-stream'
import { SchemaTooNew, schemaVersion } from '../migrate.js'
import { decrypting } from './backup-encryption.js'
import {
  archiveSeal,
  type BackupManifest,
  BadBackup,
  countRows,
  type EntryTarget,
  isSealedWithKey,
  manifestIn,
  manifestName,
  sealName,
  targetOf,
} from './backup-format.js'

export type BackupKeys = {
  /** The key of the seal. */
  sealKey?: string | undefined
  /** Accept a backup without a MAC although a key is set. */
  acceptUnsealed?: boolean
  /** The age identities that can decrypt it. */
  identities?: string[]
}

/** An entry between the manifest and the seal. */
export type BackupEntry = EntryTarget & { content: AsyncIterable<Buffer> }

type Entry = ExtractEvents['entry'][1]

const notABackup = 'this is not a Waybill backup'
const damaged = 'the backup is damaged or truncated'
const badSeal = 'the backup was altered, or sealed with another WAYBILL_BACKUP_KEY'
const unsealed = 'the backup is not sealed with WAYBILL_BACKUP_KEY: use --unsealed if you know where it comes from'

/** Reads and verifies the whole file, and returns its manifest. */
export async function checkBackup(
  file: FileHandle,
  signal: AbortSignal,
  keys: BackupKeys = {},
): Promise<BackupManifest> {
  const { manifest, entries } = await openBackup(file, signal, keys)
  for await (const { content } of entries) for await (const _chunk of content);
  return manifest
}

/**
 * The entries of a backup. Each must be read to its end before the next one. The seal is verified after the last entry:
 * only then is the file known to be complete and unaltered.
 */
export async function openBackup(
  file: FileHandle,
  signal: AbortSignal,
  keys: BackupKeys = {},
): Promise<{ manifest: BackupManifest; entries: AsyncGenerator<BackupEntry> }> {
  const archive = unpack(file, keys.identities ?? [], signal)
  const first = await archive.next().catch(async (error: unknown) => {
    // A short damaged file can fail before its first entry is read.
    throw faultOf(error, (await beginsAsBackup(file)) ? damaged : notABackup, signal)
  })
  if (first.done || first.value.header.name !== manifestName) throw new BadBackup(notABackup)
  const seals = sealsFor(keys)
  seals.addEntry(manifestName, sizeOf(first.value))
  const manifest = manifestIn(await textOf(first.value, seals.update, signal))
  if (manifest.schema_version > schemaVersion) throw new SchemaTooNew(manifest.schema_version, 'the backup')
  return { manifest, entries: entriesOf(archive, manifest, seals, signal) }
}

type Seals = ReturnType<typeof sealsFor>

/** Which seal a backup has is known at its end only: both are computed if there is a key. */
function sealsFor({ sealKey, acceptUnsealed }: BackupKeys) {
  const checksum = archiveSeal(undefined)
  const mac = sealKey === undefined ? undefined : archiveSeal(sealKey)
  return {
    addEntry(name: string, size: number): void {
      checksum.addEntry(name, size)
      mac?.addEntry(name, size)
    },
    update(chunk: Buffer): void {
      checksum.update(chunk)
      mac?.update(chunk)
    },
    verify(found: string | undefined): void {
      if (found === undefined) throw new BadBackup(damaged)
      if (isSealedWithKey(found)) {
        if (!mac)
          throw new BadBackup('the backup is sealed: set WAYBILL_BACKUP_KEY to the key that it was written with')
        if (found !== mac.text()) throw new BadBackup(badSeal)
      } else {
        if (found !== checksum.text()) throw new BadBackup(damaged)
        if (mac && !acceptUnsealed) throw new BadBackup(unsealed)
      }
    },
  }
}

/** Whether the archive starts with the manifest of a backup. */
async function beginsAsBackup(file: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0)
  try {
    const start = gunzipSync(buffer.subarray(0, bytesRead), { finishFlush: constants.Z_SYNC_FLUSH })
    return start.toString('latin1').startsWith(`${manifestName}\0`)
  } catch {
    return false
  }
}

async function* unpack(file: FileHandle, identities: string[], signal: AbortSignal): AsyncGenerator<Entry> {
  const archive = extract()
  const source = file.createReadStream({ start: 0, autoClose: false, highWaterMark: 1 << 18 })
  const unpacked = pipeline(source, decrypting(identities), createGunzip(), archive, { signal })
  // The error is reported by the await below, or by the entry during which it occurs.
  unpacked.catch(() => {})
  yield* archive
  await unpacked
}

async function* entriesOf(
  archive: AsyncGenerator<Entry>,
  manifest: BackupManifest,
  seals: Seals,
  signal: AbortSignal,
): AsyncGenerator<BackupEntry> {
  const rows = new Map(manifest.tables.map(({ name }) => [name, 0]))
  let documents = 0
  let found: string | undefined
  for await (const entry of translateErrors(archive, signal)) {
    const { name } = entry.header
    if (found !== undefined) throw new BadBackup(`the backup has data after its end: ${name}`)
    if (name === sealName) {
      found = await textOf(entry, () => {}, signal)
      continue
    }
    const target = targetOf(name)
    if (!target || (target.kind === 'part' && !rows.has(target.table)))
      throw new BadBackup(`the backup has an unexpected entry: ${name}`)
    seals.addEntry(name, sizeOf(entry))
    if (target.kind === 'document') documents += 1
    const content = observeChunks(entry, signal, (chunk) => {
      seals.update(chunk)
      if (target.kind === 'part') rows.set(target.table, (rows.get(target.table) ?? 0) + countRows(chunk))
    })
    yield { ...target, content }
  }
  const isComplete =
    documents === manifest.documents && manifest.tables.every(({ name, rows: all }) => rows.get(name) === all)
  seals.verify(found)
  if (!isComplete) throw new BadBackup(damaged)
}

async function* translateErrors<Item>(source: AsyncIterable<Item>, signal: AbortSignal): AsyncGenerator<Item> {
  try {
    yield* source
  } catch (error) {
    throw faultOf(error, damaged, signal)
  }
}

// Errors that come from neither the system nor the stop signal mean a bad file: gunzip and tar report it in their own words.
function faultOf(error: unknown, message: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (error instanceof BadBackup || (error as NodeJS.ErrnoException).syscall !== undefined) return error
  return new BadBackup(message, { cause: error })
}

async function* observeChunks(
  entry: Entry,
  signal: AbortSignal,
  onChunk: (chunk: Buffer) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of translateErrors(entry as AsyncIterable<Buffer>, signal)) {
    onChunk(chunk)
    yield chunk
  }
}

function sizeOf({ header }: Entry): number {
  return header.size ?? 0
}

const maxTextBytes = 4 * 1024 * 1024

async function textOf(entry: Entry, onChunk: (chunk: Buffer) => void, signal: AbortSignal): Promise<string> {
  if (sizeOf(entry) > maxTextBytes) throw new BadBackup(damaged)
  const chunks: Buffer[] = []
  for await (const chunk of observeChunks(entry, signal, onChunk)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
