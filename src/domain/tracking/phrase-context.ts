import { keyPhrases } from './phrase-list.js'

/** The words that may stand around a key phrase, in English and French, normalised: they say where, on what or for whom. */

const contextWords = new Set(
  `mv vsl vessel vessels feeder feeders barge mother ship truck trucker rail train flight aircraft plane air ocean voyage v
  container containers ctnr cntr unit units equipment cargo goods shipment freight full laden fcl lcl empty mty fixed slot
  port ports terminal pier quay yard cy cfs depot ramp hub airport station warehouse dock off door pol pod ts
  transshipment transhipment transsihipment transship tship transit loading discharging destination origin inland intermediate
  final first last next connecting second export import inbound outbound in out at from to on of the by via a an and or main location
  with was is were has have been its s own other liner line charter joint venture merchant haulage carrier consignee
  customer shipper board onboard bound port shuttle delivery actual container time date point ob ib
  navire du de des le la les l d au aux en sur par pour vers a quai conteneur plein pleine camion avion vol
  destination origine transbordement terminal bord client destinataire expediteur marchandise marchandises barge vide vides onto into signed booked arranged slot driver aboard est ete sont ont
  uld pallet pallets piece pieces pcs carton cartons package packages consignment palette palettes colis envoi lot
  wagon railcar trailer lorry peniche chauffeur supplier factory exporter importer receiver door acheteur receptionnaire importateur
  transporteur chargeur fournisseur armateur compagnie chez dans un une country consolidator pays groupeur premises`.split(
    /\s+/,
  ),
)

// Words that may only stand before the key phrase, or only after it: "awaiting discharge" is not a discharge.
const onlyWords = {
  before: new Set(
    'revised updated new estimated expected planned scheduled predicted forecast projected anticipated tentative provisional estimee estime prevue prevu prevision heure date sailing discharge damaged goods were schedule ready arrival departure delivery arrivee depart livraison'.split(
      ' ',
    ),
  ),
  after: new Set(
    'awaiting waiting for stuffing transshipping gate available completed complete done finished successfully ok effectue effectuee obtenu obtenue termine terminee realise realisee acheve achevee ready estimee estime prevue prevu planifiee planifie attendue attendu effectif effective reel reelle estimated expected planned forecast ata atd ets etb joint transfer'.split(
      ' ',
    ),
  ),
}

// After one of these stands a name, such as that of a port or a vessel.
const prepositions = new Set(
  'at in from to on via by de du au a depuis vers en off onto par chez sur dans signed vessel mv feeder navire'.split(
    ' ',
  ),
)
// As many as in "Los Angeles, CA, United States".
const maxWordsOfAName = 5

