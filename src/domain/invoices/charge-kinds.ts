import type { InvoiceRecordLine } from '../../contract/public/invoice.js'

/** What a line charges for, from the words that forwarders use in English and French. */

export type ChargeKind = 'origin' | 'main' | 'insurance' | 'delivery' | 'duty' | 'demurrage' | 'detention' | 'storage'

const kinds: Record<ChargeKind, RegExp> = {
  duty: /\b(?:import dut(?:y|ies)|customs dut(?:y|ies)|duties|droits de douane)\b/,
  demurrage: /\b(?:demurrage|surestaries?)\b/,
  detention: /\b(?:detention|détention)/,
  storage: /\b(?:storage|magasinage|stockage)\b/,
  insurance: /\b(?:insurance|assurance)\b/,
  delivery: /\b(?:delivery|last mile|on-carriage|livraison|post-acheminement)\b/,
  origin: /\b(?:pick-?up|collection|origin|export|pre-carriage)\b|enlèvement|\bpré-acheminement|\borigine\b/,
  main: /\b(?:freight|fret)\b/,
}

// The release of the goods and its papers are not their delivery.
const papers =
  /\b(?:delivery (?:order|note)s?|proofs? of delivery|ordres? de livraison|bons? de livraison|preuves? de livraison)\b/g

export function chargeKind(line: InvoiceRecordLine): ChargeKind | undefined {
  const words = wordsOf(line).replace(papers, ' ')
  return (Object.keys(kinds) as ChargeKind[]).find((kind) => kinds[kind].test(words))
}

// Words that belong to one mode only.
const modes: Record<'air' | 'ocean' | 'rail' | 'truck', RegExp> = {
  air: /\bair ?freight\b|\bair waybill\b|\bawb\b|\bfret aérien|\blta\b/,
  ocean: /\bocean\b|\bsea ?freight\b|\bbill of lading\b|\bbunker\b|\bbaf\b|\bfret maritime\b|\bconnaissement\b/,
  rail: /\brail ?freight\b|\bfret ferroviaire\b/,
  truck: /\broad ?freight\b|\bfull truck ?load\b|\bftl\b|\bltl\b/,
}

/** The freight mode that a charge belongs to; undefined if it may belong to any. */
export function chargeMode(line: InvoiceRecordLine): keyof typeof modes | undefined {
  const words = wordsOf(line)
  return (Object.keys(modes) as (keyof typeof modes)[]).find((mode) => modes[mode].test(words))
}

export type CountedBy = 'container' | 'teu' | 'kg' | 'wm' | 'day'

const counts: Record<CountedBy, RegExp> = {
  teu: /^(?:teus?|evp)$/,
  container: /^(?:containers?|ctrs?|cntrs?|conteneurs?|box(?:es)?|(?:20|40|45)(?:'|ft| ?foot).*)$/,
  kg: /^(?:kgs?|kilos?|kilograms?|kilogrammes?)(?: .*)?$/,
  wm: /^(?:w\/?m|revenue tons?|rt|cbm|m3|m³)$/,
  day: /^(?:days?|jours?)$|\b(?:container days?|jours-conteneurs?)\b/,
}

export function countedBy({ quantity }: InvoiceRecordLine): CountedBy | undefined {
  const unit = quantity?.unit?.trim().toLowerCase() ?? ''
  return (Object.keys(counts) as CountedBy[]).find((name) => counts[name].test(unit))
}

function wordsOf({ category = '', description = '' }: InvoiceRecordLine): string {
  return `${category} ${description}`.toLowerCase()
}
