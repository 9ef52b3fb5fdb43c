import { randomBytes } from 'node:crypto'
import { systemTime } from '../../clock/clock.js'
import { type ChangeEvent, type EventType, eventTypes } from '../../contract/public/event.js'
import type { DisabledReason } from '../../contract/public/webhook.js'
import type { Database } from '../../database/database.js'
import { delayAfter, longestFailure, mostAttempts, secondsOf } from '../../domain/webhooks/retries.js'
import { mostWaiting } from '../../store/webhook-deliveries.js'
import {
  countWaitingDeliveries,
  type Endpoint,
  listDueDeliveries,
  makeDue,
  releaseEndpoint,
  type SentDelivery,
  testType,
  type WaitingDelivery,
} from '../../store/webhook-queue.js'
import type { SharedWork } from './shared-work.js'
import { signedHeaders } from './signature.js'
import type { EndpointResponse, WebhookSender } from './webhook-request.js'

/** One turn of an endpoint: what waits for another attempt, then new events, until there is nothing or the time is over. */

/** So many failures in a row: it is sent one delivery at a time until one succeeds. */
export const failuresOfDown = 5

// Deliveries that are saved together, and those that are under way at once if they need no order.
const batchSize = 100
const concurrency = 10

export type TurnOptions = {
  sender: WebhookSender
  shared: SharedWork
  /** Milliseconds after which nothing more is begun. */
  turnTime: number
  /** Nothing more is begun. */
  signal: AbortSignal
  /** What is under way is aborted, and counts as not sent. */
  hardStop: AbortSignal
}

