import type { ChangeType, Stage } from '../../contract/portal/notification-kinds.js'
import type { Notification } from '../../contract/portal/notifications.js'
import type { Language } from '../../contract/portal/people.js'
import type { RequiredDocumentType } from '../../contract/public/checklist.js'
import type { ExceptionDetails, Severity } from '../../contract/public/exception.js'
import { englishKinds, englishReasons } from '../exceptions/reason-texts.js'
import { frenchKinds, frenchReasons } from '../exceptions/reason-texts-fr.js'

/** What a notification says, in the language of its reader. */

type Names = {
  changes: Record<ChangeType, [one: string, many: (count: number) => string]>
  stages: Record<Stage, string>
  severities: Record<Severity, string>
  milestones: Record<NonNullable<ExceptionDetails['milestone']>, string>
  clocks: Record<string, string | undefined>
  documents: Record<RequiredDocumentType, string>
}

const names: Record<Language, Names> = {
  en: {
    changes: {
      'shipment.created': ['New shipment', (count) => `${count} new shipments`],
      'shipment.updated': ['Shipment changed', (count) => `${count} shipments changed`],
      'tracking.updated': ['Tracking updated', (count) => `Tracking of ${count} shipments updated`],
      'purchase_order.created': ['New order', (count) => `${count} new orders`],
      'purchase_order.updated': ['Order changed', (count) => `${count} orders changed`],
      'document.created': ['New document', (count) => `${count} new documents`],
      'document.updated': ['Document changed', (count) => `${count} documents changed`],
      'document_proposal.created': ['Document uploaded', (count) => `${count} documents uploaded`],
      'document_proposal.updated': ['Uploaded document checked', (count) => `${count} uploaded documents checked`],
      'invoice.issued': ['New invoice', (count) => `${count} new invoices`],
      'invoice.updated': ['Invoice changed', (count) => `${count} invoices changed`],
      'message.created': ['New message', (count) => `${count} new messages`],
    },
    stages: { raised: '', worse: 'more urgent', cleared: 'resolved' },
    severities: { critical: 'Critical', warning: 'Warning', info: 'Info' },
    milestones: {
      pickup_date: 'Pick-up',
      departure_date: 'Departure',
      arrival_date: 'Arrival',
      delivery_date: 'Delivery',
    },
    clocks: {
      demurrage: 'demurrage',
      detention: 'detention',
      combined: 'demurrage and detention',
      storage: 'storage',
    },
    documents: {
      dangerous_goods_declaration: 'Dangerous goods declaration',
      commercial_invoice: 'Commercial invoice',
      packing_list: 'Packing list',
      bill_of_lading: 'Bill of lading',
      air_waybill: 'Air waybill',
      arrival_notice: 'Arrival notice',
      proof_of_delivery: 'Proof of delivery',
    },
  },
  fr: {
    changes: {
      'shipment.created': ['Nouvelle expédition', (count) => `${count} nouvelles expéditions`],
      'shipment.updated': ['Expédition modifiée', (count) => `${count} expéditions modifiées`],
      'tracking.updated': ['Suivi actualisé', (count) => `Suivi de ${count} expéditions actualisé`],
      'purchase_order.created': ['Nouvelle commande', (count) => `${count} nouvelles commandes`],
      'purchase_order.updated': ['Commande modifiée', (count) => `${count} commandes modifiées`],
      'document.created': ['Nouveau document', (count) => `${count} nouveaux documents`],
      'document.updated': ['Document modifié', (count) => `${count} documents modifiés`],
      'document_proposal.created': ['Document déposé', (count) => `${count} documents déposés`],
      'document_proposal.updated': ['Document déposé vérifié', (count) => `${count} documents déposés vérifiés`],
      'invoice.issued': ['Nouvelle facture', (count) => `${count} nouvelles factures`],
      'invoice.updated': ['Facture modifiée', (count) => `${count} factures modifiées`],
      'message.created': ['Nouveau message', (count) => `${count} nouveaux messages`],
    },
    stages: { raised: '', worse: 'plus urgent', cleared: 'résolu' },
    severities: { critical: 'Critique', warning: 'Attention', info: 'Information' },
    milestones: {
      pickup_date: 'Enlèvement',
      departure_date: 'Départ',
      arrival_date: 'Arrivée',
      delivery_date: 'Livraison',
    },
    clocks: {
      demurrage: 'surestaries',
      detention: 'détention',
      combined: 'surestaries et détention',
      storage: 'magasinage',
    },
    documents: {
      dangerous_goods_declaration: 'déclaration de marchandises dangereuses',
      commercial_invoice: 'facture commerciale',
      packing_list: 'liste de colisage',
      bill_of_lading: 'connaissement',
      air_waybill: 'lettre de transport aérien',
      arrival_notice: 'avis d’arrivée',
      proof_of_delivery: 'preuve de livraison',
    },
  },
}

