import { inflateRawSync } from 'node:zlib'
import { UnreadableTable } from './sheet.js'

/** The XML files of an XLSX archive, unpacked within limits: a small file may claim to hold gigabytes. */

export const largestFile = 32 * 1024 * 1024
const largestContent = 128 * 1024 * 1024

const endOfDirectory = 0x06054b50
const directoryEntry = 0x02014b50
const localEntry = 0x04034b50

type Entry = {
  name: string
  method: number
  packed: number
  size: number
  /** Where the archive speaks of the entry, and where its bytes begin. */
  offset: number
  start: number
}

export function unpackXml(bytes: Buffer, most = largestContent): Map<string, string> {
  if (bytes.length === 0) throw new UnreadableTable('is empty')
  if (bytes.length > largestFile)
    throw new UnreadableTable(`is larger than ${largestFile / 1024 / 1024} MiB; save it as CSV`)
  const files = new Map<string, string>()
  let left = most
  for (const entry of readEntries(bytes)) {
    left -= entry.size
    if (left < 0) throw tooLarge(most)
    if (/\.(?:xml|rels)$/.test(entry.name)) files.set(entry.name, unpack(bytes, entry).toString('utf8'))
  }
  return files
}

function unpack(bytes: Buffer, { method, packed, size, start }: Entry): Buffer {
  const content = bytes.subarray(start, start + packed)
  if (method === 0) return content
  try {
    return inflateRawSync(content, { maxOutputLength: Math.max(size, 1) })
  } catch (error) {
    throw damaged(error)
  }
}

function readEntries(bytes: Buffer): Entry[] {
  const end = findEnd(bytes)
  const count = bytes.readUInt16LE(end + 10)
  const directory = bytes.readUInt32LE(end + 16)
  try {
    const entries: Entry[] = []
    for (let at = directory; entries.length < count; ) {
      if (bytes.readUInt32LE(at) !== directoryEntry) throw damaged()
      entries.push(readEntry(bytes, at))
      at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
    }
    refuseHidden(entries, directory)
    return entries
  } catch (error) {
    throw error instanceof UnreadableTable ? error : damaged(error)
  }
}

function findEnd(bytes: Buffer): number {
  // The end may be followed by a comment of 64 KiB.
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 22 - 0xffff); at -= 1) {
    if (bytes.readUInt32LE(at) === endOfDirectory) return at
  }
  throw new UnreadableTable('is not an XLSX file')
}

function readEntry(bytes: Buffer, at: number): Entry {
  const nameLength = bytes.readUInt16LE(at + 28)
  const offset = bytes.readUInt32LE(at + 42)
  const size = bytes.readUInt32LE(at + 24)
  if (bytes.readUInt32LE(offset) !== localEntry || bytes.readUInt32LE(offset + 22) > size) throw damaged()
  return {
    name: bytes.toString('utf8', at + 46, at + 46 + nameLength),
    method: bytes.readUInt16LE(at + 10),
    packed: bytes.readUInt32LE(at + 20),
    size,
    offset,
    start: offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28),
  }
}

// Readers that go from entry to entry, without the directory, must come by the same ones: between two there is room
// for a description of at most 24 bytes, which is too little for a third.
function refuseHidden(entries: Entry[], directory: number): void {
  let end = 0
  for (const { offset, start, packed } of entries.toSorted((one, other) => one.offset - other.offset)) {
    if (offset < end || offset - end > 24) throw damaged()
    end = start + packed
  }
  if (directory < end || directory - end > 24) throw damaged()
}

function tooLarge(most: number): UnreadableTable {
  return new UnreadableTable(`holds more than ${most / 1024 / 1024} MiB; save it as CSV`)
}

function damaged(cause?: unknown): UnreadableTable {
  return new UnreadableTable('is a damaged XLSX file', { cause })
}
