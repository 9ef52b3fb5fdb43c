import type { ChangeType, Stage } from '../../contract/portal/notification-kinds.js'
import type { Notification } from '../../contract/portal/notifications.js'
import type { Language } from '../../contract/portal/people.js'
import type { Severity } from '../../contract/public/exception.js'
import { type Explained, type ReasonFormat, reasonText } from '../exceptions/reason-text.js'
import { englishKinds, englishReasons } from '../exceptions/reason-texts.js'
import { frenchKinds, frenchReasons } from '../exceptions/reason-texts-fr.js'
import { groupedBy } from '../records/grouping.js'
import { changedText } from './field-names.js'

/** What a notification says, in the language of its reader. */

type Names = {
  changes: Record<ChangeType, [one: string, many: (count: number) => string]>
  stages: Record<Stage, string>
  severities: Record<Severity, string>
  stake(lines: string): string
  moreLines(count: number): string
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
    stake: (lines) => `Orders at risk: ${lines}`,
    moreLines: (count) => `${count} more ${count === 1 ? 'line' : 'lines'}`,
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
    stake: (lines) => `Commandes menacées : ${lines}`,
    moreLines: (count) => `${count} ${count < 2 ? 'autre ligne' : 'autres lignes'}`,
  },
}

const reasons = { en: englishReasons, fr: frenchReasons }
const kinds = { en: englishKinds, fr: frenchKinds }

export function changeName(type: ChangeType, language: Language): string {
  return names[language].changes[type][0]
}

type Described = Pick<Notification, 'type' | 'title' | 'count' | 'changed' | 'exception' | 'message'>

export type NotificationText = {
  /** What happened, such as `New document`. */
  label: string
  /** To what. */
  title: string
  /** Why, of an exception; what was written, of a message; which fields, of an update. */
  sentence: string | undefined
  /** The orders and products that an exception puts at risk. */
  stake?: string | undefined
}

export function notificationText(
  { type, title, count, changed = [], exception, message }: Described,
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
    const { container_number: container } = exception
    if (exception.stage === 'cleared') return { label, title, sentence: container }
    const reason = writtenReason(exception, language)
    const sentence = container === undefined ? reason : `${container}${colon(language)} ${reason}`
    return { label, title, sentence, stake: stakeText(exception, language) }
  }
  const [one, many] = m.changes[type as ChangeType]
  const sentence = message ? `${message.author}${colon(language)} ${message.text}` : changedText(changed, language)
  return { label: count === undefined ? one : many(count), title, sentence }
}

function colon(language: Language): string {
  return language === 'fr' ? '\u00a0:' : ':'
}

function stakeText(
  { threatens, more_threatened }: NonNullable<Notification['exception']>,
  language: Language,
): string | undefined {
  if (!threatens) return undefined
  const m = names[language]
  const orders = [...groupedBy(threatens, ({ po_number }) => po_number)].map(([po_number, lines]) => {
    const skus = lines.flatMap(({ sku }) => sku ?? [])
    return skus.length === 0 ? po_number : `${po_number} (${skus.join(', ')})`
  })
  return m.stake([...orders, ...(more_threatened === undefined ? [] : [m.moreLines(more_threatened)])].join('; '))
}

/** Why an exception was raised, for mails and files: dates with their year, whatever the reader has set. */
export function writtenReason(exception: Explained, language: Language): string {
  return reasonText(exception, reasons[language], formats[language])
}

const formats: Record<Language, ReasonFormat> = { en: formatOf('en'), fr: formatOf('fr') }

function formatOf(language: Language): ReasonFormat {
  const locale = language === 'en' ? 'en-GB' : 'fr-FR'
  const written = (date: string, format: Intl.DateTimeFormatOptions) => {
    // As the clocks at the place show it, which the date has.
    const local = new Date(`${date.slice(0, 10)}T${date.slice(11, 16) || '00:00'}Z`)
    if (Number.isNaN(local.getTime())) return date
    return new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...format }).format(local)
  }
  return {
    day: (date) => written(date, { day: 'numeric', month: 'short', year: 'numeric' }),
    time: (date) => written(date, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    number: (value) => new Intl.NumberFormat(language).format(value),
    money: ({ amount, currency }) => new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount),
    list: (texts) => texts.join(' + '),
  }
}
