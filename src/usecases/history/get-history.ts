import type { HistoryEntry } from '../../contract/operator/history.js'
import { Refusal } from '../../contract/refusals.js'
import { recordChanges } from '../../domain/records/record-changes.js'
import { listVersions, type Version } from '../../ledger/history.js'
import type { OperatorHandler } from '../operator-context.js'

/** The versions of a record, the newest first, each with what it changed. */
export const getHistory: OperatorHandler<'getHistory'> = async (
  { db, account },
  { params: { kind, id }, query: { before, take = 20 } },
) => {
  // One more version than requested: the oldest one of the page is compared with its predecessor.
  const versions = await listVersions(db, account, kind, id, { before, take: take + 1 })
  if (versions.length === 0) {
    const newest = await listVersions(db, account, kind, id, { take: 1 })
    if (newest.length === 0) throw new Refusal('history_not_found')
  }
  return versions.slice(0, take).map((version, index) => entryOf(version, versions[index + 1]))
}

function entryOf(
  { revision, recorded_at, recorded_by, what, reason, record }: Version,
  predecessor?: Version,
): HistoryEntry {
  const now = parseRecord(record)
  return {
    revision,
    recorded_at,
    recorded_by,
    what,
    ...(reason !== null && { reason }),
    changes: recordChanges(parseRecord(predecessor?.record ?? null), now),
    ...(now !== undefined && { record: now }),
  }
}

function parseRecord(record: string | null): unknown {
  return record === null ? undefined : JSON.parse(record)
}
