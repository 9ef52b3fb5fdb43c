import { randomUUID } from 'node:crypto'
import { businessTime } from '../../clock/clock.js'
import type { DocumentProposal, DocumentProposalRecord, ProposalFields } from '../../contract/public/proposal.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { Transaction } from '../../ledger/transaction.js'
import { type Actor, recordAudit } from '../../store/audit.js'
import { countOpenProposals, findProposal, listProposals } from '../../store/document-proposals.js'
import type { CustomerHandler } from '../customer-context.js'
import type { Upload } from '../upload.js'
import { contentOf } from './document-content.js'
import { refuseUnknownShipment } from './document-record.js'

/** A person or key of the account proposes a document. */
export const proposeDocument: CustomerHandler<'proposeDocument'> = async (
  { tx, account, actor },
  { body, upload, prepared },
) => propose(tx, account, actor, { ...body, origin: 'account' }, { upload, prepared })

type Given = ProposalFields & Pick<DocumentProposalRecord, 'origin' | 'supplier' | 'link_id'>

// A customer's system that repeats itself does not fill the list of the forwarder.
const mostOpen = 1000

/** Stores a proposal and its content; the document is made when it is accepted. */
export async function propose(
  tx: Transaction,
  account: AccountId,
  actor: Actor,
  { id: given = randomUUID(), svc_shipment_id, type, note, ...origin }: Given,
  { upload, prepared }: { upload: Upload; prepared: Promise<void> },
): Promise<DocumentProposal> {
  const id = given.toLowerCase()
  if (await findProposal(tx.sql, account, id)) throw new Refusal('proposal_exists')
  await refuseUnknownShipment(tx, account, svc_shipment_id)
  if ((await countOpenProposals(tx.sql, account)) >= mostOpen) throw new Refusal('too_many_proposals')
  await prepared
  const record: DocumentProposalRecord = {
    id,
    name: upload.name,
    type: type ?? null,
    state: 'proposed',
    proposed_at: new Date(businessTime()).toISOString(),
    ...origin,
    ...(svc_shipment_id !== undefined && { svc_shipment_id }),
    ...(note !== undefined && { note }),
    ...contentOf(upload),
    proposed_by: actor.actor,
  }
  tx.put('document_proposal', [{ record, before: undefined }])
  await tx.refuseOverQuota()
  await upload.intake.keepAccepted()
  const details = { name: record.name, ...(svc_shipment_id !== undefined && { svc_shipment_id }) }
  await recordAudit(tx.sql, account, actor, { kind: 'proposal', action: 'document_proposed', subject: id, details })
  return proposalOf(record)
}

/** What the account sees of a proposal. */
export function proposalOf(record: DocumentProposalRecord): DocumentProposal {
  const { content_hash: _hash, proposed_by: _by, link_id: _link, ...proposal } = record
  return proposal
}

export const listOwnProposals: CustomerHandler<'listDocumentProposals'> = async (
  { ask, account },
  { query: { take = 20, ...filter } },
) => {
  const records = await ask((db) => listProposals(db, account, { ...filter, take }))
  return { page: records.map((record) => JSON.stringify(proposalOf(record))) }
}
