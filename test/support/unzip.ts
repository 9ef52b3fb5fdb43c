import { crc32, inflateRawSync } from 'node:zlib'

export type Unzipped = { name: string; content: Buffer; isCompressed: boolean }

/** The files of a ZIP archive by its directory, verified by length and checksum. */
export function unzip(archive: Buffer): Unzipped[] {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end === -1) throw new Error('the archive has no end of central directory')
  const files: Unzipped[] = []
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, sum, packed, size] = [10, 16, 20, 24].map((offset, index) =>
      index === 0 ? archive.readUInt16LE(at + offset) : archive.readUInt32LE(at + offset),
    ) as [number, number, number, number]
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      archive.readUInt16LE(at + offset),
    ) as [number, number, number]
    const local = archive.readUInt32LE(at + 42)
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const bytes = archive.subarray(start, start + packed)
    const content = method === 0 ? Buffer.from(bytes) : inflateRawSync(bytes)
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    if (content.length !== size || crc32(content) !== sum) throw new Error(`${name} is damaged`)
    files.push({ name, content, isCompressed: method !== 0 })
    at += 46 + nameLength + extraLength + commentLength
  }
  return files
}
