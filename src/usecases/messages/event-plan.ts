import { hash } from 'node:crypto'
import type { MessageEvent } from '../../contract/operator/messages.js'
import { type IncomingEvent, type ReadEvent, referencesOf } from '../../domain/messages/incoming-event.js'
import { type Candidate, type Match, matchEvent, type Target } from '../../domain/messages/matching.js'
import type { EventIdentity } from '../../store/event-identities.js'
import type { PendingMessage } from '../../store/messages.js'
import { isAhead } from '../tracking/event-rules.js'
import type { EventChange } from './apply-events.js'

/** What a message is going to do: decided before any account is locked. */

/** One event of the message and what becomes of it. */
export type PlannedEvent = {
  result: MessageEvent
  event?: IncomingEvent
  match?: Match
  identity?: string
  /** The identity by which it may be retracted by who does not name the party it is from. */
  unrouted?: string
}

/** A change of a shipment by an event of the message. */
export type PlannedChange = EventChange & { target: Target; of: PlannedEvent; version: EventIdentity }

export function planned(read: ReadEvent, known: Map<string, Candidate[]>, forced: Target | undefined): PlannedEvent {
  const at = read.row === undefined ? {} : { row: read.row }
  if ('fault' in read) {
    const { fault, sourceId } = read
    const source = sourceId === undefined ? {} : { source_event_id: sourceId.slice(0, 600) }
    return { result: { outcome: 'invalid', ...at, reason: fault, ...source } }
  }
  const { event } = read
  const found = matchEvent(event, known)
  const match = 'target' in found || !forced ? found : { target: forced }
  const result: MessageEvent = {
    outcome: event.isKept ? 'kept' : 'applied',
    ...at,
    ...(event.sourceId !== undefined && { source_event_id: event.sourceId }),
    ...(event.sourceCode !== '' && { source_code: event.sourceCode }),
    ...(!event.isKept && { code: event.code, status: event.status, date: event.date }),
    references: referencesOf(event),
  }
  const identity = identityOf(event, match)
  const unrouted = event.unroutedId === undefined ? undefined : digest('id', event.unroutedId)
  return {
    result,
    event,
    match,
    ...(identity !== undefined && { identity }),
    ...(unrouted !== undefined && { unrouted }),
  }
}

function digest(...parts: unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32)
}

/** By the identifier of the source; without one, by what it states about which shipment. */
function identityOf(event: IncomingEvent, match: Match): string | undefined {
  if (event.sourceId !== undefined) return digest('id', event.sourceId)
  if (!('target' in match)) return undefined
  const { account_id, svc_shipment_id } = match.target
  const { sourceCode, code, status, date, description, containers, place, identity, versioned } = event
  if (versioned) return digest('versioned', account_id, svc_shipment_id, containers, versioned)
  // 'said' is part of the identifiers that are stored.
  if (identity) return digest('said', account_id, svc_shipment_id, Date.parse(date), containers, identity)
  return digest(
    'said',
    account_id,
    svc_shipment_id,
    sourceCode,
    code,
    status,
    Date.parse(date),
    description,
    containers,
    place,
  )
}

