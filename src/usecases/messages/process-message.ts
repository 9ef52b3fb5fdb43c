import type { EventOutcome, MessageCounts, MessageEvent, MessageOutcome } from '../../contract/operator/messages.js'
import type { Quotas } from '../../contract/operator/quotas.js'
import type { Party } from '../../contract/public/tracking.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { TransactionSql } from '../../database/database.js'
import { type ReadMessage, referencesOf } from '../../domain/messages/incoming-event.js'
import { type Candidate, matchedByDates, type Target } from '../../domain/messages/matching.js'
import { groupedBy } from '../../domain/records/grouping.js'
import { commitAccounts } from '../../ledger/commit.js'
import type { Transaction } from '../../ledger/transaction.js'
import type { ReadTable } from '../../spreadsheet/table-process.js'
import { findIdentities, type SavedIdentity, saveIdentities } from '../../store/event-identities.js'
import { findSameMessages, type PendingMessage, type ProcessedMessage, saveProcessed } from '../../store/messages.js'
import { saveCodeUses } from '../../store/sender-codes.js'
import { findParties } from '../../store/senders.js'
import { findJourneyWindows, findReferencedShipments } from '../../store/shipment-references.js'
import { applyToShipment, type SentMessage } from './apply-events.js'
import { changesOf, type KnownShipments, type PlannedChange, type PlannedEvent, planned } from './event-plan.js'
import { IndependentMessages } from './independent-messages.js'
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
  processing: Processing,
): Promise<void> {
  await processMessages(sql, [message], processing)
}

/** An account refuses what several messages bring together: they have to be processed one by one. */
export class RefusedBatch extends Error {}

/**
 * The same for several messages, those of a sender in their order, as if one by one. They share their statements, and each shipment
 * is written once. Returns those that were processed: the first at least. What depends on the others is left for later.
 */
export async function processMessages(
  sql: TransactionSql,
  messages: PendingMessage[],
  { quotas, isRepeated = false, table }: Processing,
): Promise<PendingMessage[]> {
  const contents = await readMessages(sql, messages, table)
  const [same, parties] = await Promise.all([
    isRepeated ? new Map<number, number>() : findSameMessages(sql, messages),
    findParties(sql, [...new Set(messages.map(({ sender }) => sender))]),
  ])
  const known = await findShipments(
    sql,
    contents.filter(({ message: { message_id } }) => !same.has(message_id)),
  )
  const batch = new IndependentMessages(known.byReference)
  const processed: (SavedMessage | PlannedMessage)[] = []
  for (const { message, read, refs: named } of contents) {
    if (batch.isLeftOut(message)) continue
    const { message_id } = message
    if ('fault' in read) {
      const outcome = read.isMappable ? 'quarantined' : 'unreadable'
      processed.push({ message, done: { ...nothing, outcome, reason: `The message ${read.fault}.` } })
      continue
    }
    const { warnings = [], foreign = [], events } = read
    const earlier = same.get(message_id)
    if (earlier !== undefined) {
      const reason = `It has the same bytes as message ${earlier}.`
      const counts = { events: events.length }
      processed.push({ message, done: { ...nothing, counts, refs: named, warnings, outcome: 'duplicate', reason } })
      continue
    }
    const plan = events.map((each) => planned(each, known, chosenShipment(message)))
    if (!batch.takes(message, plan)) continue
    await saveCodeUses(sql, message, foreign)
    const party = parties.get(message.sender) ?? usualParty(message)
    processed.push({ message: { ...message, party }, plan, refs: named, warnings })
  }
  await applyPlans(
    sql,
    processed.filter((each) => 'plan' in each),
    quotas,
  )
  await saveProcessed(
    sql,
    processed.map((each) => {
      const { message_id } = each.message
      return 'done' in each
        ? { message_id, ...each.done }
        : { message_id, ...summaryOf(each.plan, each.refs), warnings: each.warnings }
    }),
  )
  return processed.map(({ message }) => message)
}

type SavedMessage = { message: PendingMessage; done: ProcessedMessage }
type PlannedMessage = { message: SentMessage; plan: PlannedEvent[]; refs: string[]; warnings: string[] }

const nothing = { counts: { events: 0 }, events: [], warnings: [], refs: [], waiting: [] }

type ReadContent = { message: PendingMessage; read: ReadMessage; refs: string[] }

async function readMessages(
  sql: TransactionSql,
  messages: PendingMessage[],
  table: ReadTable | undefined,
): Promise<ReadContent[]> {
  return Promise.all(
    messages.map(async (message) => {
      const read = await readMessage(sql, message, table)
      const events = 'events' in read ? read.events : []
      const refs = [...new Set(events.flatMap((each) => ('event' in each ? referencesOf(each.event) : [])))]
      return { message, read, refs }
    }),
  )
}

