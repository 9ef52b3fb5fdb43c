import type { DocumentType } from '../../contract/public/document.js'

/** The words by which documents say what they are, in English, French and Spanish. */

type Rule = {
  type: DocumentType
  /** In names and in texts. */
  words: RegExp
  /** In names only: in a text they may be anything. */
  short?: RegExp
  /** The words do not say whose it is: this, if the number on it is that of the forwarder's bill. */
  house?: DocumentType
}

// The first that matches a name gives its type, so the narrower ones come first.
const rules: Rule[] = [
  { type: 'power_of_attorney_eur1', words: /power of attorney.{0,40}eur ?1|procuration.{0,40}eur ?1/i },
  { type: 'power_of_attorney_customs_declaration', words: /power of attorney|procuration|poder notarial/i },
  { type: 'packing_list', words: /packing ?list|liste de colisage|lista de empaque/i, short: /\bPL\b/i },
  {
    type: 'master_bill_of_lading',
    words: /master (?:bill|b ?\/? ?l\b)|ocean bill of lading/i,
    short: /\b(?:MBL|OBL)\b/i,
  },
  { type: 'house_bill_of_lading', words: /house (?:bill|b ?\/? ?l\b)/i, short: /\bHBL\b/i },
  { type: 'master_airway_bill', words: /master air ?way ?bill/i, short: /\bMAWB\b/i },
  { type: 'house_airway_bill', words: /house air ?way ?bill/i, short: /\bHAWB\b/i },
  { type: 'cmr', words: /\bCMR\b|consignment note|lettre de voiture|carta de porte/i },
  {
    type: 'proof_of_delivery',
    words: /proof of delivery|preuve de livraison|bon de livraison|prueba de entrega/i,
    short: /\bPOD\b/i,
  },
  {
    type: 'dangerous_goods_declaration',
    words: /dangerous goods|marchandises dangereuses|mercanc[ií]as peligrosas/i,
    short: /\bDGD\b/i,
  },
  {
    type: 'material_safety_data_sheet',
    words: /safety data sheet|fiche de donn[ée]es de s[ée]curit[ée]|ficha de datos de seguridad/i,
    short: /\bM?SDS\b/i,
  },
  { type: 'lithium_certificate', words: /lithium (?:cell|batter|ion|metal|certificate)|UN ?38 ?[.,]? ?3/i },
  { type: 'eur1', words: /\bEUR ?\.? ?1\b|movement certificate|certificat de circulation/i },
  { type: 'entry_summary', words: /entry summary|d[ée]claration sommaire d.entr[ée]e/i, short: /\bENS\b/i },
  { type: 't1', words: /transit accompanying document|document d.accompagnement transit/i, short: /\bT1\b/i },
  {
    type: 'exa',
    words: /export (?:accompanying|declaration)|d[ée]claration d.exportation/i,
    short: /\b(?:EXA|EAD)\b/i,
  },
  { type: 'ima', words: /import declaration|d[ée]claration d.importation/i, short: /\bIMA\b/i },
  { type: 'cargo_screening', words: /security (?:declaration|screening)|cargo screening/i, short: /\bCSD\b/i },
  { type: 'cargo_manifest', words: /cargo manifest|manifeste/i, short: /\bmanifest\b/i },
  { type: 'carta_de_plastico', words: /carta de pl[aá]stico/i },
  { type: 'levante', words: /\blevante\b/i },
  { type: 'ddi', words: /\bDDI\b/ },
  { type: 'dde', words: /\bDDE\b/ },
  { type: 'pickup_form', words: /pick ?up (?:form|order|request)|ordre d.enl[eè]vement/i },
  { type: 'commercial_invoice', words: /commercial invoice|facture commerciale|factura comercial/i, short: /\bCI\b/i },
  {
    type: 'master_bill_of_lading',
    house: 'house_bill_of_lading',
    words: /bill of lading|connaissement|conocimiento de embarque/i,
    short: /\bB ?\/? ?L\b/i,
  },
  {
    type: 'master_airway_bill',
    house: 'house_airway_bill',
    words: /air ?way ?bill|lettre de transport a[ée]rien/i,
    short: /\bAWB\b/i,
  },
  { type: 'commercial_invoice', words: /\b(?:invoice|facture|factura)\b/i },
]

export type NamedType = { type: DocumentType; words: string; house?: DocumentType | undefined }

/** The type that a file name gives. */
export function typeInName(name: string): NamedType | undefined {
  const spaced = name.replace(/\.[^.]*$/, '').replaceAll(/[\s_.+-]+/g, ' ')
  for (const { type, words, short, house } of rules) {
    const found = words.exec(spaced) ?? short?.exec(spaced)
    if (found) return { type, words: found[0], house }
  }
  return undefined
}

// A title is at the beginning. What follows refers to other documents.
const longestTitle = 1500

/** The type that the beginning of a text gives: the one that is named first. */
export function typeInText(text: string): NamedType | undefined {
  const title = text.slice(0, longestTitle).replaceAll(/\s+/g, ' ')
  let first: (NamedType & { at: number }) | undefined
  for (const { type, words, house } of rules) {
    const found = words.exec(title)
    if (found && (!first || found.index < first.at)) first = { type, words: found[0], house, at: found.index }
  }
  return first
}
