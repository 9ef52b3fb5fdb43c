import type { EventCode } from '../../contract/public/event-codes.js'

/** The phrases that events come with, in English and French, normalised: lower case, no accents, no punctuation. */

/** `of`: said of laden containers unless stated otherwise. The first phrase that fits counts. */
type KeyPhrase = { code: EventCode; key: RegExp; of?: 'empty' | 'any' }

export const keyPhrases: KeyPhrase[] = [
  { code: 'VGM', key: /\b(vgm|verified gross mass)( (received|submitted|confirmed|recue?))?\b/ },

  // What goes wrong, before what it is about: "delivery failed" is not a delivery.
  {
    code: 'DELIVERY_FAILED',
    key: /\b(delivery (attempt )?(failed|refused|attempted)|failed (delivery|to deliver)( attempt)?|not delivered|undelivered|livraison (echouee|refusee|manquee)|echec de (la )?livraison)\b/,
  },
  {
    code: 'ROLLED',
    key: /\b(rolled( over)?( to (the )?next (vessel|voyage|sailing|departure))?|roll ?over|shut out|reporte (au|sur le) prochain (navire|depart))\b/,
  },
  { code: 'OFFLOADED', key: /\b(off ?loaded|bumped|debarque du vol)\b/ },
  {
    code: 'CUSTOMS_INSPECTION',
    key: /\b(customs? (inspection|exam(ination)?|scan|x ?ray)|(selected|held) (by customs )?for (customs )?(inspection|exam(ination)?|scan)|(inspection|visite|controle) (de la )?douan(e|iere?))\b/,
    of: 'any',
  },
  {
    code: 'CUSTOMS_HOLD',
    key: /\b(customs? hold|held (by|at|in) customs|(on )?hold by customs|stopped by customs|(retenue?|bloquee?) (en|par la|a la) douane|blocage (en |de la )?douane)\b/,
    of: 'any',
  },
  { code: 'CARRIER_HOLD', key: /\b((carrier|line|freight|terminal) hold|hold by (the )?(carrier|line))\b/, of: 'any' },
  { code: 'DELAYED', key: /\b(delay(ed)?|running late|retard(ee?)?|port congestion|waiting for (a )?berth)\b/ },

  {
    code: 'CARRIER_RELEASED',
    key: /\b((carrier|line|freight)( and customs)? releas(e|ed)|releas(e|ed) by (the )?(carrier|line))\b/,
  },
  {
    code: 'CUSTOMS_CLEARED_EXPORT',
    key: /\b(export (customs )?(clear(ed|ance)|release(d)?)|customs (cleared|clearance|released) (for |at )?(export|origin)|(cleared|released) for export|dedouane(ment)? (a l )?export)\b/,
  },
  {
    code: 'CUSTOMS_RELEASED',
    key: /\b(customs? (releas(e|ed)|cleared|clearance( (completed|complete|done))?)|(cleared|released) (by|through) customs|cleared customs|import (customs )?clear(ed|ance)|import releas(e|ed)|dedouanee?|dedouanement( import)?|mainlevee( de la)? douane)\b/,
  },

  // Empty containers, on either side of the journey.
  {
    code: 'EMPTY_IN',
    key: /\b(return(ed)?|gate ?in|gated in|in gate|received|discharged|redelivered|in (container yard|depot|cy|terminal)|back|rendue?|restituee?|restitution|retournee?|retour)\b/,
    of: 'empty',
  },
  {
    code: 'EMPTY_OUT',
    key: /\b(releas(e|ed)|gate ?out|gated out|out gate|dispatched|despatched|to (the )?shipper|pick ?(ed )?up|out for booking|positioned to shipper|delivered to shipper|mise? a disposition|retire|enlevement|enleve)\b/,
    of: 'empty',
  },
  {
    code: 'EMPTY_IN',
    key: /\b((container|equipment|unit|cntr|ctnr)s? (was |has been )?return(ed)?|returned? (to|of) (the )?(carrier|depot|container|equipment))\b/,
  },

  {
    code: 'APPOINTMENT',
    key: /\b((delivery |pick ?up )?(appointment|slot)( (set|made|booked|confirmed|scheduled))?|rendez vous( (de livraison|pris|confirme))*)\b/,
  },
  {
    code: 'OUT_FOR_DELIVERY',
    key: /\b(out for delivery|on (the )?(vehicle|truck) for delivery|en cours de livraison)\b/,
  },
  {
    code: 'AVAILABLE',
    key: /\b(available( for (pick ?up|delivery|collection|release))?|ready for (pick ?up|collection)|disponible( (au retrait|a l enlevement|pour (le )?retrait))?)\b/,
  },
  {
    code: 'DELIVERED',
    key: /\b(delivered|handed over to (the )?(consignee|customer|receiver)|proof of delivery( (received|signed))?|delivery( (completed|complete|confirmed|done))?|livree?|livraison( (effectuee|terminee|confirmee))?)\b(?! order)/,
  },
  { code: 'STRIPPED', key: /\b(stripped|stripping|unstuffed|de ?vanned|unpacked|depotee?|depotage)\b/ },
  { code: 'STUFFED', key: /\b(stuffed|stuffing|vanned|packed|empotee?|empotage)\b/ },

  // Vessels, trains, trucks and aircraft.
  { code: 'BERTHED', key: /\b(berth(ed|ing)?|alongside|moored|accostee?|accostage|a quai)\b/ },
  {
    code: 'ARRIVED',
    key: /\b(arriv(ed|al|es?|ing)|ata|eta|landed|landing|touch(ed)? ?down|arrivee?s?|atterri|atterrissage)\b/,
  },
  {
    code: 'DEPARTED',
    key: /\b(depart(ed|ure|s)?|atd|etd|sailed|sailing|set sail|left|took off|take ?off|airborne|partie?|appareille|appareillage|decolle|decollage)\b/,
  },
  {
    code: 'DISCHARGED',
    key: /\b(discharg(ed|e|ing)?|unload(ed|ing)?|deramped|landed from vessel|decharge(e|ment)?|debarque(e|ment)?)\b/,
  },
  { code: 'GATE_IN', key: /\bready to be loaded\b/ },
  {
    code: 'LOADED',
    key: /\b(loaded|loading|load|on ?board(ed)?|ramped|shipped on board|charge(e|ment)?( a bord)?|embarque(e|ment)?|mise? a bord)\b/,
  },

  {
    code: 'GATE_IN',
    key: /\b(gate ?in|gated in|in gated?|ingate|received|export at (barge )?(yard|cy|terminal)|delivered to (the )?terminal|entree? (au|du|dans le) (terminal|port)|recue? (au|du) (terminal|port))\b/,
  },
  {
    code: 'GATE_OUT',
    key: /\b(gate ?out|gated out|out gated?|outgate|(picked|pick) up (for delivery|by (the )?(merchant haulage|consignee|customer|carrier haulage))|container (was |has been )?picked up|withdrawn|(de|di)spatched( by truck)?|to (the )?(consignee|customer)|sortie? (du|de) (terminal|port))\b/,
  },
  {
    code: 'PICKED_UP',
    key: /\b(picked up|pick ?up|collected|collection|enlevee?|enlevement|ramasse(e|age)?|collectee?|prise? en charge)\b/,
  },
]

