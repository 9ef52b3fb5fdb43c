import { randomUUID } from 'node:crypto'
import { businessTime } from '../../clock/clock.js'
import type { OperatorProposal } from '../../contract/operator/proposals.js'
import type { DocumentProposalRecord } from '../../contract/public/proposal.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { cleanFileName } from '../../domain/documents/file-name.js'
import { extensionOf, mediaTypeOf } from '../../domain/documents/media-type.js'
import { findProposal, listAllProposals, type ProposalCursor } from '../../store/document-proposals.js'
import { accountScopeOf } from '../accounts/account-scope.js'
import type { AccountReadContext, OperatorHandler } from '../operator-context.js'
import { createDocument } from './create-document.js'
import { openContent } from './document-content.js'
import { refuseUnknownShipment } from './document-record.js'
import { proposalOf } from './propose-document.js'

/** The forwarder accepts proposed documents, or returns them. The lock of the account serialises decisions. */

export const listAllDocumentProposals: OperatorHandler<'listDocumentProposals'> = async (
  { db, operator },
  { query },
) => {
  const { account, after, take = 50, ...filter } = query
  const rows = await listAllProposals(db, await accountScopeOf(db, operator, account), {
    ...filter,
    take: take + 1,
    after: after === undefined ? undefined : readCursor(after),
  })
  const page = rows.slice(0, take)
  const last = page.at(-1)?.record
  return {
    proposals: page.map(({ record, ...of }) => ({
      ...of,
      proposed_by: record.proposed_by,
      proposal: proposalOf(record),
    })),
    ...(rows.length > take && last && { next: `${last.proposed_at}_${last.id}` }),
  }
}

function readCursor(text: string): ProposalCursor {
  const found = /^(\d{4}-\d\d-\d\dT[\d:.]{8,15}Z)_([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(text)
  if (!found || Number.isNaN(Date.parse(found[1] as string)))
    throw invalid([{ pointer: '/after', detail: 'must be `next` of the previous page' }])
  return { at: found[1] as string, id: found[2] as string }
}

export const getProposalContent: OperatorHandler<'getProposalContent'> = async (
  { db, account, files },
  { params: { id } },
) => {
  const { name, content_hash } = await getProposal(db, account, id)
  return async () => {
    const { size, stream } = await openContent(files, content_hash)
    return { name, mediaType: mediaTypeOf(name), size, content: stream }
  }
}

export const acceptProposal: OperatorHandler<'acceptProposal'> = async (
  { tx, account, accountRow },
  { params: { id }, body },
) => {
  const proposal = await getProposal(tx.sql, account, id)
  // Whoever accepts it second finds it accepted: there is one document.
  if (proposal.state === 'accepted') return shown(accountRow, proposal)
  if (proposal.state === 'returned') throw new Refusal('proposal_decided', 'The proposal was returned.')
  const name = body.name ?? proposal.name
  refuseOtherExtension(proposal.name, name)
  const type = body.type === undefined ? proposal.type : body.type
  const svc_shipment_id =
    body.svc_shipment_id === undefined ? proposal.svc_shipment_id : (body.svc_shipment_id ?? undefined)
  await refuseUnknownShipment(tx, account, svc_shipment_id)
  const document_id = randomUUID()
  await createDocument(tx, {
    id: document_id,
    name,
    ...(svc_shipment_id !== undefined && { svc_shipment_id }),
    ...(type !== null && { type }),
    size: proposal.size,
    content_hash: proposal.content_hash,
  })
  const record: DocumentProposalRecord = {
    ...proposal,
    state: 'accepted',
    decided_at: new Date(businessTime()).toISOString(),
    document_id,
  }
  tx.put('document_proposal', [{ record, before: proposal }])
  return shown(accountRow, record)
}

export const returnProposal: OperatorHandler<'returnProposal'> = async (
  { tx, account, accountRow },
  { params: { id }, body: { reason } },
) => {
  const proposal = await getProposal(tx.sql, account, id)
  if (proposal.state === 'accepted') throw new Refusal('proposal_decided', 'The proposal was accepted.')
  if (proposal.state === 'returned' && proposal.reason === reason) return shown(accountRow, proposal)
  if (proposal.state === 'returned')
    throw new Refusal('proposal_decided', 'The proposal was returned for another reason.')
  const record: DocumentProposalRecord = {
    ...proposal,
    state: 'returned',
    decided_at: new Date(businessTime()).toISOString(),
    reason,
  }
  tx.put('document_proposal', [{ record, before: proposal, reason }])
  return shown(accountRow, record)
}

async function getProposal(db: Reader, account: AccountId, id: string): Promise<DocumentProposalRecord> {
  const proposal = await findProposal(db, account, id)
  if (!proposal) throw new Refusal('proposal_not_found')
  return proposal
}

function shown({ slug, name }: AccountReadContext['accountRow'], record: DocumentProposalRecord): OperatorProposal {
  return { account: slug, account_name: name, proposed_by: record.proposed_by, proposal: proposalOf(record) }
}

// The content was checked against the extension when it was proposed.
function refuseOtherExtension(before: string, name: string): void {
  if (cleanFileName(name) !== name)
    throw invalid([{ pointer: '/name', detail: 'must be a file name without folders or control characters' }])
  if (extensionOf(name) !== extensionOf(before))
    throw invalid([{ pointer: '/name', detail: `must keep the extension .${extensionOf(before)}` }])
}
