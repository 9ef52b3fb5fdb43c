import { randomBytes } from 'node:crypto'
import { Refusal } from '../../contract/refusals.js'
import { recordAudit } from '../../store/audit.js'
import { deleteCalendar, insertCalendar, listCalendarRows } from '../../store/calendars.js'
import { listViewRows } from '../../store/saved-views.js'
import { newToken } from '../people/passwords.js'
import type { PortalHandler } from '../portal-context.js'

/** The calendars that a person subscribes to. */

const mostCalendars = 20
const nameOfAll = { en: 'Shipments', fr: 'Expéditions' } as const

export const listCalendars: PortalHandler<'listCalendars'> = async ({ db, account, person }) =>
  listCalendarRows(db, account, person.person_id)

export const createCalendar: PortalHandler<'createCalendar'> = async (
  { db, account, person, actor, base },
  { body: { view_id } },
) => {
  const token = newToken()
  const calendar = await db.begin(async (sql) => {
    const views = view_id === undefined ? [] : await listViewRows(sql, account, person.person_id)
    const view = views.find((each) => each.view_id === view_id && each.page === 'shipments')
    if (view_id !== undefined && !view) throw new Refusal('view_not_found')
    const calendar_id = `cal_${randomBytes(8).toString('hex')}`
    const name = view?.name ?? nameOfAll[person.language]
    const given = { calendar_id, token, name, view_id }
    const created = await insertCalendar(sql, account, person.person_id, given, mostCalendars)
    if (!created) throw new Refusal('too_many_calendars')
    const act = { kind: 'calendar', action: 'calendar_created', subject: calendar_id, details: { name } } as const
    await recordAudit(sql, account, actor, act)
    return created
  })
  return { calendar, url: `${base}/portal/v1/calendar/${token}` }
}

export const removeCalendar: PortalHandler<'removeCalendar'> = async (
  { db, account, person, actor },
  { params: { calendar_id } },
) => {
  await db.begin(async (sql) => {
    if (!(await deleteCalendar(sql, account, person.person_id, calendar_id))) throw new Refusal('calendar_not_found')
    const act = { kind: 'calendar', action: 'calendar_removed', subject: calendar_id, details: {} } as const
    await recordAudit(sql, account, actor, act)
  })
  return { accepted: true }
}