/** Who usually sends such messages, if no operator has said it of the sender. */
function usualParty({ format }: PendingMessage): Party | undefined {
  return format === 'events' || format === 'table' ? undefined : 'carrier'
}

function chosenShipment({ matched_account_id, matched_account, matched_shipment }: PendingMessage): Target | undefined {
  if (matched_account_id === null || matched_account === null || matched_shipment === null) return undefined
  return { account_id: matched_account_id, account: matched_account, svc_shipment_id: matched_shipment }
}

// More shipments than this with one reference are no match, and enough to suggest.
const mostCandidates = 20

async function findShipments(sql: TransactionSql, contents: ReadContent[]): Promise<KnownShipments> {
  const refs = new Set(contents.flatMap((each) => each.refs))
  const found = await findReferencedShipments(sql, [...refs], mostCandidates)
  const byReference: Map<string, Candidate[]> = groupedBy(found, ({ reference }) => reference)
  const dated = contents
    .flatMap(({ read }) => ('events' in read ? read.events : []))
    .flatMap((each) => ('event' in each ? matchedByDates(each.event, byReference) : []))
  return { byReference, windows: await findJourneyWindows(sql, dated) }
}

async function applyPlans(sql: TransactionSql, messages: PlannedMessage[], quotas: Quotas): Promise<void> {
  const identities = messages.flatMap(({ message: { sender }, plan }) =>
    plan.flatMap(({ identity }) => (identity === undefined ? [] : { sender, identity })),
  )
  const versions = await findIdentities(sql, identities)
  const stored: SavedIdentity[] = []
  const bySender = new Map<string, PlannedChange[]>()
  for (const { message, plan } of messages) {
    const { sender, message_id } = message
    const { changes, withoutShipment } = changesOf(plan, versions.get(sender) ?? new Map(), message)
    bySender.set(sender, [...(bySender.get(sender) ?? []), ...changes])
    stored.push(...withoutShipment.map((version) => ({ ...version, sender, message_id })))
  }
  for (const { author, changes } of writesOf(bySender)) {
    const byAccount = groupedBy(changes, ({ target }) => target.account_id)
    const applied = await commitAccounts(sql, [...byAccount.keys()], author, (tx, account) => {
      tx.applyDefaultQuotas(quotas)
      return applyToAccount(tx, account, byAccount.get(account) ?? [])
    })
    for (const [account, result] of applied) {
      if (!(result instanceof Refusal)) stored.push(...result)
      else if (messages.length > 1) throw new RefusedBatch(result.message)
      else
        for (const { of } of byAccount.get(account) ?? [])
          Object.assign(of.result, { outcome: 'quarantined', reason: result.message })
    }
  }
  await saveIdentities(sql, stored)
}

/** Each write is of one sender to an account: accounts of several senders are written to in as many rounds. */
function writesOf(
  bySender: Map<string, PlannedChange[]>,
): { author: (account: AccountId) => string; changes: PlannedChange[] }[] {
  const rounds: { senders: Map<AccountId, string>; changes: PlannedChange[] }[] = []
  for (const [sender, changes] of bySender) {
    for (const [account, ofAccount] of groupedBy(changes, ({ target }) => target.account_id)) {
      let round = rounds.find(({ senders }) => !senders.has(account))
      if (!round) rounds.push((round = { senders: new Map(), changes: [] }))
      round.senders.set(account, sender)
      round.changes.push(...ofAccount)
    }
  }
  return rounds.map(({ senders, changes }) => ({ author: (account) => `sender:${senders.get(account)}`, changes }))
}

/** Returns the versions that are stored. */
async function applyToAccount(tx: Transaction, account: AccountId, changes: PlannedChange[]): Promise<SavedIdentity[]> {
  const shipments = [...groupedBy(changes, ({ target }) => target.svc_shipment_id)]
  const applied = await Promise.all(
    shipments.map(async ([shipment, ofShipment]) => {
      const results = await applyToShipment(tx, account, shipment, ofShipment)
      return results.flatMap((result, index) => {
        const { of, version, event, message } = ofShipment[index] as PlannedChange
        if (event || of.event?.isRetracted) Object.assign(of.result, resultOf(result))
        return result.isStored ? [{ ...version, sender: message.sender, message_id: message.message_id }] : []
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
  return { outcome: outcomeOf(counts), reason, counts, events, refs, waiting: [...new Set(waiting)] }
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
