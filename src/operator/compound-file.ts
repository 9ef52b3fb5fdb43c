import { open } from 'node:fs/promises'

/**
 * The older Office formats are all "compound files": a file system within a file. Which of them it is, the names at
 * its root tell ([MS-CFB], [MS-DOC] 2.1, [MS-XLS] 2.1, [MS-PPT] 2.1, [MS-OXMSG] 2.2).
 */
const kindsByName: [name: string, kind: string][] = [
  ['EncryptedPackage', 'encrypted'],
  ['WordDocument', 'doc'],
  ['Workbook', 'xls'],
  ['Book', 'xls'],
  ['PowerPoint Document', 'ppt'],
  ['__properties_version1.0', 'msg'],
]

// The class that Windows starts its installer for: packages, patches and transforms, 000C1082 to 000C1086.
const installerClass = /^8[2-6]100c0000000000c000000000000046$/

type Read = (position: number, length: number) => Promise<Buffer>

export async function readCompoundKind(content: string | Uint8Array): Promise<string> {
  if (typeof content !== 'string') {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.length)
    return kindOf(async (position, length) => bytes.subarray(position, position + length))
  }
  const file = await open(content)
  try {
    return await kindOf(async (position, length) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
      return buffer.subarray(0, bytesRead)
    })
  } finally {
    await file.close()
  }
}

async function kindOf(read: Read): Promise<string> {
  const entries = await readDirectory(read)
  const [root] = entries
  if (root === undefined) return 'compound'
  if (installerClass.test(root.classId)) return 'msi'
  const names = namesBelow(root, entries)
  return kindsByName.find(([name]) => names.has(name))?.[1] ?? 'compound'
}

type Entry = { name: string; left: number; right: number; child: number; classId: string }

const entryLength = 128
// Thousands of entries: a mail with very many attachments. More is not read.
const mostSectors = 2000
const headerPlaces = 109

async function readDirectory(read: Read): Promise<Entry[]> {
  const header = await read(0, 512)
  if (header.length < 512) return []
  const shift = header.readUInt16LE(0x1e)
  if (shift !== 9 && shift !== 12) return []
  const length = 1 << shift
  const perSector = length / 4
  const readSector = (sector: number) => read((sector + 1) * length, length)
  const readNumber = async (sector: number, index: number) => {
    const bytes = await readSector(sector)
    return bytes.length < length ? endOfChain : bytes.readUInt32LE(index * 4)
  }

  // Where the table that chains the sectors lies: its first places are in the header, the others in a chain of lists.
  async function findTableSector(index: number): Promise<number> {
    if (index < headerPlaces) return header.readUInt32LE(0x4c + index * 4)
    const beyond = index - headerPlaces
    let list = header.readUInt32LE(0x44)
    for (let skipped = Math.floor(beyond / (perSector - 1)); skipped > 0 && list < endOfChain; skipped -= 1) {
      list = await readNumber(list, perSector - 1)
    }
    return list < endOfChain ? readNumber(list, beyond % (perSector - 1)) : endOfChain
  }

  const entries: Entry[] = []
  let sector = header.readUInt32LE(0x30)
  for (let count = 0; sector < endOfChain && count < mostSectors; count += 1) {
    const bytes = await readSector(sector)
    for (let at = 0; at + entryLength <= bytes.length; at += entryLength) {
      entries.push(entryOf(bytes.subarray(at, at + entryLength)))
    }
    const table = await findTableSector(Math.floor(sector / perSector))
    sector = table < endOfChain ? await readNumber(table, sector % perSector) : endOfChain
  }
  return entries
}

// This and what is above it are no sectors.
const endOfChain = 0xfffffffa

function entryOf(bytes: Buffer): Entry {
  const nameLength = Math.min(Math.max(bytes.readUInt16LE(64) - 2, 0), 64)
  return {
    name: bytes.subarray(0, nameLength).toString('utf16le'),
    left: bytes.readUInt32LE(68),
    right: bytes.readUInt32LE(72),
    child: bytes.readUInt32LE(76),
    classId: bytes.subarray(80, 96).toString('hex'),
  }
}

// What is attached to a mail or embedded in a sheet has the same names, further down.
function namesBelow(root: Entry, entries: Entry[]): Set<string> {
  const names = new Set<string>()
  const seen = new Set<number>()
  for (const waiting = [root.child]; waiting.length > 0; ) {
    const index = waiting.pop() as number
    const entry = entries[index]
    if (!entry || seen.has(index)) continue
    seen.add(index)
    names.add(entry.name)
    waiting.push(entry.left, entry.right)
  }
  return names
}
