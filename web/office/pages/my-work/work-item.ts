import type { SenderCode } from '../../../../src/contract/operator/codes.js'
import type { ExceptionVersion } from '../../../../src/contract/operator/exceptions.js'
import type { Message } from '../../../../src/contract/operator/messages.js'
import type { OperatorResponse } from '../../../../src/contract/operator/operations.js'
import type { OperatorProposal } from '../../../../src/contract/operator/proposals.js'
import type { InvoiceRow } from '../../api/billing.js'
import type { OpenOrder } from '../../api/bookings.js'
import type { FoundShipment, NeedingDocuments } from '../../api/ops.js'

export type UnansweredConversation = OperatorResponse<'listConversations'>['conversations'][number]

/** What waits, of any kind. */
type Common = {
  key: string
  rank: number
  at: string
  due?: string | undefined
  owner?: string | undefined
  snoozedUntil?: string | undefined
}
export type WorkItem = Common &
  (
    | { type: 'exception'; exception: ExceptionVersion }
    | { type: 'message'; message: Message }
    | { type: 'code'; code: SenderCode }
    | { type: 'document'; document: OperatorProposal }
    | { type: 'conversation'; conversation: UnansweredConversation }
    | { type: 'order'; order: OpenOrder }
    | { type: 'request'; request: FoundShipment }
    | { type: 'dispute'; invoice: InvoiceRow }
    | { type: 'needed'; needed: NeedingDocuments }
  )
export type ItemOf<Type extends WorkItem['type']> = Extract<WorkItem, { type: Type }>
