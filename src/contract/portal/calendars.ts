import { type Static, Type } from 'typebox'
import { DateWithTime } from '../public/shared-types.js'
import { closed, Identifier, named, patterned } from '../schema.js'
import { fileOf } from './files.js'
import type { PortalOperation } from './operation.js'
import { Accepted } from './people.js'

/** Calendars of the dates of shipments, which calendar programs subscribe to by a secret address. */

const view_id = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'A saved view of shipments whose dates it has. Without it, all shipments of the account.',
})

export const Calendar = named(
  'Calendar',
  { calendar_id: Identifier, name: Type.String(), created_at: DateWithTime },
  {
    view_id,
    last_read_at: Type.String({
      format: 'date-time',
      description: 'When a calendar program last read it. Absent if none has.',
    }),
  },
)
export type Calendar = Static<typeof Calendar>

const CalendarCreate = named('CalendarCreate', {}, { view_id })

const CreatedCalendar = named('CreatedCalendar', {
  calendar: Calendar,
  url: Type.String({ format: 'uri', description: 'The address to subscribe to. It is shown only now.' }),
})

export const calendarOperations = {
  listCalendars: {
    method: 'GET',
    path: '/portal/v1/calendars',
    tag: 'Calendars',
    access: 'read',
    summary: 'List the calendars of the signed-in user, oldest first',
    success: { status: 200, body: Type.Array(Calendar) },
    refusals: [],
  },
  createCalendar: {
    method: 'POST',
    path: '/portal/v1/calendars',
    tag: 'Calendars',
    access: 'read',
    summary: 'Create a calendar of the dates of all shipments, or of a saved view',
    body: CalendarCreate,
    success: { status: 201, body: CreatedCalendar },
    refusals: ['view_not_found', 'too_many_calendars'],
  },
  removeCalendar: {
    method: 'DELETE',
    path: '/portal/v1/calendars/{calendar_id}',
    tag: 'Calendars',
    access: 'read',
    summary: 'Remove a calendar: its address stops working immediately',
    params: closed({ calendar_id: Identifier }),
    success: { status: 200, body: Accepted },
    refusals: ['calendar_not_found'],
  },
  readCalendar: {
    method: 'GET',
    path: '/portal/v1/calendar/{token}',
    tag: 'Calendars',
    access: 'anyone',
    byLink: 'calendar',
    summary: 'Get a calendar as iCalendar, by its secret address',
    params: closed({ token: patterned('^[\\w-]{1,200}$', 'must be the last part of the address of a calendar') }),
    returns: 'file',
    success: { status: 200, body: fileOf('text/calendar') },
    refusals: [],
  },
} as const satisfies Record<string, PortalOperation>
