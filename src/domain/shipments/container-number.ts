/** ISO 6346: three letters of the owner, a category letter, six digits and a check digit. */

const pattern = /^[A-Z]{3}[JUZ]\d{7}$/

// ISO 6346 numbers the letters from 10 and skips the multiples of 11, the modulus of the checksum.
function letterValue(letter: string): number {
  const ordinal = letter.charCodeAt(0) - 65
  return 10 + ordinal + Math.floor((ordinal + 9) / 10)
}

/** The check digit that follows the four letters and six digits, such as `MSCU123456`. */
export function containerCheckDigit(prefixAndSerial: string): number {
  let sum = 0
  for (let position = 0; position < 10; position++) {
    const character = prefixAndSerial.charAt(position)
    const value = position < 4 ? letterValue(character) : Number(character)
    sum += value * 2 ** position
  }
  // A remainder of 10 is written as 0.
  return (sum % 11) % 10
}

/** Four letters and seven digits; the last one may not be the check digit of the others. */
export function hasContainerForm(text: string): boolean {
  return pattern.test(text)
}

export function isContainerNumber(text: string): boolean {
  return pattern.test(text) && containerCheckDigit(text.slice(0, 10)) === Number(text.charAt(10))
}

/** What is wrong with the check digit of a number in the form of a container number. */
export function checkDigitDetail(text: string): string | undefined {
  if (!hasContainerForm(text) || isContainerNumber(text)) return undefined
  return `${text} does not have the check digit ${containerCheckDigit(text.slice(0, 10))}: check the number`
}
