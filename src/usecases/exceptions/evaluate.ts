import type { ExceptionRecord } from '../../contract/operator/exceptions.js'
import type { AccountId } from '../../database/account-id.js'
import { allEnded } from '../../database/all-ended.js'
import type { Reader, TransactionSql } from '../../database/database.js'
import type { Findings, MilestoneDates, ShipmentFacts, SlipMemory } from '../../domain/exceptions/condition.js'
import { evidenceOf } from '../../domain/exceptions/condition.js'
import { lateResult } from '../../domain/exceptions/date-rules.js'
import { type Circumstances, type Clearing, isOver, serviceAuthor } from '../../domain/exceptions/episodes.js'
import { invoiceOverdue } from '../../domain/exceptions/invoice-rules.js'
import { evaluateOrder, type OrderFacts, type ShipmentEvidence } from '../../domain/exceptions/order-rules.js'
import { evaluateShipmentInParts, nextCheck } from '../../domain/exceptions/shipment-rules.js'
import type { EffectiveRules } from '../../domain/exceptions/thresholds.js'
import { newest as newestEvent } from '../../domain/exceptions/unit-events.js'
import type { FreeTimeRules } from '../../domain/free-time/free-time-rules.js'
import { groupedBy } from '../../domain/records/grouping.js'
import type { InParts } from '../../domain/records/in-parts.js'
import { isDelivered } from '../../domain/shipments/lateness.js'
import type { CodedEvent } from '../../domain/tracking/coded-events.js'
import { mapInParts, mapInSlices } from '../../jobs/in-slices.js'
import { commitWithin } from '../../ledger/commit.js'
import type { Watch, WatchedKind, WatchUpdate } from '../../store/exception-watches.js'
import {
  type EpisodeVersion,
  type Evaluated,
  type LastEpisodes,
  nextVersionsOf,
  readLastEpisodes,
} from './episode-versions.js'
import { readInvoiceFacts, readOrderFacts } from './order-facts.js'
import { readShipmentFacts } from './shipment-facts.js'

export type Given = { rules: EffectiveRules; slug: string; freeTime: FreeTimeRules; watchedSince: number; now: number }

/**
 * Evaluates some subjects of an account. Facts are read before the account is locked: what changes meanwhile is marked by its
 * revision, and evaluated again.
 */
export async function evaluateWatches(
  sql: TransactionSql,
  account: AccountId,
  watches: Watch[],
  given: Given,
): Promise<Outcome[]> {
  // All kinds together: the database reads orders while shipments are evaluated.
  const ofKinds = await allEnded(
    [...groupedBy(watches, ({ kind }) => kind)].map(async ([kind, ofKind]) => {
      const ids = ofKind.map(({ id }) => id)
      const last = await readLastEpisodes(sql, account, kind, ids)
      return evaluators[kind](sql, account, ofKind, last, given)
    }),
  )
  return ofKinds.flat()
}

/** Stores the exceptions that changed. Takes the revision that the account had before, and returns the one that was written. */
export async function storeExceptions(
  sql: TransactionSql,
  account: AccountId,
  changed: Outcome[],
  { rules, before }: { rules: EffectiveRules; before: number },
): Promise<number | undefined> {
  if (changed.length === 0) return undefined
  return commitWithin(sql, account, serviceAuthor, async (tx) => {
    // Under the lock: people may have acted on them since, if anybody has written to the account.
    const isUnchanged = tx.revision === before + 1
    const puts = isUnchanged
      ? changed.flatMap(({ versions }) => versions)
      : await versionsAgain(sql, account, changed, rules)
    tx.put('exception', puts)
    return puts.length > 0 ? tx.revision : undefined
  })
}

/** What comes of one subject. What is found of it is kept only if that changes its exceptions. */
export type Outcome = { update: WatchUpdate; versions: EpisodeVersion[]; evaluated: Evaluated | undefined }

async function versionsAgain(
  db: Reader,
  account: AccountId,
  outcomes: Outcome[],
  rules: EffectiveRules,
): Promise<EpisodeVersion[]> {
  const versions: EpisodeVersion[] = []
  for (const [kind, ofKind] of groupedBy(outcomes, ({ update }) => update.kind)) {
    const last = await readLastEpisodes(
      db,
      account,
      kind,
      ofKind.map(({ update }) => update.id),
    )
    const again = await mapInSlices(ofKind, ({ update: { id }, evaluated }) =>
      evaluated ? nextVersionsOf(evaluated, last.get(id) ?? [], rules) : [],
    )
    versions.push(...again.flat())
  }
  return versions
}

function updateOf({ kind, id }: Watch, evaluated: Evaluated, last: ExceptionRecord[], now: number): WatchUpdate {
  const { findings, memory } = evaluated
  const snoozes = last.flatMap(({ state, snoozed_until }) =>
    state === 'snoozed' && snoozed_until !== undefined ? Date.parse(snoozed_until) : [],
  )
  const check_at = nextCheck([...findings.checks, ...snoozes], now)
  return {
    kind,
    id,
    check_at,
    memory,
    isOver: evaluated.isOver && check_at === undefined && findings.conditions.length === 0,
  }
}

