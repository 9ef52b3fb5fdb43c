import type { ContentText } from 'pdfmake/interfaces.js'

/**
 * The text as Roboto prints it within a width. pdfmake breaks lines between words only, and lets a word that is wider
 * than its column run off the page: such a word is broken wherever the line ends.
 */
export function wrapped(text: string, width: number, fontSize: number): Pick<ContentText, 'text'> {
  const words = composed(text).split(/(?<=\s)/)
  if (words.every((word) => widthOf(word, fontSize) <= width)) return { text: words.join('') }
  return {
    text: words.map((word) => (widthOf(word, fontSize) <= width ? word : { text: word, wordBreak: 'break-all' })),
  }
}

// The font has letters with their accents, and few accents by themselves.
export function composed(text: string): string {
  return text.normalize('NFC').replaceAll(/\r\n?/g, '\n')
}

// From above, of the bold cut: small letters and digits are the narrowest, no letter is wider than 1.2 of its height.
export function widthOf(text: string, fontSize: number): number {
  let ems = 0
  for (const character of text.trimEnd()) {
    ems += /[a-ln-vx-z0-9 .,:;/()'-]/.test(character) ? 0.612 : /[A-LN-VX-Z]/.test(character) ? 0.778 : 1.2
  }
  return ems * fontSize
}
