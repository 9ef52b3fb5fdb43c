/**
 * Identifiers such as `SHP-7K3M9Q`: letters and digits that are not confused on the telephone. The last one is a check
 * character: it detects one wrong character, or two swapped ones.
 */

// A prime number of characters, so that every weight of the checksum is invertible.
export const idAlphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
export const idLength = 5
const form = new RegExp(`^SHP-[${idAlphabet}]{${idLength + 1}}$`)

/** The identifier for a number from 0 up to 31 ** 5. */
export function formatShipmentId(number: number): string {
  return `SHP-${speakableCode(number)}`
}

/** The part after the prefix; invoices and payments use it with other prefixes. */
export function speakableCode(number: number): string {
  let code = ''
  for (let rest = number; code.length < idLength; rest = Math.floor(rest / idAlphabet.length)) {
    code += idAlphabet.charAt(rest % idAlphabet.length)
  }
  return code + checkCharacter(code)
}

/** Whether an identifier has the format of generated ones; identifiers from imports may have any format. */
export function isShipmentId(text: string): boolean {
  return form.test(text) && checkCharacter(text.slice(4, -1)) === text.at(-1)
}

function checkCharacter(code: string): string {
  let sum = 0
  for (const [index, character] of code.split('').entries()) sum += idAlphabet.indexOf(character) * (index + 2)
  return idAlphabet.charAt(sum % idAlphabet.length)
}
