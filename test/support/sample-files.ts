import { crc32, deflateRawSync, deflateSync } from 'node:zlib'
import writeExcelFile from 'write-excel-file/node'

/** Small files of many types, built byte by byte or by a library. */

// Compound files: markers of no entry, and of the end of a chain.
const none = 0xffffffff
const endOfChain = 0xfffffffe

const office = 'application/vnd.openxmlformats-officedocument'

export const binaryFiles: Record<string, Buffer> = {
  pdf: Buffer.from(
    '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n',
    'latin1',
  ),
  png: aPng(),
  jpg: aJpeg(),
  gif: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
  webp: Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64'),
  tif: aTiff(),
  heic: Buffer.concat([box('ftyp', 'heic\0\0\0\0mif1heic'), box('meta', '\0\0\0\0'), box('mdat', '')]),
  docx: openXml('word/document.xml', `${office}.wordprocessingml.document.main+xml`),
  xlsx: await writeExcelFile([[{ value: 'Shipment' }], [{ value: 'S-1' }]]).toBuffer(),
  pptx: openXml('ppt/presentation.xml', `${office}.presentationml.presentation.main+xml`),
  doc: compoundFile(['\x05SummaryInformation', 'WordDocument', '1Table']),
  xls: compoundFile(['Workbook', '\x05SummaryInformation']),
  ppt: compoundFile(['Current User', 'PowerPoint Document']),
  msg: compoundFile(['__nameid_version1.0', '__properties_version1.0', '__substg1.0_001A001F']),
  odt: zip([
    ['mimetype', 'application/vnd.oasis.opendocument.text'],
    ['content.xml', '<office:document-content/>'],
  ]),
  ods: zip([
    ['mimetype', 'application/vnd.oasis.opendocument.spreadsheet'],
    ['content.xml', '<office:document-content/>'],
  ]),
  rtf: Buffer.from('{\\rtf1\\ansi\\deff0 {\\fonttbl {\\f0 Courier;}}\\f0\\fs20 Bill of lading}'),
  zip: zip([['papers/list.txt', 'one\ntwo\n']]),
}

export const textFiles: Record<string, Buffer> = {
  csv: Buffer.from('sku;quantity\r\nLAMP-1;12\r\n'),
  txt: Buffer.from('MZ is how a program begins, but this is a letter about Zürich and 上海.\n'),
  xml: Buffer.from('<?xml version="1.0" encoding="UTF-8"?>\n<Invoice><ID>INV-1</ID></Invoice>\n'),
  json: Buffer.from('\n{ "reference": "PO-1" }\n'),
  edi: Buffer.from("UNA:+.? 'UNB+UNOC:3+SENDER+RECEIVER+260301:1200+1'UNH+1+IFTSTA:D:99B:UN'"),
  eml: Buffer.from(
    'From: a@example.com\r\nSubject: Arrival\r\nContent-Type: text/html\r\n\r\n<html><p>Arrived</p></html>',
  ),
}

export const rejectedFiles: Record<string, Buffer> = {
  exe: Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0', 'latin1'), Buffer.alloc(200)]),
  elf: Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), Buffer.alloc(100)]),
  msi: compoundFile(['WordDocument', '䡀㬿䏲䐸䖱'], { classId: '84100c0000000000c000000000000046' }),
  jar: zip([['META-INF/MANIFEST.MF', 'Manifest-Version: 1.0\n']]),
  docm: openXml('word/document.xml', 'application/vnd.ms-word.document.macroEnabled.main+xml'),
  mp3: Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\x0a', 'latin1'), Buffer.alloc(40)]),
  noise: Buffer.from([7, 1, 2, 3, 200, 201, 0, 0, 9, 90]),
}

export function zip(files: [name: string, content: string][]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  // Large files have the same content: a sender that packs for a minute does not read the log of the service meanwhile.
  const packedOf = new Map<string, { packed: Buffer; sum: number }>()
  let offset = 0
  for (const [name, content] of files) {
    const { packed, sum } = packedOf.get(content) ?? {
      packed: deflateRawSync(content),
      sum: crc32(Buffer.from(content)),
    }
    packedOf.set(content, { packed, sum })
    // Formats with an entry that names the type require it to be stored uncompressed.
    const [method, bytes] = name === 'mimetype' ? [0, Buffer.from(content)] : [8, packed]
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(method, 4)
    common.writeUInt32LE(sum, 10)
    common.writeUInt32LE(bytes.length, 14)
    common.writeUInt32LE(Buffer.byteLength(content), 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), bytes])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), common, place, Buffer.from(name)]))
    parts.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, listed, end])
}

function openXml(part: string, type: string): Buffer {
  const types = `<?xml version="1.0"?><Types><Override PartName="/${part}" ContentType="${type}"/></Types>`
  return zip([
    ['[Content_Types].xml', types],
    [part, '<root/>'],
  ])
}

type CompoundOptions = {
  /** Class identifier of the root, in hexadecimal. */
  classId?: string
  /** Names one level deeper, below the first of the others. */
  below?: string[]
  sectorLength?: 512 | 4096
  /** The first sector of the directory, which continues two sectors later. */
  directoryAt?: number
}