/** Why the endpoint has to be disabled; undefined if it has not. */
export async function takeTurn(
  db: Database,
  leased: Endpoint,
  { sender, shared: { queue, readPage, save }, turnTime, signal, hardStop }: TurnOptions,
): Promise<DisabledReason | undefined> {
  const endpoint = { ...leased }
  const { account_id, webhook_id, ordered } = endpoint
  const origin = { account: account_id, epoch: endpoint.epoch }
  const types = wantedTypes(endpoint)
  const deadline = performance.now() + turnTime
  let isGone = false
  let hasFailed = false

  const isDown = () => endpoint.failures >= failuresOfDown
  const isOver = () => isGone || signal.aborted || performance.now() >= deadline || (hasFailed && (ordered || isDown()))

  async function send(delivery: WaitingDelivery): Promise<SentDelivery | undefined> {
    const attempted = systemTime() / 1000
    const { event_id: id, content: body } = delivery
    const start = performance.now()
    const headers = signedHeaders(endpoint.secrets, { id, seconds: Math.floor(attempted), body })
    const response = await sender.send(endpoint.url, headers, body, hardStop)
    if (!response) return undefined
    const milliseconds = Math.round(performance.now() - start)
    return { ...outcomeOf(delivery, response), attempted, milliseconds, url: endpoint.url }
  }

  function outcomeOf(
    { created_at, resent, ...delivery }: WaitingDelivery,
    { status, answer, error, retryAfter }: EndpointResponse,
  ): Omit<SentDelivery, 'attempted' | 'milliseconds' | 'url'> {
    const sent = { ...delivery, attempts: delivery.attempts + 1, status: status ?? null, answer: answer ?? null }
    // Neither says anything about what has to be delivered.
    const isTest = delivery.type === testType
    const isAside = isTest || resent
    if (status !== undefined && status >= 200 && status < 300) {
      if (!isAside)
        Object.assign(endpoint, { failures: 0, failing_since: null, last_success_at: new Date(systemTime()) })
      return { ...sent, state: 'delivered', delay: null, error: null }
    }
    const reason = error ?? reasonOf(status ?? 0)
    if (!isAside) {
      if (status === 410) isGone = true
      hasFailed = true
      endpoint.failures += 1
      endpoint.failing_since ??= new Date(systemTime())
    }
    // As long as nothing gets through, nothing is given up; nor is what others have to wait for.
    const othersSucceed = !ordered && endpoint.last_success_at !== null && endpoint.last_success_at > created_at
    if (isTest || (sent.attempts >= mostAttempts && (resent || othersSucceed)))
      return { ...sent, state: 'failed', delay: null, error: reason }
    const delay = delayAfter(sent.attempts, secondsOf(retryAfter, systemTime()), Math.random())
    return { ...sent, state: 'waiting', delay, error: reason }
  }

  /** The deliveries from the first on that were sent. */
  async function sendAll(deliveries: WaitingDelivery[]): Promise<SentDelivery[]> {
    const sent: (SentDelivery | undefined)[] = []
    let next = 0
    const lane = async () => {
      while (next < deliveries.length && (next === 0 || !isOver())) {
        const place = next++
        sent[place] = await send(deliveries[place] as WaitingDelivery)
      }
    }
    await Promise.all(Array.from({ length: ordered || isDown() ? 1 : concurrency }, lane))
    const aborted = sent.indexOf(undefined)
    return (aborted === -1 ? sent : sent.slice(0, aborted)) as SentDelivery[]
  }

  /** Sends and saves. `isLast`: if all succeed, the endpoint is given back by that, in one statement. */
  async function deliver(
    deliveries: WaitingDelivery[],
    { move, isLast }: { move?: (count: number) => void; isLast: boolean },
  ): Promise<{ count: number; end: 'released' | 'inactive' | undefined }> {
    const wasDown = isDown()
    const sent = await sendAll(deliveries)
    move?.(sent.length)
    const isReleased = isLast && sent.length === deliveries.length && !hasFailed
    const isActive = await save({ endpoint, sent, isLast: isReleased })
    if (wasDown && !isDown()) await queue(() => makeDue(db, endpoint))
    return { count: sent.length, end: isReleased ? 'released' : isActive ? undefined : 'inactive' }
  }

  let mayWait = endpoint.hasWaiting
  let isMore = false
  while (!isOver()) {
    const due = mayWait ? await queue(() => listDueDeliveries(db, endpoint, batchSize)) : []
    if (due.length > 0) {
      if ((await deliver(due, { isLast: false })).end) break
      continue
    }
    if (mayWait && (await isHeld())) break
    const page = await readPage(origin, endpoint.position, { types, limit: batchSize })
    const move = (count: number) => {
      if (count === page.events.length) endpoint.position = page.position
      else endpoint.position = page.events[count - 1]?.position ?? endpoint.position
    }
    const isLast = !page.hasMore && !mayWait
    const { count, end } = await deliver(page.events.map(deliveryOf), { move, isLast })
    if (end === 'released') return undefined
    mayWait ||= hasFailed
    isMore = page.hasMore || count < page.events.length
    if (end || !isMore) break
  }
  const held = mayWait && (await isHeld())
  // One that is down is not retried immediately.
  await queue(() => releaseEndpoint(db, endpoint, { isHeld: held, isMore: isMore && !held && !isDown() }))
  return isGone ? 'gone' : hasFailed && isFailingForLong(endpoint) ? 'failing' : undefined

  /** Whether new events have to wait for those that failed. */
  async function isHeld(): Promise<boolean> {
    const waiting = await queue(() => countWaitingDeliveries(db, account_id, webhook_id))
    return ordered ? waiting > 0 : waiting >= mostWaiting
  }
}

function isFailingForLong({ failing_since }: Endpoint): boolean {
  return failing_since !== null && systemTime() - failing_since.getTime() >= longestFailure
}

function reasonOf(status: number): string {
  const isRedirect = status >= 300 && status < 400
  return `The endpoint responded with the status ${status}${isRedirect ? ': redirects are not followed' : ''}.`
}

/** Undefined: all. */
function wantedTypes({ types, kinds }: Endpoint): ReadonlySet<EventType> | undefined {
  if (types.length === 0 && kinds.length === 0) return undefined
  const isWanted = (type: EventType) =>
    (types.length === 0 || types.includes(type)) &&
    (kinds.length === 0 || kinds.some((kind) => type.startsWith(`${kind}.`)))
  return new Set(eventTypes.filter(isWanted))
}

export function newDeliveryId(): string {
  return `dlv_${randomBytes(12).toString('hex')}`
}

/** The body of the request: the event as the change feed has it. */
function deliveryOf({ position: _position, ...event }: ChangeEvent & { position: unknown }): WaitingDelivery {
  return {
    delivery_id: newDeliveryId(),
    event_id: event.id,
    type: event.type,
    content: contentOf(event.type, event.at, event),
    attempts: 0,
    created_at: new Date(systemTime()),
    resent: false,
  }
}

export function contentOf(type: string, timestamp: string, data: object): string {
  return JSON.stringify({ type, timestamp, data })
}
