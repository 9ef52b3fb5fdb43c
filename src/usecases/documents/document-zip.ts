import { type PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { DocumentFiles } from '../../documents/document-files.js'
import { plainFileName } from '../../domain/documents/file-name.js'
import { extensionOf } from '../../domain/documents/media-type.js'
import type { DocumentFileRow } from '../../store/documents.js'
import { openContent } from './document-content.js'

/** Streams several documents as one ZIP file: one of them is open at a time, and none is held in memory. */

export type PackedFile = { path: string; hash: string; size: number }

/** Nothing is opened until the stream is read: an error before that would have nobody to handle it. */
export function zipOf(files: DocumentFiles, packed: PackedFile[]): Readable {
  return Readable.from(chunksOf(files, packed), { objectMode: false })
}

async function* chunksOf(files: DocumentFiles, packed: PackedFile[]): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  const output = zip.outputStream as PassThrough
  let opened: Readable | undefined
  // A truncated ZIP must not look complete: an error destroys the response instead of ending it.
  zip.on('error', (error: Error) => output.destroy(error))
  output.once('close', () => opened?.destroy())

  for (const { path, hash, size } of packed) {
    zip.addReadStreamLazy(path, { size, compress: !isCompressed(path) }, (pass) => {
      openContent(files, hash).then(
        ({ stream }) => {
          opened = stream
          stream.once('error', (error) => output.destroy(error))
          if (output.destroyed) stream.destroy()
          else pass(null, stream)
        },
        (error: unknown) => output.destroy(error as Error),
      )
    })
  }
  zip.end()
  yield* output
}

// Compressing these again takes time and saves nothing.
const compressed = new Set('pdf png jpg jpeg gif webp heic docx xlsx pptx odt ods zip'.split(' '))

function isCompressed(path: string): boolean {
  return compressed.has(extensionOf(path))
}

/** The path of each document in the ZIP: its name, below a folder for its shipment if there are several shipments. */
export function pathsOf(documents: Pick<DocumentFileRow, 'name' | 'svc_shipment_id'>[]): string[] {
  const shipments = new Set(documents.map(({ svc_shipment_id }) => svc_shipment_id))
  const folderOf = (shipment: string | null) =>
    shipment === null || shipments.size === 1 ? '' : `${plainFileName(shipment)}/`
  // Some file systems ignore case, and no file can have the name of a folder.
  const taken = new Set([...shipments].map((shipment) => folderOf(shipment).slice(0, -1).toLowerCase()))
  return documents.map(({ name, svc_shipment_id }) => {
    const path = freePath(folderOf(svc_shipment_id) + plainFileName(name), taken)
    taken.add(path.toLowerCase())
    return path
  })
}

function freePath(path: string, taken: Set<string>): string {
  const extension = /[^/](\.[^./]+)$/.exec(path)?.[1] ?? ''
  const stem = path.slice(0, path.length - extension.length)
  let [free, number] = [path, 2]
  for (; taken.has(free.toLowerCase()); number += 1) free = `${stem} (${number})${extension}`
  return free
}