/** A compound file ([MS-CFB]) with empty streams of these names. */
export function compoundFile(names: string[], options: CompoundOptions = {}): Buffer {
  const { classId = '0'.repeat(32), below = [], sectorLength = 512, directoryAt = 2 } = options
  const perSector = sectorLength / 4
  const entries = [
    entry('Root Entry', 5, { child: 1, classId }),
    ...names.map((name, index) =>
      entry(name, below.length > 0 && index === 0 ? 1 : 2, {
        right: index + 1 < names.length ? index + 2 : none,
        child: below.length > 0 && index === 0 ? names.length + 1 : none,
      }),
    ),
    ...below.map((name, index) =>
      entry(name, 2, { right: index + 1 < below.length ? names.length + index + 2 : none }),
    ),
  ]
  const sectors = chunks(Buffer.concat(entries), sectorLength)
  const places = sectors.map((_, index) => directoryAt + index * 2)
  const file = Buffer.alloc(((places.at(-1) as number) + 2) * sectorLength)
  const at = (sector: number) => (sector + 1) * sectorLength

  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file)
  file.writeUInt16LE(sectorLength === 512 ? 3 : 4, 0x1a)
  file.writeUInt16LE(0xfffe, 0x1c)
  file.writeUInt16LE(Math.log2(sectorLength), 0x1e)
  file.writeUInt32LE(1, 0x2c)
  file.writeUInt32LE(directoryAt, 0x30)
  file.writeUInt32LE(4096, 0x38)
  file.writeUInt32LE(endOfChain, 0x3c)
  file.fill(0xff, 0x4c, 0x4c + 109 * 4)
  // Sector 1 is the part of the allocation table with the directory's chain. Its position in the header depends on that.
  const table = Math.floor(directoryAt / perSector)
  if (table < 109) {
    file.writeUInt32LE(endOfChain, 0x44)
    file.writeUInt32LE(1, 0x4c + table * 4)
  } else {
    file.writeUInt32LE(0, 0x44)
    file.writeUInt32LE(1, at(0) + (table - 109) * 4)
  }
  for (const [index, place] of places.entries()) {
    file.writeUInt32LE(places[index + 1] ?? endOfChain, at(1) + (place % perSector) * 4)
    ;(sectors[index] as Buffer).copy(file, at(place))
  }
  return file
}

function entry(name: string, type: number, links: { right?: number; child?: number; classId?: string }): Buffer {
  const bytes = Buffer.alloc(128)
  bytes.write(name, 0, 'utf16le')
  bytes.writeUInt16LE((name.length + 1) * 2, 64)
  bytes[66] = type
  bytes.writeUInt32LE(none, 68)
  bytes.writeUInt32LE(links.right ?? none, 72)
  bytes.writeUInt32LE(links.child ?? none, 76)
  bytes.write(links.classId ?? '', 80, 'hex')
  return bytes
}

function chunks(bytes: Buffer, length: number): Buffer[] {
  const count = Math.ceil(bytes.length / length)
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * length, (index + 1) * length))
}

function aPng(): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data])
    return Buffer.concat([uint32(data.length), named, uint32(crc32(named))])
  }
  const header = Buffer.concat([uint32(1), uint32(1), Buffer.of(8, 0, 0, 0, 0)])
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.of(0, 128))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** One grey pixel: a quantisation table, a frame, two Huffman codes of one bit, and two such bits. */
function aJpeg(): Buffer {
  const segment = (marker: number, ...data: number[]) => Buffer.of(0xff, marker, 0, data.length + 2, ...data)
  const oneCode = [1, ...Array<number>(15).fill(0), 0]
  return Buffer.concat([
    Buffer.of(0xff, 0xd8),
    segment(0xe0, ...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0),
    segment(0xdb, 0, ...Array<number>(64).fill(1)),
    segment(0xc0, 8, 0, 1, 0, 1, 1, 1, 0x11, 0),
    segment(0xc4, 0x00, ...oneCode),
    segment(0xc4, 0x10, ...oneCode),
    segment(0xda, 1, 1, 0, 0, 63, 0),
    Buffer.of(0x3f, 0xff, 0xd9),
  ])
}

function aTiff(): Buffer {
  const tags: [tag: number, value: number][] = [
    [256, 1], // width
    [257, 1], // height
    [258, 8], // bits
    [259, 1], // not compressed
    [262, 1], // black is zero
    [273, 8], // where the point is
    [278, 1], // rows
    [279, 1], // bytes
  ]
  const directory = Buffer.alloc(2 + tags.length * 12 + 4)
  directory.writeUInt16LE(tags.length, 0)
  for (const [index, [tag, value]] of tags.entries()) {
    const at = 2 + index * 12
    directory.writeUInt16LE(tag, at)
    directory.writeUInt16LE(3, at + 2)
    directory.writeUInt32LE(1, at + 4)
    directory.writeUInt16LE(value, at + 8)
  }
  return Buffer.concat([Buffer.from('49492a000a000000', 'hex'), Buffer.of(128, 0), directory])
}

function box(type: string, content: string): Buffer {
  const bytes = Buffer.from(content, 'latin1')
  return Buffer.concat([uint32(bytes.length + 8), Buffer.from(type), bytes])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}
