import type { englishWebhooks } from './webhooks-en.js'

/** Les textes de la page des webhooks. */
export const frenchWebhooks: typeof englishWebhooks = {
  title: 'Appels sortants (webhooks)',
  lead: 'Les systèmes des clients auxquels les événements sont envoyés.',
  none: 'Aucun webhook',
  noneText: 'Les clients les ajoutent dans le portail, par l’interface ou avec vous\u00a0: waybill webhook create.',
  noMatch: 'Aucun webhook n’a cet état.',
  noDeliveriesText: 'Ce qui se passe dans le compte du client est envoyé désormais.',
  customer: 'Client',
  disable: 'Désactiver',
  enable: 'Activer',
  disabled: (url) => `Rien n’est envoyé à ${url} avant que vous ne l’activiez`,
  enabled: (url) => `${url} est actif et reprend là où il en était`,
  deliveriesOf: (url) => `Envois à ${url}`,
  disableOne: (url) => `Désactiver ${url}`,
  enableOne: (url) => `Activer ${url}`,
  reasons: {
    gone: 'Il a répondu 410.',
    failing: 'Rien n’a pu être livré pendant 5 jours.',
    forwarder: 'Désactivé par nous.',
    no_secret: 'Il n’a plus de secret\u00a0: le client le renouvelle.',
  },
}
