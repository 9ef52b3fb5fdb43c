import { randomUUID } from 'node:crypto'
import type { Document } from '../contract/document.js'
import type { DocumentVersion } from '../contract/ops/documents.js'
import { type Fault, invalid, Refusal } from '../contract/refusals.js'
import { type DocumentContentRecord, documentLink, renderDocument } from '../domain/document.js'
import { cleanFileName } from '../domain/file-name.js'
import { extensionOf, mediaTypeOf } from '../domain/media-type.js'
import { mergePatch } from '../domain/merge-patch.js'
import type { DocumentFiles } from '../storage/document-files.js'
import { listDocuments, removeDocument, saveDocuments } from '../storage/documents.js'
import { findRevisionAt, findVersions, listVersionsAt, type PresentVersion } from '../storage/history.js'
import { findShipmentStatuses } from '../storage/shipments.js'
import type { AccountId, Transaction } from '../storage/transaction.js'
import { checkFileType } from './file-type.js'
import type { OperatorHandlers, OperatorPreparations, SignLink, Upload } from './handlers.js'
import { envelopeOf, getVersion } from './versions.js'

export const documentHandlers: OperatorHandlers<
  | 'listDocuments'
  | 'uploadDocument'
  | 'getDocument'
  | 'getDocumentContent'
  | 'updateDocument'
  | 'replaceDocument'
  | 'withdrawDocument'
> = {
  async listDocuments({ db, account, signLink }, { query: { skip = 0, take = 20, as_of, ...filter } }) {
    if (as_of !== undefined) {
      const revision = await findRevisionAt(db, account, as_of)
      const versions = await listVersionsAt(db, account, 'document', revision, { skip, take }, filter)
      return versions.map((version) => versionOf(version, account, signLink))
    }
    const ids: string[] = []
    for await (const rows of listDocuments((work) => work(db), account, filter, { skip, take })) {
      ids.push(...rows.map(([, , id]) => String(id)))
    }
    const versions = await findVersions(db, account, 'document', ids)
    return ids.flatMap((id) => versions.get(id) ?? []).map((version) => versionOf(version, account, signLink))
  },

  async uploadDocument({ tx, account, signLink }, { body, upload, prepared }) {
    const { id: given = randomUUID(), uploaded_at = new Date().toISOString().slice(0, 10), ...details } = body
    const id = given.toLowerCase()
    if ((await findVersions(tx.sql, account, 'document', [id])).size > 0) throw new Refusal('document_exists')
    await refuseUnknownShipment(tx, account, details.svc_shipment_id)
    await prepared
    const record = { id, name: upload.name, ...details, uploaded_at, ...contentOf(upload) }
    await save(tx, account, record, { what: 'created' })
    await upload.intake.keepAccepted()
    return present(tx, account, id, signLink)
  },

  async getDocument({ db, account, signLink }, { params: { id }, query: { as_of } }) {
    const { version } = await getVersion(db, account, 'document', id.toLowerCase(), { asOf: as_of, missing })
    return versionOf(version, account, signLink)
  },

  async getDocumentContent({ db, account, files }, { params: { id }, query: { as_of } }) {
    const { version } = await getVersion(db, account, 'document', id.toLowerCase(), { asOf: as_of, missing })
    const { name, content_hash } = JSON.parse(version.record) as DocumentContentRecord
    return async () => {
      const { size, stream } = await openContent(files, content_hash)
      return { name, mediaType: mediaTypeOf(name), size, content: stream }
    }
  },

  async updateDocument({ tx, account, signLink }, { params, body: { reason, ...patch }, prepared }) {
    const record = await getRecord(tx, account, params.id)
    if (patch.name !== undefined) await refuseUnfittingName(record, patch.name, prepared)
    await refuseUnknownShipment(tx, account, patch.svc_shipment_id ?? undefined)
    await save(tx, account, mergePatch(record, patch) as DocumentContentRecord, { what: 'updated', reason })
    return present(tx, account, record.id, signLink)
  },

  async replaceDocument({ tx, account, signLink }, { params, body: { reason }, upload, prepared }) {
    const record = await getRecord(tx, account, params.id)
    await prepared
    const revised = { ...record, name: upload.name, ...contentOf(upload) }
    await save(tx, account, revised, { what: 'updated', reason })
    await upload.intake.keepAccepted()
    return present(tx, account, record.id, signLink)
  },

  async withdrawDocument({ tx, account }, { params, query: { reason } }) {
    const { id } = await getRecord(tx, account, params.id)
    await removeDocument(tx, account, id, reason)
    return { removed: id }
  },
}

