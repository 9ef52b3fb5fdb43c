import type { englishConversation } from './conversation-en.js'

/** Les textes des messages entre un client et son transitaire. */
export const frenchConversation: typeof englishConversation = {
  title: 'Messagerie',
  none: 'Aucun message pour l’instant',
  noneToForwarder: 'Posez ici vos questions à votre transitaire. Toute votre équipe voit les messages.',
  noneToCustomer: 'Écrivez ici au client. Toute son équipe voit les messages.',
  unread: (count) => (count === 1 ? '1 nouveau' : `${count} nouveaux`),
  forwarder: 'Transitaire',
  customer: 'Client',
  mentioned: (names) => `À ${names}`,
  older: 'Afficher les messages précédents',
  write: 'Votre message',
  placeholder: 'Écrivez un message ; @ mentionne quelqu’un',
  people: 'Personnes à mentionner',
  attach: 'Joindre un fichier',
  attached: 'Fichiers de ce message',
  detach: (name) => `Retirer ${name}`,
  tooLarge: (name) => `${name} dépasse 25 Mo.`,
  tooMany: (most) => `Un message a au plus ${most} fichiers.`,
  send: 'Envoyer',
  sent: 'Message envoyé.',
  needsNoAnswer: 'Sans réponse à donner',
  settled: 'Marqué comme répondu.',
}
