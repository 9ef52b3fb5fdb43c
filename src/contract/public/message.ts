import { type Static, Type } from 'typebox'
import { skip, take } from '../operation.js'
import { closed, described, explained, Identifier, named, patterned } from '../schema.js'
import { maxMentions, maxMessageFiles, maxMessageText } from './message-limits.js'
import { ShipmentId, timeOf } from './shared-types.js'

/** Messages between the account and the forwarder about a shipment or an order: an extension of the interface. */

const FileId = Type.String({
  format: 'uuid',
  description: 'Identifies the file, a UUID.',
})
const MessageId = described(Identifier, 'Identifies the message.')

// Line breaks and tabs are allowed, and text of at least one visible character.
const MessageText = patterned(
  '^(?=[\\s\\S]*\\S)[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]+$',
  'must be text without control characters, and not blank',
  { minLength: 1, maxLength: maxMessageText, description: 'What was written: plain text, which may have line breaks.' },
)

/** What a conversation is about: one of the two. */
export const subjectFields = {
  svc_shipment_id: described(ShipmentId, 'The shipment that it is about. Absent if it is about an order.'),
  po_number: described(Identifier, 'The order that it is about. Absent if it is about a shipment.'),
}
export type SubjectFields = { svc_shipment_id?: string; po_number?: string }

export const MessagePerson = named('MessagePerson', {
  person_id: described(Identifier, 'Identifies the person; `mentions` of a new message names it.'),
  name: Type.String({ description: 'The name of the person.' }),
  side: explained(['account', 'forwarder'], 'Whom the person belongs to.', {
    account: 'A user of the account.',
    forwarder: "One of the forwarder's staff.",
  }),
})
export type MessagePerson = Static<typeof MessagePerson>

const file = {
  file_id: FileId,
  name: Type.String({ description: 'The file name.' }),
  size: Type.Integer({ description: 'In bytes.' }),
}
export const UploadedFile = named('UploadedFile', file)
export const MessageFile = named('MessageFile', {
  ...file,
  link: Type.String({ format: 'uri', description: 'Downloads the file, without a key, for 15 to 30 minutes.' }),
})
export type MessageFile = Static<typeof MessageFile>

export const Message = named(
  'Message',
  {
    message_id: MessageId,
    text: MessageText,
    sent_at: timeOf('When it was sent.'),
    author: described(
      closed(
        {
          side: MessagePerson.properties.side,
          name: Type.String({ description: 'The name of the person, or of the key, at that time.' }),
        },
        { person_id: described(Identifier, 'The person. Absent if a system sent it, with a key.') },
      ),
      'Who sent it.',
    ),
    mentions: Type.Array(MessagePerson, { description: 'People whom it is addressed to in particular.' }),
    files: Type.Array(MessageFile, { description: 'Files that were sent with it.' }),
  },
  subjectFields,
)
export type Message = Static<typeof Message>

/** As it is stored: without links, which expire. */
export type MessageRecord = Omit<Message, 'files'> & {
  files: Omit<MessageFile, 'link'>[]
  /** The hash of the Message-ID, if it came by mail. */
  mail_hash?: string
}

/** A file as it is stored. */
export type MessageFileRecord = Omit<MessageFile, 'link'> & {
  content_hash: string
  author: string
  uploaded_at: string
  message_id?: string
}

export const messageFields = {
  mentions: Type.Array(Identifier, {
    uniqueItems: true,
    maxItems: maxMentions,
    description: 'The `person_id` of people who are notified of it: users of the account, or staff of the forwarder.',
  }),
  files: Type.Array(FileId, {
    uniqueItems: true,
    maxItems: maxMessageFiles,
    description: 'The `file_id` of files that the caller has uploaded, each of which can be sent once.',
  }),
}

export const MessageCreate = named('MessageCreate', { text: MessageText }, { ...subjectFields, ...messageFields })
export type MessageCreate = Static<typeof MessageCreate>

export const MessageReference = named('MessageReference', { message_id: MessageId })

export const MessageForm = named('MessageForm', {
  file: Type.String({ contentMediaType: 'application/octet-stream', description: 'The content, at most 25 MiB.' }),
})

export const messageRefusals = ['shipment_not_found', 'purchase_order_not_found'] as const

// Links expire, as those of documents do: the lists are validated like those.
const ofDocuments = { kind: 'document', concernsAll: true } as const

export const messageOperations = {
  postMessage: {
    method: 'POST',
    path: '/v1/messages',
    ...ofDocuments,
    summary: 'Send the forwarder a message about a shipment or an order: an extension of the interface',
    body: MessageCreate,
    success: { status: 201, body: MessageReference },
    refusals: messageRefusals,
  },
  listMessages: {
    method: 'GET',
    path: '/v1/messages',
    ...ofDocuments,
    list: true,
    summary: 'List messages about shipments and orders, newest first: an extension of the interface',
    query: closed(
      {},
      {
        svc_shipment_id: described(ShipmentId, 'Only those about this shipment.'),
        po_number: described(Identifier, 'Only those about this order.'),
        skip,
        take: take(100, { default: 20 }),
      },
    ),
    success: { status: 200, body: Type.Array(Message) },
    refusals: [],
  },
  uploadMessageFile: {
    method: 'POST',
    path: '/v1/messageFiles',
    ...ofDocuments,
    accepts: 'form',
    summary: 'Upload a file, to be sent with a message: an extension of the interface',
    body: closed({}),
    success: { status: 201, body: UploadedFile },
    refusals: ['file_not_accepted', 'too_many_message_files'],
  },
} as const
