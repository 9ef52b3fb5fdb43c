import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EventOutcome, MessageCounts, MessageEvent, MessageOutcome } from '../../contract/operator/messages.js'
import type { Quotas } from '../../contract/operator/quotas.js'
import type { Party } from '../../contract/public/tracking.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { TransactionSql } from '../../database/database.js'
import { type ReadMessage, referencesOf } from '../../domain/messages/incoming-event.js'
import type { Candidate, Target } from '../../domain/messages/matching.js'
import { groupedBy } from '../../domain/records/grouping.js'
import { mapInSlices } from '../../jobs/in-slices.js'
import { commitAccounts } from '../../ledger/commit.js'
import type { Transaction } from '../../ledger/transaction.js'
import type { ReadTable } from '../../spreadsheet/table-process.js'
import { type EventIdentity, findIdentities, findRouted, saveIdentities } from '../../store/event-identities.js'
import { findSameMessage, type PendingMessage, type ProcessedMessage, saveProcessed } from '../../store/messages.js'
import { saveCodeUses } from '../../store/sender-codes.js'
import { findSender } from '../../store/senders.js'
import { findReferencedShipments } from '../../store/shipment-references.js'
import { applyToShipment, type SentMessage } from './apply-events.js'
import { changesOf, type PlannedChange, type PlannedEvent, planned } from './event-plan.js'
import { readMessage } from './read-content.js'

type Processing = {
  quotas: Quotas
  /** An operator asks for it: it is processed although the same bytes were before. */
  isRepeated?: boolean
  /** The sheets of a table, if they were read before. */
  table?: ReadTable | undefined
}

/**
 * Processes a message in the transaction that the caller has opened and in which it has locked the sender: what the message
 * does and its outcome are stored together or not at all.
 */
export async function processMessage(
  sql: TransactionSql,
  message: PendingMessage,
  { quotas, isRepeated = false, table }: Processing,
): Promise<void> {
  const read = await readMessage(sql, message, table)
  if ('fault' in read)
    return saveProcessed(sql, message.message_id, {
      ...nothing,
      outcome: read.isMappable ? 'quarantined' : 'unreadable',
      reason: `The message ${read.fault}.`,
    })
  // Reading thousands of events takes tens of milliseconds, and so does what follows: others take turns between them.
  await nextTurn()
  const { warnings = [], foreign = [] } = read
  const refs = [...new Set(read.events.flatMap((each) => ('event' in each ? referencesOf(each.event) : [])))]
  const [same, shipments, party] = await Promise.all([
    isRepeated ? undefined : findSameMessage(sql, message),
    // More shipments than this with one reference are no match, and enough to suggest.
    findReferencedShipments(sql, 'all', refs, 20),
    partyOf(sql, message),
  ])
  if (same !== undefined) {
    const counts = { events: read.events.length }
    const reason = `It has the same bytes as message ${same}.`
    return saveProcessed(sql, message.message_id, { ...nothing, counts, refs, warnings, outcome: 'duplicate', reason })
  }
  await saveCodeUses(sql, message, foreign)
  const plan = await makePlan(read.events, shipments, chosenShipment(message))
  await applyPlan(sql, { ...message, party }, plan, quotas)
  return saveProcessed(sql, message.message_id, { ...summaryOf(plan, refs), warnings })
}

const nothing = { counts: { events: 0 }, events: [], warnings: [], refs: [], waiting: [], accounts: [] }

/** The party that an operator set for the sender; otherwise who usually sends such messages. */
async function partyOf(sql: TransactionSql, { sender, format }: PendingMessage): Promise<Party | undefined> {
  return (await findSender(sql, sender))?.party ?? (format === 'events' || format === 'table' ? undefined : 'carrier')
}

function chosenShipment({ matched_account_id, matched_account, matched_shipment }: PendingMessage): Target | undefined {
  if (matched_account_id === null || matched_account === null || matched_shipment === null) return undefined
  return { account_id: matched_account_id, account: matched_account, svc_shipment_id: matched_shipment }
}

async function makePlan(
  events: Extract<ReadMessage, { events: unknown }>['events'],
  shipments: Candidate[],
  target: Target | undefined,
): Promise<PlannedEvent[]> {
  const known = groupedBy(shipments, ({ reference }) => reference)
  return mapInSlices(events, (read) => planned(read, known, target))
}

