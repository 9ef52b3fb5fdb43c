import { frenchKinds, frenchReasons } from '../../../src/domain/exceptions/reason-texts-fr.js'
import type { englishExceptions } from './exceptions-en.js'

/** Les textes de la page des alertes. */
export const frenchExceptions: typeof englishExceptions = {
  title: 'Alertes',
  open: 'À surveiller',
  reasons: frenchReasons,
  kinds: frenchKinds,
  severities: { critical: 'Critique', warning: 'Attention', info: 'Information' },
  closings: {
    cleared: 'Résolue',
    acknowledged: 'Acceptée',
    accepted: 'Acceptée',
    closed: 'Close par votre transitaire',
    waived: 'Levée par votre transitaire',
  },
  kind: 'Type',
  severity: 'Gravité',
  shipment: 'Expédition',
  order: 'Commande',
  tabs: { unacknowledged: 'À traiter', open: 'Toutes en cours', closed: 'Closes' },
  tabsLabel: 'État',
  filters: 'Filtres',
  clear: 'Effacer les filtres',
  list: 'Alertes',
  counting: 'Chargement…',
  lead: (shown, count, state) =>
    state === 'closed'
      ? `${shown} ${count < 2 ? 'close' : 'closes'}.`
      : count === 0
        ? state === 'open'
          ? 'Rien n’est en cours.'
          : 'Vous êtes à jour.'
        : `${shown} ${state === 'open' ? 'en cours' : 'à traiter'}, les plus graves d’abord.`,
  none: {
    unacknowledged: 'Rien ne demande votre attention',
    open: 'Rien n’est en cours',
    closed: 'Rien n’a encore été clos',
  },
  noneText:
    'Retards, blocages, fins de franchise, documents manquants et commandes menacées apparaissent ici d’eux-mêmes.',
  nothingMatches: 'Aucune alerte correspondante',
  nothingMatchesText: 'Effacez les filtres pour toutes les voir.',
  threatens: 'Menace',
  lines: (count) => `${count} ${count < 2 ? 'ligne' : 'lignes'}`,
  wanted: (day) => `souhaitée le ${day}`,
  expected: (day) => `prévue le ${day}`,
  moreOrders: (count) => `et ${count} ${count < 2 ? 'autre commande' : 'autres commandes'}`,
  moreLines: (count) => `et ${count} ${count < 2 ? 'autre ligne' : 'autres lignes'}`,
  since: 'depuis le',
  episode: (count) => `${count}ᵉ fois`,
  owner: (name) => `Suivi par ${name}`,
  acknowledge: 'Prendre acte',
  accept: 'Accepter',
  acceptDate: 'Accepter la date',
  acknowledgeWithNote: 'Prendre acte avec une note',
  withNote: 'Ajouter une note…',
  noteTitle: (count) => (count === 1 ? 'Prendre acte' : `Prendre acte de ${count} alertes`),
  note: 'Note',
  noteHint: 'Votre transitaire la voit.',
  acknowledged: (who) => `Pris en compte par ${who}`,
  yourForwarder: 'votre transitaire',
  anApiKey: 'une clé d’API',
  removedPerson: 'un ancien membre',
  select: (what) => `Sélectionner ${what}`,
  selectAll: 'Tout sélectionner',
  selected: (count) => `${count} ${count < 2 ? 'sélectionnée' : 'sélectionnées'}`,
  clearSelection: 'Effacer la sélection',
  done: (count) => (count === 1 ? 'C’est noté.' : `${count} alertes prises en compte.`),
  alreadyOver: (count) => (count === 1 ? '1 était déjà close.' : `${count} étaient déjà closes.`),
  keys: {
    next: 'suivante',
    previous: 'précédente',
    select: 'sélectionner',
    acknowledge: 'prendre acte',
    open: 'ouvrir',
  },
  keysLabel: 'Raccourcis clavier',
  all: (count) => `Tout voir (${count})`,
  history: 'Toutes les alertes',
}
