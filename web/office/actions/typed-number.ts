import type { Language } from '../../../src/contract/portal/people.js'
import { readDecimal } from '../../../src/domain/records/liberal-values.js'
import { numberOf } from '../../portal/pages/orders/number-input.js'

/**
 * A number as it was typed: `1,000` by the person's language, `1850,50` in any. Undefined if the field is empty, NaN for what
 * is no number, so that nothing is left out or guessed silently.
 */
export function typedNumber(text: string, language: Language): number | undefined {
  const read = numberOf(text, language)
  return typeof read === 'string' ? (readDecimal(read) ?? Number.NaN) : read
}

/** The same with or without a percent sign. */
export function typedPercent(text: string, language: Language): number | undefined {
  return typedNumber(text.trim().replace(/\s*%$/, ''), language)
}
