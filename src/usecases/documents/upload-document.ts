import { randomUUID } from 'node:crypto'
import { Refusal } from '../../contract/refusals.js'
import { findVersions } from '../../ledger/history.js'
import type { OperatorHandler } from '../operator-context.js'
import type { Upload } from '../upload.js'
import { createDocument } from './create-document.js'
import { contentOf, prepareFile } from './document-content.js'
import { presentDocument, refuseUnknownShipment } from './document-record.js'

export const uploadDocument: OperatorHandler<'uploadDocument'> = async (
  { tx, account, signLink },
  { body, upload, prepared },
) => {
  const { id: given = randomUUID(), ...details } = body
  const id = given.toLowerCase()
  if ((await findVersions(tx.sql, account, 'document', [id])).size > 0) throw new Refusal('document_exists')
  await refuseUnknownShipment(tx, account, details.svc_shipment_id)
  await prepared
  await createDocument(tx, { id, name: upload.name, ...details, ...contentOf(upload) })
  await upload.intake.keepAccepted()
  return presentDocument(tx, account, id, signLink)
}

export const prepareUpload = async (_: unknown, { upload }: { upload: Upload }) => prepareFile(upload)
