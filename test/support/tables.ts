import fc from 'fast-check'
import writeWorkbook from 'write-excel-file/node'
import type { DateOrder } from '../../src/domain/records/liberal-values.js'
import { type TableName, tables } from '../../src/ingest/tables/columns.js'
import { readHeader } from '../../src/ingest/tables/header.js'
import { importTable } from '../../src/ingest/tables/import-table.js'
import { readTableRecords } from '../../src/ingest/tables/records.js'
import { openCsv } from '../../src/spreadsheet/csv-reader.js'
import { describeFault, type Sheet } from '../../src/spreadsheet/sheet.js'
import type { RunningService } from './service.js'

/** A CSV file in small chunks. */
export async function* csvBytes(text: string | Buffer, chunk = 7): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text as string)
  for (let start = 0; start < bytes.length; start += chunk) yield bytes.subarray(start, start + chunk)
}

/** Imports tables. Returns the result and all error messages. */
export async function importSheets(
  service: RunningService,
  sheets: Sheet[],
  options: {
    table: TableName
    account: string
    skipInvalid?: boolean
    checkOnly?: boolean
    replace?: boolean
    dates?: DateOrder
    mapping?: Record<string, string>
  },
) {
  const faults: string[] = []
  const changes: string[] = []
  const warnings: string[] = []
  const outcome = await importTable(service, sheets, {
    skipInvalid: false,
    author: 'test',
    onFault: (fault) => faults.push(describeFault(fault)),
    onWarning: (warning) => warnings.push(describeFault(warning)),
    onChange: ({ id, field, before, after }) =>
      changes.push(`${id} ${field}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`),
    ...options,
  })
  return { outcome, faults, changes, warnings }
}

export async function importCsv(
  service: RunningService,
  text: string | Buffer,
  options: Parameters<typeof importSheets>[2],
) {
  return importSheets(service, await openCsv(csvBytes(text)), options)
}

/** The records of sheets, and all error messages. */
export async function readAll(name: TableName, sheets: Sheet[]): Promise<{ records: unknown[]; faults: string[] }> {
  const records: unknown[] = []
  const faults: string[] = []
  for (const sheet of sheets) {
    for await (const record of readTableRecords(tables[name], sheet, readHeader(tables[name], sheet))) {
      records.push(record.data)
      faults.push(...record.faults.map(describeFault))
    }
  }
  return { records, faults }
}

/** An XLSX file. `edit` changes the XML of its sheets to what other programs write. */
export async function xlsxOf(
  sheets: { sheet: string; data: unknown[][] }[],
  edit: (xml: string) => string = (xml) => xml,
): Promise<Buffer> {
  const features = [{ files: { transform: { 'xl/worksheets/sheet{id}.xml': { transform: edit } } } }]
  return writeWorkbook(sheets as never, { features } as never).toBuffer()
}

type Node = {
  type?: string
  format?: string
  enum?: string[]
  pattern?: string
  maxLength?: number
  exclusiveMinimum?: number
  maximum?: number
  properties?: Record<string, Node>
  required?: string[]
  items?: Node
  anyOf?: Node[]
}

/** `leftOut`: fields without a column. */
type Limits = { number: fc.Arbitrary<number>; text: fc.Arbitrary<string>; leftOut: string[] }

/** An arbitrary record that a table can represent: without empty texts, objects and lists. */
export function anyRecord(schema: Node, limits: Limits): fc.Arbitrary<Record<string, unknown>> {
  return anyObject(schema, limits, [])
}

function anyObject({ properties = {}, required = [] }: Node, limits: Limits, path: string[]) {
  const fields = Object.entries(properties).filter(([name]) => !limits.leftOut.includes([...path, name].join('.')))
  const values = Object.fromEntries(fields.map(([name, node]) => [name, anyValue(node, limits, [...path, name])]))
  return fc.record(values, { requiredKeys: required }).filter((object) => Object.keys(object).length > 0)
}

function anyValue(node: Node, limits: Limits, path: string[]): fc.Arbitrary<unknown> {
  const { number, text } = limits
  if (node.enum) return fc.constantFrom(...node.enum)
  if (node.anyOf?.some(({ type }) => type === 'boolean')) return fc.boolean()
  if (node.anyOf)
    return fc.oneof(
      fc.nat(),
      text.filter((code) => String(Number(code)) !== code),
    )
  const pattern = new RegExp(node.pattern ?? '')
  // A string with a maximum length, otherwise arbitrary.
  if (node.pattern && node.maxLength === undefined) return fc.stringMatching(pattern)
  if (node.format === 'date') return anyDate.map((date) => date.toISOString().slice(0, 10))
  if (node.format === 'date-time') return anyDate.map((date) => `${date.toISOString().slice(0, 19)}+08:00`)
  switch (node.type) {
    case 'object':
      return anyObject(node, limits, path)
    case 'array':
      return fc.array(anyItem(node.items ?? {}, limits, path), { minLength: 1, maxLength: 4 })
    case 'integer':
      return fc.maxSafeInteger().map((integer) => Number(integer.toPrecision(15)))
    case 'number':
      if (node.exclusiveMinimum === undefined) return number
      return number.map((value) => Math.min(Math.abs(value), node.maximum ?? Number.MAX_VALUE) || 1)
    case 'boolean':
      return fc.boolean()
    default:
      return text.map((value) => value.slice(0, node.maxLength ?? value.length)).filter((value) => pattern.test(value))
  }
}

const anyDate = fc.date({ min: new Date('1950-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })

// A list of texts is one cell, separated by semicolons.
function anyItem(node: Node, limits: Limits, path: string[]): fc.Arbitrary<unknown> {
  if (node.type === 'object') return anyObject(node, limits, path)
  return limits.text.map((text) => text.replaceAll(';', ','))
}
