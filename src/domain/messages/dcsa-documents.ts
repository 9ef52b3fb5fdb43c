import { DcsaFault, isObject, type Json, quoted, required, textIn } from './dcsa-fields.js'
import type { DocumentReference } from './incoming-event.js'
import { normalReference } from './references.js'

/** The documents of DCSA events: those that they name, and those whose status they tell. */

const statuses = new Set('RECE DRFT PENA PENU REJE APPR ISSU SURR SUBM VOID CONF REQS CMPL HOLD RELS'.split(' '))
const laterStatuses = new Set([
  ...statuses,
  ...'AMCF AMCN AMDC AMPR AMRE CACF CADC CANC CARE DECL PENM PSAM PSDL SUAM SUDL UPCF UPCN UPDC UPDT UPRE'.split(' '),
])

/** What 2.2 requires of the status of a document. */
export function refuseIncompleteStatus(fields: Json): void {
  required(fields, 'eventCreatedDateTime')
  const code = required(fields, 'shipmentEventTypeCode')
  if (!statuses.has(code))
    throw new DcsaFault(`shipmentEventTypeCode is ${quoted(code)}: it is not one of the standard`)
  required(fields, 'documentID')
}

/** 3.0 has more of them; its later drafts write them as words, which are not closed yet. */
export function refuseUnknownStatus(fields: Json): void {
  const code = required(fields, 'shipmentEventTypeCode', 'shipmentEventType')
  const isWord = /^[A-Z]+(_[A-Z]+)*$/.test(code) && code.length > 4 && code.length <= 50
  if (!laterStatuses.has(code) && !isWord)
    throw new DcsaFault(`shipmentEventTypeCode is ${quoted(code)}: it is not one of the standard`)
}

const lists = [
  'documentReferences',
  'relatedDocumentReferences',
  'additionalDocumentReferences',
  'shipmentReferences',
  'references',
] as const

export function documentsIn(fields: Json): { documents: DocumentReference[]; containers: string[] } {
  const documents: DocumentReference[] = []
  const containers: string[] = []
  const add = (type: string, value: string | undefined) => {
    const reference = normalReference(value ?? '')
    if (reference === '' || reference.length > 64) return
    const kind = kindOf(type.toUpperCase())
    if (kind === 'container') containers.push(reference)
    else if (kind) documents.push({ kind, reference })
  }
  for (const item of lists.flatMap((name) => (Array.isArray(fields[name]) ? (fields[name] as unknown[]) : []))) {
    if (!isObject(item)) continue
    const type = textIn(item, 'documentReferenceType', 'referenceType', 'typeCode', 'type') ?? ''
    add(type, textIn(item, 'documentReferenceValue', 'referenceValue', 'value', 'reference'))
  }
  const single = documentIn(fields)
  add(textIn(single, 'typeCode', 'type') ?? '', textIn(single, 'reference', 'value'))
  add(textIn(fields, 'documentTypeCode') ?? '', textIn(fields, 'documentID', 'documentReference'))
  add('BKG', textIn(fields, 'bookingReference', 'carrierBookingReference'))
  add('TRD', textIn(fields, 'transportDocumentReference'))
  return { documents: documents.slice(0, 50), containers: [...new Set(containers)].slice(0, 50) }
}

// Senders also write "BKG (Booking)".
function kindOf(type: string): DocumentReference['kind'] | 'container' | undefined {
  if (/^(PO|PURCHASE_ORDER|ON|CO)\b/.test(type)) return 'order'
  if (/^(BKG|CBR|BOOKING|CARRIER_BOOKING)/.test(type)) return 'booking'
  if (/^(TRD|TRANSPORT_DOCUMENT|HBL|HOUSE_BILL)/.test(type)) return 'bill'
  if (/^(EQ|EQUIPMENT)/.test(type)) return 'container'
  return /^(FF|FREIGHT_FORWARDER)/.test(type) ? 'any' : undefined
}

// The first draft of 3.0 has the number alone.
export function documentIn({ documentReference: document }: Json): Json {
  return isObject(document) ? document : {}
}
