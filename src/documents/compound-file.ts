import { type FileHandle, open } from 'node:fs/promises'

/**
 * The older Office formats are compound files: a file system within a file. The names in its root directory identify the
 * format ([MS-CFB], [MS-DOC] 2.1, [MS-XLS] 2.1, [MS-PPT] 2.1, [MS-OXMSG] 2.2).
 *
 * Written by hand because the packages are not safe for uploads: a file of 3,072 bytes whose sectors form a cycle makes cfb 1.2.2 allocate
 * until the process dies, and @file-type/cfbf 0.2.2 recognises neither mails nor encrypted files, and allocates up to the
 * offset in the header.
 */
const kindsByName: [name: string, kind: string][] = [
  ['EncryptedPackage', 'encrypted'],
  ['WordDocument', 'doc'],
  ['Workbook', 'xls'],
  ['Book', 'xls'],
  ['PowerPoint Document', 'ppt'],
  ['__properties_version1.0', 'msg'],
]

// The class identifiers of Windows Installer packages, patches and transforms: 000C1082 to 000C1086.
const installerClass = /^8[2-6]100c0000000000c000000000000046$/

export async function readCompoundKind(path: string): Promise<string> {
  const file = await open(path)
  try {
    const entries = await readDirectory(file)
    const [root] = entries
    if (root === undefined) return 'compound'
    if (installerClass.test(root.classId)) return 'msi'
    const names = namesBelow(root, entries)
    return kindsByName.find(([name]) => names.has(name))?.[1] ?? 'compound'
  } finally {
    await file.close()
  }
}

type Entry = { name: string; left: number; right: number; child: number; classId: string }

const entryLength = 128
// Enough for thousands of entries, as in a mail with many attachments.
const mostSectors = 2000
const listedInHeader = 109
const noSector = 0xffffffff

async function readDirectory(file: FileHandle): Promise<Entry[]> {
  const { size } = await file.stat()
  const read = async (at: number, length: number) => (await file.read(Buffer.alloc(length), 0, length, at)).buffer
  const header = await read(0, 512)
  const shift = header.readUInt16LE(0x1e)
  if (shift !== 9 && shift !== 12) return []
  const length = 1 << shift
  const perSector = length / 4
  // A sector beyond the file ends a chain, whether it is the end mark or invalid.
  const exists = (sector: number) => (sector + 1) * length < size
  const readSector = (sector: number) => read((sector + 1) * length, length)
  const numberIn = async (sector: number, index: number) =>
    exists(sector) ? (await readSector(sector)).readUInt32LE(index * 4) : noSector

  // The allocation table: the header lists its first sectors, a chain of lists the others.
  async function tableSector(index: number): Promise<number> {
    if (index < listedInHeader) return header.readUInt32LE(0x4c + index * 4)
    const perList = perSector - 1
    const beyond = index - listedInHeader
    let list = header.readUInt32LE(0x44)
    for (let left = Math.floor(beyond / perList); left > 0; left -= 1) list = await numberIn(list, perList)
    return numberIn(list, beyond % perList)
  }

  const entries: Entry[] = []
  let sector = header.readUInt32LE(0x30)
  for (let count = 0; exists(sector) && count < mostSectors; count += 1) {
    const bytes = await readSector(sector)
    for (let at = 0; at < length; at += entryLength) entries.push(entryOf(bytes.subarray(at, at + entryLength)))
    sector = await numberIn(await tableSector(Math.floor(sector / perSector)), sector % perSector)
  }
  return entries
}

function entryOf(bytes: Buffer): Entry {
  const nameLength = Math.min(Math.max(bytes.readUInt16LE(64) - 2, 0), 64)
  return {
    name: bytes.toString('utf16le', 0, nameLength),
    left: bytes.readUInt32LE(68),
    right: bytes.readUInt32LE(72),
    child: bytes.readUInt32LE(76),
    classId: bytes.toString('hex', 80, 96),
  }
}

// Only the root directory counts: attachments and embedded files have the same names further down.
function namesBelow(root: Entry, entries: Entry[]): Set<string> {
  const seen = new Set<Entry>()
  for (const pending = [root.child]; pending.length > 0; ) {
    const entry = entries[pending.pop() as number]
    if (!entry || seen.has(entry)) continue
    seen.add(entry)
    pending.push(entry.left, entry.right)
  }
  return new Set([...seen].map(({ name }) => name))
}
