// Digits and signs that people add to a word: `Password1!`.
const mostAdded = 4

/** Whether a password is in a list of common ones, in any letter case, or is one of them with a few digits or signs around it. */
export function isCommonPassword(password: string, common: ReadonlySet<string>): boolean {
  const text = password.normalize('NFKC').toLowerCase()
  const word = text.replace(/^[^\p{L}]{0,4}/u, '').replace(/[^\p{L}]{0,4}$/u, '')
  const isExtended = word !== '' && text.length - word.length <= mostAdded && common.has(word)
  return common.has(text) || isExtended
}
