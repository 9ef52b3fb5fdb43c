import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
import { unescapeFormulas } from '../../spreadsheet/csv-row.js'
import { type Row, type Sheet, UnreadableTable } from './sheet.js'

/** CSV: UTF-8; separated by commas, semicolons or tabs; quoted where needed. Streamed, so files may exceed the memory. */

// Bounds the row that an unclosed quote would otherwise extend to the end of the file.
const longestRow = 4 * 1024 * 1024
const separators = [',', ';', '\t']

export async function openCsv(stream: AsyncIterable<Buffer>): Promise<Sheet[]> {
  const texts = decode(stream)[Symbol.asyncIterator]()
  const { start, separator } = await readStart(texts)
  const records = parseRecords(start, texts, separator)
  const first = await records.next()
  if (first.done) throw new UnreadableTable('is empty')
  return [{ name: undefined, header: first.value, rows: numbered(records) }]
}

async function* decode(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of stream) yield utf8.decode(chunk, { stream: true })
    yield utf8.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UnreadableTable('is not UTF-8: save it as "CSV UTF-8"', { cause: error })
  }
}

/** Reads up to the end of the header row: the separator is the most frequent candidate outside of quotes. */
async function readStart(texts: AsyncIterator<string>): Promise<{ start: string; separator: string }> {
  let start = ''
  while (start.length < longestRow) {
    const counted = countSeparators(start)
    if (counted.ended) return { start, separator: counted.separator }
    const next = await texts.next()
    if (next.done) return { start, separator: counted.separator }
    start += next.value
  }
  throw new UnreadableTable('is no CSV file: its first row does not end')
}

function countSeparators(text: string): { ended: boolean; separator: string } {
  const counts = new Map<string, number>(separators.map((separator) => [separator, 0]))
  let isQuoted = false
  let ended = false
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === '\n' || character === '\r') {
      ended = true
      break
    }
    const count = counts.get(character)
    if (count !== undefined) counts.set(character, count + 1)
  }
  // The sort is stable: a header of one column defaults to commas.
  const [[separator] = [',']] = [...counts].toSorted(([, one], [, other]) => other - one)
  return { ended, separator }
}

async function* parseRecords(start: string, rest: AsyncIterator<string>, separator: string): AsyncGenerator<string[]> {
  const parser = parse({
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: longestRow,
  })
  async function* texts(): AsyncGenerator<string> {
    try {
      if (start !== '') yield start
      for (let next = await rest.next(); !next.done; next = await rest.next()) if (next.value !== '') yield next.value
    } finally {
      await rest.return?.()
    }
  }
  // An error of the source destroys the parser, whose iteration below throws it.
  const feeding = pipeline(texts, parser)
  feeding.catch(() => {})
  try {
    yield* parser as AsyncIterable<string[]>
  } catch (error) {
    if (error instanceof CsvError) throw new UnreadableTable(`is not valid CSV: ${error.message}`, { cause: error })
    throw error
  }
}

async function* numbered(records: AsyncIterable<string[]>): AsyncGenerator<Row> {
  let number = 1
  for await (const cells of records) {
    number += 1
    yield { number, cells: cells.map(unescapeFormulas) }
  }
}
