import { type Fault, Refusal } from '../../contract/refusals.js'
import type { DocumentFiles, StoredContent } from '../../documents/document-files.js'
import { checkFileType } from '../../documents/file-type.js'
import type { Upload } from '../upload.js'

export function contentOf({ size, hash }: Upload): { size: number; content_hash: string } {
  return { size, content_hash: hash }
}

/** Validates an uploaded file and moves it close to its destination, before the account is locked. */
export async function prepareFile(upload: Upload): Promise<void> {
  await refuseFile(upload)
  // Stored even if the same bytes are known: an upload restores a file that was lost.
  await upload.intake.accept(upload.hash)
  await upload.intake.prepareAccepted()
}

async function refuseFile(upload: Upload): Promise<void> {
  const fault = await findFileFault(upload)
  if (fault) throw fileNotAccepted(upload.name, fault)
}

/** Why a staged file is not accepted as a document. */
export async function findFileFault({ path, name, size }: Omit<StoredContent, 'hash'> & { name: string }) {
  if (size === 0) return { pointer: '/file', detail: 'the file is empty' }
  const type = await checkFileType(path, name)
  return 'detail' in type ? type : undefined
}

export function fileNotAccepted(name: string, fault: Fault): Refusal {
  return new Refusal('file_not_accepted', `${name}: ${fault.detail}.`, { faults: [fault] })
}

export async function openContent(files: DocumentFiles, hash: string) {
  const content = await files.open(hash)
  if (!content) throw new Error(`the content ${hash} of a document is missing`)
  return content
}
