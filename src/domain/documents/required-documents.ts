import type { RequiredDocument, RequiredDocumentType } from '../../contract/public/checklist.js'
import type { Document, DocumentType } from '../../contract/public/document.js'
import type { TrackingDate } from '../../contract/public/shared-types.js'
import type { Shipment } from '../../contract/public/shipment.js'
import { day } from '../dates/local-time.js'

/** Which documents a shipment needs by its mode, and from when: the checklist, and what is reported as missing. */

export type DocumentFacts = {
  shipment: Pick<
    Shipment,
    | 'status'
    | 'created_at'
    | 'accepted_quote'
    | 'freight_mode'
    | 'freight_type'
    | 'transported_goods'
    | 'main_tracking_dates'
  >
  documents: Pick<Document, 'id' | 'name' | 'type'>[]
  /** What the forwarder has decided to do without. */
  waived: readonly RequiredDocumentType[]
}

type DateOf = (shipment: DocumentFacts['shipment']) => TrackingDate | undefined

const dates = {
  booking: bookingDate,
  departure: ({ main_tracking_dates }) => main_tracking_dates?.departure_date,
  arrival: ({ main_tracking_dates }) => main_tracking_dates?.arrival_date,
  delivery: ({ main_tracking_dates }) => main_tracking_dates?.delivery_date,
} satisfies Record<string, DateOf>

type Rule = {
  type: RequiredDocumentType
  appliesTo(shipment: DocumentFacts['shipment']): boolean
  /** The date that it counts from. */
  from: keyof typeof dates
  days: number
  /** Whether an expected date is enough; otherwise it must have happened. */
  countsExpected?: true
  /** The types of documents that meet it. */
  metBy: readonly DocumentType[]
  /** The interface has no type for it: documents without a type are recognised by their name. */
  metByName?: RegExp
}

const rules: Rule[] = [
  {
    type: 'dangerous_goods_declaration',
    appliesTo: ({ transported_goods }) => transported_goods?.is_hazardous === true,
    from: 'booking',
    days: 0,
    metBy: ['dangerous_goods_declaration'],
  },
  {
    type: 'commercial_invoice',
    appliesTo: always,
    from: 'departure',
    days: 0,
    metBy: ['commercial_invoice'],
  },
  {
    type: 'packing_list',
    appliesTo: always,
    from: 'departure',
    days: 0,
    metBy: ['packing_list'],
  },
  {
    type: 'bill_of_lading',
    appliesTo: ({ freight_mode }) => freight_mode === 'ocean',
    from: 'departure',
    days: 3,
    metBy: ['house_bill_of_lading', 'master_bill_of_lading'],
  },
  {
    type: 'air_waybill',
    appliesTo: ({ freight_mode }) => freight_mode === 'air',
    from: 'departure',
    days: 3,
    metBy: ['house_airway_bill', 'master_airway_bill'],
  },
  {
    // Of carriers whose journeys take longer than the three days.
    type: 'arrival_notice',
    appliesTo: ({ freight_mode }) => freight_mode === 'ocean' || freight_mode === 'rail',
    from: 'arrival',
    days: -3,
    countsExpected: true,
    metBy: [],
    metByName: /arrival[\s_.-]*notice|notice[\s_.-]*of[\s_.-]*arrival|avis[\s_.-]*d['’\s_.-]*arriv[ée]e/i,
  },
  {
    type: 'proof_of_delivery',
    appliesTo: ({ freight_type }) => !freight_type?.endsWith('_to_port'),
    from: 'delivery',
    days: 2,
    metBy: ['proof_of_delivery'],
  },
]

/** The documents that a shipment needs, in the order in which they are needed. */
export function requiredDocuments(facts: DocumentFacts, now: Date): RequiredDocument[] {
  return rulesFor(facts.shipment).map((rule) => requirement(rule, facts, now))
}

/** Those that are neither there nor waived, with the time (ms) from which they are needed; undefined until that is known. */
export function absentDocuments(
  facts: DocumentFacts,
): { type: RequiredDocumentType; since: number | undefined; counts: boolean }[] {
  return rulesFor(facts.shipment)
    .filter((rule) => !facts.waived.includes(rule.type) && !findDocument(rule, facts))
    .map((rule) => ({ type: rule.type, ...neededSince(rule, facts.shipment) }))
}

function rulesFor(shipment: DocumentFacts['shipment']): Rule[] {
  return shipment.status === 'cancelled' ? [] : rules.filter((rule) => rule.appliesTo(shipment))
}

/** How many days from which dates documents are needed. What counts from the booking is needed at once. */
export const documentDeadlines = rules.flatMap(({ from, days }) => (from === 'booking' ? [] : [{ from, days }]))

/** What will have to be there within some days and is not, the first first. */
export function neededDocuments(facts: DocumentFacts, now: Date, days: number): RequiredDocument[] {
  const until = now.getTime() + days * day
  const at = ({ required_since = '' }: RequiredDocument) => Date.parse(required_since)
  return requiredDocuments(facts, now)
    .filter((each) => !each.present && !each.waived && at(each) > now.getTime() && at(each) <= until)
    .toSorted((one, other) => at(one) - at(other))
}

/** What has to be there now and is not. */
export function missingDocuments(facts: DocumentFacts, now: Date): RequiredDocument[] {
  return requiredDocuments(facts, now).filter(isMissing)
}

export function isMissing({ is_required, present, waived }: RequiredDocument): boolean {
  return is_required && !present && !waived
}

function requirement(rule: Rule, facts: DocumentFacts, now: Date): RequiredDocument {
  const { since, counts } = neededSince(rule, facts.shipment)
  const document = findDocument(rule, facts)
  return {
    type: rule.type,
    ...(since !== undefined && { required_since: new Date(since).toISOString() }),
    is_required: since !== undefined && counts && since <= now.getTime(),
    present: document !== undefined,
    ...(document && { document_id: document.id }),
    waived: facts.waived.includes(rule.type),
  }
}

/** From when (ms) a document is needed, and whether that is certain enough. */
function neededSince({ from, days, countsExpected }: Rule, shipment: DocumentFacts['shipment']) {
  const date = dates[from](shipment)
  const since = date && Date.parse(date.date) + days * day
  return { since, counts: date?.status === 'actual' || countsExpected === true }
}

function findDocument(rule: Rule, { documents }: DocumentFacts) {
  return documents.find((each) => meets(rule, each))
}

function meets({ metBy, metByName }: Rule, { type, name }: Pick<Document, 'name' | 'type'>): boolean {
  return type === null ? metByName?.test(name) === true : metBy.includes(type)
}

function always(): boolean {
  return true
}

const booked = new Set(['booked', 'in_progress', 'finished'])

// A shipment does not say when it was booked: when the quote was accepted, or else when it was created.
function bookingDate({ status, created_at, accepted_quote }: DocumentFacts['shipment']): TrackingDate | undefined {
  const date = accepted_quote?.accepted_date ?? created_at
  return date !== undefined && booked.has(status ?? '') ? { date, status: 'actual' } : undefined
}
