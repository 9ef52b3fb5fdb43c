import type { ExceptionActing, ExceptionRecord } from '../../contract/operator/exceptions.js'
import type { Closing } from '../../contract/public/exception.js'
import { type Fault, invalid, Refusal } from '../../contract/refusals.js'
import { day } from '../dates/local-time.js'

/** What people do with exceptions. */

export type Act = { by: string; at: string }

const mostNotes = 100
const longestSnooze = 366 * day

/** The record afterwards; refuses what does not fit. */
export function acted(record: ExceptionRecord, acting: ExceptionActing, act: Act): ExceptionRecord {
  const noted = withNote(record, acting, act)
  switch (acting.action) {
    case 'note':
      return noted
    case 'assign': {
      const { owner: _before, ...rest } = noted
      return acting.owner === '' ? rest : { ...rest, owner: acting.owner }
    }
    case 'acknowledge':
      return acknowledged(record, act, acting.note)
    case 'snooze':
      return { ...refuseClosed(noted), state: 'snoozed', snoozed_until: acting.until }
    case 'wake': {
      const { snoozed_until: _until, ...rest } = refuseClosed(noted)
      return rest.state === 'snoozed' ? { ...rest, state: rest.acknowledged ? 'acknowledged' : 'open' } : rest
    }
    case 'close':
      return closed(noted, 'closed', act, acting.reason)
    case 'waive':
      if (record.kind !== 'missing_document') throw new Refusal('exception_not_waivable')
      return closed(noted, 'waived', act, acting.reason)
  }
}

/** An acknowledged slip is over: from then on dates are compared with those acknowledged. */
export function acknowledged(record: ExceptionRecord, act: Act, note?: string): ExceptionRecord {
  if (refuseClosed(record).state === 'acknowledged' && note === undefined) return record
  const known = { ...record, acknowledged: { ...act, ...(note !== undefined && { note }) } }
  if (record.kind === 'eta_slip') return closed(known, 'acknowledged', act)
  const { snoozed_until: _until, ...rest } = known
  return { ...rest, state: 'acknowledged' }
}

/** A customer who acknowledges that an order comes late, or short, accepts it. */
export function acknowledgedByCustomer(record: ExceptionRecord, act: Act, note?: string): ExceptionRecord {
  const known = acknowledged(record, act, note)
  return record.kind === 'order_at_risk' ? closed(known, 'accepted', act, note) : known
}

function closed(record: ExceptionRecord, how: Closing, act: Act, reason?: string): ExceptionRecord {
  const { snoozed_until: _until, ...rest } = refuseClosed(record)
  return { ...rest, state: 'closed', closed: { how, ...act, ...(reason !== undefined && { reason }) } }
}

function refuseClosed(record: ExceptionRecord): ExceptionRecord {
  if (record.state === 'closed') throw new Refusal('exception_closed')
  return record
}

function withNote(record: ExceptionRecord, { action, note }: ExceptionActing, { by, at }: Act): ExceptionRecord {
  if (note === undefined || action === 'acknowledge') return record
  const { notes = [] } = record
  if (notes.length >= mostNotes)
    throw invalid([{ pointer: '/note', detail: `is one too many: an exception has at most ${mostNotes} notes` }])
  return { ...record, notes: [...notes, { at, by, text: note }] }
}

/** What an action needs, and what it cannot take. */
export function refuseIncomplete({ action, note, owner, until, reason }: ExceptionActing, now: number): void {
  const faults: Fault[] = []
  const need = (pointer: string, value: unknown) => {
    if (value === undefined) faults.push({ pointer, detail: `is needed to ${action}` })
  }
  if (action === 'note') need('/note', note)
  if (action === 'assign') need('/owner', owner)
  if (action === 'snooze') need('/until', until)
  if (action === 'close' || action === 'waive') need('/reason', reason)
  if (action !== 'assign' && owner !== undefined) faults.push({ pointer: '/owner', detail: 'belongs to `assign`' })
  if (action !== 'snooze' && until !== undefined) faults.push({ pointer: '/until', detail: 'belongs to `snooze`' })
  if (action !== 'close' && action !== 'waive' && reason !== undefined)
    faults.push({ pointer: '/reason', detail: 'belongs to `close` and `waive`' })
  const time = Date.parse(until ?? '')
  if (time <= now) faults.push({ pointer: '/until', detail: 'must be in the future' })
  if (time > now + longestSnooze) faults.push({ pointer: '/until', detail: 'must be within a year' })
  if (faults.length > 0) throw invalid(faults)
}
