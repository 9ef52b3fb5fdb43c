import { randomUUID } from 'node:crypto'
import { Refusal } from '../../contract/refusals.js'
import { findVersions } from '../../ledger/history.js'
import type { OperatorHandler, OperatorPreparation } from '../operator-context.js'
import { contentOf, prepareFile } from './document-content.js'
import { presentDocument, refuseUnknownShipment } from './document-record.js'

export const uploadDocument: OperatorHandler<'uploadDocument'> = async (
  { tx, account, signLink },
  { body, upload, prepared },
) => {
  const { id: given = randomUUID(), uploaded_at = new Date().toISOString().slice(0, 10), ...details } = body
  const id = given.toLowerCase()
  if ((await findVersions(tx.sql, account, 'document', [id])).size > 0) throw new Refusal('document_exists')
  await refuseUnknownShipment(tx, account, details.svc_shipment_id)
  await prepared
  const record = { id, name: upload.name, ...details, uploaded_at, ...contentOf(upload) }
  tx.put('document', [{ record, before: undefined }])
  await tx.refuseOverQuota()
  await upload.intake.keepAccepted()
  return presentDocument(tx, account, id, signLink)
}

export const prepareUpload: OperatorPreparation<'uploadDocument'> = (_, { upload }) => prepareFile(upload)
