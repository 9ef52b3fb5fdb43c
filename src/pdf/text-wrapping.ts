import type { ContentText } from 'pdfmake/interfaces.js'

/**
 * Text for a column of a given width, in Roboto. pdfmake breaks lines between words only, and a word wider than its column
 * would run off the page: such words may break anywhere.
 */
export function wrapped(text: string, width: number, fontSize: number): Pick<ContentText, 'text'> {
  const words = normalized(text).split(/(?<=\s)/)
  if (words.every((word) => widthOf(word, fontSize) <= width)) return { text: words.join('') }
  return {
    text: words.map((word) => (widthOf(word, fontSize) <= width ? word : { text: word, wordBreak: 'break-all' })),
  }
}

// The font has precomposed letters, but few combining accents.
export function normalized(text: string): string {
  return text.normalize('NFC').replaceAll(/\r\n?/g, '\n')
}

// An upper bound for the bold font: lower-case letters and digits are the narrowest, no glyph is wider than 1.2 em.
export function widthOf(text: string, fontSize: number): number {
  let ems = 0
  for (const character of text.trimEnd()) {
    ems += /[a-ln-vx-z0-9 .,:;/()'-]/.test(character) ? 0.612 : /[A-LN-VX-Z]/.test(character) ? 0.778 : 1.2
  }
  return ems * fontSize
}