async function applyPlan(
  sql: TransactionSql,
  message: SentMessage,
  plan: PlannedEvent[],
  quotas: Quotas,
): Promise<void> {
  await routeRetractions(sql, message.sender, plan)
  const identities = plan.flatMap(({ identity, unrouted }) => [identity, unrouted].filter((each) => each !== undefined))
  const versions = await findIdentities(sql, message.sender, identities)
  const { changes, withoutShipment } = changesOf(plan, versions, message)
  const byAccount = groupedBy(changes, ({ target }) => target.account_id)
  const applied = await commitAccounts(sql, [...byAccount.keys()], `sender:${message.sender}`, (tx, account) => {
    tx.applyDefaultQuotas(quotas)
    return applyToAccount(tx, account, byAccount.get(account) ?? [], message)
  })
  const stored = [...withoutShipment]
  for (const [account, result] of applied) {
    if (!(result instanceof Refusal)) stored.push(...result)
    else
      for (const { of } of byAccount.get(account) ?? [])
        Object.assign(of.result, { outcome: 'quarantined', reason: result.message })
  }
  // The last version of each.
  const newest = new Map(stored.map((each) => [each.identity, each]))
  saveIdentities(sql, message.sender, message.message_id, [...newest.values()])
}

/** Who retracts an event need not name the party that it is from: it is found among the events of the sender. */
async function routeRetractions(sql: TransactionSql, sender: string, plan: PlannedEvent[]): Promise<void> {
  const open = plan.filter(({ event, unrouted }) => event?.isRetracted && unrouted === undefined)
  if (open.length === 0) return
  const stored = await findRouted(
    sql,
    sender,
    open.flatMap(({ identity }) => identity ?? []),
  )
  const given = plan.flatMap(({ identity, unrouted }) => (identity && unrouted ? { identity, unrouted } : []))
  const identitiesOf = groupedBy([...stored, ...given], ({ unrouted }) => unrouted)
  for (const of of open) {
    const [identity, ...others] = new Set(identitiesOf.get(of.identity ?? '')?.map((each) => each.identity))
    if (identity === undefined) continue
    if (others.length === 0) of.identity = identity
    else {
      delete of.identity
      Object.assign(of.result, { outcome: 'quarantined', reason: 'several parties have an event with this identifier' })
    }
  }
}

/** Returns the versions that are stored. */
async function applyToAccount(
  tx: Transaction,
  account: AccountId,
  changes: PlannedChange[],
  message: SentMessage,
): Promise<EventIdentity[]> {
  const shipments = [...groupedBy(changes, ({ target }) => target.svc_shipment_id)]
  const applied = await Promise.all(
    shipments.map(async ([shipment, ofShipment]) => {
      const results = await applyToShipment(tx, account, shipment, ofShipment, message)
      return results.flatMap((result, index) => {
        const { of, version, event } = ofShipment[index] as PlannedChange
        if (event || of.event?.isRetracted) Object.assign(of.result, resultOf(result))
        return result.isStored ? [version] : []
      })
    }),
  )
  return applied.flat()
}

function resultOf({ outcome, reason, code }: { outcome: EventOutcome; reason?: string; code?: MessageEvent['code'] }) {
  return { outcome, ...(reason !== undefined && { reason }), ...(code !== undefined && { code }) }
}

function summaryOf(plan: PlannedEvent[], refs: string[]): Omit<ProcessedMessage, 'warnings'> {
  const events = plan.map(({ result }) => result)
  const counts: MessageCounts = { events: events.length }
  for (const { outcome } of events) counts[outcome] = (counts[outcome] ?? 0) + 1
  const waiting = plan.flatMap(({ result, match }) =>
    result.outcome === 'unmatched' && match && !('target' in match) ? match.waiting : [],
  )
  const index = events.findIndex((event) => event.outcome === leading(counts) && event.reason !== undefined)
  const first = index < 0 ? undefined : events[index]
  const reason = first && `Event ${index + 1}: ${first.reason}.`
  const targets = plan.map(({ match }) => (match && 'target' in match ? match.target.account_id : undefined))
  const accounts = targets.every((account) => account !== undefined) ? [...new Set(targets)] : []
  return { outcome: outcomeOf(counts), reason, counts, events, refs, waiting: [...new Set(waiting)], accounts }
}

/** The outcome of events that needs attention first. */
function leading(counts: MessageCounts): EventOutcome | undefined {
  return (['unmatched', 'quarantined', 'invalid', 'unchanged'] as const).find((outcome) => counts[outcome])
}

function outcomeOf(counts: MessageCounts): MessageOutcome {
  if (counts.invalid && counts.invalid === counts.events) return 'unreadable'
  if (counts.unmatched) return 'unmatched'
  if (counts.quarantined || counts.invalid) return 'quarantined'
  // Acknowledgements of ours have no events.
  return counts.applied || counts.kept || counts.events === 0 ? 'applied' : 'duplicate'
}
