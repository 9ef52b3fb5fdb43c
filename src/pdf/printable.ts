// Windows-1252 beyond Latin-1: the standard PDF fonts support these and no others.
const extras = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'
const unprintable = new RegExp(`[^\\n\\x20-\\x7e\\xa0-\\xff${extras}]`, 'g')

/** Reduces text to what Helvetica can print: unsupported letters lose their accents, other characters are removed. */
export function printable(text: string): string {
  return text.normalize('NFC').replace(unprintable, (character) => asciiOnly(character))
}

const indivisibleLetters: Record<string, string> = {
  ł: 'l',
  Ł: 'L',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ß: 'ss',
  ı: 'i',
}

export function asciiOnly(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[łŁøØđĐßı]/g, (letter) => indivisibleLetters[letter]!)
    .replace(/[^\x20-\x7e]/g, '')
}
