import { invalid, Refusal } from '../../contract/refusals.js'
import { calendarFaults } from '../../domain/free-time/term-faults.js'
import { forwarderLog, recordAudit } from '../../store/audit.js'
import { findCalendar, listCalendars, lockFreeTime, saveCalendar } from '../../store/free-time.js'
import type { ForwarderWriteContext, OperatorHandler } from '../operator-context.js'

export const listWorkingDays: OperatorHandler<'listWorkingDays'> = async ({ db }, { query }) => {
  const { after, take = 50, as_of } = query
  const found = await listCalendars(db, { after, most: take + 1, asOf: as_of })
  const calendars = found.slice(0, take)
  const last = calendars.at(-1)
  return { calendars, ...(found.length > take && last && { next: last.place }) }
}

export const setWorkingDays: OperatorHandler<'setWorkingDays'> = async (context, { params: { place }, body }) => {
  const { sql, author } = context
  await lockFreeTime(sql)
  const faults = calendarFaults(place, body)
  if (faults.length > 0) throw invalid(faults)
  await saveCalendar(sql, place, body, author)
  await audit(context, 'setWorkingDays', place)
  const stored = await findCalendar(sql, place)
  if (!stored) throw new Error(`the calendar of ${place} was not stored`)
  return stored
}

export const removeWorkingDays: OperatorHandler<'removeWorkingDays'> = async (context, { params: { place } }) => {
  const { sql, author } = context
  await lockFreeTime(sql)
  if (!(await findCalendar(sql, place))) throw new Refusal('working_days_not_found')
  await saveCalendar(sql, place, undefined, author)
  await audit(context, 'removeWorkingDays', place)
  return { removed: place }
}

async function audit({ sql, actor }: ForwarderWriteContext, operation: string, place: string): Promise<void> {
  await recordAudit(sql, forwarderLog, actor, {
    kind: 'operator',
    action: 'operator_acted',
    subject: place,
    details: { operation, place },
  })
}
