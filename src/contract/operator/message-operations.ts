import { Type } from 'typebox'
import { take } from '../operation.js'
import { closed, Identifier, named, oneOf, patterned } from '../schema.js'
import {
  Lookup,
  MessageDetails,
  Messages,
  messageFormats,
  messageOutcomes,
  Sender,
  SenderRecord,
  SenderSettings,
} from './messages.js'
import type { OperatorOperation } from './operation.js'
import { Removed } from './shipments.js'
import { Reason } from './version.js'

const message = closed({ message_id: patterned('^[0-9]{1,15}$', 'must be a number') })

const sender = closed({ sender: Sender })

const MessageMatch = named('MessageMatch', { account: Identifier, svc_shipment_id: Identifier })
const MessageDrop = named('MessageDrop', { reason: Reason })

/** Messages of carriers and others, and the references by which they name shipments. */
export const messageOperations = {
  receiveMessage: {
    method: 'POST',
    path: '/ops/v1/messages',
    tag: 'Messages',
    right: 'operate',
    summary: 'Store a message as it came, and apply its events to the shipments that they are about',
    accepts: 'message',
    query: closed({ format: oneOf(messageFormats), sender: Sender }),
    recordsAudit: true,
    success: { status: 200, body: MessageDetails },
    refusals: ['payload_too_large', 'unsupported_media_type'],
  },
  listMessages: {
    method: 'GET',
    path: '/ops/v1/messages',
    tag: 'Messages',
    right: 'read',
    summary: 'List messages, newest first',
    query: closed(
      {},
      {
        outcome: oneOf(messageOutcomes),
        sender: Sender,
        reference: Type.String({
          minLength: 1,
          maxLength: 255,
          description: 'Only messages that name this reference.',
        }),
        after: Type.String({ maxLength: 20, description: 'Cursor: `next` of the previous page.' }),
        take: take(200, { default: 50 }),
      },
    ),
    success: { status: 200, body: Messages },
    refusals: [],
  },
  getMessage: {
    method: 'GET',
    path: '/ops/v1/messages/{message_id}',
    tag: 'Messages',
    right: 'read',
    summary: 'Get one message, with what each of its events did',
    params: message,
    success: { status: 200, body: MessageDetails },
    refusals: ['message_not_found'],
  },
  getMessageContent: {
    method: 'GET',
    path: '/ops/v1/messages/{message_id}/content',
    tag: 'Messages',
    right: 'read',
    summary: 'Get the bytes of a message as they came',
    params: message,
    returns: 'file',
    success: { status: 200, body: Type.Unsafe<Uint8Array>({ type: 'string', description: 'The bytes.' }) },
    refusals: ['message_not_found'],
  },
  getAcknowledgement: {
    method: 'GET',
    path: '/ops/v1/messages/{message_id}/acknowledgement',
    tag: 'Messages',
    right: 'read',
    summary: 'Get the acknowledgement of an interchange: CONTRL for EDIFACT, 997 or 999 for X12',
    params: message,
    query: closed(
      {},
      { type: oneOf(['997', '999'] as const, { description: 'X12: instead of the one that the version calls for.' }) },
    ),
    returns: 'file',
    success: { status: 200, body: Type.Unsafe<Uint8Array>({ type: 'string', description: 'The interchange.' }) },
    refusals: ['message_not_found', 'message_not_acknowledged'],
  },
  replayMessage: {
    method: 'POST',
    path: '/ops/v1/messages/{message_id}/replay',
    tag: 'Messages',
    right: 'operate',
    summary: 'Process a message again; what it did before is not done twice',
    params: message,
    recordsAudit: true,
    success: { status: 200, body: MessageDetails },
    refusals: ['message_not_found'],
  },
  matchMessage: {
    method: 'POST',
    path: '/ops/v1/messages/{message_id}/match',
    tag: 'Messages',
    right: 'operate',
    summary: 'Say which shipment the unmatched events of a message are about, and process it again',
    params: message,
    body: MessageMatch,
    recordsAudit: true,
    success: { status: 200, body: MessageDetails },
    refusals: ['message_not_found', 'account_not_found', 'shipment_not_found'],
  },
  dropMessage: {
    method: 'POST',
    path: '/ops/v1/messages/{message_id}/drop',
    tag: 'Messages',
    right: 'operate',
    summary: 'Take a message out of the queue, with a reason; it waits for no shipment any more',
    params: message,
    body: MessageDrop,
    recordsAudit: true,
    success: { status: 200, body: MessageDetails },
    refusals: ['message_not_found', 'message_applied'],
  },
  listSenders: {
    method: 'GET',
    path: '/ops/v1/senders',
    tag: 'Messages',
    right: 'read',
    summary: 'List what was said of the senders of messages',
    success: { status: 200, body: Type.Array(SenderRecord) },
    refusals: [],
  },
  setSender: {
    method: 'PUT',
    path: '/ops/v1/senders/{sender}',
    tag: 'Messages',
    right: 'operate',
    summary: 'Say what kind of party a sender is, for its messages from now on: who is believed depends on it',
    params: sender,
    body: SenderSettings,
    recordsAudit: true,
    success: { status: 200, body: SenderRecord },
    refusals: [],
  },
  removeSender: {
    method: 'DELETE',
    path: '/ops/v1/senders/{sender}',
    tag: 'Messages',
    right: 'operate',
    summary: 'Forget what was said of a sender',
    params: sender,
    recordsAudit: true,
    success: { status: 200, body: Removed },
    refusals: ['sender_not_found'],
  },
  lookUpReference: {
    method: 'GET',
    path: '/ops/v1/lookup',
    tag: 'Messages',
    right: 'read',
    summary:
      'Find the shipments of all accounts that have a reference: container, booking, bill, order or shipment number',
    query: closed({ reference: Type.String({ minLength: 1, maxLength: 255 }) }),
    success: { status: 200, body: Lookup },
    refusals: [],
  },
} as const satisfies Record<string, OperatorOperation>
