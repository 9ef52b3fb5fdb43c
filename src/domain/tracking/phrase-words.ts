import type { EventCode } from '../../contract/public/event-codes.js'
import type { StepType } from '../../contract/public/tracking.js'
import { authorityNames } from './authority.js'

/**
 * A phrase that events come with, normalised: lower case, no accents, no punctuation. `of`: about laden containers unless stated
 * otherwise; `at`: only at that step. One that is OTHER counts whatever stands around it.
 */
export type KeyPhrase = { code: EventCode; key: RegExp; of?: 'empty' | 'any'; at?: StepType }

/** A key phrase with the words of the lists. */
export function phrase(source: string): RegExp {
  return new RegExp(`\\b(?:${source})\\b`)
}

/** The words of which phrases are made, as parts of regular expressions: normalised, in English and French. */

export const shippers =
  '(?:shipper|supplier|factory|seller|vendor|manufacturer|exporter|plant|chargeur|expediteur|fournisseur|exportateur|fabricant|usine)'
export const consignees =
  '(?:consignee|cnee|customer|receiver|client|importer|buyer|destinataire|receptionnaire|importateur|acheteur)'
export const authorities = `(?:${authorityNames.join('|').toLowerCase()})`
export const customs = '(?:la |les )?douanes?'
export const line = '(?:l |la |le )?(?:armateur|compagnie(?: maritime| aerienne)?|transporteur|ligne)'
export const expected =
  '(?:estimated|expected|planned|scheduled|revised|updated|new|predicted|forecast|projected|anticipated|tentative|provisional|actual)'
export const completed =
  '(?:completed?|confirmed|done|made|effected|performed|accomplished|executed|finali[sz]ed|finished|successful(?:ly)?|signed|ok)'
export const effectuee = '(?:effectuee|terminee|confirmee|realisee|faite|achevee|finalisee|reussie|ok)'
// Between a verb and where it happened.
export const where =
  '(?: (?:at|in|into|to|onto|on|for|near|from|of|the|its|a|au|aux|chez|dans|de|des|du|en|vers|pour|par|sur|l|la|le|les|d|un|une|final|main))*'
// Those who carry the goods on, and where they are handed over to them.
export const carriers =
  '(?:(?:origin|export|outbound|ocean|sea|air|rail|port|marine|container|loading|departure|inland|pol|pod|first) )*(?:port(?! [a-z]{3})|terminal|pier|quay|cy|container yard|cfs|container freight station|airport|ramp|carrier|airline|shipping line|aeroport|quai|transporteur|armateur|compagnie(?: maritime| aerienne)?)'
export const strangers = `(?:\\w+ )?(?:depot|warehouse|hub|yard|station|rail ?road|railway|rail|entrepot|magasin|correspondant)(?! (?:of|du|de|d) (?:the |l |la |le )?${consignees})|(?:\\w+ )?(?:facility|cross ?dock|locker|shop|relais|post office|agence)|(?:sort(?:ing)?|distribution|parcel|consolidation) cent(?:er|re)|centre de tri|neighbou?rs?|voisine?|(?:connecting|next|other|another|second|partner|interline) \\w+|(?:vessel|ship|feeder|barge|flight|navire|vol|avion)`
