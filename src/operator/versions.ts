import { Refusal, type RefusalCode } from '../contract/refusals.js'
import { recordChanges } from '../domain/record-changes.js'
import type { Reader } from '../storage/database.js'
import { findRevisionAt, findVersions, type PresentVersion } from '../storage/history.js'
import type { AccountId, ChangeKind } from '../storage/transaction.js'

/** The version envelope of the operator interface, from what the change log tells. */
export function envelopeOf({ id, revision, recorded_at, recorded_by, reason }: PresentVersion) {
  return { id, revision, recorded_at, recorded_by, ...(reason !== null && { reason }) }
}

/** Whether a record says what is stored already, in whatever order its fields are: then it is not stored again. */
export function isUnchanged(stored: string | undefined, record: object): boolean {
  return stored !== undefined && recordChanges(JSON.parse(stored), record).length === 0
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
