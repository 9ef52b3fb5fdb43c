import { invalid, Refusal } from '../../contract/refusals.js'
import type { DocumentFiles } from '../../documents/document-files.js'
import { checkFileType } from '../../documents/file-type.js'
import type { DocumentContentRecord } from '../../domain/documents/document.js'
import { cleanFileName } from '../../domain/documents/file-name.js'
import { extensionOf } from '../../domain/documents/media-type.js'
import { mergePatch } from '../../domain/records/merge-patch.js'
import { findVersions } from '../../ledger/history.js'
import type { OperatorHandler, OperatorPreparation } from '../operator-context.js'
import { fileNotAccepted, openContent } from './document-content.js'
import { getDocumentRecord, presentDocument, refuseUnknownShipment } from './document-record.js'

export const updateDocument: OperatorHandler<'updateDocument'> = async (
  { tx, account, signLink },
  { params, body: { reason, ...patch }, prepared },
) => {
  const record = await getDocumentRecord(tx, account, params.id)
  if (patch.name !== undefined) await refuseName(record, patch.name, prepared)
  await refuseUnknownShipment(tx, account, patch.svc_shipment_id ?? undefined)
  tx.put('document', [{ record: mergePatch(record, patch) as DocumentContentRecord, before: record, reason }])
  return presentDocument(tx, account, record.id, signLink)
}

/** Checks the content against a name with another extension; returns the hash of the content that was checked. */
export const prepareUpdate: OperatorPreparation<'updateDocument'> = async (
  { db, account, files },
  { params, body: { name } },
) => {
  if (name === undefined || cleanFileName(name) !== name) return undefined
  const id = params.id.toLowerCase()
  const version = (await findVersions(db, account, 'document', [id])).get(id)
  if (!version) return undefined
  const record = JSON.parse(version.record) as DocumentContentRecord
  if (extensionOf(name) === extensionOf(record.name)) return undefined
  await refuseContent(files, record.content_hash, name)
  return record.content_hash
}

/** Refuses a name that is not a file name, or whose extension does not match the content. */
async function refuseName(
  record: DocumentContentRecord,
  name: string,
  checkedHash: Promise<string | undefined>,
): Promise<void> {
  if (cleanFileName(name) !== name)
    throw invalid([{ pointer: '/name', detail: 'must be a file name without folders or control characters' }])
  if (extensionOf(name) === extensionOf(record.name) || (await checkedHash) === record.content_hash) return
  throw new Refusal('service_unavailable', 'The document was changed by another request; try again.')
}

async function refuseContent(files: DocumentFiles, hash: string, name: string): Promise<void> {
  const { stream } = await openContent(files, hash)
  const intake = files.createIntake()
  try {
    const { path } = await intake.add(stream)
    const type = await checkFileType(path, name)
    if ('detail' in type) throw fileNotAccepted(name, { ...type, pointer: '/name' })
  } finally {
    await intake.discard()
  }
}
