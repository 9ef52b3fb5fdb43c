import type { HandledFilter } from '../contract/operator/work-filter.js'
import type { DocumentProposalRecord, ProposalState } from '../contract/public/proposal.js'
import type { AccountId, AccountScope } from '../database/account-id.js'
import { asJson, type Fragment, type Reader, type TransactionSql } from '../database/database.js'
import { inScope } from './account-scope.js'
import { handledAs } from './work-items.js'

/** Documents that customers and suppliers propose. Their content is stored like that of documents. */

export function saveProposals(sql: TransactionSql, account: AccountId, records: DocumentProposalRecord[]): Fragment {
  const rows = asJson(records, (record) => ({
    id: record.id,
    svc_shipment_id: record.svc_shipment_id,
    link_id: record.link_id,
    state: record.state,
    proposed_at: record.proposed_at,
    content_hash: record.content_hash,
    record: JSON.stringify(record),
  }))
  return sql`
    insert into document_proposals (
      account_id, id, svc_shipment_id, link_id, state, proposed_at, content_hash, record)
    select ${account}, id, svc_shipment_id, link_id, state, proposed_at, content_hash, record
    from jsonb_to_recordset(${rows}::text::jsonb) as saved (
      id uuid, svc_shipment_id text, link_id text, state text, proposed_at timestamptz, content_hash text, record text)
    on conflict (account_id, id) do update set state = excluded.state, record = excluded.record`
}

export async function findProposal(
  db: Reader,
  account: AccountId,
  id: string,
): Promise<DocumentProposalRecord | undefined> {
  if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) return undefined
  const [row] = await db<{ record: string }[]>`
    select record from document_proposals where account_id = ${account} and id = ${id}`
  return row && recordOf(row)
}

/** A proposal of the link with the same content that is not decided yet. */
export async function findSameProposal(
  db: Reader,
  account: AccountId,
  { link_id, content_hash, name }: { link_id: string; content_hash: string; name: string },
): Promise<DocumentProposalRecord | undefined> {
  const rows = await db<{ record: string }[]>`
    select record from document_proposals
    where account_id = ${account} and link_id = ${link_id} and state = 'proposed' and content_hash = ${content_hash}`
  return rows.map(recordOf).find((record) => record.name === name)
}

export async function countOpenProposals(db: Reader, account: AccountId): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from document_proposals where account_id = ${account} and state = 'proposed'`
  return row?.count ?? 0
}

type ProposalFilter = { svc_shipment_id?: string | undefined; state?: ProposalState | undefined }

/** Of one account, the newest first. */
export async function listProposals(
  db: Reader,
  account: AccountId,
  {
    svc_shipment_id,
    state,
    link_id,
    skip = 0,
    take,
  }: ProposalFilter & { link_id?: string; skip?: number; take: number },
): Promise<DocumentProposalRecord[]> {
  const rows = await db<{ record: string }[]>`
    select record from document_proposals
    where account_id = ${account}
      ${svc_shipment_id === undefined ? db`` : db`and svc_shipment_id = ${svc_shipment_id}`}
      ${state === undefined ? db`` : db`and state = ${state}`}
      ${link_id === undefined ? db`` : db`and link_id = ${link_id}`}
    order by proposed_at desc, id desc offset ${skip} limit ${take}`
  return rows.map(recordOf)
}

export type ProposalCursor = { at: string; id: string }
export type ForwarderProposalRow = { account: string; account_name: string; record: DocumentProposalRecord }

/** Of all accounts, the newest first. */
export async function listAllProposals(
  db: Reader,
  scope: AccountScope,
  {
    svc_shipment_id,
    state,
    after,
    take,
    ...handled
  }: ProposalFilter & HandledFilter & { after?: ProposalCursor | undefined; take: number },
): Promise<ForwarderProposalRow[]> {
  const { at, id } = after ?? { at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }
  const rows = await db<{ account: string; account_name: string; record: string }[]>`
    select slug as account, accounts.name as account_name, record
    from document_proposals join accounts using (account_id)
    where (proposed_at, document_proposals.id) < (${at}::text::timestamptz, ${id}::text::uuid)
      and ${inScope(db, scope, db`document_proposals.account_id`)}
      ${svc_shipment_id === undefined ? db`` : db`and svc_shipment_id = ${svc_shipment_id}`}
      ${state === undefined ? db`` : db`and state = ${state}`}
      ${handledAs(db, 'document', handled)}
    order by proposed_at desc, document_proposals.id desc limit ${take}`
  return rows.map((row) => ({ ...row, record: recordOf(row) }))
}

function recordOf({ record }: { record: string }): DocumentProposalRecord {
  return JSON.parse(record) as DocumentProposalRecord
}
