import type { DateShift } from '../../contract/operator/tracking.js'
import type { TrackingEventRecord, TrackingRecord } from '../../contract/public/tracking.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import { inlineEvents, withInlineEvents } from '../../domain/tracking/inline-events.js'
import { expectedFrom, isExpected, shiftedDate } from '../../domain/tracking/shifted-dates.js'
import type { OperatorHandler } from '../operator-context.js'
import { withEvents } from './event-rules.js'
import { getKnownTracking, putTracking } from './tracking-record.js'
import { trackingAfterWrite } from './tracking-state.js'

/**
 * Moves expected dates. Unlike corrections these are news, not mistakes: the dates that were expected first stay as they are, so that
 * the customer sees how late the shipment is.
 */
export const shiftDates: OperatorHandler<'shiftDates'> = async (
  { tx, account },
  { params: { svc_shipment_id: shipment }, body },
) => {
  const { hours, reason } = body
  if (hours === 0) throw invalid([{ pointer: '/hours', detail: 'must not be 0' }])
  const known = await getKnownTracking(tx.sql, account, shipment)
  const dates = newDates(known.record, known.entries.events, body)
  const moved = <Event extends Pick<TrackingEventRecord, 'date' | 'precision'>>(event: Event, id: string): Event => {
    const date = dates.get(id)
    if (date === undefined) return event
    // Part of a day later, a day has become a time.
    return { ...event, date, ...(event.precision === 'day' && hours % 24 !== 0 && { precision: 'minute' }) }
  }
  const puts = known.entries.events
    .filter(({ event_id }) => dates.has(event_id))
    .map((before) => ({ record: moved(before, before.event_id), before, reason }))
  if (puts.length > 0) tx.put('tracking_event', puts)
  const events = known.entries.events.map((event) => moved(event, event.event_id))
  const hasInline = inlineEvents(known.record).some(({ id }) => dates.has(id))
  const record = hasInline ? withInlineEvents(known.record, (event) => moved(event, event.id)) : known.record
  await putTracking(tx, withEvents(known, events), record, { reason })
  return trackingAfterWrite(tx, account, shipment)
}

/** The new date of each event that is moved. */
function newDates(
  record: TrackingRecord,
  entries: TrackingEventRecord[],
  { from, events: named, hours }: DateShift,
): Map<string, string> {
  if ((from === undefined) === (named === undefined)) {
    throw invalid([{ pointer: '/from', detail: 'either `from` or `events` says which dates are moved' }])
  }
  const all = [
    ...entries.map(({ event_id, date, status }) => ({ id: event_id, date, status })),
    ...inlineEvents(record).map(({ id, date, status }) => ({ id, date, status })),
  ]
  const chosen = named ? asNamed(all, named) : fromEvent(all, from as string)
  return new Map(
    chosen.map(({ id, date }) => {
      const moved = shiftedDate(date, hours)
      if (moved === undefined) throw invalid([{ pointer: '/hours', detail: `moves ${date} out of the calendar` }])
      return [id, moved]
    }),
  )
}

type Dated = { id: string; date?: string | undefined; status?: string | undefined }

function fromEvent(all: Dated[], from: string) {
  const first = all.find(({ id }) => id === from)
  if (!first) throw new Refusal('event_not_found')
  const chosen = expectedFrom(all, first)
  if (chosen.length === 0) throw invalid([{ pointer: '/from', detail: 'no planned or estimated date is later' }])
  return chosen
}

function asNamed(all: Dated[], named: NonNullable<DateShift['events']>) {
  const byId = new Map(all.map((event) => [event.id, event]))
  return named.map(({ event_id, date }) => {
    const event = byId.get(event_id)
    if (!event || !isExpected(event) || Date.parse(event.date) !== Date.parse(date)) {
      throw new Refusal('dates_changed', `It concerns the event ${event_id}.`)
    }
    return event
  })
}
