import { Type } from 'typebox'
import { closed, oneOf } from '../schema.js'
import { messageFormats, Sender } from './messages.js'
import type { OperatorOperation } from './operation.js'
import { Removed } from './shipments.js'
import { MessagePreview, SenderColumns, TableColumns } from './tables.js'

const sender = closed({ sender: Sender })

/** Tables of events: what the columns of each sender stand for, and what a message would do. */
export const tableOperations = {
  previewMessage: {
    method: 'POST',
    path: '/ops/v1/messages/preview',
    covers: 'all_accounts',
    tag: 'Messages',
    right: 'operate',
    summary: 'Show what a message would do, without storing anything',
    accepts: 'message',
    query: closed(
      { format: oneOf(messageFormats), sender: Sender },
      {
        columns: Type.String({
          maxLength: 12_000,
          description: 'Of a table: `TableColumns` as JSON, in place of those that are saved for the sender.',
        }),
      },
    ),
    recordsAudit: true,
    success: { status: 200, body: MessagePreview },
    refusals: ['payload_too_large', 'unsupported_media_type'],
  },
  getSenderColumns: {
    method: 'GET',
    path: '/ops/v1/senders/{sender}/columns',
    covers: 'no_account',
    tag: 'Messages',
    right: 'read',
    summary: 'Get what the columns of the tables of a sender stand for',
    params: sender,
    success: { status: 200, body: SenderColumns },
    refusals: ['columns_not_found'],
  },
  setSenderColumns: {
    method: 'PUT',
    path: '/ops/v1/senders/{sender}/columns',
    covers: 'all_accounts',
    tag: 'Messages',
    right: 'operate',
    summary: 'Say what the columns of the tables of a sender stand for, for those that are processed from now on',
    params: sender,
    body: TableColumns,
    recordsAudit: true,
    success: { status: 200, body: SenderColumns },
    refusals: [],
  },
  removeSenderColumns: {
    method: 'DELETE',
    path: '/ops/v1/senders/{sender}/columns',
    covers: 'all_accounts',
    tag: 'Messages',
    right: 'operate',
    summary: 'Forget what the columns of the tables of a sender stand for',
    params: sender,
    recordsAudit: true,
    success: { status: 200, body: Removed },
    refusals: ['columns_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>
