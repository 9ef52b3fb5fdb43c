import type { ExceptionKind } from '../../contract/public/exception.js'
import { ofPlace, toPlace } from '../locations/french-places.js'
import type { ReasonTexts, ReasonValues } from './reason-texts.js'

/** The reasons of exceptions as people read them, in French. */

const days = (count: number) => `${count} ${count < 2 ? 'jour' : 'jours'}`
const hours = (count: number) => `${count} ${count < 2 ? 'heure' : 'heures'}`
const span = (count: number) => (count >= 48 ? days(Math.round(count / 24)) : hours(count))
const at = (place: string | undefined) => (place === undefined ? '' : ` ${toPlace(place)}`)
const left = (place: string | undefined) => (place === undefined ? ' est parti' : ` est parti ${ofPlace(place)}`)
const named = (vessel: string | undefined) => (vessel === undefined ? '' : ` ${vessel}`)
const by = (source: string | undefined) => (source === undefined ? '' : ` (${source})`)
const since = ({ hasDate, date }: ReasonValues) => (hasDate ? ` depuis le ${date}` : '')

const sentences: ReasonTexts['sentences'] = {
  late_by_dates: ({ date, desired, days: late = 0 }) =>
    late === 0
      ? `Prévue le ${date}, à la fin du jour souhaité.`
      : `Prévue le ${date}, ${days(late)} après la date souhaitée du ${desired}.`,
  late_today: ({ desired }) => `Souhaitée pour le ${desired}, et pas encore livrée.`,
  date_moved: ({ milestone, date, previousDate, hours: moved }) =>
    `${milestone} : passe du ${previousDate} au ${date}, soit ${span(Math.abs(moved))} ${moved > 0 ? 'plus tard' : 'plus tôt'}.`,
  milestone_overdue: ({ milestone, date }) =>
    `${milestone} : prévision du ${date} dépassée, rien n’a été signalé depuis.`,
  rolled: ({ isTakenOff, vessel, place }) =>
    isTakenOff
      ? `Débarqué${vessel === undefined ? '' : ` ${ofPlace(vessel)}`}${at(place)}, et pas encore rechargé.`
      : `Laissé à quai${vessel === undefined ? '' : ` par ${vessel}`}${at(place)}, et pas encore rechargé.`,
  not_loaded: ({ vessel, place, date }) => `Le navire${named(vessel)}${left(place)} le ${date} sans le conteneur.`,
  later_sailing: ({ vessel, date, previousDate }) =>
    `Reporté sur un départ ultérieur${vessel === undefined ? '' : `, ${vessel}`} : le ${date} au lieu du ${previousDate}.`,
  connection_departed: ({ vessel, place, date }) =>
    vessel === undefined
      ? `Correspondance partie${place === undefined ? '' : ` ${ofPlace(place)}`} le ${date} sans lui.`
      : `Le navire de correspondance ${vessel}${left(place)} le ${date} sans lui.`,
  connection_short: ({ place, date, otherDate }) =>
    `La correspondance${at(place)} part le ${date} ; l’arrivée y est prévue le ${otherDate}.`,
  held: (values) => `Bloqué par ${values.isCarrier ? 'la compagnie' : 'la douane'}${at(values.place)}${since(values)}.`,
  inspected: (values) => `Contrôlé par la douane${at(values.place)}${since(values)}.`,
  dwelling: ({ place, date }) => `Aucun mouvement${at(place)} depuis le ${date}.`,
  free_time_ending: ({ clock, day }) => `Dernier jour franc (${clock}) : ${day}.`,
  free_time_passed: ({ clock, day, amounts }) =>
    `La franchise (${clock}) a pris fin le ${day}${amounts === '' ? '' : ` ; ${amounts} à ce jour`}.`,
  free_time_disagrees: ({ clock, day, otherDay }) =>
    `Dernier jour franc (${clock}) communiqué : ${day} ; selon les conditions : ${otherDay}.`,
  document_missing: ({ document }) => `Document manquant : ${document}.`,
  order_late: ({ date, desired, days: late }) =>
    `Souhaitée pour le ${desired}${late === undefined ? ', et pas encore livrée' : `, prévue le ${date} : ${days(late)} de retard`}.`,
  order_unassigned: ({ quantity, day }) =>
    `Quantité non affectée à une expédition : ${quantity} ; ex-usine souhaitée le ${day}.`,
  order_short: ({ quantity }) => `Quantité expédiée inférieure de ${quantity} à la quantité affectée.`,
  no_news: ({ date }) => `Rien n’a été signalé depuis le ${date}.`,
  conflicting_dates: ({ milestone, date, otherDate, source, otherSource }) =>
    `${milestone} : le ${date}${by(source)} ou le ${otherDate}${by(otherSource)}.`,
  invoice_overdue: ({ day, amounts }) => `Échue le ${day} ; ${amounts} à payer.`,
  unbilled: ({ date }) => `Livrée le ${date}, et pas encore facturée.`,
}

export const frenchReasons: ReasonTexts = {
  sentences,
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
    dangerous_goods_declaration: 'Déclaration de marchandises dangereuses',
    commercial_invoice: 'Facture commerciale',
    packing_list: 'Liste de colisage',
    bill_of_lading: 'Connaissement',
    air_waybill: 'Lettre de transport aérien',
    arrival_notice: 'Avis d’arrivée',
    proof_of_delivery: 'Preuve de livraison',
  },
  unknown: 'inconnu',
}

export const frenchKinds: Record<ExceptionKind, string> = {
  late: 'Retard',
  eta_slip: 'Date modifiée',
  milestone_overdue: 'Étape en retard',
  rolled: 'Report de chargement',
  missed_connection: 'Correspondance manquée',
  hold: 'Blocage',
  dwell: 'Immobilisation',
  free_time: 'Franchise',
  free_time_disagreement: 'Franchise contestée',
  missing_document: 'Document manquant',
  order_at_risk: 'Commande menacée',
  no_news: 'Sans nouvelles',
  conflict: 'Dates contradictoires',
  invoice_overdue: 'Facture échue',
  unbilled: 'Non facturée',
}
