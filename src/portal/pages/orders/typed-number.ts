import type { Language } from '../../../contract/portal/people.js'

/** Numbers as people type them: `1,250.5` in English, `1 250,5` in French. */

const plainNumber = /^-?(?:\d+\.?\d*|\.\d+)$/
const groupedNumber = /^-?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/

/** What is no number stays as it was typed, so that the rules can say what is wrong with it. */
export function numberOf(text: string, language: Language): number | string | undefined {
  const typed = text.trim()
  if (typed === '') return undefined
  const plain = language === 'fr' ? typed.replaceAll(/\s/g, '').replace(',', '.') : withoutGroups(typed)
  return plainNumber.test(plain) ? Number(plain) : typed
}

// A comma that groups no thousands is not guessed at: `12,5` may be twelve and a half, or a slip.
function withoutGroups(typed: string): string {
  return groupedNumber.test(typed) ? typed.replaceAll(',', '') : typed
}

export function typedNumber(value: number, language: Language): string {
  return language === 'fr' ? String(value).replace('.', ',') : String(value)
}