const reasons = { en: englishReasons, fr: frenchReasons }
const kinds = { en: englishKinds, fr: frenchKinds }

export function changeName(type: ChangeType, language: Language): string {
  return names[language].changes[type][0]
}

export type NotificationText = {
  /** What happened, such as `New document`. */
  label: string
  /** To what. */
  title: string
  /** Why, of an exception; what was written, of a message. */
  sentence: string | undefined
}

export function notificationText(
  { type, title, count, exception, message }: Pick<Notification, 'type' | 'title' | 'count' | 'exception' | 'message'>,
  language: Language,
): NotificationText {
  const m = names[language]
  if (exception) {
    const stage = m.stages[exception.stage]
    const parts = [
      exception.stage === 'cleared' ? '' : m.severities[exception.severity],
      kinds[language][exception.kind],
      stage,
    ]
    const label = parts.filter((part) => part !== '').join(' · ')
    return { label, title, sentence: exception.stage === 'cleared' ? undefined : reasonText(exception, language) }
  }
  const [one, many] = m.changes[type as ChangeType]
  const sentence = message && `${message.author}${language === 'fr' ? '\u00a0' : ''}: ${message.text}`
  return { label: count === undefined ? one : many(count), title, sentence }
}

/** Why an exception was raised, in one sentence. */
export function reasonText(
  {
    reason_key,
    details,
    place_name,
  }: Pick<NonNullable<Notification['exception']>, 'reason_key' | 'details' | 'place_name'>,
  language: Language,
): string {
  const m = names[language]
  const { hours = 0, milestone, clock = '', code, document, place, amounts = [] } = details
  // Within two days, or between two times of one day, the hour matters.
  const isExact = reason_key === 'connection_short' || (reason_key === 'date_moved' && Math.abs(hours) < 48)
  const dayOf = (date: string | undefined) => (date === undefined ? '?' : dayText(date, language, isExact))
  const sentence = reasons[language][reason_key]({
    milestone: milestone ? m.milestones[milestone] : '?',
    date: dayOf(details.date),
    previousDate: dayOf(details.previous_date),
    otherDate: dayOf(details.other_date),
    desired: dayOf(details.desired_date),
    day: dayOf(details.day),
    otherDay: dayOf(details.other_day),
    days: details.days,
    hours,
    isTakenOff: code === 'OFFLOADED',
    isCarrier: code === 'CARRIER_HOLD',
    hasDate: details.date !== undefined,
    place: place_name ?? place,
    vessel: details.vessel,
    source: details.source,
    otherSource: details.other_source,
    document: document ? m.documents[document] : '?',
    quantity: new Intl.NumberFormat(language).format(details.quantity ?? 0),
    amounts: amounts.map((price) => moneyText(price, language)).join(' + '),
    clock: m.clocks[clock] ?? clock,
  })
  // French months are abbreviated with a full stop.
  return sentence.replace(/\.\.$/, '.')
}

/** As the clocks at the place show it, which the date has. */
function dayText(date: string, language: Language, isExact: boolean): string {
  const local = new Date(`${date.slice(0, 10)}T${date.slice(11, 16) || '00:00'}Z`)
  if (Number.isNaN(local.getTime())) return date
  const time = isExact && date.length > 10 ? ({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const) : {}
  const format = { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric', ...time } as const
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'fr-FR', format).format(local)
}

function moneyText({ amount, currency }: { amount: number; currency: string }, language: Language): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount)
}