type Evaluator = (
  db: Reader,
  account: AccountId,
  watches: Watch[],
  last: LastEpisodes,
  given: Given,
) => Promise<Outcome[]>

const evaluators: Record<WatchedKind, Evaluator> = {
  async shipment(db, account, watches, last, { rules, slug, freeTime, watchedSince, now }) {
    const watchOf = new Map(watches.map((watch) => [watch.id, watch]))
    const derivations = await readShipmentFacts(db, account, [...watchOf.keys()], {
      previousState(id) {
        const memory = watchOf.get(id)?.memory
        const slip = last.get(id)?.find(({ kind }) => kind === 'eta_slip')
        return {
          memory: memory ? (JSON.parse(memory) as SlipMemory) : undefined,
          raised: raisedOf(last.get(id)),
          acknowledged: acknowledgedDates(slip),
        }
      },
      slug,
      freeTime,
      watchedSince,
      thresholds: rules.thresholds,
      now,
    })
    return evaluatedBy(watches, derivations, { last, rules, now }, function* (derive, seen) {
      const { facts: known, memory } = yield* derive()
      const findings = yield* evaluateShipmentInParts(known, rules)
      let newestActual: ReturnType<typeof newestActualOf> | undefined
      return {
        findings,
        circumstances: { now, ...seen, knownSince: known.knownSince },
        memory: JSON.stringify(memory),
        isOver: known.shipment.status === 'finished' || known.shipment.status === 'cancelled',
        clearing(record) {
          newestActual ??= newestActualOf(known)
          return clearingOf(known, record, newestActual(record.container_number))
        },
      }
    })
  },
  async purchase_order(db, account, watches, last, { rules, watchedSince, now }) {
    const ids = watches.map(({ id }) => id)
    const memoryOf = new Map(watches.map(({ id, has_changed, memory }) => [id, has_changed ? null : memory]))
    const facts = await readOrderFacts(db, account, ids, {
      raisedOf: (id) => raisedOf(last.get(id)),
      knownEvidence(id) {
        const memory = memoryOf.get(id)
        return new Map(memory ? (JSON.parse(memory) as [string, ShipmentEvidence][]) : [])
      },
      watchedSince,
      thresholds: rules.thresholds,
      now,
    })
    return evaluatedBy(
      watches,
      facts,
      { last, rules, now },
      atOnce((known, seen) => ({
        findings: rules.kinds.order_at_risk.enabled ? evaluateOrder(known) : nothingFound,
        circumstances: { now, ...seen, knownSince: known.knownSince },
        memory: known.events.size > 0 ? JSON.stringify([...known.events]) : undefined,
        isOver:
          known.isCancelled ||
          known.lines.every(
            ({ assignments }) =>
              assignments.length > 0 && assignments.every((each) => isDeliveredBy(known, each.svc_shipment_id)),
          ),
        clearing: () => (known.isCancelled ? { reason: 'The order was cancelled.' } : {}),
      })),
    )
  },
  async invoice(db, account, watches, last, { rules, watchedSince, now }) {
    const ids = watches.map(({ id }) => id)
    const facts = await readInvoiceFacts(db, account, ids, now)
    return evaluatedBy(
      watches,
      facts,
      { last, rules, now },
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

/** One subject after another: what is derived of it is not kept. One that does not exist any more has nothing wrong with it. */
async function evaluatedBy<Facts>(
  watches: Watch[],
  facts: Map<string, Facts>,
  { last, rules, now }: { last: LastEpisodes; rules: EffectiveRules; now: number },
  evaluate: (facts: Facts, seen: Seen) => InParts<Evaluated>,
): Promise<Outcome[]> {
  return mapInParts(watches, function* (watch): InParts<Outcome> {
    const { kind, id, is_known, is_history: isHistory } = watch
    const known = facts.get(id)
    const gone = { kind, id, check_at: undefined, memory: undefined, isOver: true }
    if (known === undefined) return { update: gone, versions: [], evaluated: undefined }
    const evaluated = yield* evaluate(known, { isFirst: !is_known, isHistory })
    const episodes = last.get(id) ?? []
    const versions = nextVersionsOf(evaluated, episodes, rules)
    return {
      update: updateOf(watch, evaluated, episodes, now),
      versions,
      evaluated: versions.length > 0 ? evaluated : undefined,
    }
  })
}

type Seen = Pick<Circumstances, 'isFirst' | 'isHistory'>

function atOnce<Facts>(evaluate: (facts: Facts, seen: Seen) => Evaluated) {
  return function* (facts: Facts, seen: Seen): InParts<Evaluated> {
    yield
    return evaluate(facts, seen)
  }
}

function isDeliveredBy({ shipments }: OrderFacts, id: string): boolean {
  const shipment = shipments.get(id)
  return shipment === undefined || isDelivered(shipment)
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