const contextWords = new Set(
  `vessel vessels feeder feeders barge mother ship truck trucker rail train flight aircraft plane air ocean voyage v
  container containers ctnr cntr unit units equipment cargo goods shipment freight full laden fcl lcl empty mty fixed slot
  port ports terminal pier quay yard cy cfs depot ramp hub airport station warehouse dock off door pol pod ts
  transshipment transhipment transsihipment transship transit loading discharging destination origin inland intermediate
  final first last next connecting second export import inbound outbound in out at from to on of the by via a an and or
  with no was is were has have been its s own other liner line charter joint venture merchant haulage carrier consignee
  customer shipper board bound port shuttle delivery actual container time date point ob ib
  navire du de des le la les l d au aux en sur par pour vers a quai conteneur plein pleine camion avion vol
  destination origine transbordement terminal bord client destinataire expediteur marchandise marchandises barge vide vides onto signed booked arranged slot driver revised updated new`.split(
    /\s+/,
  ),
)

// Words that may only stand before the key phrase, or only after it: "awaiting discharge" is not a discharge.
const onlyWords = {
  before: new Set(
    'estimated expected planned scheduled estimee estime prevue prevu heure date damaged goods were ready arrival departure delivery'.split(
      ' ',
    ),
  ),
  after: new Set(
    'awaiting waiting for transshipping gate available completed complete done ready estimee prevue estimated expected planned joint'.split(
      ' ',
    ),
  ),
}

// After one of these stands a name, such as that of a port.
const prepositions = new Set([
  'at',
  'in',
  'from',
  'to',
  'on',
  'via',
  'by',
  'de',
  'du',
  'au',
  'a',
  'depuis',
  'vers',
  'en',
  'off',
  'onto',
  'signed',
])
const maxWordsOfAName = 4

// Words of sentences that say something else, which are no names.
const noNames =
  /^(be|been|not|non|no|ne|pas|notices?|notifi.*|advi[cs].*|avis|sent|envoy.*|documents?|invoices?|factures?|bills?|reports?|bookings?|request.*|demand.*|confirm.*|schedul.*|updat.*|chang.*|modif.*|revis.*|pending|attente|await.*|wait.*|hold.*|held|custom.*|douan.*|inspect.*|exam.*|risk|risque|time|progress|cours|process.*|instruct.*|pay.*|charges?|storage|before|after|until|avant|apres|sans|without|fail.*|refus.*|reject.*|rejet.*|cancel.*|annul.*|delay.*|retard.*|expect.*|estim.*|prevu.*|plan.*|intend.*|possible|soon|bientot|hours?|days?|heures?|jours?|late|early|if|when|si|quand|should|will|would|may|might|can|could|tomorrow|demain|list|order|ordre|permit|plan)$/

/** Whether all words around a key phrase say where, on what or for whom. */
export function isPhraseContext(words: string, side: 'before' | 'after'): boolean {
  let mayName = 0
  for (const word of words.split(' ')) {
    if (word === '') continue
    if (contextWords.has(word) || onlyWords[side].has(word)) {
      if (prepositions.has(word)) mayName = maxWordsOfAName
      continue
    }
    if (mayName === 0 || noNames.test(word)) return false
    mayName -= 1
  }
  return true
}
