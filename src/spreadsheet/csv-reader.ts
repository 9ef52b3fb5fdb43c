import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
import { unescapeFormulas } from './csv-row.js'
import { type Row, type Sheet, UnreadableTable } from './sheet.js'

/** CSV: UTF-8; separated by commas, semicolons or tabs; quoted where needed. Streamed, so files may exceed the memory. */

// Bounds the row that an unclosed quote would otherwise extend to the end of the file.
const longestRow = 4 * 1024 * 1024
const separators = [',', ';', '\t']
// As many as spreadsheet programs have.
const mostColumns = 16_384

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
  const counts = separators.map((separator) => ({ separator, row: rowScanner(separator) }))
  // The sort is stable: a header of one column defaults to commas.
  const mostFrequent = () =>
    counts.toSorted((one, other) => other.row.columns() - one.row.columns())[0]?.separator ?? ','
  while (start.length < longestRow) {
    const next = await texts.next()
    if (next.done) return { start, separator: mostFrequent() }
    start += next.value
    const ended = counts.map(({ row }) => row.scanToEnd(next.value))
    if (ended.includes(true)) return { start, separator: mostFrequent() }
  }
  throw new UnreadableTable('is no CSV file: its first row does not end')
}

type RowScanner = {
  /** Scans a text up to the end of the row. Returns whether the row ends in it. */
  scanToEnd(text: string): boolean
  /** Scans a text of any number of rows. */
  scan(text: string): void
  /** How many columns the current row has so far. */
  columns(): number
}

const codes = { quote: 0x22, lineFeed: 0x0a, carriageReturn: 0x0d }

/** Counts columns before rows are parsed: a row of 4 MiB may have as many cells. Quotes may contain separators and line ends. */
function rowScanner(separator: string): RowScanner {
  const separatorCode = separator.charCodeAt(0)
  let isQuoted = false
  let columns = 1

  // Returns the position after the end of the row, or -1.
  function scanRow(text: string, start: number): number {
    for (let position = start; position < text.length; position += 1) {
      const code = text.charCodeAt(position)
      if (code === codes.quote) isQuoted = !isQuoted
      else if (isQuoted) continue
      else if (code === separatorCode) {
        columns += 1
        if (columns > mostColumns) throw new UnreadableTable(`has more than ${mostColumns} columns`)
      } else if (code === codes.lineFeed || code === codes.carriageReturn) return position + 1
    }
    return -1
  }

  return {
    scanToEnd: (text) => scanRow(text, 0) >= 0,
    scan(text) {
      for (let next = scanRow(text, 0); next >= 0; next = scanRow(text, next)) columns = 1
    },
    columns: () => columns,
  }
}

async function* parseRecords(start: string, rest: AsyncIterator<string>, separator: string): AsyncGenerator<string[]> {
  const parser = parse({
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: longestRow,
  })
  const scanner = rowScanner(separator)
  async function* texts(): AsyncGenerator<string> {
    try {
      for (let text: string | undefined = start; text !== undefined; ) {
        scanner.scan(text)
        if (text !== '') yield text
        const next: IteratorResult<string> = await rest.next()
        text = next.done ? undefined : next.value
      }
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
