import type { englishGrid } from './grid-en.js'

const counted = (count: number, one: string, many: string) => `${count} ${count < 2 ? one : many}`

/** Textes de la grille des expéditions. */
export const frenchGrid: typeof englishGrid = {
  title: 'Modifier des expéditions',
  open: 'Modifier dans une grille',
  loading: 'Chargement des expéditions',
  shipment: 'Expédition',
  customer: 'Client',
  value: 'Valeur',
  change: 'Modification',
  empty: 'rien',
  undo: 'Annuler',
  discard: 'Abandonner les modifications',
  readOnly: 'Votre rôle permet de consulter les expéditions, pas de les modifier.',
  leftOut: (lines) =>
    `${counted(lines, 'ligne collée n’a', 'lignes collées n’ont')} pas trouvé de ligne du tableau et ne sont pas reprises.`,
  tooMany: (count) =>
    `Seules les ${count} premières expéditions sont affichées. Utilisez les filtres pour voir les autres.`,
  none: 'Aucune expédition ne correspond',
  noneText: 'Changez les filtres ou revenez à la liste.',
  reviewCount: (count) =>
    count === 0 ? 'Vérifier les modifications' : `Vérifier ${counted(count, 'expédition', 'expéditions')}`,
  review: 'Ce qui va changer',
  willChange: (shipments, fields) =>
    `${counted(fields, 'valeur', 'valeurs')} de ${counted(shipments, 'expédition', 'expéditions')}.`,
  conflicts: (count) =>
    `${counted(count, 'expédition a été modifiée', 'expéditions ont été modifiées')} entre-temps par une autre personne. Rien n’a été écrasé.`,
  refused: (count) =>
    `${counted(count, 'expédition contient', 'expéditions contiennent')} une valeur impossible à enregistrer. Rien n’en est écrit.`,
  mine: (value) => `La vôtre : ${value}`,
  theirs: (value) => `La leur : ${value}`,
  back: 'Revenir à la grille',
  write: (count) => `Modifier ${counted(count, 'expédition', 'expéditions')}`,
  written: (count) => `${counted(count, 'expédition modifiée', 'expéditions modifiées')}.`,
  keys: {
    title: 'Dans la grille',
    open: 'Ouvrir la grille, depuis la liste',
    down: 'Vers le bas, vers le haut avec Maj',
    across: 'Cellule suivante, précédente avec Maj ; Échap permet de quitter la grille',
    edit: 'Modifier la cellule ; saisir la remplace',
    select: 'Sélectionner des cellules',
    clear: 'Effacer',
    copy: 'Copier et coller, aussi depuis un tableur',
    fill: 'Recopier vers le bas',
    undo: 'Annuler et rétablir',
    review: 'Ce qui va changer (vérification)',
  },
}