/** Files are looked into, and brought near to where they stay, while others write. */
export const documentPreparations: OperatorPreparations = {
  uploadDocument: (_, { upload }) => prepareFile(upload),
  replaceDocument: (_, { upload }) => prepareFile(upload),
  async updateDocument({ db, account, files }, { params, body: { name } }) {
    if (name === undefined || cleanFileName(name) !== name) return undefined
    const id = params.id.toLowerCase()
    const version = (await findVersions(db, account, 'document', [id])).get(id)
    if (!version) return undefined
    const record = JSON.parse(version.record) as DocumentContentRecord
    if (extensionOf(name) === extensionOf(record.name)) return undefined
    await refuseUnfittingContent(files, record.content_hash, name)
    return record.content_hash
  },
}

const missing = 'document_not_found'

async function getRecord({ sql }: Transaction, account: AccountId, given: string): Promise<DocumentContentRecord> {
  const { version } = await getVersion(sql, account, 'document', given.toLowerCase(), { asOf: undefined, missing })
  return JSON.parse(version.record) as DocumentContentRecord
}

function contentOf({ size, hash }: Upload): { size: number; content_hash: string } {
  return { size, content_hash: hash }
}

// Bytes that the account has already are kept too: an upload puts back what was lost.
async function prepareFile(upload: Upload): Promise<void> {
  await refuseUnacceptedFile(upload)
  await upload.intake.accept(upload.hash)
  await upload.intake.prepareAccepted()
}

async function refuseUnknownShipment({ sql }: Transaction, account: AccountId, id: string | undefined): Promise<void> {
  if (id === undefined || (await findShipmentStatuses(sql, account, [id])).has(id)) return
  throw invalid([{ pointer: '/svc_shipment_id', detail: 'the account has no such shipment' }])
}

async function refuseUnacceptedFile({ path, name, size }: Upload): Promise<void> {
  if (size === 0) throw notAccepted(name, { pointer: '/file', detail: 'the file is empty' })
  const type = await checkFileType(path, name)
  if ('detail' in type) throw notAccepted(name, type)
}

/** A document may be called anything that its content allows. */
async function refuseUnfittingName(
  record: DocumentContentRecord,
  name: string,
  fitting: Promise<string | undefined>,
): Promise<void> {
  if (cleanFileName(name) !== name)
    throw invalid([{ pointer: '/name', detail: 'must be a file name without folders or control characters' }])
  if (extensionOf(name) === extensionOf(record.name) || (await fitting) === record.content_hash) return
  throw new Refusal('service_unavailable', 'The document was changed meanwhile; try again.')
}

async function refuseUnfittingContent(files: DocumentFiles, hash: string, name: string): Promise<void> {
  const { stream } = await openContent(files, hash)
  const intake = files.takeIn()
  try {
    const { path } = await intake.add(stream)
    const type = await checkFileType(path, name)
    if ('detail' in type) throw notAccepted(name, { ...type, pointer: '/name' })
  } finally {
    await intake.discard()
  }
}

function notAccepted(name: string, fault: Fault): Refusal {
  return new Refusal('file_not_accepted', `${name}: ${fault.detail}.`, { faults: [fault] })
}

async function openContent(files: DocumentFiles, hash: string) {
  const content = await files.open(hash)
  if (!content) throw new Error(`the bytes ${hash} of a document are missing`)
  return content
}

async function save(
  tx: Transaction,
  account: AccountId,
  data: DocumentContentRecord,
  change: { what: 'created' | 'updated'; reason?: string | undefined },
): Promise<void> {
  const { id, svc_shipment_id, type, name, uploaded_at, content_hash } = data
  const record = JSON.stringify(data)
  const before = (await findVersions(tx.sql, account, 'document', [id])).get(id)
  if (before?.record === record) return
  const row = { id, svc_shipment_id, type, name, uploaded_at, content_hash, body: renderDocument(data), record }
  await saveDocuments(tx, account, [{ ...row, stored_at: undefined, ...change }])
}

async function present(
  { sql }: Transaction,
  account: AccountId,
  id: string,
  signLink: SignLink,
): Promise<DocumentVersion> {
  const { version } = await getVersion(sql, account, 'document', id, { asOf: undefined, missing })
  return versionOf(version, account, signLink)
}

function versionOf(version: PresentVersion, account: AccountId, signLink: SignLink): DocumentVersion {
  const envelope = { ...envelopeOf(version), record: JSON.parse(version.record) as DocumentContentRecord }
  const link = documentLink(signLink({ account, id: version.id }))
  return { ...envelope, shown: JSON.parse(renderDocument(envelope.record) + link) as Document }
}
