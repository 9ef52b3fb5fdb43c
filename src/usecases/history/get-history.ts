import type { HistoryEntry } from '../../contract/operator/history.js'
import { Refusal } from '../../contract/refusals.js'
import { eachRecordChange } from '../../domain/records/record-changes.js'
import { mapInSlices } from '../../jobs/in-slices.js'
import { listVersions, type Version } from '../../ledger/history.js'
import type { OperatorHandler } from '../operator-context.js'

/** The versions of a record, the newest first, each with what it changed. */
export const getHistory: OperatorHandler<'getHistory'> = async (
  { db, account },
  { params: { kind, id }, query: { before, take = 20 } },
) => {
  const { page, earlier } = await listVersions(db, account, kind, id, { before, take })
  if (page.length === 0) {
    const newest = await listVersions(db, account, kind, id, { take: 1 })
    if (newest.page.length === 0) throw new Refusal('history_not_found')
  }
  // Each version is parsed once: it is what the next one differs from.
  const versions = earlier ? [...page, earlier] : page
  const records = await mapInSlices(versions, ({ record }) => (record === null ? undefined : JSON.parse(record)))
  const entries: HistoryEntry[] = []
  for (const [index, version] of page.entries()) {
    const changes = await mapInSlices(eachRecordChange(records[index + 1], records[index]), (change) => change)
    entries.push(entryOf(version, records[index], changes))
  }
  return entries
}

function entryOf(
  { revision, recorded_at, recorded_by, what, reason }: Version,
  record: unknown,
  changes: HistoryEntry['changes'],
): HistoryEntry {
  return {
    revision,
    recorded_at,
    recorded_by,
    what,
    ...(reason !== null && { reason }),
    changes,
    ...(record !== undefined && { record }),
  }
}
