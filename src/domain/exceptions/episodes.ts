import type { ExceptionRecord } from '../../contract/operator/exceptions.js'
import { Exception, type ExceptionEvidence, severities } from '../../contract/public/exception.js'
import { isUnchanged } from '../records/record-changes.js'
import { inInterfaceOrder } from '../records/rendering.js'
import type { Condition } from './condition.js'
import { hasGrown } from './growth.js'
import { reasonSentence } from './sentences.js'

/** How an exception is opened, kept up to date and cleared: pure functions of its last episode and what is so now. */

export type Circumstances = {
  now: number
  /** Whether what it belongs to is evaluated for the first time. */
  isFirst: boolean
  /** Whether it came by an import, or was there before its account was watched. */
  isHistory: boolean
  /** Before this (ms), what began is history. */
  knownSince: number
  isVisible: boolean
}

export type Clearing = { reason?: string | undefined; evidence?: ExceptionEvidence[] }

/** Who acts where no person does. */
export const serviceAuthor = 'waybill'

// An exception names the first lines; a shipment may carry thousands.
const mostLines = 100
const mostEvidence = 10

/** The next version of the last episode, or a new one; undefined if nothing changes. */
export function nextVersion(
  thread: string,
  last: ExceptionRecord | undefined,
  condition: Condition | undefined,
  circumstances: Circumstances,
  clearing: Clearing = {},
): ExceptionRecord | undefined {
  return condition ? whileSo(thread, last, condition, circumstances) : last && whileNotSo(last, circumstances, clearing)
}

function whileSo(
  thread: string,
  last: ExceptionRecord | undefined,
  condition: Condition,
  circumstances: Circumstances,
): ExceptionRecord | undefined {
  if (!last || isOver(last)) return raised(thread, (last?.episode ?? 0) + 1, condition, circumstances)
  const isWorse = severities.indexOf(condition.severity) > severities.indexOf(last.severity)
  // Somebody has closed it: it comes back only if it gets worse than what was accepted then.
  if (last.state === 'closed')
    return isWorse || hasGrown(last, condition, circumstances.now)
      ? raised(thread, last.episode + 1, condition, circumstances)
      : undefined
  // Who acknowledged it, or put it aside, knew it when it was less urgent; and what gets worse now is no history.
  const isDue = last.state === 'snoozed' && Date.parse(last.snoozed_until ?? '') <= circumstances.now
  const content = contentOf(condition)
  const { isVisible } = circumstances
  // Most are as they were: no version is made of those.
  if (!isWorse && !isDue && last.visible === isVisible && hasContent(last, content)) return undefined
  const { snoozed_until, from_history, ...rest } = withoutContent(last)
  return {
    ...rest,
    ...content,
    visible: isVisible,
    ...(from_history && !isWorse && { from_history }),
    ...(isWorse || isDue ? { state: 'open' as const } : snoozed_until !== undefined && { snoozed_until }),
  }
}

function hasContent(last: ExceptionRecord, content: Content): boolean {
  return contentNames.every((name) => isUnchanged(last[name], content[name]))
}

function whileNotSo(last: ExceptionRecord, { now }: Circumstances, clearing: Clearing): ExceptionRecord | undefined {
  const at = new Date(now).toISOString()
  if (last.state === 'closed') return isOver(last) ? undefined : { ...last, ended_at: at }
  const { snoozed_until: _until, ...rest } = last
  const { reason, evidence = [] } = clearing
  return {
    ...rest,
    state: 'closed',
    closed: {
      at,
      how: 'cleared',
      by: serviceAuthor,
      ...(reason !== undefined && { reason }),
      ...(evidence.length > 0 && { evidence }),
    },
  }
}

/** Whether it can be raised again: it has ended, or the dates were acknowledged from which a new slip is measured. */
export function isOver({ state, closed, ended_at, kind }: ExceptionRecord): boolean {
  return state === 'closed' && (closed?.how === 'cleared' || ended_at !== undefined || kind === 'eta_slip')
}

function raised(thread: string, episode: number, condition: Condition, circumstances: Circumstances): ExceptionRecord {
  const { now, isFirst, isHistory, knownSince, isVisible } = circumstances
  const since = Math.min(condition.since ?? now, now)
  const at = new Date(now).toISOString()
  return {
    exception_id: `${thread}-${episode}`,
    thread,
    episode,
    kind: condition.kind,
    ...subjectOf(condition),
    ...(condition.topic !== undefined && { topic: condition.topic }),
    ...contentOf(condition),
    state: 'open',
    visible: isVisible,
    since: new Date(since).toISOString(),
    raised_at: at,
    ...(isHistory &&
      (isFirst || (condition.since !== undefined && condition.since < knownSince)) && { from_history: true }),
  }
}

function subjectOf({ svc_shipment_id, container_number, po_number, invoice_reference }: Condition) {
  return {
    ...(svc_shipment_id !== undefined && { svc_shipment_id }),
    ...(container_number !== undefined && { container_number }),
    ...(po_number !== undefined && { po_number }),
    ...(invoice_reference !== undefined && { invoice_reference }),
  }
}

const contentNames = [
  'severity',
  'reason',
  'reason_key',
  'details',
  'evidence',
  'threatens',
  'more_threatened',
  'expected_dates',
] as const

type Content = Pick<ExceptionRecord, (typeof contentNames)[number]>

function contentOf(condition: Condition): Content {
  const { severity, reason_key, details, evidence, threatens, expected_dates } = condition
  return {
    severity,
    reason: reasonSentence(condition),
    reason_key,
    details,
    evidence: evidence.slice(0, mostEvidence),
    threatens: threatens.slice(0, mostLines),
    ...(threatens.length > mostLines && { more_threatened: threatens.length - mostLines }),
    ...(expected_dates && { expected_dates }),
  }
}

function withoutContent(last: ExceptionRecord) {
  const { more_threatened: _more, expected_dates: _dates, ...rest } = last
  return rest
}

/** As its account sees it. */
export function renderException(record: ExceptionRecord): Exception {
  const {
    visible: _visible,
    owner: _owner,
    notes: _notes,
    snoozed_until: _until,
    ended_at: _ended,
    expected_dates: _dates,
    topic: _topic,
    ...shown
  } = record
  // Whether the forwarder has put it aside for a while is the forwarder's matter.
  return inInterfaceOrder(Exception, {
    ...shown,
    state: shown.state === 'snoozed' ? 'open' : shown.state,
    ...(shown.acknowledged && { acknowledged: withoutOperator(shown.acknowledged) }),
    ...(shown.closed && { closed: withoutOperator(shown.closed) }),
  })
}

// Customers deal with the forwarder, not with its operators.
function withoutOperator<Act extends { by: string }>(act: Act): Act {
  return act.by.startsWith('operator:') ? { ...act, by: 'forwarder' } : act
}

/** The orders that it concerns. */
export function ordersOf({ po_number, threatens }: Pick<ExceptionRecord, 'po_number' | 'threatens'>): string[] {
  return [...new Set([...(po_number === undefined ? [] : [po_number]), ...threatens.map((each) => each.po_number)])]
}
