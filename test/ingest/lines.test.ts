import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readLines } from '../../src/ingest/lines/lines.js'

async function* inChunks(text: string, length: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length)
}

test('lines keep their numbers among blank ones, however the file is cut into chunks', async () => {
  const line = fc.constantFrom('', ' ', '\t', '{"a":1}', ' x ', 'é')
  const end = fc.constantFrom('\n', '\r\n')
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(line, end), { maxLength: 30 }),
      fc.integer({ min: 1, max: 9 }),
      async (rows, length) => {
        const expected = rows.flatMap(([text], index) => (text.trim() === '' ? [] : [[index + 1, text]]))
        const found: [number, string][] = []
        for await (const { number, bytes } of readLines(inChunks(rows.map((row) => row.join('')).join(''), length))) {
          found.push([number, bytes.toString()])
        }
        expect(found).toEqual(expected)
      },
    ),
  )
})
