import type { ExceptionRecord } from '../../contract/operator/exceptions.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import type { Findings } from '../../domain/exceptions/condition.js'
import { type Circumstances, type Clearing, nextVersion } from '../../domain/exceptions/episodes.js'
import type { EffectiveRules } from '../../domain/exceptions/thresholds.js'
import { groupedBy } from '../../domain/records/grouping.js'
import { mapInSlices } from '../../jobs/in-slices.js'
import type { WatchedKind } from '../../store/exception-watches.js'
import { findLastEpisodes } from '../../store/exceptions.js'
import { matterOf, threadOf } from './thread.js'

/** What is found of a subject, compared with the last episodes of its exceptions. */

export type Evaluated = {
  findings: Findings
  circumstances: Omit<Circumstances, 'isVisible'>
  /** Stored until the next evaluation. */
  memory: string | undefined
  /** Nothing can come of it before it changes again. */
  isOver: boolean
  clearing(record: ExceptionRecord): Clearing
}

/** By subject. */
export type LastEpisodes = Map<string, ExceptionRecord[]>

export async function readLastEpisodes(
  db: Reader,
  account: AccountId,
  kind: WatchedKind,
  ids: string[],
): Promise<LastEpisodes> {
  const records = await mapInSlices(
    await findLastEpisodes(db, account, kind, ids),
    ({ record }) => JSON.parse(record) as ExceptionRecord,
  )
  return groupedBy(records, (record) => subjectId(kind, record))
}

function subjectId(
  kind: WatchedKind,
  { svc_shipment_id = '', po_number = '', invoice_reference = '' }: ExceptionRecord,
): string {
  return { shipment: svc_shipment_id, purchase_order: po_number, invoice: invoice_reference }[kind]
}

export type EpisodeVersion = { record: ExceptionRecord; before: ExceptionRecord | undefined }

/** The next versions of the exceptions of one subject, of those that differ from the last ones. */
export function nextVersionsOf(
  { findings, circumstances, clearing }: Evaluated,
  last: ExceptionRecord[],
  { kinds }: EffectiveRules,
): EpisodeVersion[] {
  const conditions = new Map(findings.conditions.map((condition) => [matterOf(condition), condition]))
  const episodes = new Map(last.map((record) => [matterOf(record), record]))
  const matters = new Map<string, Pick<ExceptionRecord, 'kind'>>([...episodes, ...conditions])
  return [...matters].flatMap(([matter, about]): EpisodeVersion[] => {
    const condition = conditions.get(matter)
    const before = episodes.get(matter)
    const thread = before?.thread ?? threadOf(about)
    const around = { ...circumstances, isVisible: kinds[about.kind].shown_to_customers }
    const record = nextVersion(thread, before, condition, around, before && !condition ? clearing(before) : {})
    if (!record) return []
    return [{ record, before: before?.exception_id === record.exception_id ? before : undefined }]
  })
}
