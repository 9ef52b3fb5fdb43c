import type { ExceptionRecord } from '../../contract/operator/exceptions.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader, TransactionSql } from '../../database/database.js'
import type { Findings, MilestoneDates, ShipmentFacts, SlipMemory } from '../../domain/exceptions/condition.js'
import { evidenceOf } from '../../domain/exceptions/condition.js'
import { lateResult } from '../../domain/exceptions/date-rules.js'
import {
  type Circumstances,
  type Clearing,
  isOver,
  nextVersion,
  serviceAuthor,
} from '../../domain/exceptions/episodes.js'
import { invoiceOverdue } from '../../domain/exceptions/invoice-rules.js'
import { evaluateOrder } from '../../domain/exceptions/order-rules.js'
import { evaluateShipmentInParts, nextCheck } from '../../domain/exceptions/shipment-rules.js'
import { type EffectiveRules, effectiveRules } from '../../domain/exceptions/thresholds.js'
import { newest as newestEvent } from '../../domain/exceptions/unit-events.js'
import { groupedBy } from '../../domain/records/grouping.js'
import type { InParts } from '../../domain/records/in-parts.js'
import { isDelivered } from '../../domain/shipments/lateness.js'
import type { CodedEvent } from '../../domain/tracking/coded-events.js'
import { mapInParts, mapInSlices } from '../../jobs/in-slices.js'
import { commitWithin } from '../../ledger/commit.js'
import { readRecords } from '../../ledger/records.js'
import { findExceptionRules } from '../../store/exception-rules.js'
import { type Watch, type WatchedKind, type WatchUpdate, watchedKinds } from '../../store/exception-watches.js'
import { findLastEpisodes } from '../../store/exceptions.js'
import { readInvoiceFacts, readOrderFacts } from './order-facts.js'
import { readShipmentFacts } from './shipment-facts.js'
import { threadOf } from './thread.js'

/** What is found of one subject. */
type Evaluated = {
  findings: Findings
  circumstances: Omit<Circumstances, 'isVisible'>
  memory: SlipMemory | undefined
  /** Nothing can come of it before it changes again. */
  isOver: boolean
  clearing(record: ExceptionRecord): Clearing
}

type Given = { rules: EffectiveRules; watchedSince: number; now: number }

/**
 * Evaluates some subjects and stores what changed, within one transaction. Facts are read before the account is locked:
 * what changes meanwhile is marked by its revision, and evaluated again. Takes the revision that the account had before, and returns
 * the one that was written.
 */
export async function evaluateWatches(
  sql: TransactionSql,
  account: AccountId,
  watches: Watch[],
  { watchedSince, revision: before, now }: { watchedSince: number; revision: number; now: number },
): Promise<{ updates: WatchUpdate[]; revision: number | undefined }> {
  const { forwarder, account: own } = await findExceptionRules(sql, account)
  const given: Given = { rules: effectiveRules(forwarder, own), watchedSince, now }
  const updates: WatchUpdate[] = []
  let revision: number | undefined
  let known = before
  for (const kind of watchedKinds) {
    const ofKind = watches.filter((each) => each.kind === kind)
    if (ofKind.length === 0) continue
    const last = await readLastEpisodes(sql, account, kind, ofKind)
    const evaluated = await evaluators[kind](sql, account, ofKind, last, given)
    const found = await versionsOf(evaluated, last, given.rules)
    if (found.length > 0) {
      await commitWithin(sql, account, serviceAuthor, async (tx) => {
        // Under the lock: people may have acted on them since, if anybody has written to the account.
        const isUnchanged = tx.revision === known + 1
        const present = isUnchanged ? last : await readLastEpisodes(sql, account, kind, ofKind)
        const puts = isUnchanged ? found : await versionsOf(evaluated, present, given.rules)
        tx.put('exception', puts)
        known = puts.length > 0 ? tx.revision : tx.revision - 1
        if (puts.length > 0) revision = tx.revision
      })
    }
    updates.push(...ofKind.map((watch) => updateOf(watch, evaluated.get(watch.id), last.get(watch.id) ?? [], now)))
  }
  return { updates, revision }
}

