import { type Static, Type } from 'typebox'
import { skip, take } from '../operation.js'
import { Exception, ExceptionKind, exceptionFilter } from '../public/exception.js'
import { closed, named, oneOf } from '../schema.js'

/** What needs attention, as people see it: with names and counts. */

export const inboxStates = ['unacknowledged', 'open', 'closed'] as const

const inboxFilter = {
  ...exceptionFilter,
  state: oneOf(inboxStates, {
    description:
      '`open`: whatever is not closed, also if it is acknowledged. `unacknowledged`: only what nobody has acknowledged. All if it is omitted.',
  }),
}
export const ExceptionSearch = closed({}, { ...inboxFilter, skip, take: take(100, { default: 50 }) })
export const ExceptionExport = closed({ format: oneOf(['csv', 'xlsx']) }, inboxFilter)
export type ExceptionSearch = Static<typeof ExceptionSearch>

const count = Type.Integer({ minimum: 0 })

export const ExceptionPage = named('ExceptionPage', {
  exceptions: Type.Array(
    closed(
      { exception: Exception },
      {
        owner: Type.String({ description: 'Who of the forwarder looks after it.' }),
        shipment_name: Type.String(),
        place_name: Type.String({ description: 'The name of `details.place`.' }),
        acknowledged_by: Type.String({ description: 'The name of the person who acknowledged it.' }),
      },
    ),
    { description: 'Closed ones by when they were raised, newest first; others by severity before that.' },
  ),
  count: closed({ value: count, exact: Type.Boolean({ description: 'False if counting stopped at a limit.' }) }),
  kinds: Type.Array(closed({ kind: ExceptionKind, count }), {
    description: 'How many there are of each kind, whatever kind and severity the list is limited to.',
  }),
})
export type ExceptionPage = Static<typeof ExceptionPage>
