import type { OperatorHandler } from '../operator-context.js'
import { getDocumentRecord } from './document-record.js'

export const withdrawDocument: OperatorHandler<'withdrawDocument'> = async (
  { tx, account },
  { params, query: { reason } },
) => {
  const record = await getDocumentRecord(tx, account, params.id)
  tx.remove('document', record, reason)
  return { removed: record.id }
}