type LastEpisodes = Map<string, ExceptionRecord[]>

async function readLastEpisodes(
  db: Reader,
  account: AccountId,
  kind: WatchedKind,
  watches: Watch[],
): Promise<LastEpisodes> {
  const ids = await findLastEpisodes(
    db,
    account,
    kind,
    watches.map(({ id }) => id),
  )
  const records = await readRecords(db, account, 'exception', ids)
  return groupedBy(records.values(), (record) => subjectId(kind, record)) as LastEpisodes
}

function subjectId(kind: WatchedKind, record: ExceptionRecord): string | undefined {
  if (kind === 'invoice') return record.invoice_reference
  return kind === 'shipment' ? record.svc_shipment_id : record.po_number
}

type Version = { record: ExceptionRecord; before: ExceptionRecord | undefined; reason?: string }

async function versionsOf(
  evaluated: Map<string, Evaluated>,
  last: LastEpisodes,
  { kinds }: EffectiveRules,
): Promise<Version[]> {
  const versions = await mapInSlices(evaluated, ([id, { findings, circumstances, clearing }]) => {
    const conditions = new Map(findings.conditions.map((condition) => [threadOf(condition), condition]))
    const episodes = new Map((last.get(id) ?? []).map((record) => [record.thread, record]))
    return [...new Set([...conditions.keys(), ...episodes.keys()])].flatMap((thread): Version[] => {
      const condition = conditions.get(thread)
      const before = episodes.get(thread)
      const kind = (condition ?? before)?.kind
      const around = { ...circumstances, isVisible: kind !== undefined && kinds[kind].shown_to_customers }
      const record = nextVersion(thread, before, condition, around, before && !condition ? clearing(before) : {})
      if (!record) return []
      return [{ record, before: before?.exception_id === record.exception_id ? before : undefined }]
    })
  })
  return versions.flat()
}

function updateOf(
  { kind, id }: Watch,
  evaluated: Evaluated | undefined,
  last: ExceptionRecord[],
  now: number,
): WatchUpdate {
  if (!evaluated) return { kind, id, check_at: undefined, memory: undefined, isOver: true }
  const snoozes = last.flatMap(({ state, snoozed_until }) =>
    state === 'snoozed' && snoozed_until !== undefined ? Date.parse(snoozed_until) : [],
  )
  const check_at = nextCheck({ conditions: [], checks: [...evaluated.findings.checks, ...snoozes] }, now)
  return {
    kind,
    id,
    check_at,
    memory: evaluated.memory && JSON.stringify(evaluated.memory),
    isOver: evaluated.isOver && check_at === undefined && evaluated.findings.conditions.length === 0,
  }
}

type Evaluator = (
  db: Reader,
  account: AccountId,
  watches: Watch[],
  last: LastEpisodes,
  given: Given,
) => Promise<Map<string, Evaluated>>

