import { expect, test } from 'vitest'
import { UnreadableTable } from '../../src/spreadsheet/sheet.js'
import { openXlsx } from '../../src/spreadsheet/xlsx-reader.js'
import { zip } from '../support/sample-files.js'
import { xlsxOf } from '../support/tables.js'

/** Archives that hold more than they say, or say different things in different places. */

const directoryMark = Buffer.from('PK\x01\x02', 'latin1')
const endMark = Buffer.from('PK\x05\x06', 'latin1')
const blanks = (mebibytes: number) => ' '.repeat(mebibytes * 1024 * 1024)

async function refusalOf(bytes: Buffer): Promise<UnreadableTable> {
  const refusal: unknown = await openXlsx(bytes).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(UnreadableTable)
  return refusal as UnreadableTable
}

test.each([
  ['in the directory', [24]],
  ['in the directory and in front of the content', [24, undefined]],
])('an entry that inflates to more than is stated %s is inflated no further than that', async (_, places) => {
  const bytes = zip([['xl/workbook.xml', blanks(4)]])
  for (const place of places) {
    bytes.writeUInt32LE(1000, place === undefined ? 22 : bytes.indexOf(directoryMark) + place)
  }
  const { message, cause } = await refusalOf(bytes)
  expect(message).toBe('is a damaged XLSX file')
  // What zlib gives at once.
  expect((cause as Error).message).toBe('too many bytes in the stream. expected 1000. got at least 16384')
})

test('entries that share their content count each by itself', async () => {
  const one = zip([['xl/workbook.xml', blanks(1)]])
  const [start, end] = [one.indexOf(directoryMark), one.indexOf(endMark)]
  const count = 129
  const tail = Buffer.from(one.subarray(end))
  tail.writeUInt16LE(count, 8)
  tail.writeUInt16LE(count, 10)
  tail.writeUInt32LE((end - start) * count, 12)
  const entries = Array.from({ length: count }, () => one.subarray(start, end))
  const bytes = Buffer.concat([one.subarray(0, start), ...entries, tail])
  expect((await refusalOf(bytes)).message).toBe('holds more than 128 MiB; save it as CSV')
})

test('an archive of very many entries is refused before any is read', async () => {
  const bytes = zip(Array.from({ length: 10_001 }, (_, index) => [`xl/${index}.xml`, '']))
  expect((await refusalOf(bytes)).message).toBe('has more than 10000 parts; save it as CSV')
})

test('content that the directory does not list is not read, though a reader from the front would come by it first', async () => {
  const good = await xlsxOf([{ sheet: 'One', data: [['id'], [1]] }])
  const other = await xlsxOf([{ sheet: 'One', data: [['id'], [2]] }])
  const hidden = other.subarray(0, other.indexOf(directoryMark))
  const bytes = Buffer.concat([hidden, good])
  const end = bytes.lastIndexOf(endMark)
  let entry = bytes.readUInt32LE(end + 16) + hidden.length
  bytes.writeUInt32LE(entry, end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    bytes.writeUInt32LE(bytes.readUInt32LE(entry + 42) + hidden.length, entry + 42)
    entry += 46 + [28, 30, 32].reduce((sum, place) => sum + bytes.readUInt16LE(entry + place), 0)
  }
  expect(await openXlsx(bytes)).toEqual([{ name: 'One', header: ['id'], rows: [{ number: 2, cells: [1] }] }])
})
