import type { Random } from '../../src/sandbox/random.js'

/** Typical uploads. */

export type SampleFile = { filename: string; content: Buffer }

const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n', 'latin1')
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export const otherContents: Record<string, Buffer> = {
  empty: Buffer.alloc(0),
  page: Buffer.from('<!doctype html><script>alert(1)</script>'),
  drawing: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  program: Buffer.from('MZ\u0090\0\u0003', 'latin1'),
  archive: Buffer.from('504b0506000000000000000000000000000000000000', 'hex'),
  'no text': Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x00]),
  long: Buffer.alloc(300_000, 'a line of text\n'),
}

export function sampleFile(random: Random): SampleFile {
  return random.pick([
    { filename: `packing list ${random.digits(3)}.pdf`, content: pdf },
    { filename: `Foto ${random.digits(3)} (süß).png`, content: png },
    { filename: `note-${random.digits(3)}.txt`, content: Buffer.from(`Note ${random.digits(6)}\n`) },
  ])
}

/** An order sheet. */
export function sampleSheet(random: Random): SampleFile {
  const rows = Array.from({ length: random.integer(1, 4) }, () =>
    [`T-${random.digits(9)}`, random.pick(['Müller', 'Nord']), 'LAMP-1', random.integer(1, 99), '2026-04-01'].join(','),
  )
  return { filename: 'orders.csv', content: Buffer.from(`${[sheetHeader, ...rows].join('\n')}\n`) }
}

const sheetHeader =
  'reference,supplier_id,product_lines.product.sku,product_lines.ordered_quantity,desired_delivery_date'

/** An order sheet with a text in one of its cells. */
export function sheetWith(text: string, random: Random): Buffer {
  const cells = [`T-${random.digits(9)}`, 'Nord', 'LAMP-1', '5', '2026-04-01']
  cells[random.integer(0, cells.length - 1)] = `"${text.replaceAll('"', '""')}"`
  return Buffer.from(`${sheetHeader}\n${cells.join(',')}\n`)
}
