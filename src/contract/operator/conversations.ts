import { Type } from 'typebox'
import { skip, take } from '../operation.js'
import {
  Message,
  MessageCreate,
  MessagePerson,
  MessageReference,
  messageRefusals,
  subjectFields,
  UploadedFile,
} from '../public/message.js'
import { closed, Identifier, named, oneOf } from '../schema.js'
import type { OperatorOperation } from './operation.js'
import { inAccount } from './version.js'
import { handledFilter } from './work-filter.js'

/** Messages between customers and the forwarder about shipments and orders. */

const unanswered_since = Type.String({
  format: 'date-time',
  description: 'Since when a message of the customer waits for an answer. Absent if none does.',
})
const { files: _files, svc_shipment_id: _shipment, po_number: _order, ...messageFields } = Message.properties

const Conversation = named(
  'Conversation',
  {
    account: Identifier,
    account_name: Type.String(),
    messages: Type.Integer({ description: 'How many messages there are.' }),
    last_message: closed(
      { ...messageFields, files: Type.Integer({ description: 'How many files it has.' }) },
      subjectFields,
    ),
  },
  { ...subjectFields, unanswered_since },
)

const CustomerMessages = named(
  'CustomerMessages',
  {
    messages: Type.Array(Message, { description: 'The newest first.' }),
    has_more: Type.Boolean({ description: 'Whether there are older ones.' }),
    people: Type.Array(MessagePerson, { description: 'Who can be mentioned.' }),
  },
  { unanswered_since },
)

const ReceivedMail = named('ReceivedMail', {
  account: Identifier,
  message_id: Message.properties.message_id,
  repeated: Type.Boolean({ description: 'It was received before: nothing was stored.' }),
})

/** Of a mail, with its files as base64. */
const maxMailBytes = 35 * 1024 * 1024

export const conversationOperations = {
  postCustomerMessage: {
    method: 'POST',
    path: '/ops/v1/accounts/{account}/messages',
    tag: 'Conversations',
    right: 'operate',
    summary: 'Send the customer a message about a shipment or an order: it answers those before it',
    params: inAccount,
    body: MessageCreate,
    success: { status: 201, body: MessageReference },
    refusals: messageRefusals,
  },
  listConversations: {
    method: 'GET',
    path: '/ops/v1/conversations',
    covers: 'own_accounts',
    tag: 'Conversations',
    right: 'read',
    summary:
      'List conversations of all accounts: the newest first, or those that wait for an answer, the longest first',
    query: closed(
      {},
      {
        unanswered: oneOf(['true'], { description: 'Only those that wait for an answer of the forwarder.' }),
        account: Identifier,
        ...handledFilter,
        after: Type.String({ maxLength: 4000, description: 'Cursor: `next` of the previous page.' }),
        take: take(200, { default: 50 }),
      },
    ),
    success: {
      status: 200,
      body: named(
        'Conversations',
        { conversations: Type.Array(Conversation) },
        { next: Type.String({ description: 'Cursor of the next page: send it as `after`.' }) },
      ),
    },
    refusals: ['account_not_found'],
  },
  listCustomerMessages: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/messages',
    tag: 'Conversations',
    right: 'read',
    summary: 'List the messages about a shipment or an order, newest first, and who can be mentioned',
    params: inAccount,
    query: closed({}, { ...subjectFields, skip, take: take(100, { default: 50 }) }),
    success: { status: 200, body: CustomerMessages },
    refusals: messageRefusals,
  },
  uploadMessageFile: {
    method: 'POST',
    path: '/ops/v1/accounts/{account}/messageFiles',
    tag: 'Conversations',
    right: 'operate',
    accepts: 'form',
    summary: 'Upload a file, to be sent with a message',
    params: inAccount,
    body: closed({}),
    success: { status: 201, body: UploadedFile },
    refusals: ['file_not_accepted', 'too_many_message_files'],
  },
  settleConversation: {
    method: 'POST',
    path: '/ops/v1/accounts/{account}/conversations/settlement',
    tag: 'Conversations',
    right: 'operate',
    summary: 'Say that a conversation needs no answer, until the customer writes again',
    params: inAccount,
    body: named('ConversationSubject', {}, subjectFields),
    success: {
      status: 200,
      body: named('Settlement', { settled: Type.Boolean({ description: 'False if none waited.' }) }),
    },
    refusals: messageRefusals,
  },
  receiveMail: {
    method: 'POST',
    path: '/ops/v1/mail',
    covers: 'all_accounts',
    tag: 'Conversations',
    right: 'operate',
    accepts: 'message',
    maxBytes: maxMailBytes,
    recordsAudit: true,
    summary: 'Receive a reply by mail: it becomes a message of the person who sent it, once',
    success: { status: 200, body: ReceivedMail },
    refusals: [
      'replies_not_received',
      'mail_not_readable',
      'mail_automatic',
      'mail_without_text',
      'mail_from_another',
      'reply_address_not_found',
      'account_suspended',
      'quota_exceeded',
      'shipment_not_found',
      'purchase_order_not_found',
      'payload_too_large',
      'unsupported_media_type',
    ],
  },
} as const satisfies Record<string, OperatorOperation>
