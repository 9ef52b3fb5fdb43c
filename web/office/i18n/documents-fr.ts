import type { englishDocuments } from './documents-en.js'

const counted = (count: number, one: string, many: string) => `${count} ${count > 1 ? many : one}`

/** Les textes de la page des documents. */
export const frenchDocuments: typeof englishDocuments = {
  title: 'Documents',
  lead: 'Déposez des fichiers ici\u00a0: un type et une expédition sont proposés pour chacun.',
  onDesk: (files, ready) =>
    `${counted(files, 'fichier', 'fichiers')} à classer, ${ready === 0 ? 'aucun' : ready} prêt${ready > 1 ? 's' : ''}.`,
  drop: 'Déposez des fichiers ici ou choisissez-les',
  dropHint: 'Plusieurs à la fois\u00a0; PDF, image ou fichier Office, 100 Mo au plus chacun',
  photo: 'Prendre une photo',
  tooLarge: (names) => `Trop volumineux\u00a0: ${names}`,
  desk: 'À classer',
  fileAll: (count) => (count === 0 ? 'Tout classer' : count === 1 ? 'Classer 1' : `Tout classer (${count})`),
  clear: 'Retirer les classés',
  filed: (filed, failed) =>
    failed === 0
      ? counted(filed, 'document classé', 'documents classés')
      : `${counted(filed, 'classé', 'classés')}, ${counted(failed, 'échec', 'échecs')}`,
  filedIn: 'Classé dans',
  states: {
    waiting: 'En attente',
    reading: 'Lecture…',
    ready: 'À classer',
    filing: 'Classement…',
    filed: 'Classé',
    failed: 'Non classé',
  },
  problem: ({ what, remedy }) => `${what.replace(/\.$/, '')}. ${remedy}`,
  retry: 'Réessayer',
  remove: 'Retirer',
  type: 'Type de document',
  noType: 'Autre, ou incertain',
  shipment: 'Expédition',
  noShipment: 'Aucune expédition',
  other: 'Une autre expédition…',
  number: 'Numéro de conteneur, connaissement, réservation, commande ou expédition',
  find: 'Trouver',
  noSuchNumber: 'Aucune expédition n’a ce numéro.',
  nothingFound: 'Aucun numéro d’expédition dans son nom ni dans son texte.',
  unreadable: 'Son texte est illisible\u00a0: il est abîmé ou protégé par un mot de passe.',
  found: (kind, number, where) => `${kind} ${number}, ${where}`,
  typeBy: (words, where) => `«\u00a0${words}\u00a0» ${where}`,
  inName: 'dans son nom',
  inText: 'dans son texte',
  onPage: (page) => `à la page ${page}`,
  numbers: {
    shipment: 'expédition',
    booking: 'réservation',
    master_bill: 'connaissement maître',
    house_bill: 'connaissement maison',
    container: 'conteneur',
    purchase_order: 'commande',
  },
  needed: 'Nécessaires d’ici une semaine',
  noneNeeded:
    'Rien. Les documents dont les expéditions auront besoin d’ici une semaine et qui manquent encore apparaissent ici.',
  missing: 'Documents manquants',
  noneMissing: 'Rien ne manque. Les documents dont les expéditions ont besoin et qui manquent apparaissent ici.',
  document: 'Document',
  due: 'Requis depuis',
  proposed: 'Envoyés par les clients',
  noneProposed: 'Rien à décider. Les documents que clients et fournisseurs envoient apparaissent ici.',
  file: 'Fichier',
  decide: 'Décider',
  count: (count, hasMore) => (hasMore ? `plus de ${count}` : String(count)),
  more: 'Afficher plus',
}
