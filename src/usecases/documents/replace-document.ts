import type { OperatorHandler, OperatorPreparation } from '../operator-context.js'
import { contentOf, prepareFile } from './document-content.js'
import { getDocumentRecord, presentDocument } from './document-record.js'

export const replaceDocument: OperatorHandler<'replaceDocument'> = async (
  { tx, account, signLink },
  { params, body: { reason }, upload, prepared },
) => {
  const record = await getDocumentRecord(tx, account, params.id)
  await prepared
  const revised = { ...record, name: upload.name, ...contentOf(upload) }
  tx.put('document', [{ record: revised, before: record, reason }])
  await tx.refuseOverQuota()
  await upload.intake.keepAccepted()
  return presentDocument(tx, account, record.id, signLink)
}

export const prepareReplacement: OperatorPreparation<'replaceDocument'> = (_, { upload }) => prepareFile(upload)
