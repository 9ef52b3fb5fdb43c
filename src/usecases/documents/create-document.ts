import { businessDate } from '../../clock/clock.js'
import type { DocumentContentRecord } from '../../domain/documents/document.js'
import { Transaction } from '../../ledger/transaction.js'

type NewDocument = Omit<DocumentContentRecord, 'uploaded_at'> & { uploaded_at?: string | undefined }

/** Stores a new document of an account: one that an operator uploads, or a proposed one that is accepted. */
export async function createDocument(tx: Transaction, given: NewDocument): Promise<void> {
  const { uploaded_at = businessDate(), ...rest } = given
  const { size, content_hash, ...details } = rest
  const record = { ...details, uploaded_at, size, content_hash }
  tx.put('document', [{ record, before: undefined }])
  await tx.refuseOverQuota()
}
