import { type Static, Type } from 'typebox'
import { DateWithTime } from '../public/shared-types.js'
import { closed, named, oneOf } from '../schema.js'
import { MessageCounts, MessageEvent, messageOutcomes, Sender } from './messages.js'

/** Tables of events, and how the columns of each sender are read. */

/** Those by which a shipment is found. */
export const referenceFields = [
  'shipment',
  'booking',
  'bill',
  'air_waybill',
  'container',
  'purchase_order',
  'reference',
] as const
export type ReferenceField = (typeof referenceFields)[number]

export const tableFields = [
  ...referenceFields,
  'event',
  'code',
  'mode',
  'date',
  'time',
  'time_zone',
  'status',
  'unlocode',
  'place',
  'vessel',
  'imo',
  'voyage',
  'remark',
  'event_id',
  'issued_at',
  'retracted',
] as const
export type TableField = (typeof tableFields)[number]

export const tableDateOrders = ['day-month', 'month-day', 'year-month-day'] as const
export type TableDateOrder = (typeof tableDateOrders)[number]

const heading = Type.String({ minLength: 1, maxLength: 200 })

export const TableColumns = named(
  'TableColumns',
  {},
  {
    columns: Type.Array(
      closed({
        heading: { ...heading, description: 'As it is in the table; case and punctuation do not matter.' },
        field: oneOf([...tableFields, 'ignored'], {
          description:
            '`event`: what happened, in words or as a code; `mode`: the means of transport, in words; `date`: with or without the time; `reference`: of any kind; `event_id`: the identifier of the row; `issued_at`: when the row was written or changed; `retracted`: yes where the row takes the event back that it stated before.',
        }),
      }),
      {
        maxItems: 100,
        description: 'What headings stand for. Others are recognised by their words in English and French.',
      },
    ),
    constants: Type.Array(closed({ field: oneOf(tableFields), value: Type.String({ minLength: 1, maxLength: 255 }) }), {
      maxItems: tableFields.length,
      description: 'Values of fields whose column is absent or whose cell is empty.',
    }),
    dates: oneOf(tableDateOrders, {
      description:
        'The order of dates such as 05/11/2026. Without it, the other dates of the table have to show it. Years of two digits need it.',
    }),
    time_zone: Type.String({
      minLength: 1,
      maxLength: 60,
      description:
        'Of times without an offset: an offset such as `+08:00`, or a zone such as `Asia/Shanghai`. Without it, the zone of the place.',
      examples: ['Asia/Shanghai'],
    }),
    status: oneOf(['actual', 'estimated', 'planned', 'by_date'], {
      description:
        'Of rows that do not say it, in their words either. `by_date`, the default: actual if the date is past when the table is received, else estimated.',
    }),
  },
)
export type TableColumns = Static<typeof TableColumns>

export const SenderColumns = named('SenderColumns', {
  sender: Sender,
  ...TableColumns.properties,
  saved_by: Type.String(),
  saved_at: DateWithTime,
})

const TableHeading = closed(
  {
    heading: Type.String(),
    column: Type.String({ description: 'The letter of the column.' }),
    field: oneOf([...tableFields, 'ignored', 'unknown']),
  },
  { sheet: Type.String() },
)
export type TableHeading = Static<typeof TableHeading>

export const MessagePreview = named(
  'MessagePreview',
  {
    outcome: oneOf(messageOutcomes, { description: 'That the message would have.' }),
    counts: MessageCounts,
    events: Type.Array(MessageEvent, {
      description: 'The first 200, and others that are not applied as they are, at most 1,000 in all.',
    }),
  },
  {
    reason: Type.String({ description: 'Why, where not all of it would be applied.' }),
    warnings: Type.Array(Type.String()),
    headings: Type.Array(TableHeading, { description: 'Of a table: what its headings stand for.' }),
  },
)
export type MessagePreview = Static<typeof MessagePreview>
