/**
 * Identifiers such as `SHP-7K3M9Q`: letters and digits that cannot be taken for one another on the telephone. The
 * last one checks the others: one that is misheard, or two that change places, give another.
 */

// As many as a prime number, so that no weight hides a difference.
export const idAlphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
export const idLength = 5
const form = new RegExp(`^SHP-[${idAlphabet}]{${idLength + 1}}$`)

/** The identifier of a number: any whole number from 0 up to 31 to the power of 5. */
export function formatShipmentId(number: number): string {
  return `SHP-${speakableCode(number)}`
}

/** The part that follows the prefix; what else gets an identifier of ours has another prefix. */
export function speakableCode(number: number): string {
  let code = ''
  for (let rest = number; code.length < idLength; rest = Math.floor(rest / idAlphabet.length)) {
    code += idAlphabet.charAt(rest % idAlphabet.length)
  }
  return code + checkCharacter(code)
}

/** Whether it can be an identifier that was made here; customers' own may have any form. */
export function isShipmentId(text: string): boolean {
  return form.test(text) && checkCharacter(text.slice(4, -1)) === text.at(-1)
}

function checkCharacter(code: string): string {
  let sum = 0
  for (const [index, character] of code.split('').entries()) sum += idAlphabet.indexOf(character) * (index + 2)
  return idAlphabet.charAt(sum % idAlphabet.length)
}
