import { arrayBuffer, buffer } from 'node:stream/consumers'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { ZipFile as NewZipFile } from 'yazl'
import { UnreadableTable } from './sheet.js'

/** The XML files of an XLSX archive, unpacked within limits: a small file may hold gigabytes. */

export const largestFile = 32 * 1024 * 1024
const largestContent = 128 * 1024 * 1024
// A workbook has a few entries for each sheet.
const mostEntries = 10_000

export async function unpackXml(bytes: Buffer, most = largestContent): Promise<Map<string, Buffer>> {
  if (bytes.length === 0) throw new UnreadableTable('is empty')
  if (bytes.length > largestFile) throw tooLarge('is larger than', largestFile)
  const archive = await fromBufferPromise(bytes, { lazyEntries: true }).catch((cause: unknown) => {
    throw new UnreadableTable('is not an XLSX file', { cause })
  })
  if (archive.entryCount > mostEntries) throw new UnreadableTable(`has more than ${mostEntries} parts; save it as CSV`)
  try {
    return await unpackEntries(archive, most)
  } catch (error) {
    throw error instanceof UnreadableTable ? error : new UnreadableTable('is a damaged XLSX file', { cause: error })
  }
}

// An entry is read by its size in the central directory, and its stream fails as soon as there are more bytes: the sum of
// those sizes limits what is inflated.
async function unpackEntries(archive: ZipFile, most: number): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  let left = most
  for await (const entry of archive.eachEntry()) {
    left -= entry.uncompressedSize
    if (left < 0) throw tooLarge('holds more than', most)
    if (isXml(entry)) files.set(entry.fileName, await buffer(await archive.openReadStreamPromise(entry)))
  }
  return files
}

function isXml({ fileName }: Entry): boolean {
  return /\.(?:xml|rels)$/.test(fileName)
}

/**
 * The files as an uncompressed archive, for the XLSX reader. ZIP readers differ in what they take for an entry, and most
 * inflate without a limit: with this archive they read what was checked, and nothing else.
 */
export async function packedAgain(files: Map<string, Buffer>): Promise<ArrayBuffer> {
  const archive = new NewZipFile()
  for (const [name, content] of files) archive.addBuffer(content, name, { compress: false })
  archive.end()
  return arrayBuffer(archive.outputStream)
}

function tooLarge(verb: string, bytes: number): UnreadableTable {
  return new UnreadableTable(`${verb} ${bytes / 1024 / 1024} MiB; save it as CSV`)
}
