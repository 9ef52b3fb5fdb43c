import type { englishLines } from './lines-en.js'

const counted = (count: number, one: string, many: string) => `${count} ${count < 2 ? one : many}`
const lines = (count: number) => counted(count, 'ligne', 'lignes')

/** Textes des lignes de commande d’une expédition. */
export const frenchLines: typeof englishLines = {
  title: 'Lignes de commande',
  lead: (count, loose) =>
    count === 0
      ? 'Rien n’est affecté à cette expédition.'
      : `${lines(count)} sur cette expédition, ${loose === 0 ? 'tout est chargé' : `${loose} hors conteneur`}.`,
  assignAndPack: 'Affecter et charger',
  hint: 'Glissez les lignes d’un conteneur à l’autre, ou appuyez sur la touche du conteneur. Maj en déposant : une partie seulement.',
  readOnly: 'Seuls les opérations et les administrateurs affectent et chargent.',
  loose: 'Hors conteneur',
  open: 'Lignes ouvertes',
  off: 'Hors de cette expédition',
  unknownUnit: 'Conteneur inconnu',
  openOf: (order) => `Lignes ouvertes de ${order}`,
  nothingAssigned: 'Glissez ici des lignes ouvertes pour les affecter.',
  allPacked: 'Tout est chargé.',
  emptyUnit: 'Rien de chargé ici.',
  noOpen: 'Toutes les lignes de ce client sont sur une expédition.',
  noneFound: 'Aucune ligne ouverte ne correspond.',
  noUnits: 'L’expédition n’a pas de conteneur à charger.',
  unnumbered: (count) =>
    `${counted(count, 'unité n’a pas encore de numéro et ne peut', 'unités n’ont pas encore de numéro et ne peuvent')} pas être chargée${count < 2 ? '' : 's'} avant.`,
  editUnits: 'Modifier les unités',
  pieces: (quantity) => `${quantity} pièces`,
  line: 'Ligne de commande',
  lineOf: (order, line) => `${order}, ligne ${line}`,
  select: 'Sélectionner',
  selectLine: (line) => `Sélectionner : ${line}`,
  move: 'Déplacer',
  moveLine: (line) => `Déplacer : ${line}`,
  moveTo: 'Déplacer vers',
  movePart: (quantity) => `Déplacer ${quantity}`,
  to: 'Vers',
  quantity: 'Quantité',
  ofAll: (quantity) => `sur ${quantity}`,
  ofHere: (quantity) => `${quantity} ici ; moins partage la ligne`,
  notANumber: 'Saisissez un nombre supérieur à 0',
  tooMany: (quantity) => `Il n’y en a que ${quantity} ici`,
  overReason: 'Pourquoi plus que le reste ouvert',
  cancel: 'Annuler',
  selection: 'Sélection',
  count: (count) => lines(count),
  conflict: (line) => `Quelqu’un d’autre a modifié ${line}`,
  assigned: 'Affecté',
  notWritten: 'Rien n’a été enregistré : quelqu’un d’autre l’a modifié entre-temps.',
  partly: (done, all, detail) => `${done} sur ${lines(all)} modifiées. ${detail}`,
  done: {
    off: (count) => `${lines(count)} hors de l’expédition`,
    loose: (count) => `${lines(count)} sur l’expédition, hors conteneur`,
    unit: (count) => counted(count, 'ligne chargée', 'lignes chargées'),
    chosen: (count) => counted(count, 'ligne enregistrée', 'lignes enregistrées'),
  },
  keys: {
    title: 'Lignes de commande d’une expédition',
    open: 'Lignes de commande (dans une expédition)',
    panes: 'Expédition, lignes ouvertes',
    extend: 'Sélectionner et continuer',
    unit: 'Charger dans ce conteneur',
    loose: 'Affecter, ou sortir du conteneur',
    part: 'Déplacer une partie, ou choisir où',
    off: 'Retirer de l’expédition',
  },
}
