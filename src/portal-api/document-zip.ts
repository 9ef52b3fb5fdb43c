import type { PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { plainFileName } from '../domain/file-name.js'
import { extensionOf } from '../domain/media-type.js'
import type { DocumentFiles } from '../storage/document-files.js'
import type { DocumentFileRow } from '../storage/documents.js'

/** Several documents as one file, written as it is read: one of them is open at a time, and none is held in memory. */

export type PackedFile = { path: string; hash: string; size: number }

export function zipOf(files: DocumentFiles, packed: PackedFile[]): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as PassThrough
  let opened: Readable | undefined
  // A zip that ends early must not look whole: whoever receives it is cut off.
  zip.on('error', (error: Error) => output.destroy(error))
  output.once('close', () => opened?.destroy())

  for (const { path, hash, size } of packed) {
    zip.addReadStreamLazy(path, { size, compress: !isCompressed(path) }, (pass) => {
      openContent(files, hash).then(
        (stream) => {
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
  return output
}

async function openContent(files: DocumentFiles, hash: string): Promise<Readable> {
  const content = await files.open(hash)
  if (!content) throw new Error(`the bytes ${hash} are missing`)
  return content.stream
}

// Packing these again takes time and saves nothing.
const compressed = new Set('pdf png jpg jpeg gif webp heic docx xlsx pptx odt ods zip'.split(' '))

function isCompressed(path: string): boolean {
  return compressed.has(extensionOf(path))
}

/** Where each lies in the zip: under its own name, in a folder for its shipment where there are several. */
export function pathsOf(documents: Pick<DocumentFileRow, 'name' | 'svc_shipment_id'>[]): string[] {
  const shipments = new Set(documents.map(({ svc_shipment_id }) => svc_shipment_id))
  const folderOf = (shipment: string | null) =>
    shipment === null || shipments.size === 1 ? '' : `${plainFileName(shipment)}/`
  // Some systems do not tell capital letters from small ones, and none a file from a folder of its name.
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
