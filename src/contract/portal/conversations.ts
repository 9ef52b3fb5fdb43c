import { Type } from 'typebox'
import { skip, take } from '../operation.js'
import { Message, MessagePerson, messageRefusals, subjectFields } from '../public/message.js'
import { closed, Identifier, named } from '../schema.js'
import type { PortalOperation } from './operation.js'

/** Messages with the forwarder, as one user reads them. They are sent by `POST /v1/messages`. */

const unread = Type.Integer({ description: 'How many messages of others the user has not read.' })

export const conversationOperations = {
  getConversation: {
    method: 'GET',
    path: '/portal/v1/conversation',
    tag: 'Messages',
    access: 'read',
    summary: 'Read the messages about a shipment or an order, newest first, and who can be mentioned',
    query: closed({}, { ...subjectFields, skip, take: take(100, { default: 50 }) }),
    success: {
      status: 200,
      body: named('OwnConversation', {
        messages: Type.Array(Message),
        has_more: Type.Boolean({ description: 'Whether there are older ones.' }),
        people: Type.Array(MessagePerson, { description: 'Who can be mentioned.' }),
        unread,
      }),
    },
    refusals: messageRefusals,
  },
  markConversationRead: {
    method: 'POST',
    path: '/portal/v1/conversation/read',
    tag: 'Messages',
    access: 'read',
    summary: 'Mark the messages about a shipment or an order as read, up to one of them',
    body: named('ConversationRead', { message_id: Identifier }, subjectFields),
    success: { status: 200, body: named('UnreadMessages', { unread }) },
    refusals: messageRefusals,
  },
} as const satisfies Record<string, PortalOperation>
