import { type Static, Type } from 'typebox'
import { DocumentType } from '../public/document.js'
import { ShipmentStatus } from '../public/shipment.js'
import { closed, described, explained, Identifier, named, oneOf } from '../schema.js'
import { referenceKinds } from './messages.js'
import type { OperatorOperation } from './operation.js'
import { mostSuggestionBytes } from './suggestion-limits.js'

/** What a file seems to be, and to which shipment it seems to belong. */

const FoundIn = explained(['name', 'content'], 'Where it was found.', {
  name: 'In the name of the file.',
  content: 'In the text of the file.',
})

const FoundNumber = named(
  'FoundNumber',
  {
    kind: described(oneOf(referenceKinds), 'What the number is to the shipment.'),
    reference: Type.String({ description: 'As it is compared: in capitals, without separators.' }),
    found_in: FoundIn,
  },
  { page: Type.Integer({ minimum: 1, description: 'The page of a PDF that the number was first found on.' }) },
)

const SuggestedShipment = named(
  'SuggestedShipment',
  {
    account: Identifier,
    account_name: Type.String(),
    svc_shipment_id: Identifier,
    found: Type.Array(FoundNumber, { description: 'The numbers by which it was found.' }),
  },
  { status: ShipmentStatus },
)
export type SuggestedShipment = Static<typeof SuggestedShipment>

const SuggestedType = named('SuggestedType', {
  type: DocumentType,
  words: Type.String({ description: 'The words that name the type.' }),
  found_in: FoundIn,
})
export type SuggestedType = Static<typeof SuggestedType>

export const DocumentSuggestion = named(
  'DocumentSuggestion',
  {
    text: explained(['read', 'none', 'unreadable'], 'What became of the text of the file.', {
      read: 'It was searched.',
      none: 'The file has no text: it is a picture or a scan, of another format, or was not sent.',
      unreadable: 'It could not be read: it is damaged, has a password, or takes too long.',
    }),
    shipments: Type.Array(SuggestedShipment, { description: 'The likeliest first, at most 10.' }),
  },
  { type: described(SuggestedType, 'Absent if neither name nor text give a type.') },
)
export type DocumentSuggestion = Static<typeof DocumentSuggestion>

export const documentSuggestionOperations = {
  suggestDocument: {
    method: 'POST',
    path: '/ops/v1/documents/suggestion',
    covers: 'own_accounts',
    tag: 'Documents',
    right: 'operate',
    summary: 'Suggest the type and the shipment of a file by its name and text, without storing anything',
    accepts: 'message',
    mayBeEmpty: true,
    maxBytes: mostSuggestionBytes,
    query: closed({
      name: Type.String({ minLength: 1, maxLength: 255, description: 'File name, with its extension.' }),
    }),
    recordsAudit: true,
    success: { status: 200, body: DocumentSuggestion },
    refusals: ['payload_too_large', 'unsupported_media_type'],
  },
} as const satisfies Record<string, OperatorOperation>
