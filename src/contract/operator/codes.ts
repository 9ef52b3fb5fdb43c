import { type Static, Type } from 'typebox'
import { eventCodes } from '../public/event-codes.js'
import { DateWithTime } from '../public/shared-types.js'
import { named, oneOf } from '../schema.js'

/** Status codes of senders that our tables do not have, and what operators say that they mean. */

/** The code lists that operators can extend for each sender. */
export const codeFormats = ['iftsta', 'x12_315', 'x12_214', 'table'] as const
export type CodeFormat = (typeof codeFormats)[number]

export const mappedStatuses = ['planned', 'estimated', 'actual'] as const

const MappedStatus = oneOf(mappedStatuses, {
  description: 'Where the code itself says so; without it, the message does.',
})

export const CodeMapping = named(
  'CodeMapping',
  { mapped_to: oneOf(eventCodes, { description: 'What the code means. `OTHER` moves nothing.' }) },
  { mapped_status: MappedStatus },
)
export type CodeMapping = Static<typeof CodeMapping>

const senderCode = {
  sender: Type.String(),
  format: oneOf(codeFormats),
  code: Type.String({
    description: 'With its code list and agency, where the message has them: `P::HS`; of a table, the text.',
  }),
  count: Type.Integer({ description: 'How many events had it.' }),
}
const senderCodeOptional = {
  text: Type.String({ description: 'What the sender calls it.' }),
  first_message_id: Type.Integer(),
  last_message_id: Type.Integer(),
  mapped_to: oneOf(eventCodes),
  mapped_status: MappedStatus,
  mapped_by: Type.String(),
  mapped_at: DateWithTime,
}

export const SenderCode = named('SenderCode', senderCode, senderCodeOptional)
export type SenderCode = Static<typeof SenderCode>

export const MappedCode = named(
  'MappedCode',
  { ...senderCode, reopened: Type.Integer({ description: 'How many messages with the code are processed again.' }) },
  senderCodeOptional,
)

export const SenderCodes = named(
  'SenderCodes',
  { codes: Type.Array(SenderCode) },
  { next: Type.String({ description: 'Cursor of the next page: send it as `after`.' }) },
)
export type SenderCodes = Static<typeof SenderCodes>
