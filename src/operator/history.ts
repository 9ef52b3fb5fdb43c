import type { HistoryEntry } from '../contract/ops/history.js'
import { Refusal } from '../contract/refusals.js'
import { recordChanges } from '../domain/record-changes.js'
import { listVersions, type Version } from '../storage/history.js'
import type { OperatorHandlers } from './handlers.js'

export const historyHandlers: OperatorHandlers<'getHistory'> = {
  async getHistory({ db, account }, { params: { kind, id }, query: { before, take = 20 } }) {
    // One more, so that the oldest of them can be compared with the one before it.
    const versions = await listVersions(db, account, kind, id, { before, take: take + 1 })
    if (versions.length === 0) {
      const newest = await listVersions(db, account, kind, id, { take: 1 })
      if (newest.length === 0) throw new Refusal('history_not_found')
    }
    return versions.slice(0, take).map((version, index) => entryOf(version, versions[index + 1]))
  },
}

function entryOf(
  { revision, recorded_at, recorded_by, what, reason, record }: Version,
  earlier?: Version,
): HistoryEntry {
  const now = read(record)
  return {
    revision,
    recorded_at,
    recorded_by,
    what,
    ...(reason !== null && { reason }),
    changes: recordChanges(read(earlier?.record ?? null), now),
    ...(now !== undefined && { record: now }),
  }
}

function read(record: string | null): unknown {
  return record === null ? undefined : JSON.parse(record)
}
