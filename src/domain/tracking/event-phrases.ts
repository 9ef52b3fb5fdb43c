import type { EventCode } from '../../contract/public/event-codes.js'
import type { ShipmentRecord } from '../../contract/public/shipment.js'
import type { StepType } from '../../contract/public/tracking.js'
import { authorityNames } from './authority.js'
import { isNoName, isPhraseContext, isVocabulary, nameMark, smallWords } from './phrase-context.js'
import { keyPhrases } from './phrase-list.js'

type Mode = ShipmentRecord['freight_mode']

/**
 * The code of an event that came as text. A phrase has to be recognised as a whole: it is one of the key phrases with words
 * around it that say where, on what or for whom. Any other word makes it OTHER, since "arrival notice sent" is not an
 * arrival. At a port, what moves by land is no part of a journey by sea or air.
 */
export function codeOfText(text: string, step?: StepType, mode?: Mode): EventCode {
  // A question says nothing, and what happened to some of them has not happened to the others.
  if (text.includes('?') || question.test(text) || isOfSome(text)) return 'OTHER'
  const phrase = normalized(text)
  if (atAnotherPort.test(phrase) || isLabel(phrase)) return 'OTHER'
  const code = codeOfPhrase(phrase, smallWords(text), step)
  if (step === undefined) return code
  const placed = atStep(code, step)
  return isOffMainLeg({ code: placed, isInland: ports.has(step) && isByLand(text, placed) }, mode) ? 'OTHER' : placed
}

function codeOfPhrase(phrase: string, small: Set<string>, step: StepType | undefined): EventCode {
  const load = /\b(empty|empties|mty|vides?)\b/.test(phrase) ? 'empty' : 'laden'
  for (const { code, key, of, at } of keyPhrases) {
    if ((of !== 'any' && (of ?? 'laden') !== load) || (at !== undefined && at !== step)) continue
    const found = key.exec(phrase)
    if (!found) continue
    if (code === 'OTHER') return code
    const before = phrase.slice(0, found.index)
    const after = phrase.slice(found.index + found[0].length)
    // A vessel has a name in capitals; what is received under one is a document.
    if (found[0].startsWith('received') && before.includes(nameMark)) return 'OTHER'
    const place = isBeforeName(found[0], before) ? `at${after}` : after
    if (isPhraseContext(before, 'before', small) && isPhraseContext(place, 'after', small)) return code
  }
  return 'OTHER'
}

// "Has the vessel arrived".
const question = /^\s*(?:ha[sd]|have|did|does|is|was|were|will|can) (?:the|this|your|our|my) /i

/** "1 of 2 containers", "8/10 colis", "0 pcs". */
function isOfSome(text: string): boolean {
  if (none.test(text)) return true
  const [, some, all] = share.exec(text) ?? shareOfUnits.exec(text) ?? []
  return Number(some) < Number(all)
}
const units = '(?:containers?|units?|pallets?|pieces?|pcs|packages?|cartons?|boxes|conteneurs?|palettes?|colis|ulds?)'
const share = new RegExp(`\\b(\\d{1,6}) (?:${units} )?(?:out of|of|sur) (?:the )?(\\d{1,6})\\b`, 'i')
const none = new RegExp(`(?<![\\d.,])0 ${units}\\b`, 'i')
const shareOfUnits = new RegExp(`\\b(\\d{1,6}) ?/ ?(\\d{1,6}) ${units}\\b`, 'i')

/** "Arrived Rotterdam", but not "arrival formalities"; a vessel that left may have left a port, other things are left undone. */
function isBeforeName(key: string, before: string): boolean {
  if (/^(left|quitte)$/.test(key)) return byWater.test(before) || before.includes(nameMark)
  return /^(arrived|arrives?|departed|departs|sailed|eta|etd|ata|atd)$/.test(key)
}

// The heading of a date or place, which is not the event, unless it says whether that is expected or has happened.
function isLabel(phrase: string): boolean {
  return label.test(phrase) && !isExpected(phrase) && !/\b(actual|ata|atd|reelle?|effective?)\b/.test(phrase)
}
const label =
  /\b((arrival|departure|delivery|loading|load|discharg(e|ing)|unloading|pick ?up|collection|berthing|sailing) (date|day|time|window|point|place)s?|(date|day|time|heure|jour) (of|de|d) (arrival|departure|delivery|loading|discharge|unloading|pick ?up|sailing|arrivee|depart|livraison|chargement|dechargement|enlevement))\b/

