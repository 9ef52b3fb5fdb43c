import { inflateSync } from 'node:zlib'

export type Run = { text: string; x: number; fontSize: number }

/**
 * The text runs of each page. pdfkit writes them as hexadecimal strings, split by kerning: Latin-1 bytes in a standard font,
 * glyph indexes in an embedded one. A missing glyph is returned as `□`.
 */
export function runsOf(pdf: Buffer): Run[][] {
  const file = pdf.toString('latin1')
  const fonts = lettersOfFonts(pdf, file)
  const pages: Run[][] = []
  for (const { content } of streamsOf(pdf)) {
    const runs = content.matchAll(/ ([\d.-]+) [\d.-]+ Tm\n\/(F\d+) ([\d.]+) Tf\n\[(.*?)\] TJ/g)
    const page = [...runs].map(([, x, font, fontSize, array]) => ({
      text: decode(array!, fonts.get(font!)),
      x: Number(x),
      fontSize: Number(fontSize),
    }))
    if (page.length > 0) pages.push(page)
  }
  return pages
}

export function textOf(pdf: Buffer): string {
  return runsOf(pdf)
    .flat()
    .map(({ text }) => text)
    .join('')
}

type Stream = { id: string; content: string }

function streamsOf(pdf: Buffer): Stream[] {
  const streams: Stream[] = []
  for (let at = pdf.indexOf('stream\n'); at !== -1; at = pdf.indexOf('stream\n', pdf.indexOf('endstream', at) + 9)) {
    const head = pdf.subarray(0, at).toString('latin1')
    const id = /(\d+) 0 obj(?!.* 0 obj)/s.exec(head.slice(-1000))?.[1] ?? ''
    const bytes = pdf.subarray(at + 7, pdf.indexOf('\nendstream', at))
    const isCompressed = head.slice(head.lastIndexOf(' 0 obj')).includes('/FlateDecode')
    streams.push({ id, content: (isCompressed ? inflateSync(bytes) : bytes).toString('latin1') })
  }
  return streams
}

/** The characters of the glyph indexes of each embedded font. */
function lettersOfFonts(pdf: Buffer, file: string): Map<string, string[]> {
  const streams = new Map(streamsOf(pdf).map(({ id, content }) => [id, content]))
  const fonts = new Map<string, string[]>()
  for (const [, name, object] of file.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const letters = new RegExp(`\\n${object} 0 obj\\n<<[^>]*/ToUnicode (\\d+) 0 R`).exec(file)?.[1]
    if (letters !== undefined) fonts.set(name!, lettersIn(streams.get(letters) ?? ''))
  }
  return fonts
}

function lettersIn(map: string): string[] {
  const letters: string[] = []
  for (const [, start, list] of map.matchAll(/<(\w{4})> <\w{4}> \[(.*?)\]/g)) {
    for (const [index, [, units]] of [...list!.matchAll(/<([^>]*)>/g)].entries()) {
      const codes = units!.split(' ').map((unit) => Number.parseInt(unit, 16))
      letters[Number.parseInt(start!, 16) + index] = String.fromCharCode(...codes)
    }
  }
  letters[0] = '□'
  return letters
}

function decode(array: string, letters: string[] | undefined): string {
  const hex = [...array.matchAll(/<([0-9a-f]+)>/g)].map(([, digits]) => digits).join('')
  if (!letters) return Buffer.from(hex, 'hex').toString('latin1')
  return [...hex.matchAll(/.{4}/g)].map(([place]) => letters[Number.parseInt(place, 16)] ?? '□').join('')
}
