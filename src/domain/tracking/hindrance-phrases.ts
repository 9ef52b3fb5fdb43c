import { authorities, consignees, customs, effectuee, type KeyPhrase, line, phrase } from './phrase-words.js'

/** Phrases of what goes wrong or has to be released, before what it is about: "delivery failed" is not a delivery. */

export const hindrancePhrases: KeyPhrase[] = [
  {
    code: 'VGM',
    key: /\b((pesee )?vgm|verified gross mass)( (received|submitted|declared|confirmed|recue?|transmise?|envoyee?|declaree?|validee?))?\b/,
  },

  {
    code: 'DELIVERY_FAILED',
    key: /\b(delivery (attempt )?(failed|refused|attempted)|attempted delivery|failed (delivery|to deliver)( attempt)?|not delivered|undelivered|delivery not (completed|possible|made|done)|unsuccessful delivery|delivery (attempt )?unsuccessful|(unable to|could not( be)?) deliver(ed)?|livraison (echouee|refusee|manquee|infructueuse|impossible|(non|pas) (effectuee|realisee|aboutie|faite|terminee))|(non|pas) livree?|echec de (la )?livraison)\b/,
  },
  {
    code: 'DELIVERY_FAILED',
    key: phrase(
      `(?:delivery attempt(?:ed)?|attempted delivery) (?:business|premises|office|${consignees}) (?:closed|absent|unavailable|not available)|${consignees} (?:(?:has |a )?(?:refused|rejected|refuse) (?:the |la |le )?(?:delivery|goods|cargo|shipment|container|livraison|marchandise|conteneur)|(?:was |is |est |etait )?(?:absente?|unavailable|not available|closed|ferme)(?: (?:for|at|during|on|pour|a|lors de)(?: the| la)? (?:delivery|livraison))?$)`,
    ),
  },
  {
    code: 'ROLLED',
    key: /\b((booking )?rolled( over)?( to (the )?next (vessel|voyage|sailing|departure))?|roll ?over|shut out|short ?shipped|not loaded( on( ?board)?( the)?( (vessel|ship))?)?|non (embarquee?|chargee?)|reporte (au|sur le) prochain (navire|depart))\b/,
  },
  // By air, what is received from a flight has come with it.
  { code: 'DISCHARGED', key: /\breceived from (the )?(flight|aircraft|plane|vessel|ship|feeder)\b/ },
  { code: 'DISCHARGED', key: /\boff ?loaded from (the )?(vessel|ship|barge|feeder|train|rail|truck)\b/ },
  { code: 'OFFLOADED', key: /\b(off ?loaded|bumped|debarque du vol)\b/ },
  {
    code: 'CUSTOMS_INSPECTION',
    key: /\b((under )?customs? (inspection|exam(ination)?|scan|x ?ray)( (required|ordered|scheduled|in progress|ongoing|underway|started))?(?! (completed?|done|passed|ok))|(selected|held) (by customs )?for (customs )?(inspection|exam(ination)?|scan|x ?ray)|(inspection|visite|controle|scanner) (de la |par la |en )?douan(e|iere?))\b/,
    of: 'any',
  },
  {
    code: 'CUSTOMS_HOLD',
    key: /\b((us |cbp )customs? hold( placed)?|held (by|at|in|for) customs|(on )?hold (placed )?by customs|stopped by customs|(retenue?|bloquee?) (en|par la|a la) douane|(blocage|retention) (en |de la |par la )?douan(e|iere))\b/,
    of: 'any',
  },
  {
    code: 'CUSTOMS_HOLD',
    key: phrase(
      `(?:on )?(?:${authorities}|customs?|government|exam) (?:exam(?:ination)? )?hold(?: placed)?|hold by ${authorities}`,
    ),
    of: 'any',
  },
  {
    code: 'CARRIER_HOLD',
    key: phrase(
      `(?:carrier|line|freight|terminal|demurrage) hold(?: placed)?|(?:hold|held) by (?:the )?(?:carrier|(?:shipping )?line)|(?:bloquee?|retenue?) par ${line}|blocage (?:de )?${line}`,
    ),
    of: 'any',
  },
  // For whatever reason, and by however much.
  {
    code: 'DELAYED',
    key: /\b(delay(ed)?|running late|retard(ee?)?|port congestion|waiting for (a )?berth)\b( (in |of |to |on |a l |au |de l |de la |du |d )?(arrival|departure|delivery|loading|discharge|arrivee|depart|livraison|chargement|dechargement))?( (of |by |de )?\d+ (hours?|days?|weeks?|heures?|jours?|semaines?)\b)?( (due to|(?<=delayed )at|(?<=delayed )in|because of|owing to|caused by|as a result of|by|following|du a|due a|en raison|a cause|suite a|pour cause)\b.*)?/,
  },

  {
    code: 'CARRIER_RELEASED',
    key: phrase(`(?:liberee?|debloquee?) par ${line}|liberation (?:de |par )?${line}`),
  },
  {
    code: 'CARRIER_RELEASED',
    key: /\b((carrier|(shipping )?line|freight)( and customs| cargo)? releas(e|ed)( received| obtained| granted)?|releas(e|ed) by (the )?(carrier|(shipping )?line)|(carrier|line|freight|terminal|demurrage) hold (releas(e|ed)|lifted|removed))\b/,
  },
  {
    code: 'CUSTOMS_CLEARED_EXPORT',
    key: /\b(export (customs )?(clear(ed|ance)|release(d)?)|customs (cleared|clearance|released) (for |at )?(export|origin)|(cleared|released) for export|dedouane(e|ment)? (a l |pour l )?export|liberation douan(e|iere) export)\b/,
  },
  {
    code: 'CUSTOMS_RELEASED',
    key: phrase(
      `(?:liberee?|autorisee?|debloquee?) (?:par|en|de) ${customs}|(?:liberation|mainlevee)(?: (?:en|par|de|des))*(?: ${customs}| douaniere)|formalites douanieres ${effectuee}s?|levee (?:(?:du|de|de la|d un) )?(?:blocage|retention)(?: (?:en|par|de|la))*(?: ${customs}| douaniere)|mainlevee (?:obtenue|accordee|recue)|(?:bon a enlever|bae)(?: (?:accorde|obtenu|recu|emis|delivre))?`,
    ),
  },
  {
    code: 'CUSTOMS_RELEASED',
    key: phrase(
      `(?:${authorities}|government|exam) (?:exam(?:ination)? )?(?:hold )?(?:released?|lifted|removed|cleared)`,
    ),
  },
  {
    code: 'CUSTOMS_RELEASED',
    key: /\b((us )?customs? (releas(e|ed)( received)?|cleared|hold (releas(e|ed)|lifted|removed)|clearance( (completed|complete|done|obtained|granted|released|ok))?)|(cleared|released) for import|(cleared|released) (by|through|from) (the )?(us )?customs( (hold|authorit(y|ies)))?|cleared customs|import (customs )?clear(ed|ance)|import releas(e|ed)|dedouanee?|dedouanement( import)?)\b/,
  },
]