/** Compares each event with the newest known version of it, and says what has to change. */
export function changesOf(
  plan: PlannedEvent[],
  versions: Map<string, EventIdentity>,
  message: PendingMessage,
): { changes: PlannedChange[]; withoutShipment: EventIdentity[] } {
  const newest = new Map(versions)
  const changes: PlannedChange[] = []
  const withoutShipment: EventIdentity[] = []
  for (const of of plan) {
    const { event, match, identity, unrouted, result } = of
    if (!event || !match) continue
    const current =
      identity === undefined ? undefined : (newest.get(identity) ?? earlyRetraction(newest.get(unrouted ?? '')))
    const target = 'target' in match ? match.target : targetOf(current)
    if (identity === undefined || (!target && !event.isRetracted)) {
      // What moves nothing waits for no shipment.
      if (!event.isKept) setUnmatched(result, match)
      continue
    }
    // Without how far the date can be relied on: versions that were stored before that was kept are known by the same hash.
    const left = {
      issuedAt: undefined,
      unroutedId: undefined,
      identity: undefined,
      isOfUnnamedUnit: undefined,
      versioned: undefined,
      zone: undefined,
      precision: undefined,
    }
    // What was reported before it happened counts once it is reported again: any other version comes after `!`.
    const content_hash = `${isAhead(event, message.received_at) ? '!' : ''}${digest({ ...event, ...left })}`
    const issued_at = event.issuedAt ?? message.received_at
    const given = { issued_at, content_hash, isIssued: event.issuedAt !== undefined, retracted: event.isRetracted }
    if (current && !isNewer(current, given) && !isReadAnew(current, given, event, message)) {
      setUnchanged(result, current, issued_at, content_hash)
      continue
    }
    if (target) Object.assign(result, { account: target.account, svc_shipment_id: target.svc_shipment_id })
    const event_id = `evt_${digest(message.sender, identity)}`
    const isStored = target !== undefined && !event.isKept
    const version: EventIdentity = {
      identity,
      issued_at: new Date(issued_at).toISOString(),
      content_hash,
      retracted: event.isRetracted,
      account_id: target?.account_id ?? null,
      account: target?.account ?? null,
      svc_shipment_id: target?.svc_shipment_id ?? null,
      event_id: isStored || event.isRetracted ? event_id : null,
      unrouted: unrouted ?? null,
    }
    newest.set(identity, version)
    const before = targetOf(current)
    const isElsewhere =
      before && (before.account_id !== target?.account_id || before.svc_shipment_id !== target.svc_shipment_id)
    if (isElsewhere) changes.push({ target: before, of, version, event_id, event: undefined, issued_at })
    if (event.isRetracted) {
      if (before && !isElsewhere) changes.push({ target: before, of, version, event_id, event: undefined, issued_at })
      else withoutShipment.push(version)
      result.outcome = current ? 'applied' : 'kept'
      if (!current) result.reason = 'no event with this identifier is known: if it comes, it is retracted'
    } else if (isStored) {
      result.event_id = event_id
      changes.push({ target, of, version, event_id, event, issued_at })
    } else withoutShipment.push(version)
  }
  return { changes, withoutShipment }
}

// It came before the event that it retracts.
function earlyRetraction(version: EventIdentity | undefined): EventIdentity | undefined {
  return version?.retracted ? version : undefined
}

function targetOf(version: EventIdentity | undefined): Target | undefined {
  const { account_id = null, account = null, svc_shipment_id = null } = version ?? {}
  if (account_id === null || account === null || svc_shipment_id === null) return undefined
  return { account_id, account, svc_shipment_id }
}

type Version = { issued_at: string; content_hash: string; isIssued: boolean; retracted: boolean }

function isNewer(current: EventIdentity, { issued_at, content_hash, isIssued, retracted }: Version): boolean {
  // What does not say when it was issued, and says the same, is a repetition.
  if (!isIssued && current.content_hash === content_hash) return false
  const later = Date.parse(issued_at) - Date.parse(current.issued_at)
  // Of two versions that were issued at the same time one wins, whichever comes first: the one that is retracted, if one is.
  if (later === 0 && isIssued && current.retracted !== retracted) return retracted
  return later > 0 || (later === 0 && isIssued && content_hash > current.content_hash)
}

// The same message is processed again after its codes or columns got another meaning.
function isReadAnew(
  current: EventIdentity,
  { issued_at, content_hash }: Version,
  { identity, versioned }: IncomingEvent,
  message: PendingMessage,
): boolean {
  if (current.message_id !== message.message_id || current.content_hash === content_hash) return false
  return identity !== undefined || (versioned !== undefined && Date.parse(issued_at) === Date.parse(current.issued_at))
}

function setUnchanged(result: MessageEvent, current: EventIdentity, issued_at: string, content_hash: string): void {
  result.outcome = 'unchanged'
  const isSameTime = Date.parse(issued_at) === Date.parse(current.issued_at)
  if (isSameTime && current.content_hash !== content_hash)
    result.reason = 'another version that was issued at the same time is known'
  else if (!isSameTime) result.reason = 'a newer version is known'
}

function setUnmatched(result: MessageEvent, match: Match): void {
  result.outcome = 'unmatched'
  if ('target' in match) return
  result.reason = match.reason
  if (match.suggestions.length > 0)
    result.suggestions = match.suggestions.map(({ account, svc_shipment_id, kind, reference }) => ({
      account,
      svc_shipment_id,
      kind,
      reference,
    }))
}
