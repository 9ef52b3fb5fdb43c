import type { Language } from '../../../../src/contract/portal/people.js'

/** Numbers as people write them: `1,250.5` in English, `1 250,5` or `1.250,5` in French. */

const plainNumber = /^-?(?:\d+\.?\d*|\.\d+)$/
const spaced = /^-?\d{1,3}(?:[\s'’]\d{3})+(?:[.,]\d*)?$/
// With both signs, the last one is before the decimals, whatever the language.
const pointThenComma = /^-?\d{1,3}(?:\.\d{3})+,\d*$/
const commaThenPoint = /^-?\d{1,3}(?:,\d{3})+\.\d*$/
const severalPoints = /^-?\d{1,3}(?:\.\d{3}){2,}$/
const groupedByCommas = /^-?\d{1,3}(?:,\d{3})+$/

/** Invalid input is returned as it is, so that validation reports it. */
export function numberOf(text: string, language: Language): number | string | undefined {
  const typed = text.trim()
  if (typed === '') return undefined
  const plain = withoutGroups(spaced.test(typed) ? typed.replaceAll(/[\s'’]/g, '') : typed, language)
  return plainNumber.test(plain) ? Number(plain) : typed
}

// `12,5` and `1.250` are read by the language of the reader; in English, `12,5` is refused.
function withoutGroups(typed: string, language: Language): string {
  if (pointThenComma.test(typed)) return typed.replaceAll('.', '').replace(',', '.')
  if (commaThenPoint.test(typed)) return typed.replaceAll(',', '')
  if (severalPoints.test(typed)) return typed.replaceAll('.', '')
  if (language === 'fr') return typed.replace(',', '.')
  return groupedByCommas.test(typed) ? typed.replaceAll(',', '') : typed
}

export function writtenNumber(value: number, language: Language): string {
  return language === 'fr' ? String(value).replace('.', ',') : String(value)
}
