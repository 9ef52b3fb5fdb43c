import { Refusal, type RefusalCode } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { findRevisionAt, findVersions, type PresentVersion } from '../../ledger/history.js'
import type { ChangeKind } from '../../ledger/records.js'

/** The version envelope of the operator interface, from an entry of the change log. */
export function envelopeOf({ id, revision, recorded_at, recorded_by, reason }: PresentVersion) {
  return { id, revision, recorded_at, recorded_by, ...(reason !== null && { reason }) }
}

/** One version, at present or as of a time. */
export async function getVersion(
  db: Reader,
  account: AccountId,
  kind: ChangeKind,
  id: string,
  { asOf, missing }: { asOf: string | undefined; missing: RefusalCode },
): Promise<{ version: PresentVersion; revision: number | undefined }> {
  const revision = asOf === undefined ? undefined : await findRevisionAt(db, account, asOf)
  const version = (await findVersions(db, account, kind, [id], revision)).get(id)
  if (version) return { version, revision }
  const exists = revision !== undefined && (await findVersions(db, account, kind, [id])).has(id)
  throw new Refusal(exists ? 'version_not_found' : missing)
}
