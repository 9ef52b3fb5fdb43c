// What Windows-1252 has beyond Latin-1: the standard fonts of PDF can show these, and nothing else.
const extras = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'
const unprintable = new RegExp(`[^\\n\\x20-\\x7e\\xa0-\\xff${extras}]`, 'g')

/** The text as Helvetica can print it: letters it lacks lose their accents, the rest is left out. */
export function printable(text: string): string {
  return text.normalize('NFC').replace(unprintable, (character) => asciiOnly(character))
}

const wholeLetters: Record<string, string> = {
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
    .replace(/[łŁøØđĐßı]/g, (letter) => wholeLetters[letter]!)
    .replace(/[^\x20-\x7e]/g, '')
}