// Of the vessel's schedule, not of the place that the event is at.
const atAnotherPort = /\b((next|last|previous|prior) port|(prochain|dernier) port|port (suivant|precedent))\b/

/** Whether the text itself speaks of the future. */
export function isExpectation(text: string): boolean {
  return isExpected(normalized(text))
}

function isExpected(phrase: string): boolean {
  return /\b(estimated|expected|planned|scheduled|arrives|departs|intended|booked|arranged|revised|updated|(?:new|schedule) (?:eta|etd|arrival|departure|delivery|vessel)|predicted|forecast|projected|anticipated|tentative|provisional|eta|etd|ets|etb|estimee?|prevue?|planifiee?|attendue?|prevision|previsionnelle?)\b/.test(
    phrase,
  )
}

// Of several means of transport, what is named first moves: "discharged from vessel to rail".
const means =
  /\b(?:(rail(?:way|road|car)?s?|trains?|truck(?:s|er|ing)?|lorry|trailer|road|highway|driver|dray(?:age)?|hauli?er|wagons?|barges?|(?:de)?ramped|camions?|camionneur|remorque|ferroviaire|ferree?|peniches?|fluviale?|chauffeur|routiere?|par (?:la )?(?:route|voie d eau|fer)|inland water(?:way)?)|vessels?|ships?|feeders?|mother|flight|aircraft|plane|navires?|bateaux?|vol|avion)\b/
const byWater = /\b(vessel|ship|feeder|mv|navire|bateau)\b/

// What is discharged onto a train comes off a vessel.
const onto = /\b(?:on ?to|to|into|sur|vers) (?:(?:an?|the|une?|l[ae]?) )?\w+/g

/** Whether the text says that it moves by rail, road or inland water. */
export function isByLand(text: string, code?: EventCode): boolean {
  const phrase = normalized(text)
  return means.exec(code === 'DISCHARGED' ? phrase.replaceAll(onto, '') : phrase)?.[1] !== undefined
}

/** Whether a means of transport is one by land. In one word, `Route` is a road. */
export function isLandMode(mode: string | undefined): boolean {
  return mode !== undefined && isByLand(`par ${mode}`)
}

/** By sea or air, if the name of a means of transport says so. */
export function mainModeOf(mode: string): 'vessel' | 'flight' | undefined {
  if (isLandMode(mode)) return undefined
  const words = normalized(mode.toLowerCase())
  if (/\b(flight|air|aircraft|plane|vol|avion|aerien)\b/.test(words)) return 'flight'
  return /\b(vessel|ship|feeder|sea|ocean|navire|bateau|mer|maritime)\b/.test(words) ? 'vessel' : undefined
}

const ports = new Set<StepType>(['origin_port', 'transshipment_port', 'destination_port'])
const mainMoves = new Set<EventCode>(['LOADED', 'DISCHARGED', 'DEPARTED', 'ARRIVED', 'BERTHED'])

/** What moves by land near a port does not leave or reach it on the main leg, unless that is by rail or road. */
export function isOffMainLeg({ code, isInland }: { code: EventCode; isInland: boolean }, mode: Mode): boolean {
  return isInland && mainMoves.has(code) && mode !== 'rail' && mode !== 'truck'
}

const leavingTheShipper = new Set<EventCode>(['GATE_OUT', 'LOADED', 'DEPARTED'])

// The same words mean different things at the ends of a journey: who picks a container up at a port leaves it.
function atStep(code: EventCode, step: StepType): EventCode {
  if (step === 'pickup' && leavingTheShipper.has(code)) return 'PICKED_UP'
  // At a door only the truck arrives, and leaves again.
  if (step === 'pickup' && mainMoves.has(code)) return 'OTHER'
  if (step === 'delivery' && code === 'DEPARTED') return 'OTHER'
  const isLate = step === 'destination_port' || step === 'inland_terminal' || step === 'delivery'
  // What is delivered to the port of origin is not delivered yet.
  if (code === 'DELIVERED' && step === 'origin_port') return 'GATE_IN'
  if (code === 'PICKED_UP' && isLate) return 'GATE_OUT'
  if (code === 'CUSTOMS_RELEASED' && (step === 'pickup' || step === 'origin_port')) return 'CUSTOMS_CLEARED_EXPORT'
  return code
}

