import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

type Value = string | number | boolean | string[] | undefined

/** Rows of one shape into a table that the same transaction has made, by COPY. */
export async function copyRows(client: PoolClient, table: string, rows: Record<string, Value>[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first)
  const lines = rows.map((row) => `${columns.map((column) => textOf(row[column])).join('\t')}\n`)
  const sink = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin (freeze)`))
  await pipeline(Readable.from(inPieces(lines, 500)), sink)
}

function* inPieces(lines: string[], length: number): Generator<string> {
  for (let start = 0; start < lines.length; start += length) yield lines.slice(start, start + length).join('')
}

function textOf(value: Value): string {
  if (value === undefined) return '\\N'
  if (typeof value === 'string') return escaped(value)
  return Array.isArray(value) ? escaped(arrayOf(value)) : String(value)
}

function arrayOf(values: string[]): string {
  return `{${values.map((value) => `"${value.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`
}

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function escaped(text: string): string {
  return text.replaceAll(/[\\\t\n\r]/g, (character) => escapes[character] as string)
}