const evaluators: Record<WatchedKind, Evaluator> = {
  async shipment(db, account, watches, last, { rules, watchedSince, now }) {
    const watchOf = new Map(watches.map((watch) => [watch.id, watch]))
    const facts = await readShipmentFacts(db, account, [...watchOf.keys()], {
      previousState(id) {
        const memory = watchOf.get(id)?.memory
        const slip = last.get(id)?.find(({ kind }) => kind === 'eta_slip')
        return {
          memory: memory ? (JSON.parse(memory) as SlipMemory) : undefined,
          raised: raisedOf(last.get(id)),
          acknowledged: acknowledgedDates(slip),
        }
      },
      watchedSince,
      thresholds: rules.thresholds,
      now,
    })
    return evaluatedBy(watches, facts, function* ({ facts: known, memory }, seen) {
      const findings = yield* evaluateShipmentInParts(known, rules)
      const newestActual = newestActualOf(known)
      return {
        findings,
        circumstances: { now, ...seen, knownSince: known.knownSince },
        memory,
        isOver: known.shipment.status === 'finished' || known.shipment.status === 'cancelled',
        clearing: (record) => clearingOf(known, record, newestActual(record.container_number)),
      }
    })
  },
  async purchase_order(db, account, watches, last, { rules, watchedSince, now }) {
    const ids = watches.map(({ id }) => id)
    const facts = await readOrderFacts(db, account, ids, {
      raisedOf: (id) => raisedOf(last.get(id)),
      watchedSince,
      thresholds: rules.thresholds,
      now,
    })
    return evaluatedBy(
      watches,
      facts,
      atOnce((known, seen) => ({
        findings: rules.kinds.order_at_risk.enabled ? evaluateOrder(known) : nothingFound,
        circumstances: { now, ...seen, knownSince: known.knownSince },
        memory: undefined,
        isOver:
          known.isCancelled ||
          (known.lines.every(({ assignments }) => assignments.length > 0) &&
            [...known.shipments.values()].every(isDelivered)),
        clearing: () => (known.isCancelled ? { reason: 'The order was cancelled.' } : {}),
      })),
    )
  },
  async invoice(db, account, watches, _last, { rules, watchedSince, now }) {
    const ids = watches.map(({ id }) => id)
    const facts = await readInvoiceFacts(db, account, ids, now)
    return evaluatedBy(
      watches,
      facts,
      atOnce((known, seen) => ({
        findings: rules.kinds.invoice_overdue.enabled ? invoiceOverdue(known) : nothingFound,
        circumstances: { now, ...seen, knownSince: watchedSince },
        memory: undefined,
        isOver: known.outstanding.every(({ amount }) => amount <= 0),
        clearing: () => ({}),
      })),
    )
  },
}

const nothingFound: Findings = { conditions: [], checks: [] }

/** A subject that does not exist any more has nothing wrong with it. */
async function evaluatedBy<Facts>(
  watches: Watch[],
  facts: Map<string, Facts>,
  evaluate: (facts: Facts, seen: Seen) => InParts<Evaluated>,
): Promise<Map<string, Evaluated>> {
  const existing = watches.filter(({ id }) => facts.has(id))
  return new Map(
    await mapInParts(existing, function* ({ id, is_known, is_history: isHistory }) {
      return [id, yield* evaluate(facts.get(id) as Facts, { isFirst: !is_known, isHistory })] as const
    }),
  )
}

type Seen = Pick<Circumstances, 'isFirst' | 'isHistory'>

function atOnce<Facts>(evaluate: (facts: Facts, seen: Seen) => Evaluated) {
  return function* (facts: Facts, seen: Seen): InParts<Evaluated> {
    yield
    return evaluate(facts, seen)
  }
}

/** What a person has closed goes on until its condition ends. */
function raisedOf(last: ExceptionRecord[] = []): ExceptionRecord[] {
  return last.filter((each) => !isOver(each))
}

function acknowledgedDates(slip: ExceptionRecord | undefined) {
  if (slip?.state !== 'closed' || slip.closed?.how === 'cleared') return undefined
  return { episode: slip.episode, dates: (slip.expected_dates ?? {}) as MilestoneDates }
}

/** By what an exception of a shipment was cleared: its result, and the event that is known last. */
function clearingOf(facts: ShipmentFacts, { kind }: ExceptionRecord, event: CodedEvent | undefined): Clearing {
  const reason =
    facts.shipment.status === 'cancelled'
      ? 'The shipment was cancelled.'
      : kind === 'late'
        ? lateResult(facts)
        : undefined
  return { reason, evidence: event ? [evidenceOf(facts, event)] : [] }
}

/** Finds the event that is known last: of a container or the whole shipment, or of all containers. */
function newestActualOf({ decided }: ShipmentFacts): (container: string | undefined) => CodedEvent | undefined {
  const actual = decided.events.filter(({ status }) => status === 'actual')
  const ofAny = newestEvent(actual)
  const newestOf = new Map(
    Array.from(
      groupedBy(actual, ({ container }) => container),
      ([container, events]) => [container, newestEvent(events)],
    ),
  )
  return (container) => {
    if (container === undefined) return ofAny
    const known = [newestOf.get(container), newestOf.get(undefined)].flatMap((event) => event ?? [])
    return newestEvent(known.toSorted((one, other) => one.position - other.position))
  }
}