/**
 * In lower case, without accents and punctuation. Names are left out: text in quotes or braces, and, unless all of the text
 * is in capitals, words in capitals that are not abbreviations of the trade, for which a mark stands.
 */
function normalized(text: string): string {
  let plain = text
    .slice(0, maxLength)
    .replace(airStatus, (_, code: string, rest = '') =>
      rest === '' ? (airStatuses[code.toLowerCase()] ?? code) : rest,
    )
    .replace(/(^|[\s(])(?:'[^']*'|"[^"]*"|\{[^}]*\})(?=$|[\s,.;:)])/g, '$1')
    .replace(vesselAndVoyage, ' ')
  if (/[a-z]/.test(plain))
    plain = plain.replace(/\b[A-Z][A-Z0-9]{2,}\b/g, (word) =>
      abbreviations.has(word) || isVocabulary(word.toLowerCase()) ? word : nameMark,
    )
  return plain
    .replace(namedVessel, (all, name: string) => (isUnknownName(name) ? all.replace(name, `${nameMark} `) : all))
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/\b(t|o|i)\/(s|b)\b/g, '$1$2')
    .replace(frenchPlurals, '$1')
    .replace(
      /\b(est|exp|sched|pred)(\.|(?= (?:arrival|departure|time|vessel|delivery|discharge|berthing|loading)\b))/g,
      (_, word: string) => ` ${inFull[word] ?? word} `,
    )
    .replace(
      /\((est|exp|pln|sched)\.?\)|\b(?<!\d:\d\d )(est|exp|pln|sched)(?:\.?\s*$|\.? (?=\d{1,4}[-/.]))/g,
      ' estimated ',
    )
    .replace(/%/g, ' percent ')
    .replace(/[^a-z0-9]+/g, ' ')
    .replace(/\b(expected|estimated|scheduled|planned) to( be)?\b/g, '$1')
    .replace(dates, ' ')
    .replace(/\b(?:(et[ad]) (?:modifiee?|actualisee?|revisee?|mise? a jour)|nouvel(?:le)? (et[ad]))\b/g, 'revised $1$2')
    .replace(/\b(et[ad]) (?:was |has been |is )?(?:changed|amended|updated|revised)(?: to\b)?/g, 'revised $1')
    .replace(/\bet[ad] (?:is |was |has been )?delayed\b|\bdelayed et[ad]\b/g, 'delayed')
    .replace(
      /\b(delivered|delivery) (?:to|at) (?:the )?(?:final )?(?:place|point) of (?:delivery|destination)\b/g,
      '$1',
    )
    .replace(
      /\b(?:(?:pick ?up|collection|loading) (?:location|address|point|place|site|stop)|(?:place|point) of (?:loading|pick ?up|collection|stuffing))\b/g,
      'shipper',
    )
    .replace(/\b(?:delivery|unloading) (?:location|address|site|stop)\b/g, 'consignee')
    .replace(
      /\b(?:lieu|adresse|point|site) (?:de |d )(?:l )?(?:enlevement|ramassage|collecte|chargement|empotage)\b/g,
      'chargeur',
    )
    .replace(/\b(?:adresse|site) de (?:la )?livraison\b/g, 'destinataire')
    .replace(/\b(full|laden) or empty\b/g, 'laden')
    .replace(/ (?:or|ou) (?:its |his |the |son )?(?:agents?|representatives?|representant|mandataire)\b/g, '')
    .replace(/\bpeir\b/g, 'pier')
    .replace(/\bno fixed slot\b/g, 'fixed slot')
    .replace(placeNames, 'port')
    .trim()
}

// "VESSEL DEPARTURE (MAERSK HANGZHOU / 244W)", but not "(EST 12 / 05)".
const vesselAndVoyage =
  /\((?!\s*(?:est|exp|pln|sched|et[adb]|plan|prevu))[^()]*[a-z][^()]* \/ ?[a-z]*\d[a-z0-9]*\s*\)/gi

// "Marchandises livrées". Words that are English as well, such as `charges`, are left as they are.
const frenchPlurals =
  /\b((?:livr|charg|decharg|embarqu|debarqu|dedouan|arriv|empot|depot|enlev|retir|restitu|liber|bloqu|retard|ramass|receptionn)ee|(?:livr|embarqu|debarqu|dedouan|empot|enlev|ramass|receptionn)e)s\b/g

// "Departed 14 May", "changed to May 14", of which "may" is no word of doubt; a date after "by" is a limit.
const months =
  '(?:jan(?:uary|vier)?|fe[bv](?:ruary|rier)?|mar(?:ch|s)?|a[pv]r(?:il)?|ma[iy]|june?|juin|july?|juillet|aug(?:ust)?|aout|sep(?:t|tember|tembre)?|oct(?:ober|obre)?|nov(?:ember|embre)?|dec(?:ember|embre)?)'
const dates = new RegExp(
  `(?<!\\b(?:by|before|until|avant(?: le)?) )\\b\\d{1,2}(?:st|nd|rd|th)? ${months}(?: \\d{4})?$|(?<=\\b(?:to|on|le|left|parti|arrive|livre|\\w+ed) )(?:\\d{1,2}(?:st|nd|rd|th)? ${months}|${months} \\d{1,2}(?:st|nd|rd|th)?)(?: \\d{4})?\\b`,
  'g',
)

// Airlines put their code before its words: "RCS - Received from shipper", or nothing but that.
const airStatuses: Record<string, string> = {
  rcs: 'received from shipper',
  dep: 'departed',
  arr: 'arrived',
  rcf: 'received from flight',
  dlv: 'delivered',
}
const airStatus = /^\s*\(?(rcs|foh|dep|arr|rcf|ccd|dlv|ddl)\)?\s*(?:[-:–]\s*(.*))?$/i

// "Ever Given departed": in a sentence, only names are written like that.
const namedVessel =
  /^\s*((?:\p{Lu}\p{Ll}+ ){2,4})(?=(?:has |a |est )?(?:departed|arrived|sailed|left|berthed|parti|arrivé|quitté)(?!\p{L}))/u

function isUnknownName(name: string): boolean {
  const words = name.trim().toLowerCase().split(' ')
  return words.every((word) => !isNoName(word)) && !words.every((word) => isVocabulary(word))
}

// Longer texts are remarks, not phrases.
const maxLength = 200
const abbreviations = new Set([
  'POD',
  'POL',
  'FCL',
  'LCL',
  'VGM',
  'CFS',
  'ETA',
  'ETB',
  'ETD',
  'ETS',
  'EXP',
  'PLN',
  'SCHED',
  'ATA',
  'ATD',
  'MTY',
  'ULD',
  'AWB',
  'BAE',
  // Documents and messages: what happens to them does not happen to goods.
  'AMS',
  'BAPLIE',
  'BOL',
  'COPARN',
  'EDI',
  'EMAIL',
  'ENS',
  'HBL',
  'ISF',
  'MBL',
  'PDF',
  ...authorityNames,
])
const inFull: Record<string, string> = { est: 'estimated', exp: 'expected', sched: 'scheduled', pred: 'predicted' }

// "Port of loading" says where, not what.
const placeNames = new RegExp(
  [
    '\\b(?:port|place|point|airport) of (?:loading|load|discharg(?:e|ing)|unloading|destination|origin|arrival|departure|delivery|receipt|entry)\\b',
    '\\b(?:port|lieu|aeroport) (?:de |d )(?:chargement|dechargement|embarquement|debarquement|destination|origine|arrivee|depart|livraison|transbordement)\\b',
    '\\b(?:load|loading|discharge|discharging|departure|arrival|destination|origin|delivery) (?:port|terminal|airport|station|ramp)\\b(?! of\\b)',
  ].join('|'),
  'g',
)