// Words of sentences that say something else, which are no names, and stems of such words.
const noNames = new Set(
  `be been not non no nor ne pas never only nothing false void if when si quand or but however still yet about under vs
  should will would may might can could unable due tbc tba tbd until before after without avant apres sans
  percent time progress cours ongoing underway started commenced resumed soon late early bientot tomorrow demain
  hour hours day days week weeks heure heures jour jours semaine semaines
  sent notice notices avis document documents invoice invoices facture factures bill bills report reports reported
  booking bookings list order orders ordre permit pay paid payment payments charge charges storage
  change changed changes changing plan plans planned planning pending attente wait waiting hold holds holding held
  skip skipped missed missing stop stopped stoppage halt halted blocked congestion strike greve weather meteo storm
  agent agents crew master captain operator schedules
  risk risque doubt question possible impossible error erreur previous roads mouillage target breakdown repair repairs
  pilot pilote buoy bouee area zone site limits fairway roadstead rade canal strait lock border frontier frontiere checkpoint
  surveyor tug tugs team driver broker courier bank forwarder transitaire courtier sample samples
  arrived departed sailed loaded discharged unloaded delivered berthed berth rolled
  later tonight once per subject provided except excluding minus nil none idle standby test drill essai faux sous partly partie remaining remainder`.split(
    /\s+/,
  ),
)
const stemsOfNoNames =
  /^(notifi|advi[cs]|envoy|request|demand|confirm|schedul|updat|modif|revis|amend|await|custom|douan|inspect|exam|process|instruct|fail|refus|reject|rejet|cancel|annul|postpon|suspend|divert|omit|omission|approach|near|anchor|delay|retard|expect|estim|forecast|predict|tentativ|provision|prelimin|prevu|intend|propos|wrong|mistake|uncertain|shift|unconfirm|unknown|unlikely|interrupt|prevent|imped|abort|denied|declin|disput|damag|differ|decal|repouss|avance|manqu|tardi|bunker|revers|retract|withdr|delet|invalid|rescind|revok|correct|corrig|erron|incorrect|simul|hypothe|theori|conditional|conditionn|assum|likel|probab|perhap|maybe|presum|suppos|partial|partiel|incomplet|imminen|shortly|overdue|duplic|supersed|obsolet|replac|rempla|ignor|disregard|supprim|rectif|fictif|prochain|ulterieur|eventuel|unverif|unoffic|prepar|formalit|manifest|declar|messag|planif|programm|organis)/

/** Whether it is a word of sentences that say something else. */
export function isNoName(word: string): boolean {
  return noNames.has(word) || stemsOfNoNames.test(word) || /^\d+(h|hrs?|d|percent)$/.test(word)
}

/** Stands for a name in capitals. */
export const nameMark = 'zzname'

/** Whether a word in capitals is one that texts are made of, and no name: `NOT`, `DEPARTED`. */
export function isVocabulary(word: string): boolean {
  return isNoName(word) || contextWords.has(word) || keyPhrases.some(({ key }) => key.test(word))
}

// Voyages behind the name of a vessel, such as `023W`, `0842 192S` and `MM014A`, and dates.
const isNumber = /^(\d{2,4}[nsew][a-z]?|[a-z]{1,5}\d{2,6}[a-z]?|\d{2,}|[1-9])$/

// Parts of names that are written small: "Ras al-Khair".
const particles = new Set('al el ad as ash da do dos das del della di van von der den ter upon'.split(' '))
const small = /(?<![\p{L}\p{N}'’])\p{Ll}[\p{L}\p{N}]*/gu

// What follows is a place, even where a name is written small: "Arrived at rotterdam".
const beforePlaces = /(?:^|\s)(?:at|from|port of|à|au|de|du)\s+$/iu

/** The words that a text has in small letters, if it begins with a capital: they are no names. */
export function smallWords(text: string): Set<string> {
  if (!/^[^\p{L}]*\p{Lu}/u.test(text)) return new Set()
  const words = Array.from(text.matchAll(small))
    .filter(({ index }) => !beforePlaces.test(text.slice(0, index)))
    .map(([word]) => word.normalize('NFKD').replace(/\p{Mark}/gu, ''))
  return new Set(words.filter((word) => !particles.has(word)))
}

/** Whether all words around a key phrase say where, on what or for whom. `others`: other words that are no names. */
export function isPhraseContext(words: string, side: 'before' | 'after', others: Set<string>): boolean {
  // "To depart" has not happened, and who is "at pick-up" has not picked up; nor is what happens "à l'arrivée" the arrival.
  if (side === 'before' && /\b((to|at|for|on|upon|sur|des|lors|pour) (l[ae]? )?|a la? )$/.test(words)) return false
  let mayName = 0
  for (const word of words.split(' ')) {
    if (word === '' || word === nameMark || isNumber.test(word)) continue
    if (contextWords.has(word) || onlyWords[side].has(word)) {
      if (prepositions.has(word)) mayName = maxWordsOfAName
      continue
    }
    if (mayName === 0 || isNoName(word) || others.has(word)) return false
    mayName -= 1
  }
  return true
}
