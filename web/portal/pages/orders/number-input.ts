import type { Language } from '../../../../src/contract/portal/people.js'

/** Numbers as people type them: `1,250.5` in English, `1 250,5` in French. */

const plainNumber = /^-?(?:\d+\.?\d*|\.\d+)$/
const groupedNumber = /^-?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/

/** Invalid input is returned as it is, so that validation reports it. */
export function numberOf(text: string, language: Language): number | string | undefined {
  const typed = text.trim()
  if (typed === '') return undefined
  const plain = language === 'fr' ? typed.replaceAll(/\s/g, '').replace(',', '.') : withoutGroups(typed)
  return plainNumber.test(plain) ? Number(plain) : typed
}

// Only commas that group thousands are removed: `12,5` is ambiguous.
function withoutGroups(typed: string): string {
  return groupedNumber.test(typed) ? typed.replaceAll(',', '') : typed
}

export function typedNumber(value: number, language: Language): string {
  return language === 'fr' ? String(value).replace('.', ',') : String(value)
}
