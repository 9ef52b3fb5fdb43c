import { hindrancePhrases } from './hindrance-phrases.js'
import {
  carriers,
  completed,
  consignees,
  effectuee,
  expected,
  type KeyPhrase,
  phrase,
  shippers,
  strangers,
  where,
} from './phrase-words.js'

/** The phrases that events come with, in English and French. The first that fits counts. */
export const keyPhrases: KeyPhrase[] = [
  ...hindrancePhrases,

  // Empty containers, on either side of the journey.
  {
    code: 'EMPTY_OUT',
    key: phrase(
      `(?:delivered|departed|discharged|positioned|sent|dropped(?: ?off)?|livree?|remise?|positionne(?:e|ment)?|mise?)(?: empty| du vide)?${where} ${shippers}|(?:to|au|a|chez|vers|pour)(?: the| le| la| l)? ${shippers}`,
    ),
    of: 'empty',
  },
  {
    code: 'EMPTY_IN',
    key: /\b(gate ?in( empty)? return|return(ed)?( confirmed)?|gate ?in|gated in|in ?gate(d)?|received|drop(ped)?( ?off)?(?! (at|to) (the )?(customer|consignee))|(?<=empty )in(?= (from|by)\b|$)|discharged|redelivered|(in|at|en|au|a|dans) (le |la )?(container yard|depot|cy|yard|terminal|parc)|remise?( du vide)? (au|en|a) (depot|parc|terminal)|entree?|to depot$|back|rendue?|restituee?|restitution|retournee?|retour)\b/,
    of: 'empty',
  },
  {
    code: 'EMPTY_OUT',
    key: /\b(releas(e|ed)|gate ?out|gated out|out ?gate(d)?|(de|di)spatch(ed)?|(pick ?(ed )?up|collected)(?! (from|at) (the )?(customer|consignee|receiver|client))|withdrawn|out for booking|(?<=empty )out(?= (from|by)\b|$)|sortie?|mise? a disposition|retire|retrait|enlevement|enleve)\b/,
    of: 'empty',
  },
  // It comes back with its goods.
  {
    code: 'OTHER',
    key: /\b((full|laden|loaded) (container|equipment|unit|cntr|ctnr)s? (was |has been )?return(ed)?|conteneur plein (retourne|rendu|restitue))\b/,
  },
  {
    code: 'EMPTY_IN',
    key: /\b((container|equipment|unit|cntr|ctnr)s? (was |has been )?return(ed)?|returned? (to|of) (the )?(carrier|depot|container|equipment)|conteneur (rendu|restitue|retourne))\b/,
  },

  {
    code: 'EMPTY_OUT',
    key: phrase(
      `(?:container|equipment|unit|cntr|ctnr)s? to (?:the )?${shippers}|conteneur (?:au|chez le|chez l) ${shippers}`,
    ),
  },
  {
    code: 'APPOINTMENT',
    key: /\b((delivery |pick ?up )?(appointment|slot)( (set|made|booked|confirmed|scheduled))?|(rendez vous|rdv)( (de livraison|pris|confirme))*)\b/,
  },
  {
    code: 'OUT_FOR_DELIVERY',
    key: phrase(
      `(?:out|loaded|on (?:the )?(?:vehicle|truck)|departed|left|(?:de|di)spatched|sent) (?:for|on) (?:(?:final|local) )?delivery|in delivery$|being delivered|(?:en route|in transit|on (?:the|its) way|under ?way) (?:to|for) (?:the )?(?:final )?(?:delivery|${consignees})`,
    ),
  },
  {
    code: 'OUT_FOR_DELIVERY',
    key: /\b(en|(parti|sorti|chargee?|mis)e? (en|pour)( la)?)( cours de| tournee de)? livraison\b/,
  },
  {
    code: 'AVAILABLE',
    key: /\b(available to be (released|delivered)( delivered)?|available( for (pick ?up|delivery|collection|release))?(?! (on|from|after))|ready for (pick ?up|collection|delivery)|disponible( (au retrait|a l enlevement|pour (le |la |l )?(retrait|livraison|enlevement)))?)\b/,
  },
  // From a terminal nobody collects goods of the shipper.
  {
    code: 'GATE_OUT',
    key: /\b(picked up|pick ?up|collected|enlevee?) (from|at|au|du) (the )?(terminal|port|pier|cy|container yard|airport|aeroport|(rail )?ramp)\b(?! [a-z]{4})/,
  },
  { code: 'GATE_OUT', key: /\bdelivery (to (the )?(consignee|customer) )?(by truck )?gate ?out\b/ },
  // Handed over to those who carry it on.
  { code: 'GATE_IN', key: phrase(`(?:delivered (?:in)?to|livree? (?:au|a|aux))${where} ${carriers}`) },
  {
    code: 'OTHER',
    key: phrase(
      `(?:deliver(?:ed|y)|livree?|livraison) (?:to|at|into|in|au|a|aux|en)${where} (?!${consignees})(?:${carriers}|${strangers})`,
    ),
  },
  {
    code: 'DELIVERED',
    key: phrase(
      `delivered(?: in good (?:order|condition)(?: and (?:order|condition))?| (?:to|at)${where} ${consignees}(?: s)? (?:facility|plant|factory|store|site))?(?! (?:at (?:place|frontier)|ex|duty))|(?:handed over to|received by|signed for by) (?:the )?(?:final )?${consignees}|livree?(?: conforme| (?:avec|sous|sans) reserves?| contre signature)?|remise?(?: en mains? propres?)? (?:a l |a la |au |aux )${consignees}s?`,
    ),
  },
  {
    code: 'DELIVERED',
    key: /\b(proof of delivery( (received|signed))?|pod (received|signed|obtained|uploaded)|(preuve|bon) de livraison (recue?|signee?)|preuve de livraison)\b/,
  },
  // The noun alone may be anything: a date, a place, an order.
  {
    code: 'DELIVERED',
    key: phrase(
      `delivery(?: (?:to|at)${where} (?:${consignees}|door))? ${completed}|(?:completed|successful) delivery|livraison(?: (?:a l|a la|au|chez le) ${consignees})? ${effectuee}`,
    ),
  },
  {
    code: 'DELIVERED',
    key: phrase(
      `${expected}(?: (?:date|time|day)(?: of)?)? (?:final )?delivery(?: (?:date|time|day))?|delivery(?: (?:date|time))? (?:estimated|expected|planned|forecast)|livraison(?: (?:a l|a la|au|chez le) ${consignees})? (?:prevue?|estimee?|planifiee?|attendue|previsionnelle)`,
    ),
  },
  { code: 'DELIVERED', key: /^(final delivery|livraison finale)$/ },
  {
    code: 'DELIVERED',
    key: phrase(`^(?:delivery|livraison)(?: (?:to|at|au|chez|a l)${where} ${consignees})?$`),
    at: 'delivery',
  },
  {
    code: 'OTHER',
    key: phrase(
      `^(?:(?:inbound|outbound|import|export|full|laden|container|cargo|goods) )*(?:delivery|livraison)${where} ${consignees}`,
    ),
  },
  {
    code: 'STRIPPED',
    key: phrase(
      `(?:unloaded|unloading|discharged|dechargee?|dechargement)(?: full| laden)?${where} (?:${consignees}|door)`,
    ),
  },
  { code: 'STUFFED', key: phrase(`(?:loaded|loading|chargee?|chargement)(?: full| laden)?${where} ${shippers}`) },
  {
    code: 'STRIPPED',
    key: /\b(strip(ped|ping)?|(un|de) ?stuff(ed|ing)|(de|un) ?vann(ed|ing)|unpack(ed|ing)|depotee?|depotage)\b/,
  },
  { code: 'STUFFED', key: /\b(stuffed|stuffing|vann(ed|ing)|packed|empotee?|empotage)\b/ },

  // What is on its way to a vessel is not on it.
  {
    code: 'OTHER',
    key: /\b(depart(ed|ure|s)?|left|(de|di)spatched|sent)( \w+){0,8} for (the )?(vessel|ship|voyage|feeder)\b/,
  },
  // A truck on its way to collect has nothing on it.
  {
    code: 'OTHER',
    key: phrase(
      `(?:depart(?:ed|ure|s)?|left|(?:de|di)spatched|sent)(?: \\w+){0,4} (?:to|for) (?:the )?(?:${shippers}|pick ?up|collection|loading)`,
    ),
  },
  // At a gate and at a door it is no vessel that arrives or departs.
  { code: 'GATE_IN', key: /\barriv(ed|al) at (the )?((port|terminal|yard) )?gate\b/ },
  {
    code: 'GATE_IN',
    key: /\barriv(ed|al) (at|in) (the )?((container|empty|inland|off dock) )?((local|regional) )?(yard|cy|depot|warehouse|cfs|container freight station|cross ?dock|(distribution|logistics|sorting|delivery) (facility|cent(er|re)|hub))\b/,
  },
  { code: 'GATE_IN', key: /\barrivee?(?: (?:a|au|en|dans|l|le|la))* (?:entrepot|magasin|depot|parc|plateforme)\b/ },
  {
    code: 'OTHER',
    key: phrase(
      `arriv(?:ed|al|es?|ee?)${where} (?:${shippers}|${consignees}|door|pick ?up|collect(?:ion)?|deliver(?:y)?|(?:un)?load(?:ing)?|enlevement|livraison|(?:de)?chargement)`,
    ),
  },
  { code: 'OTHER', key: phrase(`(?:depart(?:ed|ure|s)?|left|partie?|quitte)${where} ${consignees}`) },
  // A driver may come and go for anything.
  { code: 'OTHER', key: /\b(driver|trucker|chauffeur) (has |is |est |a )?(arriv|depart|left|partie?\b|quitte)/ },
  {
    code: 'GATE_OUT',
    key: /^(((full|laden) )?(container|cntr|ctnr|unit|equipment) )?(has |was )?(left|departed)( from)? (the )?(container )?terminal$|^((full|laden) )?(container|cntr|ctnr|unit|equipment) (has )?(departed|left)$/,
  },
  {
    code: 'PICKED_UP',
    key: phrase(
      `(?:depart(?:ed|ure)?|left|partie?|quitte)${where} (?:${shippers}|warehouse|door|pick ?up)(?: premises)?`,
    ),
  },

  {
    code: 'GATE_OUT',
    key: /\b(truck|lorry) (has )?(depart(ed|ure)|left)( (from|the|inbound|import|final|destination))* (port|terminal|pier|cy|container yard|inland (point|location)|(rail )?ramp)\b(?! [a-z]{4})/,
  },

  // Vessels, trains, trucks and aircraft.
  { code: 'DEPARTED', key: phrase(`(?:depart(?:ed|ure|s)?|left|sailed)${where} berth|un ?berth(?:ed|ing)|cast off`) },
  {
    code: 'BERTHED',
    key: /\b((arriv(ed|al|ee?) )?((at (the )?)?berth|a quai|alongside)|berth(ed|ing)|etb|atb|alongside|docked|moored|all fast|accostee?|accostage|(mise? )?a quai)\b/,
  },
  {
    code: 'ARRIVED',
    key: /\b(arriv(ed|al|es?|ee?)( confirm(ed|ee?))?|(vessel|ship) reached|ata|eta|landed|landing|touch(ed)? ?down|wheels down|atterri|atterrissage)\b/,
  },
  {
    code: 'DEPARTED',
    key: /\b(depart(ed|ure|ured|s)?( confirm(ed|e))?|atd|etd|ets|sail(ed|ing)?|set sail|left(?! (off|on|at|in|behind|over|out|to|with|for))|took off|take ?off|airborne|wheels up|partie?|quitte|appareille|appareillage|decolle|decollage)\b/,
  },
  {
    code: 'DISCHARGED',
    key: /\b(discharg(ed|e|ing)?|unload(ed|ing)?|(?<!signed )off (the )?(rail|vessel|ship|barge|train)|de ?ramp(ed)?|landed from vessel|decharge(e|ment)?|debarque(e|ment)?)\b/,
  },
  {
    code: 'GATE_IN',
    key: /\b((received )?ready (to be loaded|to load|for loading|for carriage)|prete? (a etre chargee?|a charger|pour (le )?chargement))\b/,
  },
  {
    code: 'LOADED',
    key: /\b((re ?)?loaded|loading|load|on ?board(ed)?(?! (date|bill))|stowed on ?board|aboard|ramped|on (rail|barge|train)( for (export|import))?$|shipped on board(?! (date|bill))|uplifted|charge(e|ment)?( a bord)?|embarque(e|ment)?|mise? a bord)\b/,
  },

  {
    code: 'GATE_IN',
    key: /\b(gate ?in|gated in|in ?gated?|(?<=^full )in$|received( for export)?|(cargo|goods|freight|pieces) accepted|accepted by (the )?airline|export at ((barge|rail) )?(yard|cy|terminal|ramp)|entree? (((au|du|dans le) )?(terminal|port)|((du|de|d un) )?(conteneurs? )?pleine?)|(recue?|reception) (au|du|a) (terminal|port|quai)|remise? (du )?(plein )?(au|a) (terminal|port|quai))\b/,
  },
  {
    code: 'GATE_OUT',
    key: /\b(gate ?out|gated out|out ?gated?|(?<=^full )out$|(?<=^import (full )?)pick(ed)? up|(picked|pick) up (for delivery|by (the )?(merchant haulage|consignee|customer|carrier haulage))|container (was |has been )?picked up|withdrawn|(de|di)spatched( by truck)?|(sent (full|laden) )?to (the )?(consignee|customer|trucker|haulier)|sortie? (((du|de) )?(terminal|port)|((du|de|d un) )?(conteneurs? )?pleine?)|(retrait|retiree?) (par|((du|de|d un) )?(conteneurs? )?plein))\b/,
  },
  { code: 'GATE_IN', key: phrase(`(?:recue?|reception) (?:du|de l|de la|de) ${shippers}`) },
  { code: 'GATE_OUT', key: phrase(`conteneur (?:plein )?(?:a l|a la|au|chez le|vers le) ${consignees}`) },
  {
    code: 'PICKED_UP',
    key: /\b(picked up|pick ?up|(?<!freight )collect(ed|ion)|enlevee?|enlevement|ramass(ee?|age)|collectee?|prise? en charge)\b/,
  },
]
