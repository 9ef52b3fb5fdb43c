import type { EventCode } from '../../contract/public/event-codes.js'
import type { StepType } from '../../contract/public/tracking.js'
import { isPhraseContext, keyPhrases } from './phrase-list.js'

/**
 * The code of an event that came as text. A phrase has to be recognised as a whole: it is one of the key phrases with words
 * around it that say where, on what or for whom. Any other word makes it OTHER, since "arrival notice sent" is not an
 * arrival.
 */
export function codeOfText(text: string, step?: StepType): EventCode {
  const phrase = normalized(text)
  const load = /\b(empty|empties|mty|vides?)\b/.test(phrase) ? 'empty' : 'laden'
  for (const { code, key, of } of keyPhrases) {
    if (of !== 'any' && (of ?? 'laden') !== load) continue
    const found = key.exec(phrase)
    if (!found) continue
    const before = phrase.slice(0, found.index)
    const after = phrase.slice(found.index + found[0].length)
    if (isPhraseContext(before, 'before') && isPhraseContext(after, 'after')) return atStep(code, step)
  }
  return 'OTHER'
}

/** Whether the text itself speaks of the future. */
export function isExpectation(text: string): boolean {
  return /\b(estimated|expected|planned|scheduled|intended|booked|arranged|revised|eta|etd|estimee?|prevue?)\b/.test(
    normalized(text),
  )
}

const leavingTheShipper = new Set<EventCode>(['GATE_OUT', 'LOADED', 'DEPARTED'])

// The same words mean different things at the ends of a journey: who picks a container up at a port leaves it.
function atStep(code: EventCode, step: StepType | undefined): EventCode {
  if (step === 'pickup' && leavingTheShipper.has(code)) return 'PICKED_UP'
  const isLate = step === 'destination_port' || step === 'inland_terminal' || step === 'delivery'
  if (code === 'PICKED_UP' && isLate) return 'GATE_OUT'
  if (code === 'CUSTOMS_RELEASED' && (step === 'pickup' || step === 'origin_port')) return 'CUSTOMS_CLEARED_EXPORT'
  return code
}

/**
 * In lower case, without accents and punctuation. Names are left out: text in quotes or braces, and, unless all of the text
 * is in capitals, words in capitals that are not abbreviations of the trade.
 */
function normalized(text: string): string {
  let plain = text.slice(0, maxLength).replace(/(^|[\s(])(?:'[^']*'|"[^"]*"|\{[^}]*\})(?=$|[\s,.;:)])/g, '$1')
  if (/[a-z]/.test(plain))
    plain = plain.replace(/\b[A-Z][A-Z0-9]{2,}\b/g, (word) => (abbreviations.has(word) ? word : ' '))
  return plain
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/\bt\/s\b/g, 'ts')
    .replace(/[^a-z0-9]+/g, ' ')
    .replace(/\b(full|laden) or empty\b/g, 'laden')
    .replace(/\bpeir\b/g, 'pier')
    .replace(placeNames, 'port')
    .trim()
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
  'ETD',
  'ATA',
  'ATD',
  'MTY',
  'ULD',
  'AWB',
])

// "Port of loading" says where, not what.
const placeNames = new RegExp(
  [
    '\\b(?:port|place|point|airport) of (?:loading|load|discharg(?:e|ing)|destination|origin|arrival|departure|delivery|receipt|entry)\\b',
    '\\b(?:port|lieu|aeroport) (?:de |d )(?:chargement|dechargement|destination|origine|arrivee|depart|livraison|transbordement)\\b',
    '\\b(?:loading|discharge|discharging|departure|arrival|destination|origin|delivery) (?:port|terminal|airport|station|ramp)\\b',
  ].join('|'),
  'g',
)
