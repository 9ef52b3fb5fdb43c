import type { DocumentVersion } from '../../contract/operator/documents.js'
import type { Document } from '../../contract/public/document.js'
import { invalid } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { type DocumentContentRecord, documentLink, renderDocument } from '../../domain/documents/document.js'
import type { PresentVersion } from '../../ledger/history.js'
import { Transaction } from '../../ledger/transaction.js'
import { findShipmentStatuses } from '../../store/shipments.js'
import type { SignLink } from '../customer-context.js'
import { envelopeOf, getVersion } from '../history/versions.js'

export async function getDocumentRecord(
  { sql }: Transaction,
  account: AccountId,
  id: string,
): Promise<DocumentContentRecord> {
  const { version } = await getVersion(sql, account, 'document', id.toLowerCase(), {
    asOf: undefined,
    missing: 'document_not_found',
  })
  return JSON.parse(version.record) as DocumentContentRecord
}

export async function refuseUnknownShipment(
  { sql }: Transaction,
  account: AccountId,
  id: string | undefined,
): Promise<void> {
  if (id === undefined || (await findShipmentStatuses(sql, account, [id])).has(id)) return
  throw invalid([{ pointer: '/svc_shipment_id', detail: 'the account has no such shipment' }])
}

export async function presentDocument(
  { sql }: Transaction,
  account: AccountId,
  id: string,
  signLink: SignLink,
): Promise<DocumentVersion> {
  const { version } = await getVersion(sql, account, 'document', id, {
    asOf: undefined,
    missing: 'document_not_found',
  })
  return documentVersion(version, account, signLink)
}

export function documentVersion(version: PresentVersion, account: AccountId, signLink: SignLink): DocumentVersion {
  const envelope = { ...envelopeOf(version), record: JSON.parse(version.record) as DocumentContentRecord }
  const link = documentLink(signLink({ account, id: version.id }))
  return { ...envelope, shown: JSON.parse(renderDocument(envelope.record) + link) as Document }
}
